/** Malformed calls of write, read, copy, dispatch and initialize. */
import type { Random } from '../random.js';
import { binding, call, rangeOf, sampleBindings, type Boundary, type Make } from './crash-boundary.js';
import { detachedBytes, hostileProxy, revoked, throwSomething, weird, weirdBut } from './crash-values.js';

export const transfer: Make = (random, at) => {
  const method = random.pick(['write', 'read', 'copy']);
  if (method === 'copy') return copy(random, at);
  const bytes = random.chance(0.5) ? new Uint8Array(16) : new Uint8Array(new SharedArrayBuffer(16));
  const data = () =>
    random.pick<() => unknown>([
      () => weird(random),
      () => detachedBytes(),
      () => new Uint8Array(17),
      () => Object.create(bytes),
      () => revoked(bytes),
      () => new Uint8Array(new SharedArrayBuffer(32)),
    ])();
  const size = () => random.pick<() => unknown>([() => notSize(random), () => 17, () => Number.MAX_SAFE_INTEGER])();
  const args = replaced(
    random,
    [at.buffer, 0, method === 'write' ? bytes : 16],
    [
      () => notBuffer(random, at),
      () => random.pick<() => unknown>([() => notSize(random), () => 1])(),
      method === 'write' ? data : size,
    ],
  );
  return { label: method, run: () => call(at.device, method, at.device, args) };
};

/** Malformed arguments of a copy of 16 bytes. */
const copy: Make = (random, at) => {
  const offset = () => random.pick<() => unknown>([() => notSize(random), () => 1, () => 2 ** 53 - 16])();
  const args = replaced(
    random,
    [at.buffer, 0, at.target, 0, 16],
    [
      () => (random.chance(0.2) ? at.target : notBuffer(random, at)),
      offset,
      () => (random.chance(0.2) ? at.buffer : notBuffer(random, at)),
      offset,
      () => random.pick<() => unknown>([() => notSize(random), () => 17, () => Number.MAX_SAFE_INTEGER])(),
    ],
  );
  return { label: 'copy', run: () => call(at.device, 'copy', at.device, args) };
};

/** Malformed bindings in place of the valid ones, of which at least one is not null. */
export function notBindings(random: Random, at: Boundary, right: readonly (object | null)[]): unknown {
  const wrongBinding = () => {
    const wrong: Record<string, unknown> = binding(at);
    const key = random.pick(Object.keys(wrong));
    const how = random.int(0, 5);
    if (how === 0) delete wrong[key];
    else if (how === 1) Object.defineProperty(wrong, key, { get: () => throwSomething(random) });
    else if (how === 2) return hostileProxy(random, wrong);
    else if (how === 3) return [weird(random)];
    else if (how === 4) return random.pick(outsideBindings)(at);
    else wrong[key] = key === 'buffer' ? notBuffer(random, at) : notSize(random);
    return wrong;
  };
  const disposedInTheCall = () => {
    const buffer = at.device.createBuffer(16);
    return {
      buffer,
      offset: 0,
      get sizeInBytes() {
        buffer.dispose();
        return 16;
      },
    };
  };
  const position = random.pick([...right.keys()]);
  const bound = random.pick([...right.keys()].filter((i) => right[i] !== null));
  const other = right[position] === null ? binding(at) : null;
  return random.pick<() => unknown>([
    () => weird(random),
    () => right.with(position, wrongBinding()),
    () => right.with(position, wrongBinding()),
    () => right.with(position, other),
    () => right.slice(0, random.int(0, right.length - 1)),
    () => [...right, random.pick([binding(at), null])],
    () => right.with(bound, disposedInTheCall()),
    () => new Proxy(right, {}),
    () => revoked(right),
  ])();
}

/** Ranges that are not within the buffer, too short or misaligned. */
const outsideBindings: readonly ((at: Boundary) => object)[] = [
  (at) => ({ ...binding(at), offset: 16 }),
  (at) => ({ ...binding(at), offset: 4, sizeInBytes: 12 }),
  (at) => ({ ...binding(at), offset: 2 ** 53 - 16 }),
  (at) => ({ ...binding(at), sizeInBytes: 0 }),
  (at) => ({ ...binding(at), sizeInBytes: 12 }),
  (at) => ({ ...binding(at), sizeInBytes: 32 }),
  (at) => ({ ...binding(at), sizeInBytes: 2 ** 53 - 1 }),
];

const notOperator = (random: Random, at: Boundary): unknown =>
  random.pick<() => unknown>([
    () => weird(random),
    () => at.deadOperator,
    () => at.deadGraph,
    () => at.foreign.operator,
    () => at.foreign.graph,
    () => at.buffer,
    () => Object.create(at.operator),
    () => new Proxy(at.graph, {}),
  ])();

/** Malformed arguments of a dispatch of an operator or a graph. */
export const dispatch: Make = (random, at) => {
  const { inputs, outputs } = random.chance(0.5) ? sampleBindings(at) : { inputs: [binding(at)], outputs: [rangeOf(at.target)] };
  const args = replaced(
    random,
    [inputs.length === 1 ? at.operator : at.graph, inputs, outputs],
    [() => notOperator(random, at), () => notBindings(random, at, inputs), () => notBindings(random, at, outputs)],
  );
  const method = random.pick(['dispatch', 'dispatchProfiled']);
  return { label: method, run: () => call(at.device, method, at.device, args) };
};

/** Malformed arguments of another initialization. */
export const initialize: Make = (random, at) => {
  const { initialization } = sampleBindings(at);
  const args = random.pick<() => readonly unknown[]>([
    () => [notOperator(random, at), initialization],
    () => [at.graph, notBindings(random, at, initialization)],
    () => [at.operator, random.pick<unknown>([[binding(at)], [], initialization, [null, null]])],
  ])();
  return { label: 'initialize', run: () => call(at.device, 'initialize', at.device, args) };
};

const notBuffer = (random: Random, { foreign, deadBuffer, buffer, operator }: Boundary): unknown =>
  random.pick<() => unknown>([
    () => weird(random),
    () => weird(random),
    () => deadBuffer,
    () => foreign.buffer,
    () => operator,
    () => Object.create(buffer),
    () => new Proxy(buffer, {}),
    () => Object.setPrototypeOf({}, Object.getPrototypeOf(buffer)),
  ])();

const notSize = (random: Random): unknown => weirdBut(random, (value) => !Object.is(value, 0));

/** The valid arguments `args` with one of them replaced. `wrong` makes the replacement for each position. */
function replaced(random: Random, args: readonly unknown[], wrong: readonly (() => unknown)[]): unknown[] {
  const position = random.int(0, wrong.length - 1);
  return args.map((arg, i) => (i === position ? wrong[i]?.() : arg));
}

/** Malformed calls of write, read and dispatch. */
import type { Random } from '../random.js';
import { binding, call, type Boundary, type Make } from './crash-boundary.js';
import { detachedBytes, hostileProxy, revoked, throwSomething, weird, weirdBut } from './crash-values.js';

export const transfer: Make = (random, at) => {
  const method = random.pick(['write', 'read']);
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

export const dispatch: Make = (random, at) => {
  const wrongBinding = () => {
    const wrong: Record<string, unknown> = binding(at);
    const key = random.pick(Object.keys(wrong));
    const how = random.int(0, 4);
    if (how === 0) delete wrong[key];
    else if (how === 1) Object.defineProperty(wrong, key, { get: () => throwSomething(random) });
    else if (how === 2) return hostileProxy(random, wrong);
    else if (how === 3) return [weird(random)];
    else wrong[key] = key === 'buffer' ? notBuffer(random, at) : notSize(random);
    return wrong;
  };
  const disposedInTheCall = () => {
    const buffer = at.device.createBuffer(16);
    return [
      {
        buffer,
        offset: 0,
        get sizeInBytes() {
          buffer.dispose();
          return 16;
        },
      },
    ];
  };
  const bindings = () =>
    random.pick<() => unknown>([
      () => weird(random),
      () => [wrongBinding()],
      () => [wrongBinding()],
      () => [],
      () => [null],
      () => [binding(at), binding(at)],
      disposedInTheCall,
    ])();
  const operator = () =>
    random.pick<() => unknown>([
      () => weird(random),
      () => at.deadOperator,
      () => at.foreign.operator,
      () => at.buffer,
      () => Object.create(at.operator),
      () => new Proxy(at.operator, {}),
    ])();
  const args = replaced(random, [at.operator, [binding(at)], [binding(at)]], [operator, bindings, bindings]);
  return { label: 'dispatch', run: () => call(at.device, 'dispatch', at.device, args) };
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

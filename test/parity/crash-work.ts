/** Malformed calls of write, read, copy, dispatch, createFrame and initialize. */
import type { Random } from '../random.js';
import type { NativeRanges } from '../../binding.js';
import { call, ranges, sampleRanges, type Boundary, type Make } from './crash-boundary.js';
import { detach, detachedBytes, hostileProxy, revoked, weird, weirdBut } from './crash-values.js';

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

/** Malformed ranges in place of the valid ones, of which at least one binds a buffer. */
export function notRanges(random: Random, at: Boundary, right: NativeRanges): unknown {
  const starts = [...right.keys()].filter((i) => i % 3 === 0);
  const isBound = (start: number) => right[start] !== 0;
  const swapped = () => {
    const start = random.pick(starts);
    return withRow(right, start, isBound(start) ? [0, 0, 0] : [at.buffer.number, 0, 16]);
  };
  const wrong = () => withRow(right, random.pick(starts.filter(isBound)), wrongRow(random, at));
  const shrunk = () => {
    const memory: ArrayBuffer = Reflect.construct(ArrayBuffer, [right.byteLength, { maxByteLength: right.byteLength }]);
    const cut = new Float64Array(memory);
    cut.set(right);
    call(memory, 'resize', memory, [random.pick([0, 8, right.byteLength - 1])]);
    return cut;
  };
  const transferred = () => {
    const copy = right.slice();
    detach(copy.buffer);
    return copy;
  };
  return random.pick<() => unknown>([
    () => weird(random),
    wrong,
    wrong,
    wrong,
    swapped,
    () => right.slice(0, random.int(0, right.length - 1)),
    () => Float64Array.of(...right, ...random.pick([[0], [0, 0, 0], [at.buffer.number, 0, 16]])),
    () => shared(wrong()),
    shrunk,
    transferred,
    () => [...right],
    () => Float32Array.from(right),
    () => new BigInt64Array(right.buffer),
    () => new DataView(right.buffer),
    () => right.buffer,
    () => Object.setPrototypeOf(new BigUint64Array(right.length), Float64Array.prototype),
    () => Object.setPrototypeOf({ length: right.length }, Float64Array.prototype),
    () => Object.create(right),
    () => new Proxy(right, {}),
    () => hostileProxy(random, right),
    () => revoked(right),
  ])();
}

function withRow(rows: NativeRanges, start: number, row: readonly number[]): Float64Array {
  const changed = rows.slice();
  changed.set(row, start);
  return changed;
}

function shared(rows: Float64Array): Float64Array {
  const copy = new Float64Array(new SharedArrayBuffer(rows.byteLength));
  copy.set(rows);
  return copy;
}

/** No buffer of the device, no number, or a range that is not within the buffer, too short or misaligned. */
function wrongRow(random: Random, { buffer: { number }, foreign, deadBuffer }: Boundary): readonly number[] {
  const notWhole = [-1, -0.5, 0.5, NaN, Infinity, -Infinity, 2 ** 53, 1e300, 5e-324];
  return random.pick<() => readonly number[]>([
    () => [random.pick([...notWhole, number + 0.5, number + 2 ** 32, 2 ** 53 - 1]), 0, 16],
    () => [number, random.pick([...notWhole, 4, 16, 2 ** 53 - 16, 2 ** 53 - 1]), 16],
    () => [number, 0, random.pick([...notWhole, 0, 12, 32, 2 ** 53 - 1])],
    () => [number, 4, 12],
    () => [foreign.buffer.number, 0, 16],
    () => [deadBuffer.number, 0, 16],
  ])();
}

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

/** Malformed arguments of a dispatch of an operator or a graph, or of a frame. */
export const dispatch: Make = (random, at) => {
  const isGraph = random.chance(0.5);
  const right = isGraph ? sampleRanges(at).dispatch : ranges(at.buffer, at.target);
  const method = random.pick(['dispatch', 'dispatchProfiled', 'createFrame']);
  const listed = (operator: unknown) => (method === 'createFrame' ? [operator] : operator);
  const args = replaced(
    random,
    [listed(isGraph ? at.graph : at.operator), right],
    [() => listed(notOperator(random, at)), () => notRanges(random, at, right)],
  );
  return { label: method, run: () => call(at.device, method, at.device, args) };
};

/** Malformed arguments of another initialization. */
export const initialize: Make = (random, at) => {
  const { initialization } = sampleRanges(at);
  const args = random.pick<() => readonly unknown[]>([
    () => [notOperator(random, at), initialization],
    () => [at.graph, notRanges(random, at, initialization)],
    () => [at.operator, random.pick([ranges(at.buffer), ranges(), initialization, ranges(null, null)])],
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

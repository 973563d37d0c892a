/** The arguments of the methods of the native boundary: right ones, and malformed ones in their place. */
import type { Random } from '../random.js';
import type { NativeRanges } from '../../binding.js';
import { identity, ranges, sampleGraph, sampleRanges, type Boundary } from './crash-boundary.js';
import { detached, disguised, resizable, resized, weird, weirdBut } from './crash-values.js';

export type Argument = readonly [right: unknown, wrong: () => unknown];

/** By method: of the device, but for `setLabel`. */
export function argumentsOf(random: Random, at: Boundary): Readonly<Record<string, readonly Argument[]>> {
  const isGraph = random.chance(0.5);
  const { initialization, dispatch } = sampleRanges(at);
  const run = isGraph ? dispatch : ranges(at.buffer, at.target);
  const isShared = random.chance(0.5);
  const bytes = isShared ? new Uint8Array(new SharedArrayBuffer(16)) : new Uint8Array(16);

  const buffer: Argument = [at.buffer, () => notBuffer(random, at)];
  const offset: Argument = [0, () => (random.chance(0.3) ? random.pick([1, 2 ** 53 - 16]) : notSize(random))];
  const size: Argument = [16, () => (random.chance(0.5) ? random.pick([17, Number.MAX_SAFE_INTEGER]) : notSize(random))];
  const data: Argument = [bytes, () => notData(random, bytes)];
  const operator: Argument = [isGraph ? at.graph : at.operator, () => notOperator(random, at)];
  const bindings: Argument = [run, () => notRanges(random, at, run)];
  const flags: Argument = [0, () => weirdBut(random, (value) => value !== 0)];
  const callback: Argument = [() => undefined, () => weirdBut(random, (value) => typeof value !== 'function')];
  const described: Argument = [identity(), () => weird(random)];
  const graph: Argument = [sampleGraph(), () => weird(random)];
  const owned: Argument = [initialization, () => notRanges(random, at, initialization)];
  return {
    createBuffer: [[16, () => (random.chance(0.05) ? 2 ** 52 : weird(random))]],
    setLabel: [['label', () => weirdBut(random, (value) => typeof value !== 'string')]],
    onLost: [callback],
    onBudgetShrink: [callback],
    write: [buffer, offset, data],
    read: [buffer, offset, size],
    readInto: [buffer, offset, data],
    copy: [
      [at.buffer, () => (random.chance(0.2) ? at.target : notBuffer(random, at))],
      offset,
      [at.target, () => (random.chance(0.2) ? at.buffer : notBuffer(random, at))],
      offset,
      size,
    ],
    dispatch: [operator, bindings],
    dispatchProfiled: [operator, bindings],
    createRecording: [[[operator[0]], () => [operator[1]()]], bindings],
    initialize: isGraph
      ? [operator, owned]
      : [operator, [ranges(null), () => random.pick([ranges(at.buffer), ranges(), initialization, ranges(null, null)])]],
    checkOperator: [described, flags],
    compileOperator: [described, flags, [undefined, () => weirdBut(random, (value) => value !== undefined)]],
    checkGraph: [graph, flags],
    compileGraph: [graph, flags, owned],
    startProfile: [],
    endProfile: [],
    submit: [],
    idle: [],
    removeForTesting: [],
  };
}

function notData(random: Random, bytes: Uint8Array): unknown {
  return random.pick<() => unknown>([
    () => weird(random),
    () => detached(new Uint8Array(8)),
    () => new Uint8Array(17),
    () => disguised(random, bytes),
    () => new Uint8Array(new SharedArrayBuffer(32)),
  ])();
}

const notSize = (random: Random): unknown => weirdBut(random, (value) => !Object.is(value, 0));

const notBuffer = (random: Random, { foreign, deadBuffer, buffer, operator }: Boundary): unknown =>
  random.pick<() => unknown>([
    () => weird(random),
    () => weird(random),
    () => deadBuffer,
    () => foreign.buffer,
    () => operator,
    () => disguised(random, buffer),
  ])();

/** Malformed ranges in place of the valid ones, of which at least one binds a buffer. */
export function notRanges(random: Random, at: Boundary, right: NativeRanges): unknown {
  const starts = [...right.keys()].filter((i) => i % 3 === 0);
  const isBound = (start: number) => right[start] !== 0;
  const swapped = () => {
    const start = random.pick(starts);
    return withRow(right, start, isBound(start) ? [0, 0, 0] : [at.buffer.number, 0, 16]);
  };
  const wrong = () => withRow(right, random.pick(starts.filter(isBound)), wrongRow(random, at));
  const { byteLength } = right;
  const shrunk = () => resized(resizable(byteLength, byteLength), random.pick([0, 8, byteLength - 1]), copyOf(right));
  return random.pick<() => unknown>([
    () => weird(random),
    wrong,
    wrong,
    wrong,
    swapped,
    () => right.slice(0, random.int(0, right.length - 1)),
    () => Float64Array.of(...right, ...random.pick([[0], [0, 0, 0], [at.buffer.number, 0, 16]])),
    () => copyOf(wrong())(new SharedArrayBuffer(byteLength)),
    shrunk,
    () => detached(right.slice()),
    () => [...right],
    () => Float32Array.from(right),
    () => new BigInt64Array(right.buffer),
    () => new DataView(right.buffer),
    () => right.buffer,
    () => Object.setPrototypeOf(new BigUint64Array(right.length), Float64Array.prototype),
    () => Object.setPrototypeOf({ length: right.length }, Float64Array.prototype),
    () => disguised(random, right),
    () => disguised(random, right),
  ])();
}

function withRow(rows: NativeRanges, start: number, row: readonly number[]): Float64Array {
  const changed = rows.slice();
  changed.set(row, start);
  return changed;
}

/** Copies the rows into memory of their size. */
const copyOf = (rows: Float64Array) => (memory: ArrayBufferLike) => {
  const copy = new Float64Array(memory);
  copy.set(rows);
  return copy;
};

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
    () => disguised(random, random.pick([at.operator, at.graph])),
  ])();

/** The valid arguments of the methods at the native boundary, and mistakes that only particular values can have. */
import { operatorTable } from '#lib/descriptors/generated/table.js';
import type { NativeDispatch, NativeRanges } from '../../../binding.js';
import { instead, perhaps, type Break, type Spot } from '../../malformed/arguments.js';
import { generators, operatorTypes } from '../../operators/cases.js';
import type { Random } from '../../harness/random.js';
import { identity, OWNED_BY_DML, ranges, sampleGraph, type Boundary } from './boundary.js';
import { asNative, encodeLoosely } from '../../descriptors/encode.js';

/** Arguments by the name of the method. {@link ownerOf} has it. */
export function argumentsOf(random: Random, at: Boundary): Readonly<Record<string, readonly unknown[]>> {
  const { buffer, target } = at;
  const isGraph = random.chance(0.5);
  const operator = isGraph ? at.graph : at.operator;
  const bindings = isGraph ? ranges(buffer, null, null, target, null) : ranges(buffer, target);
  const initialization = ranges(null, buffer, null);
  const bytes = new Uint8Array(random.chance(0.5) ? new SharedArrayBuffer(16) : new ArrayBuffer(16));
  const callback = () => undefined;
  return {
    createBuffer: [16],
    createFence: [''],
    importBuffer: [at.handles.buffer, 0],
    importFence: [at.handles.fence],
    setLabel: ['label'],
    onLost: [callback],
    onBudgetShrink: [callback],
    write: [buffer, 0, bytes],
    read: [buffer, 0, 16],
    readInto: [buffer, 0, bytes],
    copy: [buffer, 0, target, 0, 16],
    dispatch: [Float64Array.of(operator.number, ...bindings)],
    dispatchProfiled: [Float64Array.of(operator.number, ...bindings)],
    createRecording: [[operator], bindings],
    initialize: [at.graph, initialization],
    checkOperator: [identity(), 0],
    compileOperator: [identity(OWNED_BY_DML), 0, ranges(buffer)],
    checkGraph: [sampleGraph(), 0],
    compileGraph: [sampleGraph(), 0, initialization],
    startProfile: [],
    endProfile: [],
    submit: [],
    idle: [],
    removeForTesting: [],
  };
}

/** The object with the method: the addon for a dispatch, the buffer for its label, and else the device. */
export function ownerOf({ binding, buffer, device }: Boundary, method: string): object {
  if (method in binding) return binding;
  return method === 'setLabel' ? buffer : device;
}

/** The descriptor of a conformance case of the operator, which is given by its DML_OPERATOR_TYPE. */
export function describe(random: Random, operator: number): object {
  const type = operatorTypes.find((candidate) => operatorTable[candidate].value === operator);
  if (type === undefined) throw new RangeError(`there are no cases of operator ${operator}`);
  return asNative(encodeLoosely({ ...generators[type](random, random.int(0, 9999)).descriptor }));
}

/** The mistakes that a value at this place in the arguments of the method can have in addition. */
export function mistakesOf(at: Boundary, method: string, { key, right }: Spot): readonly Break[] {
  if (right === at.buffer || right === at.target) return wrongBuffers(at, method, right);
  if (right === at.operator || right === at.graph) return wrongOperators(at);
  if (right instanceof Float64Array) return wrongRanges(at, right);
  if (right instanceof Uint32Array) return wrongRows(key);
  if (typeof right === 'bigint') return wrongHandles(at, right);
  if (right === '' && method === 'createFence') return [wrongName];
  if (typeof right === 'number') return wrongNumbers(method, right);
  return Array.isArray(right) && key === 'operators' ? [sequence] : [];
}

function wrongBuffers({ deadBuffer, foreign, operator, buffer, target }: Boundary, method: string, right: object): Break[] {
  return [
    instead('a disposed buffer', () => deadBuffer),
    instead('a buffer of another device', () => foreign.buffer),
    instead('an operator', () => operator),
    ...(method === 'copy' ? [instead('the other buffer', () => (right === buffer ? target : buffer))] : []),
  ];
}

function wrongOperators({ deadOperator, deadGraph, foreign, buffer }: Boundary): Break[] {
  return [
    instead('a disposed one', (random) => random.pick([deadOperator, deadGraph])),
    instead('one of another device', (random) => random.pick([foreign.operator, foreign.graph])),
    instead('a buffer', () => buffer),
  ];
}

/**
 * Replaces a range by one with a wrong buffer number, beyond the buffer, too short or misaligned, or changes the number of ranges.
 * Replaces the number of the operator, which a dispatch begins with.
 */
function wrongRanges(at: Boundary, right: NativeRanges | NativeDispatch): Break[] {
  const { deadBuffer, foreign } = at;
  const { number } = at.buffer;
  const first = right.length % 3;
  const notWhole = [-1, -0.5, 0.5, NaN, Infinity, -Infinity, 2 ** 53, 1e300, 5e-324];
  const change = (random: Random, start: number, numbers: readonly number[]) => {
    const memory = random.pick([ArrayBuffer, SharedArrayBuffer]);
    const changed = new Float64Array(new memory(right.byteLength));
    changed.set(right);
    changed.set(numbers, start);
    return changed;
  };
  const row = (label: string, make: (random: Random, isBound: boolean) => readonly number[]) =>
    instead(label, (random) => {
      const start = first + 3 * random.int(0, Math.floor(right.length / 3) - 1);
      return change(random, start, make(random, right[start] !== 0));
    });
  const operator = (label: string, make: (random: Random) => number) =>
    instead(label, (random) => change(random, 0, [make(random)]));
  const operators = [
    operator('no number of an operator', (random) => random.pick([...notWhole, 0, 2 ** 32, 2 ** 53 - 1])),
    operator('a disposed operator', (random) => random.pick([at.deadOperator, at.deadGraph]).number),
    operator('an operator of another device', (random) => random.pick([foreign.operator, foreign.graph]).number),
  ];
  return [
    ...(first === 0 ? [] : operators),
    row('no number of a buffer', (random) => [random.pick([...notWhole, number + 0.5, number + 2 ** 32, 2 ** 53 - 1]), 0, 16]),
    row('a wrong offset', (random) => [number, random.pick([...notWhole, 4, 16, 2 ** 53 - 16, 2 ** 53 - 1]), 16]),
    row('a wrong size', (random) => [number, 0, random.pick([...notWhole, 0, 12, 32, 2 ** 53 - 1])]),
    row('a misaligned range', () => [number, 4, 12]),
    row('a range of another device', () => [foreign.buffer.number, 0, 16]),
    row('a range of a disposed buffer', () => [deadBuffer.number, 0, 16]),
    row('a range too many or too few', (_, isBound) => (isBound ? [0, 0, 0] : [number, 0, 16])),
    instead('more ranges', () => Float64Array.of(...right, number, 0, 16)),
  ];
}

/** The limits of native/addon/graph_reader.cpp. */
const MAX_NODES = 65_536;
const MAX_EDGES = 1_048_576;

/** Mistakes of the list of nodes, with one number per row, or of a list of edges. */
function wrongRows(key: string): Break[] {
  const [row, most] = key === 'nodes' ? [1, MAX_NODES] : [key === 'intermediateEdges' ? 4 : 3, MAX_EDGES];
  return [
    instead('too many rows', (random) => new Uint32Array(row * (most + random.pick([1, 2, most])))),
    instead('a number too many', (random) => new Uint32Array(row * random.pick([0, 1, 1_000, most]) + 1)),
  ];
}

function wrongHandles({ handles }: Boundary, right: bigint): Break[] {
  return [
    instead('no handle', (random) => random.pick([0n, -1n, 2n ** 64n - 1n, 2n ** 64n, right + 2n ** 64n, -right, 2n ** 1000n])),
    instead('the handle of another kind', () => (right === handles.buffer ? handles.fence : handles.buffer)),
    instead('the handle of this process or thread', (random) => 2n ** 64n - BigInt(random.int(1, 6))),
    // Small multiples of 4 are handles of files, threads, events, and of what the process shares.
    perhaps('any handle', (random) => BigInt(random.int(1, 4096))),
    perhaps('a closed handle', () => handles.closed),
    instead('the name of nothing', (random) =>
      random.pick(['', 'Local\\', '\\', 'a\\b', '\0', '\ud800', 'n'.repeat(random.pick([260, 261, 2 ** 16]))]),
    ),
  ];
}

const wrongName = instead('no name', (random) =>
  random.pick(['\0', 'Local\\a\0', 'a\\b\\c', 'n'.repeat(random.pick([261, 2 ** 16]))]),
);

const AT_THE_EDGE = [-0, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 53 - 1, 2 ** 53, Number.MIN_VALUE];

function wrongNumbers(method: string, right: number): Break[] {
  if (method === 'createBuffer') return [instead('more than all memory', () => 2 ** 52)];
  const edge = perhaps('a number at the edge', (random) => random.pick(AT_THE_EDGE));
  if (!['write', 'read', 'readInto', 'copy'].includes(method)) return [edge];
  return [edge, instead('beyond the buffer', (random) => right + random.pick([1, 2 ** 53 - 32]))];
}

const FILL_VALUE_SEQUENCE = 104;

/** DirectML ends the process if such an operator is in a graph. */
const sequence = instead('a sequence', (random, { right }) => {
  const one = describe(random, FILL_VALUE_SEQUENCE);
  const operators = [right].flat();
  return random.chance(0.5) ? [...operators, one] : operators.map(() => one);
});

/** The tensors of an ONNX model while it is traced: elements in memory, or the result of a graph, in any strides. */
import { codecs } from '../tensors/element.js';
import { bitsOf, isFloat } from '../tensors/data-types.js';
import { list } from '../values/errors.js';
import type { DataType } from '../tensors/generated/enums.js';
import { packedStrides, productOf } from '../tensors/tensor-size.js';

/** Elements in the memory of JavaScript, packed. They are the same in each run, unless they were supplied in this one. */
export class HostData {
  readonly bytes: Uint8Array;
  /** For elements that only this run has: where its tensor is kept, and whether the trace depends on the elements. */
  readonly supply: Supply | null;

  constructor(bytes: Uint8Array, supply: Supply | null = null) {
    this.bytes = bytes;
    this.supply = supply;
  }
}

interface Supply {
  readonly slot: string;
  isConsulted: boolean;
  /** True for whole numbers and what is computed from them, on which sizes and conditions may depend. */
  readonly mayBeSize: boolean;
  /** True if the elements are placeholders, because no run has begun. */
  readonly isUnknown: boolean;
}

/** Elements that only a run has. */
export function supplyOf(slot: string, { dataType }: Pick<Layout, 'dataType'>, isUnknown = false): Supply {
  return { slot, isConsulted: false, mayBeSize: !isFloat(dataType), isUnknown };
}

/** Elements on the device, packed: an input, or the output of a node. */
export class DeviceData {
  /** 1 to 8 sizes. */
  readonly sizes: readonly number[];
  /** True for an input with room in its memory, to which an operator may append. */
  readonly hasRoom: boolean;

  constructor(sizes: readonly number[], hasRoom = false) {
    this.sizes = sizes;
    this.hasRoom = hasRoom;
  }
}

export interface Layout {
  readonly dataType: DataType;
  /** True for uint8 that ONNX calls bool. */
  readonly isBool: boolean;
  /** As in ONNX: none for a single number. */
  readonly dims: readonly number[];
}

/** A tensor of the model. */
export interface Operand extends Layout {
  readonly data: HostData | DeviceData;
  /** In elements; null for packed elements. */
  readonly strides: readonly number[] | null;
}

/** A tensor in the memory of JavaScript. */
export type HostOperand = Operand & { readonly data: HostData };

/** What a value of a model can be. Null is an optional without a value. */
export type Item = Operand | Sequence | null;

export class Sequence {
  readonly items: readonly Operand[];

  constructor(items: readonly Operand[]) {
    this.items = items;
  }
}

/** An output for an operator to compute. */
export class Output implements Layout {
  readonly dataType: DataType;
  readonly dims: readonly number[];
  readonly isBool: boolean;

  constructor(dataType: DataType, dims: readonly number[], isBool = false) {
    this.dataType = dataType;
    this.dims = dims;
    this.isBool = isBool;
  }
}

export function isHost(operand: Operand): operand is HostOperand {
  return operand.data instanceof HostData;
}

/** DirectML's tensors have at least one size. */
export function sizesOf(dims: readonly number[]): readonly number[] {
  return dims.length === 0 ? [1] : dims;
}

export function stridesOf({ dims, strides }: Operand): readonly number[] {
  return strides ?? packedStrides(dims);
}

/** The sizes to which these broadcast, as in NumPy. @throws {RangeError} */
export function broadcastDims(...all: readonly (readonly number[])[]): number[] {
  const rank = Math.max(...all.map((dims) => dims.length));
  return Array.from({ length: rank }, (_, i) => {
    let size = 1;
    for (const dims of all) {
      const own = dims[dims.length - rank + i] ?? 1;
      if (own === 1 || own === size) continue;
      if (size !== 1) throw new RangeError(`${all.map((each) => list(each)).join(' and ')} do not broadcast`);
      size = own;
    }
    return size;
  });
}

/** The same elements, repeated by strides of 0. @throws {RangeError} */
export function broadcast<T extends Operand>(operand: T, dims: readonly number[]): T {
  const missing = dims.length - operand.dims.length;
  if (missing === 0 && operand.dims.every((size, i) => size === dims[i])) return operand;
  const own = stridesOf(operand);
  const strides = dims.map((size, i) => {
    const before = i < missing ? 1 : (operand.dims[i - missing] ?? 1);
    if (before !== 1 && before !== size) throw new RangeError(`${list(operand.dims)} does not broadcast to ${list(dims)}`);
    return i >= missing && before === size ? (own[i - missing] ?? 0) : 0;
  });
  return withLayout(operand, dims, strides);
}

/** The same elements in a packed layout of other sizes. @throws {RangeError} if their number is another. */
export function reshaped<T extends Operand>(operand: T, dims: readonly number[]): T {
  if (productOf(dims) !== productOf(operand.dims)) throw new RangeError(`${list(operand.dims)} cannot become ${list(dims)}`);
  if (operand.strides !== null) throw new TypeError('elements with strides are packed first');
  return { ...operand, dims, strides: null };
}

/** Dimension `i` of the result is dimension `order[i]` of the operand. */
export function permuted<T extends Operand>(operand: T, order: readonly number[]): T {
  const strides = stridesOf(operand);
  return withLayout(
    operand,
    order.map((axis) => operand.dims[axis] ?? 1),
    order.map((axis) => strides[axis] ?? 1),
  );
}

/** With leading dimensions of 1, so that there are at least `rank`. */
export function withRank<T extends Operand>(operand: T, rank: number): T {
  const missing = rank - operand.dims.length;
  if (missing <= 0) return operand;
  const ones = new Array<number>(missing).fill(1);
  const dims = [...ones, ...operand.dims];
  return operand.strides === null ? { ...operand, dims } : withLayout(operand, dims, [...ones.fill(0), ...operand.strides]);
}

/** The same elements with sizes and strides. */
export function withLayout<T extends Operand>(operand: T, dims: readonly number[], strides: readonly number[]): T {
  const packed = packedStrides(dims);
  const isPacked = strides.every((stride, i) => dims[i] === 1 || stride === packed[i]);
  return { ...operand, dims, strides: isPacked ? null : strides };
}

/** The most elements that are computed in memory: for twice as many, the engine would end the process. */
const mostElements = 2 ** 24;

/** The most bytes of a tensor whose elements lie elsewhere one by one. */
const mostPacked = 2 ** 30;

/** The number itself. @throws {RangeError} for an array that would be too long. */
export function checkedLength(count: number): number {
  if (count > mostElements) {
    throw new RangeError(`${count} elements are more than the ${mostElements} that are computed in memory`);
  }
  // Not a number for parts of a tensor without elements: an array of that length is empty.
  return count;
}

/** The elements in order: bigints for 64-bit integers. */
export function elementsOf(operand: HostOperand): readonly (number | bigint)[] {
  const count = checkedLength(productOf(operand.dims));
  const { buffer, byteOffset, byteLength } = operand.data.bytes;
  const view = new DataView(buffer, byteOffset, byteLength);
  const { read } = codecs[operand.dataType];
  if (operand.strides === null) return Array.from({ length: count }, (_, i) => read(view, i));
  const elements: (number | bigint)[] = [];
  visitElements(operand, (position) => elements.push(read(view, position)));
  return elements;
}

export function numbersOf(operand: HostOperand): readonly number[] {
  return elementsOf(operand).map(Number);
}

/** Calls `visit` for each element in order, with its place in memory. */
function visitElements(operand: Operand, visit: (position: number, i: number) => void): void {
  const { dims } = operand;
  const strides = stridesOf(operand);
  const index = new Array<number>(dims.length).fill(0);
  const count = productOf(dims);
  for (let n = 0, position = 0; n < count; n++) {
    visit(position, n);
    for (let i = dims.length - 1; i >= 0; i--) {
      index[i] = (index[i] ?? 0) + 1;
      position += strides[i] ?? 0;
      if ((index[i] ?? 0) < (dims[i] ?? 1)) break;
      position -= (index[i] ?? 0) * (strides[i] ?? 0);
      index[i] = 0;
    }
  }
}

/** The bytes of the elements, in order. */
export function packedBytes(operand: HostOperand): Uint8Array {
  const { bytes } = operand.data;
  if (operand.strides === null) return bytes;
  const size = bitsOf(operand.dataType) / 8;
  if (size < 1) throw new TypeError('elements of 4 bits have no strides');
  const count = productOf(operand.dims) * size;
  if (count > mostPacked) throw new RangeError(`${count} bytes are more than the ${mostPacked} that are copied in memory`);
  const result = new Uint8Array(count);
  visitElements(operand, (position, i) => {
    for (let k = 0; k < size; k++) result[i * size + k] = bytes[position * size + k] ?? 0;
  });
  return result;
}

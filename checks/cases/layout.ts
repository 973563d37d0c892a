/** Random sizes and memory layouts of tensors, and their bytes. */
import type { TensorDesc } from 'node-directml';
import { bitsOf, isFloat } from '#lib/tensors/data-types.js';
import { minimumTensorSizeInBytes as sizeInBytes, packedStrides } from '#lib/tensors/tensor-size.js';
import type { Random } from '../harness/random.js';
import { base64, bytesPerElement, fromBase64, type ConformanceCase, type DataType } from './case.js';

/** The bytes of a tensor, rounded up to a multiple of 4 as DirectML does. */
export { sizeInBytes };

export function isTensor(value: unknown): value is TensorDesc {
  return typeof value === 'object' && value !== null && 'dataType' in value && 'sizes' in value;
}

export interface Input {
  readonly name: string;
  readonly tensor: TensorDesc;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The input in a field of the case; null if there is none, or a list of them. */
export function inputIn({ descriptor, data }: ConformanceCase, name: string): Input | null {
  const tensor: unknown = Reflect.get(descriptor, name);
  const text = data[name];
  return isTensor(tensor) && typeof text === 'string' ? { name, tensor, bytes: fromBase64(text) } : null;
}

/** All inputs of the case, in the order of its fields, except those in lists. */
export function inputsOf(test: ConformanceCase): Input[] {
  return Object.keys(test.descriptor).flatMap((name) => inputIn(test, name) ?? []);
}

/** `count` sizes of 1; none if `count` is negative. */
export function ones(count: number): number[] {
  return new Array<number>(Math.max(0, count)).fill(1);
}

export function product(sizes: readonly number[]): number {
  return sizes.reduce((all, size) => all * size, 1);
}

/** `rank` sizes with at most `limit` elements in total. */
export function randomSizes(random: Random, rank: number, limit: number): number[] {
  const sizes = ones(rank);
  let room = limit;
  for (const axis of random.distinct(rank, rank)) {
    const most = Math.min(room, rank <= 2 ? 40 : 6);
    const size = random.chance(0.15) ? 1 : random.int(1, Math.max(1, most));
    sizes[axis] = size;
    room = Math.floor(room / size);
  }
  return sizes;
}

/**
 * The data type and the sizes of a case, which take turns: the data types, and for each of them 1 to 8 dimensions. `limit` is the
 * largest number of elements.
 */
export function shapeInTurn(random: Random, index: number, dataTypes: readonly DataType[], limit = 400) {
  const dataType = dataTypes[index % dataTypes.length] ?? 'float32';
  return { dataType, sizes: randomSizes(random, (Math.floor(index / dataTypes.length) % 8) + 1, limit) };
}

/** A tensor with any layout that its role allows. `broadcast` lists the axes that must have stride 0. */
export function randomTensor(
  random: Random,
  dataType: DataType,
  sizes: readonly number[],
  role: 'input' | 'output',
  broadcast: readonly number[] = [],
): TensorDesc {
  const kind = random.pick(['packed', 'packed', 'padded', 'permuted', ...(role === 'input' ? ['broadcast'] : [])]);
  const isPacked = kind === 'packed' && broadcast.length === 0;
  const strides = isPacked ? null : randomStrides(random, sizes, kind, broadcast);
  const spare = random.chance(0.2) ? 8 * random.int(1, isPacked ? 5 : 4) : 0;
  return {
    dataType,
    sizes: [...sizes],
    ...(strides === null ? {} : { strides }),
    ...(spare > 0 ? { totalTensorSizeInBytes: sizeInBytes(dataType, sizes, strides) + spare } : {}),
  };
}

/** Random strides of the given kind; some kinds combine a permutation with gaps. */
function randomStrides(random: Random, sizes: readonly number[], kind: string, broadcast: readonly number[]): number[] {
  const isPermuted = kind === 'permuted' || random.chance(0.3);
  const hasGaps = kind === 'padded' || random.chance(0.3);
  const isRepeated = (axis: number) =>
    broadcast.includes(axis) || (kind === 'broadcast' && broadcast.length === 0 && random.chance(0.5));
  const order = isPermuted ? random.distinct(sizes.length, sizes.length) : [...sizes.keys()];
  return stridesInOrder(sizes, order.reverse(), isRepeated, () => (hasGaps ? random.int(0, 2) : 0));
}

/**
 * The strides of dimensions that lie in this order in memory, the innermost first. `gap` gives the number of unused elements after
 * each dimension.
 */
export function stridesInOrder(
  sizes: readonly number[],
  order: readonly number[],
  isRepeated: (axis: number) => boolean,
  gap: () => number,
): number[] {
  const strides = sizes.map(() => 0);
  let stride = 1;
  for (const axis of order) {
    if (isRepeated(axis)) continue;
    strides[axis] = stride;
    stride = stride * (sizes[axis] ?? 1) + gap();
  }
  return strides;
}

export function tensorSize(tensor: TensorDesc): number {
  return tensor.totalTensorSizeInBytes ?? sizeInBytes(tensor.dataType, tensor.sizes, tensor.strides ?? null);
}

/** The tensor's bytes: `value(i)` for the i-th element in row-major order, random bytes in the gaps. */
export function fillTensor(
  random: Random,
  tensor: TensorDesc,
  value: (element: number) => number | bigint,
): Uint8Array<ArrayBuffer> {
  const bytes = random.bytes(tensorSize(tensor));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = product(tensor.sizes);
  for (let i = 0; i < count; i++) writeElement(view, tensor.dataType, offsetOf(tensor, i), value(i));
  return bytes;
}

/** The data of a case: the bytes of each tensor that is not null. */
export function fillTensors(
  random: Random,
  tensors: Readonly<Record<string, readonly [TensorDesc | null, (element: number) => number | bigint]>>,
): Record<string, string> {
  const data: Record<string, string> = {};
  for (const [name, [tensor, value]] of Object.entries(tensors)) {
    if (tensor !== null) data[name] = base64(fillTensor(random, tensor, value));
  }
  return data;
}

/**
 * Random bits, for operators that only move elements. Some floats are special values, but none is a signaling float16 NaN: if
 * DirectML copies strided tensors through 32-bit registers, the conversion makes such a NaN quiet.
 */
export function anyBits(random: Random, tensor: TensorDesc): Uint8Array<ArrayBuffer> {
  const bytes = random.bytes(tensorSize(tensor));
  const { buffer, byteOffset, byteLength } = bytes;
  const scatter = (elements: Uint32Array | Uint16Array, specials: readonly number[]) => {
    for (let at = random.int(0, SPARSE); at < elements.length; at += random.int(1, SPARSE)) elements[at] = random.pick(specials);
  };
  if (tensor.dataType === 'float32') {
    scatter(new Uint32Array(buffer, byteOffset, byteLength >> 2), SPECIAL_WORDS);
  } else if (tensor.dataType === 'float16') {
    const words = new Uint16Array(buffer, byteOffset, byteLength >> 1);
    scatter(words, SPECIAL_HALVES);
    words.forEach((bits, i) => {
      if ((bits & 0x7c00) === 0x7c00 && (bits & 0x3ff) !== 0) words[i] = bits | 0x200;
    });
  }
  return bytes;
}

/** The largest distance between special elements. */
const SPARSE = 24;
/** −0, infinities, NaN, the smallest and the largest finite number, as bits. */
const SPECIAL_WORDS: readonly number[] = [0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 1, 0x7f7fffff];
const SPECIAL_HALVES: readonly number[] = [0x8000, 0x7c00, 0xfc00, 0x7e00, 1, 0x7bff];

/** The offset, in elements, of the element with the row-major index `element`. */
export function offsetOf({ sizes, strides }: Pick<TensorDesc, 'sizes' | 'strides'>, element: number): number {
  if (strides === undefined || strides === null) return element;
  let offset = 0;
  let rest = element;
  for (let axis = sizes.length - 1; axis >= 0; axis--) {
    const size = sizes[axis] ?? 1;
    offset += (rest % size) * (strides[axis] ?? 0);
    rest = Math.floor(rest / size);
  }
  return offset;
}

/** Moves the elements of one tensor into the layout of another one. The gaps keep what `bytes` has there. */
export function relaid(
  from: TensorDesc,
  elements: Uint8Array,
  to: TensorDesc,
  bytes = new Uint8Array(tensorSize(to)),
): Uint8Array<ArrayBuffer> {
  const width = bytesPerElement(to.dataType);
  const [sources, targets] = [offsetsOf(from), offsetsOf(to)];
  for (let i = 0; i < targets.length; i++) {
    const [source, target] = [(sources[i] ?? 0) * width, (targets[i] ?? 0) * width];
    for (let byte = 0; byte < width; byte++) bytes[target + byte] = elements[source + byte] ?? 0;
  }
  return bytes;
}

/** The offsets of all elements, in elements, in row-major order. Large cases have 2²⁰ elements. */
function offsetsOf({ sizes, strides }: TensorDesc): Uint32Array {
  let offsets = Uint32Array.of(0);
  for (const [axis, stride] of (strides ?? packedStrides(sizes)).entries()) {
    const size = sizes[axis] ?? 1;
    const inner = new Uint32Array(offsets.length * size);
    let i = 0;
    for (const outer of offsets) for (let along = 0; along < size; along++) inner[i++] = outer + along * stride;
    offsets = inner;
  }
  return offsets;
}

/** The elements of the tensor in memory, repeated along a new axis. */
export function repeatedAlong({ dataType, sizes, strides }: TensorDesc, axis: number, times: number): TensorDesc {
  const own = strides ?? packedStrides(sizes);
  return { dataType, sizes: sizes.toSpliced(axis, 0, times), strides: own.toSpliced(axis, 0, 0) };
}

/** `value` is the bits of a float16, and the value of any other data type. */
export function writeElement(view: DataView, dataType: DataType, offset: number, value: number | bigint): void {
  const number = Number(value);
  switch (bitsOf(dataType)) {
    case 64:
      if (isFloat(dataType)) return view.setFloat64(offset * 8, number, true);
      return view.setBigInt64(offset * 8, BigInt.asIntN(64, BigInt(value)), true);
    case 32:
      return isFloat(dataType) ? view.setFloat32(offset * 4, number, true) : view.setInt32(offset * 4, number, true);
    case 16:
      return view.setInt16(offset * 2, number, true);
    case 8:
      return view.setInt8(offset, number);
    default: {
      const [byte, shift] = [offset >> 1, (offset % 2) * 4];
      return view.setUint8(byte, (view.getUint8(byte) & ~(15 << shift)) | ((number & 15) << shift));
    }
  }
}

/** The coordinates of the element with the row-major index `element`. */
export function coordinatesOf(element: number, sizes: readonly number[]): number[] {
  return packedStrides(sizes).map((stride, axis) => Math.floor(element / stride) % (sizes[axis] ?? 1));
}

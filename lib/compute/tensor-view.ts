/**
 * A tensor of the reference backend: a range of a buffer's bytes with a data type, sizes and strides. Kernels move elements as
 * raw machine words, which preserves the payload of a NaN, and compute in float64.
 */
import { bitsOf } from '../tensors/data-types.js';
import { float16FromBits, float16ToBits } from '../tensors/float16.js';
import type { DataType } from '../tensors/generated/enums.js';
import type { ResolvedTensor } from '../descriptors/resolved.js';
import { partOfBytes } from '../tensors/bytes.js';
import { productOf, sameStrides, stridesOf } from '../tensors/tensor-size.js';
import { truncateToFloat16 } from './numbers.js';
import { numbersFor } from './scratch.js';

type Words = Uint8Array | Uint16Array | Uint32Array;

export interface TensorView {
  readonly dataType: DataType;
  readonly sizes: readonly number[];
  /** In elements; a packed tensor has them too. */
  readonly strides: readonly number[];
  readonly elementCount: number;
  /**
   * The offset of each element from the tensor's start, in elements, in row-major order of coordinates. Null for a packed tensor,
   * where the offset is the element's own number.
   */
  readonly offsets: Uint32Array | null;
  readonly words: Words;
  /** 2 for the 64-bit types, whose elements are two 32-bit words; else 1. */
  readonly wordsPerElement: 1 | 2;
  readonly bytes: Uint8Array;
  /** What the view is a part of; itself if it is no part. */
  readonly whole: TensorView;
}

export function viewTensor(tensor: ResolvedTensor, bytes: Uint8Array): TensorView {
  return new View(tensor.dataType, tensor.sizes, stridesOf(tensor), bytes);
}

/** The view with the given sizes. Every axis on which the view has size 1 is broadcast. */
export function broadcast({ dataType, sizes: own, strides, bytes }: TensorView, sizes: readonly number[]): TensorView {
  const broad = strides.map((stride, axis) => (own[axis] === 1 ? 0 : stride));
  return new View(dataType, sizes, broad, bytes);
}

/**
 * The elements from coordinates `starts` on, at most `sizes` along each axis. An axis on which the view has size 1 stays as it is.
 * The part shares the view's memory.
 */
export function partOf(view: TensorView, starts: readonly number[], sizes: readonly number[]): TensorView {
  if (view.elementCount === 1) return view;
  const { dataType, strides, bytes, whole } = view;
  const isCut = (axis: number) => view.sizes[axis] !== 1;
  const own = view.sizes.map((size, axis) => (isCut(axis) ? Math.min(sizes[axis] ?? 1, size) : size));
  const first = strides.reduce((sum, stride, axis) => sum + (isCut(axis) ? (starts[axis] ?? 0) * stride : 0), 0);
  const bits = bitsOf(dataType);
  const byte = Math.floor((first * bits) / 8);
  return new View(dataType, own, strides, partOfBytes(bytes, byte, bytes.length), first - (byte * 8) / bits, whole);
}

class View implements TensorView {
  readonly dataType: DataType;
  readonly sizes: readonly number[];
  readonly strides: readonly number[];
  readonly elementCount: number;
  readonly words: Words;
  readonly wordsPerElement: 1 | 2;
  readonly bytes: Uint8Array;
  readonly whole: TensorView;
  /** The offset of the first element: 1 for a 4-bit one in the high half of its byte, else 0. */
  readonly #first: number;
  #offsets: Uint32Array | null | undefined;

  constructor(
    dataType: DataType,
    sizes: readonly number[],
    strides: readonly number[],
    bytes: Uint8Array,
    first = 0,
    whole: TensorView | null = null,
  ) {
    const width = bitsOf(dataType) / 8;
    this.dataType = dataType;
    this.sizes = sizes;
    this.strides = strides;
    this.elementCount = productOf(sizes);
    this.words = wordsOf(bytes, width);
    this.wordsPerElement = width === 8 ? 2 : 1;
    this.bytes = bytes;
    this.#first = first;
    this.whole = whole ?? this;
  }

  /** Computed when they are first asked for: they take more memory than most tensors. */
  get offsets(): Uint32Array | null {
    if (this.#offsets === undefined) this.#offsets = elementOffsets(this.sizes, this.strides, this.#first);
    return this.#offsets;
  }
}

/** True if all elements are the same one in memory. */
export function isSingleElement({ whole: { sizes, strides } }: TensorView): boolean {
  return sizes.every((size, axis) => size === 1 || strides[axis] === 0);
}

/**
 * True if all views have the same layout in memory, in any order of axes and without gaps. DirectML then treats them as vectors.
 */
export function haveSameDenseLayout(views: readonly TensorView[]): boolean {
  const [first, ...others] = views.map(({ whole }) => whole);
  if (first === undefined) return true;
  const { sizes, strides, elementCount } = first;
  const last = sizes.reduce((offset, size, axis) => offset + (size - 1) * (strides[axis] ?? 0), 0);
  const isDense = last === elementCount - 1 && !isBroadcast(first);
  return isDense && others.every((other) => sizes.every((size, axis) => size === 1 || other.strides[axis] === strides[axis]));
}

function isBroadcast({ sizes, strides }: TensorView): boolean {
  return sizes.some((size, axis) => size > 1 && strides[axis] === 0);
}

/** The offset of the last element that fits entirely into the tensor's `totalTensorSizeInBytes`. */
export function lastOffset({ totalTensorSizeInBytes, dataType }: ResolvedTensor): number {
  return Math.floor((totalTensorSizeInBytes * 8) / bitsOf(dataType)) - 1;
}

/**
 * Copies `count` elements, in row-major order on both sides, from element number `from` of the source to element number `to` of
 * the target.
 */
export function moveElements(source: TensorView, from: number, target: TensorView, to: number, count: number): void {
  const { words: input, offsets: fromOffsets, wordsPerElement } = source;
  const { words: output, offsets: toOffsets } = target;
  if (fromOffsets === null && toOffsets === null) {
    const first = from * wordsPerElement;
    const length = count * wordsPerElement;
    const start = to * wordsPerElement;
    if (length > 32) {
      output.set(input.subarray(first, first + length), start);
    } else {
      for (let i = 0; i < length; i++) output[start + i] = input[first + i] ?? 0;
    }
    return;
  }
  for (let i = 0; i < count; i++) {
    const a = (fromOffsets === null ? from + i : (fromOffsets[from + i] ?? 0)) * wordsPerElement;
    const b = (toOffsets === null ? to + i : (toOffsets[to + i] ?? 0)) * wordsPerElement;
    output[b] = input[a] ?? 0;
    if (wordsPerElement === 2) output[b + 1] = input[a + 1] ?? 0;
  }
}

/** Sets all elements to zero, whatever their type. */
export function clearElements({ words, offsets, wordsPerElement, elementCount }: TensorView): void {
  for (let i = 0; i < elementCount; i++) {
    const at = (offsets === null ? i : (offsets[i] ?? 0)) * wordsPerElement;
    words[at] = 0;
    if (wordsPerElement === 2) words[at + 1] = 0;
  }
}

/** All elements in row-major order as float64. Exact for every type except 64-bit integers; for those see {@link readBigInts}. */
export function readNumbers(view: TensorView): Float64Array {
  const values = numbersFor(view.elementCount);
  if (view.dataType === 'int64' || view.dataType === 'uint64') {
    readBigInts(view).forEach((value, i) => (values[i] = Number(value)));
    return values;
  }
  if (hasNibbles(view)) return readNibbles(view, values);
  const source = numbersOf(view);
  const isHalf = view.dataType === 'float16';
  const { offsets } = view;
  if (offsets === null && !isHalf) {
    values.set(source.subarray(0, values.length));
    return values;
  }
  for (let i = 0; i < values.length; i++) {
    const value = source[offsets === null ? i : (offsets[i] ?? 0)] ?? 0;
    values[i] = isHalf ? float16FromBits(value) : value;
  }
  return values;
}

/** The elements of a packed float32 tensor, without a copy; null for any other tensor. */
export function packedFloats({ dataType, offsets, bytes, elementCount }: TensorView): Float32Array | null {
  if (dataType !== 'float32' || offsets !== null) return null;
  return new Float32Array(bytes.buffer, bytes.byteOffset, elementCount);
}

/** Like {@link readNumbers}, but read-only: for packed float32 the result is the tensor's memory itself. */
export function viewNumbers(view: TensorView): Float32Array | Float64Array {
  return packedFloats(view) ?? readNumbers(view);
}

/** Writes all elements in row-major order, rounded to the view's floating-point type, or as the low bits of an integer. */
export function writeNumbers(view: TensorView, values: Float64Array | Float32Array): void {
  if (hasNibbles(view)) return writeNibbles(view, values);
  const target = numbersOf(view);
  const isHalf = view.dataType === 'float16';
  const { offsets } = view;
  if (offsets === null && !isHalf) return target.set(values);
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? 0;
    target[offsets === null ? i : (offsets[i] ?? 0)] = isHalf ? float16ToBits(value) : value;
  }
}

/** Writes all elements of a float tensor. Float16 is truncated, as Direct3D converts to it, and finite values stay finite. */
export function writeTruncated(view: TensorView, values: Float64Array | Float32Array): void {
  writeNumbers(view, view.dataType === 'float16' ? truncateToFloat16(Float64Array.from(values)) : values);
}

/** True if a byte holds two elements, the first of them in its low bits. */
function hasNibbles({ dataType }: TensorView): boolean {
  return bitsOf(dataType) === 4;
}

function readNibbles({ bytes, dataType, offsets }: TensorView, values: Float64Array): Float64Array {
  for (let i = 0; i < values.length; i++) {
    const at = offsets === null ? i : (offsets[i] ?? 0);
    const bits = ((bytes[at >>> 1] ?? 0) >>> ((at & 1) * 4)) & 15;
    values[i] = dataType === 'int4' && bits > 7 ? bits - 16 : bits;
  }
  return values;
}

function writeNibbles({ bytes, offsets }: TensorView, values: Float64Array | Float32Array): void {
  for (let i = 0; i < values.length; i++) {
    const at = offsets === null ? i : (offsets[i] ?? 0);
    const shift = (at & 1) * 4;
    bytes[at >>> 1] = ((bytes[at >>> 1] ?? 0) & ~(15 << shift)) | (((values[i] ?? 0) & 15) << shift);
  }
}

/** True if the highest bit of an element is set. This also distinguishes NaNs. */
export function hasSignBit({ bytes, dataType, offsets }: TensorView, element: number): boolean {
  const width = bitsOf(dataType) / 8;
  const last = ((offsets === null ? element : (offsets[element] ?? 0)) + 1) * width - 1;
  return ((bytes[last] ?? 0) & 0x80) !== 0;
}

export function readBigInts(view: TensorView): BigInt64Array | BigUint64Array {
  const source = bigIntsOf(view);
  const values = view.dataType === 'uint64' ? new BigUint64Array(view.elementCount) : new BigInt64Array(view.elementCount);
  for (let i = 0; i < values.length; i++) values[i] = source[view.offsets === null ? i : (view.offsets[i] ?? 0)] ?? 0n;
  return values;
}

export function writeBigInts(view: TensorView, values: BigInt64Array | BigUint64Array): void {
  const target = bigIntsOf(view);
  for (let i = 0; i < values.length; i++) target[view.offsets === null ? i : (view.offsets[i] ?? 0)] = values[i] ?? 0n;
}

function elementOffsets(sizes: readonly number[], strides: readonly number[], first: number): Uint32Array | null {
  if (first === 0 && sameStrides(sizes, strides, null)) return null;
  const offsets = new Uint32Array(productOf(sizes));
  offsets[0] = first;
  let filled = 1;
  // Innermost axis first: the offsets so far are repeated once for each further coordinate of the next axis.
  for (let axis = sizes.length - 1; axis >= 0; axis--) {
    const stride = strides[axis] ?? 0;
    const size = sizes[axis] ?? 1;
    for (let coordinate = 1; coordinate < size; coordinate++) {
      const shift = coordinate * stride;
      const base = coordinate * filled;
      for (let i = 0; i < filled; i++) offsets[base + i] = (offsets[i] ?? 0) + shift;
    }
    filled *= size;
  }
  return offsets;
}

function wordsOf(bytes: Uint8Array, width: number): Words {
  if (width === 2) return new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >>> 1);
  if (width >= 4) return new Uint32Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.byteLength / 4));
  return bytes;
}

/** The elements as JavaScript numbers; for float16 their bits. */
function numbersOf(view: TensorView) {
  const { buffer, byteOffset, byteLength } = view.bytes;
  const length = Math.floor((byteLength * 8) / bitsOf(view.dataType));
  switch (view.dataType) {
    case 'float64':
      return new Float64Array(buffer, byteOffset, length);
    case 'float32':
      return new Float32Array(buffer, byteOffset, length);
    case 'int32':
      return new Int32Array(buffer, byteOffset, length);
    case 'int16':
      return new Int16Array(buffer, byteOffset, length);
    case 'int8':
      return new Int8Array(buffer, byteOffset, length);
    default:
      return view.words;
  }
}

function bigIntsOf(view: TensorView): BigInt64Array | BigUint64Array {
  const { buffer, byteOffset, byteLength } = view.bytes;
  const length = Math.floor(byteLength / 8);
  return view.dataType === 'uint64'
    ? new BigUint64Array(buffer, byteOffset, length)
    : new BigInt64Array(buffer, byteOffset, length);
}

/**
 * Element maps, for kernels that only move elements: which input element each output element takes. If the coordinates do not
 * depend on one another, the number of that element is a sum with one term per axis, and a kernel states only the terms.
 */
import { isFloat, isWide, wrapped } from '../tensors/data-types.js';
import type { DataType } from '../tensors/generated/enums.js';
import { packedStrides } from '../tensors/tensor-size.js';
import { forEachBlock } from './blocks.js';
import { moveElements, partOf, viewTensor, writeBigInts, writeNumbers, type TensorView } from './tensor-view.js';

/**
 * As a coordinate, a term or an element number: there is no input element. The last element of the largest tensor has the number
 * 2^32 - 2.
 */
export const ABSENT = 0xffff_ffff;

/** The term of each coordinate of one axis: `term(coordinate)`, which may be {@link ABSENT}. */
export function terms(size: number, term: (coordinate: number) => number): Uint32Array {
  return Uint32Array.from({ length: size }, (_, coordinate) => term(coordinate));
}

/**
 * For each axis, the term of each output coordinate, whose input coordinate is `from(coordinate, axis)`. `sizes` are the
 * output's. With the input's own strides instead of packed ones, the terms add up to offsets in memory.
 */
export function termsByAxis(
  sizes: readonly number[],
  inputSizes: readonly number[],
  from: (coordinate: number, axis: number) => number,
  strides: readonly number[] = packedStrides(inputSizes),
): Uint32Array[] {
  return sizes.map((size, axis) =>
    terms(size, (coordinate) => {
      const source = from(coordinate, axis);
      return source === ABSENT ? ABSENT : source * (strides[axis] ?? 1);
    }),
  );
}

/** The sums of the terms, in row-major order of the coordinates: element numbers, or {@link ABSENT} if any term is. */
export function sumTerms(axes: readonly Uint32Array[]): Uint32Array {
  const numbers = new Uint32Array(axes.reduce((count, axis) => count * axis.length, 1));
  let filled = 1;
  for (const axis of [...axes].reverse()) {
    // Coordinate 0 comes last: it overwrites the inner sums that the others are made from.
    for (let coordinate = axis.length - 1; coordinate >= 0; coordinate--) {
      const term = axis[coordinate] ?? ABSENT;
      const base = coordinate * filled;
      for (let i = 0; i < filled; i++) {
        const inner = numbers[i] ?? ABSENT;
        numbers[base + i] = term === ABSENT || inner === ABSENT ? ABSENT : inner + term;
      }
    }
    filled *= axis.length;
  }
  return numbers;
}

/**
 * Writes every output element: the input element whose offset in memory is the sum of the terms of its coordinates, or `absent` if
 * any of them is {@link ABSENT}.
 */
export function moveByTerms(
  input: TensorView,
  output: TensorView,
  axes: readonly Uint32Array[],
  absent: TensorView = oneElement(output, 0),
): void {
  const memory = { ...input, offsets: null };
  forEachBlock(output.sizes, [], (starts, lengths) => {
    const inBlock = axes.map((terms, axis) => terms.slice(starts[axis], (starts[axis] ?? 0) + (lengths[axis] ?? 1)));
    moveMapped(memory, partOf(output, starts, lengths), sumTerms(inBlock), absent);
  });
}

/** Writes every output element: the input element with the number at its index, or `absent` if that number is {@link ABSENT}. */
export function moveMapped(
  input: TensorView,
  output: TensorView,
  numbers: Uint32Array,
  absent: TensorView = oneElement(output, 0),
): void {
  const { words, offsets: from, wordsPerElement } = input;
  const { offsets: to } = output;
  const [absentWord = 0] = absent.words;
  for (let i = 0; i < numbers.length; i++) {
    const number = numbers[i] ?? ABSENT;
    if (wordsPerElement === 2) {
      if (number === ABSENT) moveElements(absent, 0, output, i, 1);
      else moveElements(input, number, output, i, 1);
    } else {
      const word = number === ABSENT ? absentWord : (words[from === null ? number : (from[number] ?? 0)] ?? 0);
      output.words[to === null ? i : (to[i] ?? 0)] = word;
    }
  }
}

/**
 * Converts a field's number to an integer type as DirectML does; floats stay as they are. The number is truncated, and a type
 * smaller than the conversion's gets its low bits. A number that the conversion (32 or 64 bits wide) cannot hold becomes the
 * conversion's lowest value, as on x64 processors.
 */
export function toDataType(dataType: DataType, value: number): number | bigint {
  const whole = Math.trunc(value) + 0;
  if (isFloat(dataType)) return value;
  const limit = isWide(dataType) || dataType === 'uint32' ? 2 ** 63 : 2 ** 31;
  const fits = whole >= -limit && whole < (dataType === 'uint64' ? 2 * limit : limit);
  const wide = BigInt(fits ? whole : -limit);
  return isWide(dataType) ? wide : Number(wrapped(dataType, wide));
}

/** A tensor of one element with the output's data type. */
export function oneElement(output: TensorView, value: unknown): TensorView {
  const view = viewTensor(
    {
      dataType: output.dataType,
      flags: 'none',
      sizes: [1],
      strides: null,
      totalTensorSizeInBytes: 8,
      guaranteedBaseOffsetAlignment: 0,
    },
    new Uint8Array(8),
  );
  if (output.dataType === 'int64' || output.dataType === 'uint64') {
    const whole = typeof value === 'bigint' ? value : BigInt(Number(value));
    writeBigInts(view, BigInt64Array.of(BigInt.asIntN(64, whole)));
  } else {
    writeNumbers(view, Float64Array.of(Number(value)));
  }
  return view;
}

/** Operators that take indices, or one length per sequence, along one axis. */
import { packedStrides } from '../../tensors/tensor-size.js';
import { lastOffset, moveElements, type TensorView } from '../../compute/tensor-view.js';
import { moveMapped, sumTerms, termsByAxis } from '../../compute/element-map.js';
import type { Kernel } from '../../compute/kernel.js';

/** An index whose offset is out of range reads the tensor's last element. */
export const gatherElements: Kernel<'gatherElements'> = (
  operator,
  { inputTensor: input, indicesTensor, outputTensor: output },
) => {
  const numbers = offsetsOf(operator.axis, indicesTensor, input);
  const last = lastOffset(operator.inputTensor);
  moveMapped(
    { ...input, offsets: null },
    output,
    numbers.map((offset) => Math.min(offset, last)),
  );
};

/** An update whose offset lies outside the tensor is dropped. */
export const scatterElements: Kernel<'scatterElements'> = (operator, tensors) => {
  const { inputTensor: input, indicesTensor, updatesTensor: updates, outputTensor: output } = tensors;
  moveElements(input, 0, output, 0, input.elementCount);
  const memory = { ...output, offsets: null };
  const capacity = capacityOf(output);
  offsetsOf(operator.axis, indicesTensor, output).forEach((offset, i) => {
    if (offset < capacity) moveElements(updates, i, memory, offset, 1);
  });
};

/**
 * The off value is the first element of `valuesTensor`. The on value lies one stride of the last dimension behind it, even if
 * that dimension has only one element: DirectML does not look for a larger dimension, as its documentation says.
 */
export const oneHot: Kernel<'oneHot'> = ({ axis }, { indicesTensor, valuesTensor: values, outputTensor: output }) => {
  const wide = indicesTensor.dataType === 'uint64';
  const indices = wide ? exactCoordinates(indicesTensor) : coordinatesOf(indicesTensor, output.sizes[axis] ?? 1);
  const sequences = sumTerms(termsByAxis(output.sizes, indicesTensor.sizes, zeroOn(axis)));
  const coordinates = coordinatesAlong(output.sizes, axis);
  const numbers = sequences.map((sequence, i) => (indices[sequence] === coordinates[i] ? 1 : 0));
  moveMapped({ ...values, offsets: Uint32Array.of(0, values.strides.at(-1) ?? 1) }, output, numbers);
};

/**
 * If a length exceeds the axis, DirectML does not clamp the length but each coordinate that it reads, so the last element comes
 * more than once.
 */
export const reverseSubsequences: Kernel<'reverseSubsequences'> = ({ axis }, tensors) => {
  const { inputTensor: input, sequenceLengthsTensor: lengthsTensor, outputTensor: output } = tensors;
  const size = input.sizes[axis] ?? 1;
  const stride = packedStrides(input.sizes)[axis] ?? 1;
  const lengths = lowWords(lengthsTensor);
  const sequences = sumTerms(termsByAxis(output.sizes, lengthsTensor.sizes, zeroOn(axis)));
  const rows = sumTerms(termsByAxis(output.sizes, input.sizes, zeroOn(axis)));
  const coordinates = coordinatesAlong(output.sizes, axis);
  const numbers = rows.map((row, i) => {
    const length = (lengths[sequences[i] ?? 0] ?? 0) >>> 0;
    const coordinate = coordinates[i] ?? 0;
    const from = coordinate < length ? Math.min(length - 1 - coordinate, size - 1) : coordinate;
    return row + from * stride;
  });
  moveMapped(input, output, numbers);
};

function zeroOn(axis: number): (coordinate: number, axis: number) => number {
  return (coordinate, other) => (other === axis ? 0 : coordinate);
}

/** The coordinate of each element on one axis. */
function coordinatesAlong(sizes: readonly number[], axis: number): Uint32Array {
  const ones = sizes.map((size, other) => (other === axis ? size : 1));
  return sumTerms(termsByAxis(sizes, ones, (coordinate, other) => (other === axis ? coordinate : 0)));
}

/**
 * The offset in the memory of `indexed` that each index names. As in DirectML, coordinates are not checked one by one: the index
 * is multiplied by the axis's stride, modulo 2³², wherever that leads.
 */
function offsetsOf(axis: number, indices: TensorView, indexed: TensorView): Uint32Array {
  const size = indexed.sizes[axis] ?? 1;
  // A dimension of size 1 counts as broadcast.
  const stride = size === 1 ? 0 : (indexed.strides[axis] ?? 1);
  const coordinates = coordinatesOf(indices, size);
  const rows = sumTerms(termsByAxis(indices.sizes, indexed.sizes, zeroOn(axis), indexed.strides));
  return Uint32Array.from(rows, (row, i) => row + Math.imul(coordinates[i] ?? 0, stride));
}

/** The number of elements that the bound memory holds. */
function capacityOf(view: TensorView): number {
  return Math.floor(view.words.length / view.wordsPerElement);
}

/**
 * Indices as coordinates; negative ones count from the end. DirectML takes the low 32 bits of a 64-bit index, but the sign of all
 * 64, and uint64 indices have a sign too.
 */
function coordinatesOf(indices: TensorView, size: number): Uint32Array {
  const lows = lowWords(indices);
  const signs = indices.wordsPerElement === 2 ? highWords(indices) : lows;
  const signed = indices.dataType !== 'uint32';
  return Uint32Array.from(lows, (low, i) => (signed && (signs[i] ?? 0) < 0 ? low + size : low) >>> 0);
}

/** 64-bit indices that are never negative. One that does not fit in 32 bits becomes the largest 32-bit number. */
function exactCoordinates(indices: TensorView): Uint32Array {
  const highs = highWords(indices);
  return Uint32Array.from(lowWords(indices), (low, i) => (highs[i] === 0 ? low >>> 0 : 0xffff_ffff));
}

function lowWords(view: TensorView): Int32Array {
  return wordsOf(view, 0);
}

function highWords(view: TensorView): Int32Array {
  return wordsOf(view, 1);
}

function wordsOf({ words, offsets, wordsPerElement, elementCount }: TensorView, part: 0 | 1): Int32Array {
  return Int32Array.from(
    { length: elementCount },
    (_, i) => words[(offsets === null ? i : (offsets[i] ?? 0)) * wordsPerElement + part] ?? 0,
  );
}

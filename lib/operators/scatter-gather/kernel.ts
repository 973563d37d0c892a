/**
 * Operators that move elements to or from the positions that an index tensor names.
 *
 * As in DirectML, a negative index counts from the end of its dimension. A 64-bit index, signed or not, counts with its low 32
 * bits, and is negative if its highest bit is set. Coordinates are not checked one by one: they are combined into one offset in
 * the tensor's memory, and that offset is checked. A scatter drops an update that lies outside. A gather instead reads the last
 * element of the memory, that is, of `totalTensorSizeInBytes`.
 */
import { lastOffset, moveElements, type TensorView } from '../../compute/tensor-view.js';
import type { Kernel } from '../../compute/kernel.js';
import { productOf } from '../../tensors/tensor-size.js';

export const scatterNd: Kernel<'scatterNd'> = (operator, tensors) => {
  const { inputTensor: input, indicesTensor: indices, updatesTensor: updates, outputTensor: output } = tensors;
  moveElements(input, 0, output, 0, input.elementCount);

  const firstAxis = output.sizes.length - operator.inputDimensionCount;
  const tuples = tuplesOf(indices, output, firstAxis);
  const packed =
    output.strides[tuples.firstAxis] === 1 && indices.offsets === null && updates.offsets === null && output.offsets === null;
  if (packed && tuples.size === 1 && tuples.sliceSize === 1 && output.wordsPerElement === 1) {
    scatterSingleWords(tuples, updates, output);
    return;
  }
  // The limit is the end of the bound memory, as in the shader: an index past its dimension may land in a gap.
  const { sliceSize } = tuples;
  const limit = Math.floor(output.words.length / output.wordsPerElement);
  for (let tuple = 0; tuple < tuples.count; tuple++) {
    const first = offsetOfTuple(tuples, tuple);
    const from = tuple * sliceSize;
    if (output.offsets === null && first + sliceSize <= limit) {
      moveElements(updates, from, output, first, sliceSize);
      continue;
    }
    for (let i = 0; i < sliceSize; i++) {
      const to = (first + offsetOf(output, i)) >>> 0;
      if (to < limit) copyElement(updates, offsetOf(updates, from + i), output, to);
    }
  }
};

export const gather: Kernel<'gather'> = (operator, { inputTensor: input, indicesTensor: indices, outputTensor }) => {
  const { axis } = operator;
  const tuples: Tuples = { ...tuplesOf(indices, input, axis, 1), count: indices.elementCount };
  const groups = { count: productOf(input.sizes, 0, axis), step: 0, tuples: tuples.count };
  gatherSlices(input, lastOffset(operator.inputTensor), tuples, groups, outputTensor);
};

export const gatherNd1: Kernel<'gatherNd' | 'gatherNd1'> = (operator, { inputTensor: input, indicesTensor, outputTensor }) => {
  const batchDimensions = operator.type === 'gatherNd' ? 0 : operator.batchDimensionCount;
  const firstAxis = input.sizes.length - operator.inputDimensionCount + batchDimensions;
  const tuples = tuplesOf(indicesTensor, input, firstAxis);
  const count = productOf(input.sizes, 0, firstAxis);
  const groups = { count, step: tuples.count / count, tuples: tuples.count / count };
  gatherSlices(input, lastOffset(operator.inputTensor), tuples, groups, outputTensor);
};

export const gatherNd = gatherNd1;

/** Equal parts of the input, and the number of tuples that name slices of each. */
interface Groups {
  readonly count: number;
  /** The distance from the first tuple of one group to that of the next; 0 if all groups have the same tuples. */
  readonly step: number;
  readonly tuples: number;
}

/** `last` is the offset of the last element that may be read. */
function gatherSlices(input: TensorView, last: number, tuples: Tuples, groups: Groups, output: TensorView): void {
  const { sliceSize } = tuples;
  const groupElements = input.elementCount / groups.count;
  let to = 0;
  for (let group = 0; group < groups.count; group++) {
    const start = offsetOf(input, group * groupElements);
    for (let i = 0; i < groups.tuples; i++) {
      const first = (start + offsetOfTuple(tuples, group * groups.step + i)) >>> 0;
      if (input.offsets === null && first + sliceSize - 1 <= last) {
        moveElements(input, first, output, to, sliceSize);
      } else {
        for (let j = 0; j < sliceSize; j++) {
          const from = Math.min((first + offsetOf(input, j)) >>> 0, last);
          copyElement(input, from, output, offsetOf(output, to + j));
        }
      }
      to += sliceSize;
    }
  }
}

/** The index tensor as tuples of coordinates. The first coordinate is on axis `firstAxis` of the indexed tensor. */
interface Tuples {
  readonly words: Int32Array;
  /** The distance from one index to the next, in 32-bit words. */
  readonly step: number;
  readonly signed: boolean;
  readonly offsets: Uint32Array | null;
  /** The axis of the indexed tensor that the first coordinate is on. */
  readonly firstAxis: number;
  /** Coordinates per tuple. */
  readonly size: number;
  readonly count: number;
  /** The sizes and the strides in memory of the axes that the coordinates are on. */
  readonly sizes: readonly number[];
  readonly strides: readonly number[];
  /** The number of elements that one tuple names. */
  readonly sliceSize: number;
}

function tuplesOf(
  indices: TensorView,
  indexed: TensorView,
  firstAxis: number,
  size = indices.sizes[indices.sizes.length - 1] ?? 1,
): Tuples {
  const { buffer, byteOffset, byteLength } = indices.bytes;
  return {
    words: new Int32Array(buffer, byteOffset, Math.floor(byteLength / 4)),
    step: indices.wordsPerElement,
    signed: indices.dataType !== 'uint32',
    offsets: indices.offsets,
    firstAxis,
    size,
    count: indices.elementCount / size,
    sizes: indexed.sizes.slice(firstAxis, firstAxis + size),
    strides: indexed.strides.slice(firstAxis, firstAxis + size),
    sliceSize: productOf(indexed.sizes, firstAxis + size),
  };
}

/** The offset of the first element that a tuple names, in elements, modulo 2³² as the shader computes it. */
function offsetOfTuple(tuples: Tuples, tuple: number): number {
  const { words, step, signed, offsets, size, sizes, strides } = tuples;
  let offset = 0;
  for (let i = 0; i < size; i++) {
    const position = tuple * size + i;
    const at = (offsets === null ? position : (offsets[position] ?? 0)) * step;
    let coordinate = words[at] ?? 0;
    if (signed && (words[at + step - 1] ?? 0) < 0) coordinate += sizes[i] ?? 0;
    offset = (offset + Math.imul(coordinate, strides[i] ?? 1)) | 0;
  }
  return offset >>> 0;
}

function offsetOf(view: TensorView, element: number): number {
  return view.offsets === null ? element : (view.offsets[element] ?? 0);
}

/** Offsets are in elements. */
function copyElement(source: TensorView, from: number, target: TensorView, to: number): void {
  const width = source.wordsPerElement;
  target.words[to * width] = source.words[from * width] ?? 0;
  if (width === 2) target.words[to * 2 + 1] = source.words[from * 2 + 1] ?? 0;
}

/** Handles the most common case in a loop of its own: one index per update, one word per element. */
function scatterSingleWords(tuples: Tuples, updates: TensorView, output: TensorView): void {
  const { words: indices, step, signed, count } = tuples;
  const { words: target } = output;
  const limit = target.length;
  const source = updates.words;
  const size = signed ? (tuples.sizes[0] ?? 0) : 0;
  for (let i = 0, position = 0; i < count; i++, position += step) {
    let coordinate = indices[position] ?? 0;
    if ((indices[position + step - 1] ?? 0) < 0) coordinate += size;
    const element = coordinate >>> 0;
    if (element < limit) target[element] = source[i] ?? 0;
  }
}

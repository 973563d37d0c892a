/**
 * Operators that move elements to or from places named by an index tensor.
 *
 * As in DirectML, a 64-bit index counts with its low 32 bits only (those of uint64 as a signed number too), a negative
 * index counts from the end of its dimension, and coordinates are not checked one by one: they are combined into one
 * element number, and that number is checked. What DirectML's gathers read for an index out of range is not known;
 * here it is the last element.
 */
import { packedStrides } from '../../../validation/tensor-size.js';
import { moveElements, type TensorView } from '../tensor-view.js';
import { numberField, productOf, required, type Kernel } from './kernel.js';

export const scatterNd: Kernel = (operator, inputs, outputs) => {
  const input = required(inputs, 0);
  const indices = required(inputs, 1);
  const updates = required(inputs, 2);
  const output = required(outputs, 0);
  moveElements(input, 0, output, 0, input.elementCount);

  const tuples = tuplesOf(
    indices,
    input.sizes,
    input.sizes.length - numberField(operator, 'inputDimensionCount'),
  );
  const packed =
    output.strides[tuples.firstAxis] === 1 &&
    indices.offsets === null &&
    updates.offsets === null &&
    output.offsets === null;
  if (packed && tuples.size === 1 && tuples.sliceSize === 1 && output.wordsPerElement === 1) {
    scatterSingleWords(tuples, updates, output);
    return;
  }
  // Through the output's own strides and up to the end of what is bound, as the shader does: an index past its
  // dimension may land in a gap.
  const { sliceSize } = tuples;
  const { offsets, wordsPerElement: width, words } = output;
  const strided = { ...tuples, strides: output.strides.slice(tuples.firstAxis) };
  const limit = Math.floor(words.length / width);
  for (let tuple = 0; tuple < tuples.count; tuple++) {
    const first = elementOf(strided, tuple);
    const from = tuple * sliceSize;
    if (offsets === null && first + sliceSize <= limit) {
      moveElements(updates, from, output, first, sliceSize);
      continue;
    }
    for (let i = 0; i < sliceSize; i++) {
      const to = (first + (offsets === null ? i : (offsets[i] ?? 0))) >>> 0;
      if (to >= limit) continue;
      const at = (updates.offsets === null ? from + i : (updates.offsets[from + i] ?? 0)) * width;
      words[to * width] = updates.words[at] ?? 0;
      if (width === 2) words[to * width + 1] = updates.words[at + 1] ?? 0;
    }
  }
};

export const gather: Kernel = (operator, inputs, outputs) => {
  const input = required(inputs, 0);
  const indices = required(inputs, 1);
  const output = required(outputs, 0);
  const axis = numberField(operator, 'axis');
  const outer = productOf(input.sizes, 0, axis);
  const size = input.sizes[axis] ?? 1;
  const sliceSize = productOf(input.sizes, axis + 1);
  const tuples: Tuples = {
    ...tuplesOf(indices, input.sizes, axis),
    size: 1,
    count: indices.elementCount,
    sizes: [size],
    strides: [1],
    sliceSize,
  };
  let to = 0;
  for (let row = 0; row < outer; row++) {
    for (let tuple = 0; tuple < tuples.count; tuple++) {
      const coordinate = Math.min(elementOf(tuples, tuple), size - 1);
      moveElements(input, (row * size + coordinate) * sliceSize, output, to, sliceSize);
      to += sliceSize;
    }
  }
};

export const gatherNd1: Kernel = (operator, inputs, outputs) => {
  const input = required(inputs, 0);
  const indices = required(inputs, 1);
  const output = required(outputs, 0);
  const batchDimensions = numberField(operator, 'batchDimensionCount');
  const firstAxis = input.sizes.length - numberField(operator, 'inputDimensionCount') + batchDimensions;
  const batches = productOf(input.sizes, 0, firstAxis);
  const batchElements = productOf(input.sizes, firstAxis);
  const tuples = tuplesOf(indices, input.sizes, firstAxis);
  const { sliceSize } = tuples;
  const perBatch = tuples.count / batches;
  for (let tuple = 0; tuple < tuples.count; tuple++) {
    const element = Math.min(elementOf(tuples, tuple), batchElements - sliceSize);
    const from = Math.floor(tuple / perBatch) * batchElements + element;
    moveElements(input, from, output, tuple * sliceSize, sliceSize);
  }
};

/** The index tensor as tuples of coordinates that begin with the indexed tensor's axis `firstAxis`. */
interface Tuples {
  readonly words: Int32Array;
  /** 32-bit words from one index to the next. */
  readonly step: number;
  readonly signed: boolean;
  readonly offsets: Uint32Array | null;
  /** The indexed tensor's axis that the first coordinate goes to. */
  readonly firstAxis: number;
  /** Coordinates per tuple. */
  readonly size: number;
  readonly count: number;
  /** Size and packed stride of each dimension that a coordinate goes to. */
  readonly sizes: readonly number[];
  readonly strides: readonly number[];
  /** Elements that one tuple names. */
  readonly sliceSize: number;
}

function tuplesOf(indices: TensorView, sizes: readonly number[], firstAxis: number): Tuples {
  const size = indices.sizes[indices.sizes.length - 1] ?? 1;
  const { buffer, byteOffset, byteLength } = indices.bytes;
  return {
    words: new Int32Array(buffer, byteOffset, Math.floor(byteLength / 4)),
    step: indices.wordsPerElement,
    // DirectML takes the low half of uint64 for a signed number too.
    signed: indices.dataType !== 'uint32',
    offsets: indices.offsets,
    firstAxis,
    size,
    count: indices.elementCount / size,
    sizes: sizes.slice(firstAxis, firstAxis + size),
    strides: packedStrides(sizes).slice(firstAxis, firstAxis + size),
    sliceSize: productOf(sizes, firstAxis + size),
  };
}

/** The number of the first element that a tuple names, modulo 2³² as the shader computes it. */
function elementOf(tuples: Tuples, tuple: number): number {
  const { words, step, signed, offsets, size, sizes, strides } = tuples;
  let element = 0;
  for (let i = 0; i < size; i++) {
    const position = tuple * size + i;
    let coordinate = words[(offsets === null ? position : (offsets[position] ?? 0)) * step] ?? 0;
    if (signed && coordinate < 0) coordinate += sizes[i] ?? 0;
    element = (element + Math.imul(coordinate, strides[i] ?? 1)) | 0;
  }
  return element >>> 0;
}

/** One index per update, one word per element: what most programs do, in a loop that does nothing else. */
function scatterSingleWords(tuples: Tuples, updates: TensorView, output: TensorView): void {
  const { words: indices, step, signed, count } = tuples;
  const { words: target } = output;
  const limit = target.length;
  const source = updates.words;
  const size = signed ? (tuples.sizes[0] ?? 0) : 0;
  for (let i = 0, position = 0; i < count; i++, position += step) {
    let coordinate = indices[position] ?? 0;
    if (coordinate < 0) coordinate += size;
    const element = coordinate >>> 0;
    if (element < limit) target[element] = source[i] ?? 0;
  }
}

/** Lowers gather and scatter. DirectML clamps no coordinate to its dimension and cuts 64-bit indices, so they are clamped first. */
import type { Value } from '../../graph/value.js';
import { elementCount } from '../ml-operand.js';
import { isWide } from '../../tensors/data-types.js';
import { clip, greaterOf, lesserOf } from './wide.js';
import { withRank, type Lowerings, type Step } from './step.js';

export const gathers: Lowerings<'gather' | 'gatherElements' | 'gatherND' | 'scatterElements' | 'scatterND'> = {
  gather: (step, input, indices, { axis }) => {
    const size = input.sizes[axis] ?? 1;
    const outer = elementCount(input.sizes.slice(0, axis));
    const inner = elementCount(input.sizes.slice(axis + 1));
    const inputTensor = step.reshape(input, [outer, size, inner]);
    const flat = step.reshape(indices, [1, 1, elementCount(indices.sizes)]);
    const indicesTensor = clampedTo(step, flat, size);
    return step.add({ type: 'gather', inputTensor, indicesTensor, axis: 1, indexDimensions: 1 }).outputTensor;
  },
  gatherElements: (step, input, indices, { axis }) => {
    const inputTensor = step.packed(input);
    const indicesTensor = clampedTo(step, step.packed(indices), input.sizes[axis] ?? 1);
    return step.add({ type: 'gatherElements', inputTensor, indicesTensor, axis }).outputTensor;
  },
  gatherND: (step, input, indices) => {
    const { tuples, indexed, rank } = tuplesOf(step, input, indices);
    return step.add({
      type: 'gatherNd1',
      inputTensor: withRank(indexed, rank),
      indicesTensor: withRank(tuples, rank),
      inputDimensionCount: indexed.sizes.length,
      indicesDimensionCount: 2,
    }).outputTensor;
  },
  scatterElements: (step, input, indices, updates, { axis }) => {
    const inputTensor = step.packed(input);
    const indicesTensor = clampedTo(step, step.packed(indices), input.sizes[axis] ?? 1);
    const updatesTensor = step.packed(updates);
    return step.add({ type: 'scatterElements', inputTensor, indicesTensor, updatesTensor, axis }).outputTensor;
  },
  scatterND: (step, input, indices, updates) => {
    const { tuples, indexed, rank } = tuplesOf(step, input, indices);
    const count = tuples.sizes[0] ?? 1;
    const rest = elementCount(updates.sizes) / count;
    const flat = step.reshape(updates, rest === 1 ? [count] : [count, rest]);
    const isCut = indexed.sizes.length === tuples.sizes[1];
    const updatesTensor = withRank(isCut ? step.reshape(updates, [count]) : step.reshape(flat, [count, rest]), rank);
    return step.add({
      type: 'scatterNd',
      inputTensor: withRank(indexed, rank),
      indicesTensor: withRank(tuples, rank),
      updatesTensor,
      inputDimensionCount: indexed.sizes.length,
      indicesDimensionCount: 2,
    }).outputTensor;
  },
};

/** The index tuples as rows, and the input with the dimensions that they do not index as one. */
function tuplesOf(step: Step, input: Value, indices: Value) {
  const length = indices.sizes.at(-1) ?? 1;
  const sizes = input.sizes.slice(0, length);
  const rest = elementCount(input.sizes.slice(length));
  const indexed = step.reshape(input, rest === 1 ? sizes : [...sizes, rest]);
  const rows = step.reshape(indices, [elementCount(indices.sizes) / length, length]);
  const tuples = clampedBy(step, rows, sizes);
  return { tuples, indexed, rank: Math.max(indexed.sizes.length, 2) };
}

/** Indices of a dimension of this size; negative ones count from its end. */
function clampedTo(step: Step, indices: Value, size: number): Value {
  return clip(step, indices, indices.dataType === 'uint32' ? 0 : -size, size - 1);
}

/** Rows of indices, each column of which belongs to a dimension. */
function clampedBy(step: Step, indices: Value, sizes: readonly number[]): Value {
  const { dataType } = indices;
  const row = (values: readonly number[]) => step.constant(dataType, [1, values.length], values).broadcastTo(indices.sizes);
  const low = row(sizes.map((size) => (dataType === 'uint32' ? 0 : -size)));
  const high = row(sizes.map((size) => size - 1));
  if (isWide(indices.dataType)) return lesserOf(step, greaterOf(step, indices, low), high);
  const raised = step.add({ type: 'elementWiseMax', aTensor: indices, bTensor: low }).outputTensor;
  return step.add({ type: 'elementWiseMin', aTensor: raised, bTensor: high }).outputTensor;
}

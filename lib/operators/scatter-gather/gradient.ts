/** Gradients of gathered and scattered elements. */
import { packed, sumRows } from '../../descriptors/gradient.js';
import type { Expression, GradientRule, GradientRules, Operations } from '../../descriptors/gradient.js';
import { productOf } from '../../tensors/tensor-size.js';

/** Indices below 0 count from the end. */
function fromStart(indices: Expression, size: number, o: Operations): Expression {
  return indices.dataType.startsWith('u') ? indices : o.if(o.logicalLessThan(indices, 0), o.add(indices, size), indices);
}

/** Sums up by one index for each tuple. */
const byTuples: GradientRule<'gatherNd' | 'gatherNd1'> = (node, g, o) => {
  const { inputTensor, indicesTensor, inputDimensionCount, indicesDimensionCount } = node;
  const batches = 'batchDimensionCount' in node ? node.batchDimensionCount : 0;
  const input = inputTensor.sizes.slice(-inputDimensionCount);
  const [...indices] = indicesTensor.sizes.slice(-indicesDimensionCount);
  const length = indices.pop() ?? 1;
  const [batch, count] = [productOf(indices.slice(0, batches)), productOf(indices.slice(batches))];
  const indexed = input.slice(batches, batches + length);
  return {
    inputTensor: () => {
      const tuples = packed(indicesTensor, o).reshape([batch, count, length]);
      const place = indexed.reduce<Expression | undefined>((sum, size, i) => {
        const offsets = [0, 0, i];
        const own = fromStart(o.slice(tuples, { offsets, sizes: [batch, count, 1], strides: [1, 1, 1] }), size, o);
        return sum === undefined ? own : o.add(o.multiply(sum, size), own);
      }, undefined);
      const rows = packed(g, o).reshape([batch, count, productOf(input.slice(batches + length))]);
      return sumRows(rows, place ?? tuples, productOf(indexed), o).reshape(inputTensor.sizes);
    },
  };
};

export const gradients: GradientRules<'gather' | 'gatherNd' | 'gatherNd1' | 'scatterNd'> = {
  gather: ({ inputTensor, indicesTensor, axis }, g, o) => ({
    inputTensor: () => {
      const { sizes } = inputTensor;
      const [size, count] = [sizes[axis] ?? 1, productOf(indicesTensor.sizes)];
      const indices = fromStart(packed(indicesTensor, o).reshape([1, count, 1]), size, o);
      const rows = packed(g, o).reshape([productOf(sizes.slice(0, axis)), count, productOf(sizes.slice(axis + 1))]);
      return sumRows(rows, indices, size, o).reshape(sizes);
    },
  }),
  gatherNd: byTuples,
  gatherNd1: byTuples,
  scatterNd: ({ indicesTensor, updatesTensor, inputDimensionCount, indicesDimensionCount }, g, o) => {
    const counts = { inputDimensionCount, indicesDimensionCount };
    return {
      inputTensor: () => o.scatterNd(g, indicesTensor, o.zeros(updatesTensor), counts),
      updatesTensor: () => o.gatherNd(g, indicesTensor, { ...counts, outputTensor: { sizes: updatesTensor.sizes } }),
    };
  },
};

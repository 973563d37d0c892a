/** Gradients of operators with an index for each element or a length for each sequence. */
import { packed, padded, sumRows, type GradientRules } from '../../descriptors/gradient.js';
import { productOf } from '../../tensors/tensor-size.js';

export const gradients: GradientRules<'oneHot' | 'reverseSubsequences' | 'gatherElements' | 'scatterElements'> = {
  oneHot: ({ indicesTensor, valuesTensor, outputTensor: { sizes }, axis }, g, o) => {
    // DirectML finds the second value by the last stride alone.
    if (valuesTensor.strides !== null && valuesTensor.sizes.at(-1) === 1) return 'its second value lies in a gap';
    return {
      valuesTensor: () => {
        const { dataType } = g;
        const isOn = o.oneHot(indicesTensor, o.constant(dataType, [2], [0, 1]), { axis, outputTensor: { dataType, sizes } });
        const total = (value: typeof g) => o.reduce(value, { function: 'sum', axes: [...sizes.keys()] }).reshape([1]);
        const both = o.join([total(o.multiply(g, o.subtract(1, isOn))), total(o.multiply(g, isOn))], { axis: 0 });
        const rest = productOf(valuesTensor.sizes) - 2;
        return (rest === 0 ? both : padded(both, 0, 0, rest, o)).reshape(valuesTensor.sizes);
      },
    };
  },
  reverseSubsequences: ({ sequenceLengthsTensor, axis }, g, o) => ({
    inputTensor: () => o.reverseSubsequences(g, sequenceLengthsTensor, { axis }),
  }),
  // Each line along the axis is a batch of rows with one element.
  gatherElements: ({ inputTensor: { sizes }, indicesTensor, axis }, g, o) => ({
    inputTensor: () => {
      const order = [...sizes.keys()].filter((each) => each !== axis).concat(axis);
      const [size, count] = [sizes[axis] ?? 1, g.sizes[axis] ?? 1];
      const lines = (value: typeof g) => packed(value.transpose(order), o).reshape([productOf(g.sizes) / count, count, 1]);
      const made = sumRows(lines(g), lines(indicesTensor), size, o).reshape(order.map((each) => sizes[each] ?? 1));
      return made.transpose(order.map((_, each) => order.indexOf(each)));
    },
  }),
  // If several updates go to one place, all of them get the gradient of the one that stays.
  scatterElements: ({ indicesTensor, updatesTensor, axis }, g, o) => ({
    inputTensor: () => o.scatterElements(g, indicesTensor, o.zeros(updatesTensor), { axis }),
    updatesTensor: () => o.gatherElements(g, indicesTensor, { axis }),
  }),
};

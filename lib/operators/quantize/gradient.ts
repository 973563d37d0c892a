/** Gradients of blocks of quantized elements: only the scale of their inverse has one. */
import { packed, type GradientRules } from '../../descriptors/gradient.js';
import { productOf } from '../../tensors/tensor-size.js';

const integers = 'its output has integers';

export const gradients: GradientRules<'dynamicQuantizeLinear' | 'quantize' | 'dequantize'> = {
  dynamicQuantizeLinear: integers,
  quantize: integers,
  dequantize: ({ inputTensor, quantizationTensors: [scale, ...rest] }, g, o) => ({
    inputTensor: () => 'its input has integers',
    quantizationTensors: (index) => {
      if (index !== 0 || scale === undefined) return 'its zero point has integers';
      const level = o.dequantize(inputTensor, [o.identity(o.add(o.zeros(scale), 1)), ...rest], {
        outputTensor: { dataType: g.dataType },
      });
      let sum = packed(o.multiply(g, level), o);
      for (const [axis, count] of scale.sizes.entries()) {
        const [before, after] = [sum.sizes.slice(0, axis), sum.sizes.slice(axis + 1)];
        const blocks = sum.reshape([productOf(before), count, (sum.sizes[axis] ?? 1) / count, productOf(after)]);
        sum = o.reduce(blocks, { function: 'sum', axes: [2] }).reshape([...before, count, ...after]);
      }
      return sum;
    },
  }),
};

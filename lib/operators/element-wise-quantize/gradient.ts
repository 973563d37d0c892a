/** Gradients of quantized elements: only the scale of their inverse has one. */
import type { GradientRules } from '../../descriptors/gradient.js';

const integers = 'its output has integers';

export const gradients: GradientRules<
  'elementWiseQuantizeLinear' | 'elementWiseDequantizeLinear' | 'elementWiseQuantizedLinearAdd'
> = {
  elementWiseQuantizeLinear: integers,
  elementWiseDequantizeLinear: ({ inputTensor, zeroPointTensor }, g, o) => {
    const wide = (value: typeof g) => o.cast(value, { outputTensor: { dataType: g.dataType } });
    const level = () => (zeroPointTensor === null ? wide(inputTensor) : o.subtract(wide(inputTensor), wide(zeroPointTensor)));
    return {
      inputTensor: () => 'its input has integers',
      scaleTensor: () => o.multiply(g, level()),
      zeroPointTensor: () => 'its zero point has integers',
    };
  },
  elementWiseQuantizedLinearAdd: integers,
};

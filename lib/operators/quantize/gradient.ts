/** Gradients of blocks of quantized elements. */
import { noRule, type GradientRules } from '../../descriptors/gradient.js';

const integers = 'its output has integers';

export const gradients: GradientRules<'dynamicQuantizeLinear' | 'quantize' | 'dequantize'> = {
  dynamicQuantizeLinear: integers,
  quantize: integers,
  dequantize: noRule,
};

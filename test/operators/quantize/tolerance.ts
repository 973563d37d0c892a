/** Tolerances of quantization in blocks: the same values. */
import { SAME_VALUE, type OperatorTolerance } from '../../conformance/tolerance/row.js';

export const tolerances = {
  dequantize: SAME_VALUE,
  dynamicQuantizeLinear: SAME_VALUE,
  quantize: SAME_VALUE,
} satisfies Record<string, OperatorTolerance>;

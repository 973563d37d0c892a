/** Tolerances of quantization in blocks. DirectML gives the same values as the reference. */
import { SAME_VALUE, type OperatorTolerance } from '../../conformance/tolerance/row.js';

export const tolerances = {
  dequantize: SAME_VALUE,
  dynamicQuantizeLinear: SAME_VALUE,
  quantize: SAME_VALUE,
} satisfies Record<string, OperatorTolerance>;

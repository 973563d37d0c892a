/** Tolerances of element-wise quantization. */
import type { OperatorTolerance } from '../../conformance/tolerance/row.js';

/** At a tie, the quotient's last bit decides. DirectML was observed to give the nearest float32; it does not promise that. */
export const tolerances = {
  elementWiseDequantizeLinear: { ulp: 1, tail: true, reason: 'a difference and a product, each rounded to nearest even' },
  elementWiseQuantizeLinear: { ulp: 0, tail: true },
  elementWiseQuantizedLinearAdd: { ulp: 0, tail: true },
} satisfies Record<string, OperatorTolerance>;

/** Tolerances of quantization, element by element. */
import type { OperatorTolerance } from '../../conformance/tolerance/row.js';

/** Of a tie the last bit of a quotient decides; that it is the nearest float32 is seen, not promised. */
export const tolerances = {
  elementWiseDequantizeLinear: { ulp: 1, tail: true, reason: 'a difference and a product, each rounded to the nearest' },
  elementWiseQuantizeLinear: { ulp: 0, tail: true },
  elementWiseQuantizedLinearAdd: { ulp: 0, tail: true },
} satisfies Record<string, OperatorTolerance>;

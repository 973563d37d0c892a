/** What operators on two or three elements may be off by, from the precision that Direct3D promises. */
import type { OperatorDescriptor } from 'node-directml';

const EXACT = { ulp: 0 } as const;
const SAME_VALUE = { ulp: 0, byValue: true } as const;

export const binaryTolerances = {
  // Correctly rounded by Direct3D's rules; the conversion to float16 may cut off.
  elementWiseAdd: { ulp: 1 },
  elementWiseSubtract: { ulp: 1 },
  elementWiseMean: { ulp: 1 },
  // The difference's error of half an ULP doubles in the square, which is rounded again.
  elementWiseDifferenceSquare: { ulp: 2 },
  elementWiseMax: SAME_VALUE,
  elementWiseMin: SAME_VALUE,
  // Quotients in the cases are whole or far from whole, so that only the last product and difference round.
  elementWiseModulusTruncate: { ulp: 1 },
  elementWiseModulusFloor: { ulp: 1 },
  // HLSL's atan2 is a polynomial of degree 9, wrong by up to 1.2e-5: 48 ULP at π.
  elementWiseAtanYx: { ulp: 50 },
  // exp2(y · log2(x)): log2 is right to 3 ULP, and |y · log2(x)| of up to 12 turns that into 12 · 3 · ln 2 ULP; exp2
  // has 4 of its own.
  elementWisePow: { ulp: 32 },
  elementWiseIf: EXACT,
  elementWiseBitAnd: EXACT,
  elementWiseBitOr: EXACT,
  elementWiseBitXor: EXACT,
  elementWiseBitShiftLeft: EXACT,
  elementWiseBitShiftRight: EXACT,
  elementWiseLogicalAnd: EXACT,
  elementWiseLogicalOr: EXACT,
  elementWiseLogicalXor: EXACT,
  elementWiseLogicalEquals: EXACT,
  elementWiseLogicalGreaterThan: EXACT,
  elementWiseLogicalGreaterThanOrEqual: EXACT,
  elementWiseLogicalLessThan: EXACT,
  elementWiseLogicalLessThanOrEqual: EXACT,
} as const;

/** float16, computed in float32 and rounded at the end, is nearer; null for what the table says. */
export function binaryTolerance(descriptor: OperatorDescriptor): { readonly ulp: number } | null {
  if (descriptor.type !== 'elementWiseAtanYx' && descriptor.type !== 'elementWisePow') return null;
  return descriptor.outputTensor.dataType === 'float16' ? { ulp: 1 } : null;
}

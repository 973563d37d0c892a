/** The errors of the element-wise operators on one tensor. */
import { ulpOf, type ComputedRow, type Dependent } from '../../tolerance/row.js';

export const ARC_SINE: ComputedRow = {
  ulp: 572,
  magnitude: 1,
  reason: "HLSL's cubic polynomial times √(1 − |x|) has an error of up to 6.76e-5, which is 567 ULP; 5 roundings",
};

export const SINE: ComputedRow = {
  ulp: 6711,
  magnitude: 1,
  reason: 'the shader instruction sincos has an absolute error of up to 0.0008 for arguments up to 100π',
};

/** An absolute error, given in ULP of 1. It is fewer ULP of a result above 1. */
export function unitsOfOne(formula: string, units: (y: number) => number): Dependent {
  return {
    text: `${formula} ULP of 1`,
    at: ({ y }) => (units(y) * ulpOf('float32', 1)) / ulpOf('float32', Math.max(1, Math.abs(y))),
  };
}

export function cancelled(y: number): number {
  return 0.75 * Math.exp(-2 * y);
}

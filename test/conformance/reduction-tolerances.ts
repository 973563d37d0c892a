/**
 * Tolerances that grow with the number of terms: each of the length - 1 operations rounds once, by half a unit, in
 * whatever order they are done. float16 is computed on in float32, so that only the last rounding is of its own size.
 */
import type { ConformanceCase } from './case.js';
import type { Tolerance } from './tolerances.js';

/** Null for all that is no reduction or scan of floats, or picks one of its elements. */
export function reductionTolerance({ descriptor }: ConformanceCase): Tolerance | null {
  switch (descriptor.type) {
    case 'reduce': {
      if (!descriptor.outputTensor.dataType.startsWith('float')) return null;
      const { sizes, dataType } = descriptor.inputTensor;
      const length = descriptor.axes.reduce((product, axis) => product * (sizes[axis] ?? 1), 1);
      const extra = EXTRA[descriptor.function];
      return extra === undefined ? null : { ulp: scaled(dataType, length, extra) };
    }
    case 'cumulativeSummation':
    case 'cumulativeProduct': {
      const { sizes, dataType } = descriptor.inputTensor;
      return dataType.startsWith('float') ? { ulp: scaled(dataType, sizes[descriptor.axis] ?? 1, 1) } : null;
    }
    default:
      return null;
  }
}

/**
 * ULP of float32 beside the sum's own: a division is 1; a square root 1, a square per term 1/2; exp and log of D3D
 * are good to 2^-21, 4 ULP each, and exp's argument, scaled for exp2 and up to 8 here, adds 8.
 */
const EXTRA: Readonly<Partial<Record<string, number>>> = {
  average: 2,
  l1: 1,
  l2: 3,
  logSum: 5,
  logSumExp: 17,
  multiply: 1,
  sum: 1,
  sumSquare: 2,
};

function scaled(dataType: string, length: number, extra: number): number {
  const single = length / 2 + extra;
  return dataType === 'float16' ? 1 + single * 2 ** -13 : single;
}

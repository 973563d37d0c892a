/**
 * The sums and products of `reduce`. Each is a loop over one group of the input's elements, in which element i is number `first +
 * steps[i]`. Floats are computed in float64, but become an infinity or 0 as soon as they leave float32's range, at every element.
 * 32-bit integers are computed in 32 bits, 64-bit integers exactly modulo 2^64.
 */
import { inFloat32Range } from './numbers.js';
import { sumOf, sumOfSquares } from './groups.js';
import { simdWith } from './simd.js';

type Fold<Values, Result> = (values: Values, first: number, steps: Uint32Array) => Result;

/** `isRun`: the elements are adjacent. */
type FloatFold = (values: Float32Array | Float64Array, first: number, steps: Uint32Array, isRun: boolean) => number;

export const floatFunctions: Readonly<Record<string, FloatFold>> = {
  average: (values, first, steps, isRun) => sum(values, first, steps, isRun) / steps.length,
  l1: sumOfMagnitudes,
  l2: (values, first, steps) => Math.sqrt(sumOfSquares(values, first, steps)),
  logSum: (values, first, steps, isRun) => Math.log(sum(values, first, steps, isRun)),
  logSumExp: (values, first, steps) => Math.log(inFloat32Range(sumOfExponentials(values, first, steps))),
  multiply: product,
  sum,
  sumSquare: sumOfSquares,
};

function sum(values: Float32Array | Float64Array, first: number, steps: Uint32Array, isRun: boolean): number {
  return (isRun ? sumOfRun(values, first, steps.length) : null) ?? sumOf(values, first, steps);
}

/**
 * If the magnitudes of the four partial sums add up to less than this before and after another four elements, then adding these
 * cannot overflow float32, in whatever order.
 */
const SAFE_PARTIAL_SUMS = 2 ** 126;

/** Runs of fewer elements, or of more, are not copied for SIMD. */
const [SHORTEST_COPY, LONGEST_COPY] = [16, 2 ** 14];

/**
 * Adds adjacent elements into four partial sums, because each addition has to wait for the one before it. Returns null if a sum
 * may overflow float32.
 */
function sumOfRun(values: Float32Array | Float64Array, first: number, count: number): number | null {
  const whole = first + count - (count % 4);
  let result = values instanceof Float32Array ? sumBySimd(values, first, whole) : NaN;
  if (Number.isNaN(result)) {
    const sum = sumOfFours(values, first, whole);
    if (sum === null) return null;
    result = sum;
  }
  for (let i = whole; i < first + count; i++) result = inFloat32Range(result + (values[i] ?? 0));
  return result;
}

/** Returns NaN if the engine has no SIMD, or if it does not pay or cannot decide. */
function sumBySimd(values: Float32Array, first: number, end: number): number {
  const count = end - first;
  const simd = count < SHORTEST_COPY || count > LONGEST_COPY ? null : simdWith(4 * count);
  if (simd === null) return NaN;
  simd.float32.set(values.subarray(first, end));
  return simd.exports.sumFloat32(0, count);
}

function sumOfFours(values: Float32Array | Float64Array, first: number, whole: number): number | null {
  let [a, b, c, d] = [0, 0, 0, 0];
  for (let i = first; i < whole; i += 4) {
    a += values[i] ?? 0;
    b += values[i + 1] ?? 0;
    c += values[i + 2] ?? 0;
    d += values[i + 3] ?? 0;
    if (!(Math.abs(a) + Math.abs(b) + Math.abs(c) + Math.abs(d) < SAFE_PARTIAL_SUMS)) return null;
  }
  return a + b + (c + d);
}

function sumOfMagnitudes(values: Float32Array | Float64Array, first: number, steps: Uint32Array): number {
  let result = 0;
  for (let i = 0; i < steps.length; i++) result += Math.abs(values[first + (steps[i] ?? 0)] ?? 0);
  return result;
}

function sumOfExponentials(values: Float32Array | Float64Array, first: number, steps: Uint32Array): number {
  let result = 0;
  for (let i = 0; i < steps.length; i++) result += inFloat32Range(Math.exp(values[first + (steps[i] ?? 0)] ?? 0));
  return result;
}

function product(values: Float32Array | Float64Array, first: number, steps: Uint32Array): number {
  let result = 1;
  for (let i = 0; i < steps.length; i++) result = inFloat32Range(result * (values[first + (steps[i] ?? 0)] ?? 0));
  return result;
}

/**
 * Also used for the bits of uint32: equal modulo 2³², except l1, which takes magnitudes. For uint32 these are the elements
 * themselves, so l1 is `sum`.
 */
export const int32Functions: Readonly<Record<string, Fold<Int32Array, number>>> = {
  l1: (values, first, steps) => {
    let result = 0;
    for (let i = 0; i < steps.length; i++) result = (result + Math.abs(values[first + (steps[i] ?? 0)] ?? 0)) | 0;
    return result;
  },
  multiply: (values, first, steps) => {
    let result = 1;
    for (let i = 0; i < steps.length; i++) result = Math.imul(result, values[first + (steps[i] ?? 0)] ?? 0);
    return result;
  },
  sum: (values, first, steps) => {
    let result = 0;
    for (let i = 0; i < steps.length; i++) result = (result + (values[first + (steps[i] ?? 0)] ?? 0)) | 0;
    return result;
  },
  sumSquare: (values, first, steps) => {
    let result = 0;
    for (let i = 0; i < steps.length; i++) {
      const value = values[first + (steps[i] ?? 0)] ?? 0;
      result = (result + Math.imul(value, value)) | 0;
    }
    return result;
  },
};

export const int64Functions: Readonly<Record<string, Fold<BigInt64Array | BigUint64Array, bigint>>> = {
  l1: (values, first, steps) => {
    let result = 0n;
    for (let i = 0; i < steps.length; i++) {
      const value = values[first + (steps[i] ?? 0)] ?? 0n;
      result += value < 0n ? -value : value;
    }
    return BigInt.asIntN(64, result);
  },
  multiply: (values, first, steps) => {
    let result = 1n;
    for (let i = 0; i < steps.length; i++) result = BigInt.asIntN(64, result * (values[first + (steps[i] ?? 0)] ?? 0n));
    return result;
  },
  sum: (values, first, steps) => {
    let result = 0n;
    for (let i = 0; i < steps.length; i++) result += values[first + (steps[i] ?? 0)] ?? 0n;
    return BigInt.asIntN(64, result);
  },
  sumSquare: (values, first, steps) => {
    let result = 0n;
    for (let i = 0; i < steps.length; i++) {
      const value = values[first + (steps[i] ?? 0)] ?? 0n;
      result = BigInt.asIntN(64, result + value * value);
    }
    return result;
  },
};

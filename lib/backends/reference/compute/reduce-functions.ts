/**
 * The sums and products of `reduce`, each a loop over one group of the input's elements: `first + steps[i]` is the
 * number of the i-th. Floats in float64, but an infinity or 0 as soon as float32 ends, element by element; 32-bit integers
 * in 32 bits, 64-bit ones exactly modulo 2^64.
 */
import { inFloat32Range } from './numbers.js';
import { sumOf, sumOfSquares } from './groups.js';

type Fold<Values, Result> = (values: Values, first: number, steps: Uint32Array) => Result;

export const floatFunctions: Readonly<Record<string, Fold<Float32Array | Float64Array, number>>> = {
  average: (values, first, steps) => sum(values, first, steps) / steps.length,
  l1: sumOfMagnitudes,
  l2: (values, first, steps) => Math.sqrt(sumOfSquares(values, first, steps)),
  logSum: (values, first, steps) => Math.log(sum(values, first, steps)),
  logSumExp: (values, first, steps) => Math.log(inFloat32Range(sumOfExponentials(values, first, steps))),
  multiply: product,
  sum,
  sumSquare: sumOfSquares,
};

function sum(values: Float32Array | Float64Array, first: number, steps: Uint32Array): number {
  // Steps only grow: where the last is the number of those before it, the elements lie side by side.
  const isRun = steps[steps.length - 1] === steps.length - 1;
  return (isRun ? sumOfRun(values, first, steps.length) : null) ?? sumOf(values, first, steps);
}

/** No sum that stays below can leave float32 by another four elements, in whatever order they are added. */
const SAFE = 2 ** 126;

/** Four sums side by side, for an addition has to wait for the one before it; null where one may leave float32. */
function sumOfRun(values: Float32Array | Float64Array, first: number, count: number): number | null {
  let [a, b, c, d] = [0, 0, 0, 0];
  const whole = first + count - (count % 4);
  for (let i = first; i < whole; i += 4) {
    a += values[i] ?? 0;
    b += values[i + 1] ?? 0;
    c += values[i + 2] ?? 0;
    d += values[i + 3] ?? 0;
    if (!(Math.abs(a) + Math.abs(b) + Math.abs(c) + Math.abs(d) < SAFE)) return null;
  }
  let all = a + b + (c + d);
  for (let i = whole; i < first + count; i++) all = inFloat32Range(all + (values[i] ?? 0));
  return all;
}

function sumOfMagnitudes(values: Float32Array | Float64Array, first: number, steps: Uint32Array): number {
  let all = 0;
  for (let i = 0; i < steps.length; i++) all += Math.abs(values[first + (steps[i] ?? 0)] ?? 0);
  return all;
}

function sumOfExponentials(values: Float32Array | Float64Array, first: number, steps: Uint32Array): number {
  let all = 0;
  for (let i = 0; i < steps.length; i++) all += inFloat32Range(Math.exp(values[first + (steps[i] ?? 0)] ?? 0));
  return all;
}

function product(values: Float32Array | Float64Array, first: number, steps: Uint32Array): number {
  let all = 1;
  for (let i = 0; i < steps.length; i++) all = inFloat32Range(all * (values[first + (steps[i] ?? 0)] ?? 0));
  return all;
}

/** Of the bits of UINT32 too: modulo 2^32 it is the same, but for its magnitudes, which are the elements themselves. */
export const int32Functions: Readonly<Record<string, Fold<Int32Array, number>>> = {
  l1: (values, first, steps) => {
    let all = 0;
    for (let i = 0; i < steps.length; i++) all = (all + Math.abs(values[first + (steps[i] ?? 0)] ?? 0)) | 0;
    return all;
  },
  multiply: (values, first, steps) => {
    let all = 1;
    for (let i = 0; i < steps.length; i++) all = Math.imul(all, values[first + (steps[i] ?? 0)] ?? 0);
    return all;
  },
  sum: (values, first, steps) => {
    let all = 0;
    for (let i = 0; i < steps.length; i++) all = (all + (values[first + (steps[i] ?? 0)] ?? 0)) | 0;
    return all;
  },
  sumSquare: (values, first, steps) => {
    let all = 0;
    for (let i = 0; i < steps.length; i++) {
      const value = values[first + (steps[i] ?? 0)] ?? 0;
      all = (all + Math.imul(value, value)) | 0;
    }
    return all;
  },
};

export const int64Functions: Readonly<Record<string, Fold<BigInt64Array | BigUint64Array, bigint>>> = {
  l1: (values, first, steps) => {
    let all = 0n;
    for (let i = 0; i < steps.length; i++) {
      const value = values[first + (steps[i] ?? 0)] ?? 0n;
      all += value < 0n ? -value : value;
    }
    return BigInt.asIntN(64, all);
  },
  multiply: (values, first, steps) => {
    let all = 1n;
    for (let i = 0; i < steps.length; i++) all = BigInt.asIntN(64, all * (values[first + (steps[i] ?? 0)] ?? 0n));
    return all;
  },
  sum: (values, first, steps) => {
    let all = 0n;
    for (let i = 0; i < steps.length; i++) all += values[first + (steps[i] ?? 0)] ?? 0n;
    return BigInt.asIntN(64, all);
  },
  sumSquare: (values, first, steps) => {
    let all = 0n;
    for (let i = 0; i < steps.length; i++) {
      const value = values[first + (steps[i] ?? 0)] ?? 0n;
      all = BigInt.asIntN(64, all + value * value);
    }
    return all;
  },
};

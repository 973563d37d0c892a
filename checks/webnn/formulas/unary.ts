/** Element-wise operators of one operand. */
import { halvesToEven, isFloatType, limitsOf, natural, wrappedTo } from '../elements.js';
import { combined, makeTensor, numberAt, type Outcome, type PlainTensor } from '../plain-tensor.js';
import { erf as errorFunction } from './functions.js';
import { truth } from './logical.js';

type Unary = (input: PlainTensor) => PlainTensor;

/** An operator of floats only. */
export function each(ofNumber: (x: number) => number | Outcome): Unary {
  return (input) => makeTensor(input.dataType, input.shape, (place) => ofNumber(numberAt(input, place)));
}

/**
 * An operator of floats and integers. The type has no negative of its least integer. The specification leaves this case open, so
 * both the least and the greatest integer are right.
 */
function signed(ofNumber: (x: number) => number, ofInteger: (x: bigint) => bigint): Unary {
  return (input) => {
    const { dataType } = input;
    return combined(dataType, [input], (x) => {
      if (isFloatType(dataType)) return ofNumber(Number(x));
      const { high } = limitsOf(dataType);
      const result = ofInteger(BigInt(x));
      const value = wrappedTo(dataType, result);
      return result > high ? { value, also: [natural(dataType, high)] } : value;
    });
  };
}

export const abs = signed(Math.abs, (x) => (x < 0n ? -x : x));
export const neg = signed(
  (x) => -x,
  (x) => -x,
);
/** "1 if > 0, -1 if < 0, and 0 otherwise", so 0 also for NaN, unlike in other APIs, which give NaN. */
export const sign = signed(
  (x) => (x > 0 ? 1 : x < 0 ? -1 : 0),
  (x) => (x > 0n ? 1n : x < 0n ? -1n : 0n),
);

export const identity: Unary = (input) => input;

export const ceil = each(Math.ceil);
/** Direct3D promises the precision of sines and cosines only up to 100 π. */
const waveLimit = 100 * Math.PI;

function wave(of: (x: number) => number): Unary {
  return each((x) => (Math.abs(x) > waveLimit ? { value: of(x), also: 'any' } : of(x)));
}

export const cos = wave(Math.cos);
export const erf = each(errorFunction);

/**
 * exp2(x · log2 e) on a GPU: Direct3D promises an error of 2⁻²¹ for exp2, and rounding its argument adds 0.85 ULP per binade of the
 * result. For large arguments this exceeds the tolerance of the web platform tests, whose numbers are small.
 */
export const exp = each((x) => {
  const value = Math.exp(x);
  const units = 8 + 0.85 * Math.abs(x * Math.LOG2E);
  return Number.isFinite(value) ? { value, scale: value * Math.max(1, units / 32) } : { value };
});

export const floor = each(Math.floor);

/**
 * log2(x) · ln 2 on a GPU: near 1, Direct3D's error is absolute. Direct3D may treat a subnormal float32 as any number as
 * small, so any result is right.
 */
export const log: Unary = (input) => {
  return makeTensor(input.dataType, input.shape, (place) => {
    const x = numberAt(input, place);
    const isSubnormal = input.dataType === 'float32' && x > 0 && x < 2 ** -126;
    return { value: Math.log(x), scale: Math.LN2, ...(isSubnormal ? { also: 'any' } : {}) };
  });
};

export const reciprocal = each((x) => 1 / x);
export const roundEven = each((x) => (Number.isFinite(x) ? halvesToEven(x) : x));
export const sin = wave(Math.sin);
export const sqrt = each(Math.sqrt);

/** A quotient of sine and cosine. Their absolute errors are enlarged where the cosine is small, without limit at its zeros. */
export const tan = each((x) => {
  const value = Math.tan(x);
  if (Math.abs(x) > waveLimit || Math.abs(Math.cos(x)) < 0.01) return { value, also: 'any' };
  return { value, scale: (1 + Math.abs(value)) * Math.hypot(1, value) };
});

export const isNaN = truth((x) => Number.isNaN(x));
export const isInfinite = truth((x) => x === Infinity || x === -Infinity);
export const logicalNot = truth((x) => x === 0);

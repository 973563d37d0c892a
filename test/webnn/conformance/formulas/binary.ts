/** Element-wise operators of two operands. */
import { limitsOf, isFloatType, wrappedTo, type FloatType } from '../elements.js';
import { combined, type Element, type Outcome, type PlainTensor } from '../plain-tensor.js';

type Binary = (a: PlainTensor, b: PlainTensor) => PlainTensor;

function each(combine: (a: Element, b: Element, dataType: PlainTensor['dataType']) => Element | Outcome): Binary {
  return (a, b) => combined(a.dataType, [a, b], (x, y) => combine(x, y, a.dataType));
}

interface Arithmetic {
  readonly ofNumbers: (a: number, b: number) => number;
  readonly ofIntegers: (a: bigint, b: bigint) => bigint;
}

/**
 * The specification does not say what integers do that overflow: they keep their lowest bits, as in every implementation that is
 * known.
 */
function arithmetic({ ofNumbers, ofIntegers }: Arithmetic): Binary {
  return each((a, b, dataType) => {
    if (isFloatType(dataType)) return ofNumbers(Number(a), Number(b));
    return wrappedTo(dataType, ofIntegers(BigInt(a), BigInt(b)));
  });
}

/** The specification says nothing of NaN here, so that the number beside it may be the result as well. */
function extreme(takesFirst: (a: Element, b: Element) => boolean): Binary {
  return each((a, b) => {
    if (Number.isNaN(a) || Number.isNaN(b)) return { value: NaN, also: [a, b] };
    return takesFirst(a, b) ? a : b;
  });
}

export const add = arithmetic({ ofNumbers: (a, b) => a + b, ofIntegers: (a, b) => a + b });
export const sub = arithmetic({ ofNumbers: (a, b) => a - b, ofIntegers: (a, b) => a - b });
export const mul = arithmetic({ ofNumbers: (a, b) => a * b, ofIntegers: (a, b) => a * b });

/** Quotients of integers are cut off. Those by 0, and the only one that overflows, are open. */
export const div: Binary = each((a, b, dataType) => {
  if (isFloatType(dataType)) return Number(a) / Number(b);
  const [dividend, divisor] = [BigInt(a), BigInt(b)];
  if (divisor === 0n || (divisor === -1n && dividend === limitsOf(dataType).low)) return { value: 0, also: 'any' };
  return wrappedTo(dataType, dividend / divisor);
});

export const max = extreme((a, b) => a > b);
export const min = extreme((a, b) => a < b);

/**
 * Of integers whose power is no integer of the type, the result is open. JavaScript has NaN for 1 to the power of infinity and of
 * NaN, where C has 1, and C has a result for -Infinity to a power that is not whole: all of these are allowed.
 */
export const pow: Binary = each((a, b, dataType) => {
  if (isFloatType(dataType)) return powerOf(dataType, Number(a), Number(b));
  const { low, high } = limitsOf(dataType);
  if (b < 0) return { value: 0, also: 'any' };
  // Beyond 64 only the powers of -1, 0 and 1 are in any range.
  const exponent = BigInt(b) > 64n ? 64n + (BigInt(b) % 2n) : BigInt(b);
  const result = BigInt(a) ** exponent;
  return result < low || result > high ? { value: 0, also: 'any' } : wrappedTo(dataType, result);
});

/**
 * exp2(b · log2(a)) on a GPU: Direct3D promises 2⁻²¹ for either, which counts |b| times for the logarithm. For large exponents and
 * results that is more than the tests' tolerance, whose numbers are small. Of subnormal float32 no logarithm is promised.
 */
function powerOf(dataType: FloatType, base: number, exponent: number): Outcome {
  const value = base ** exponent;
  if (Math.abs(base) === 1 && !Number.isFinite(exponent)) return { value: 1, also: [NaN] };
  if (base === -Infinity && !Number.isInteger(exponent)) return { value, also: [NaN] };
  if (dataType === 'float32' && exponent !== 0 && base !== 0 && Math.abs(base) < 2 ** -126) return { value, also: 'any' };
  // The sign of a zero does not count.
  if (base === 0 && Math.abs(value) === Infinity) return { value: Infinity, also: [-Infinity] };
  if (!Number.isFinite(value) || value === 0) return { value };
  const binades = Math.abs(Math.log2(Math.abs(value)));
  const units = 9 + 5.6 * Math.max(Math.abs(exponent), binades) + 0.7 * binades;
  const share = dataType === 'float32' ? units / 32 : units / 8192 / 2;
  return { value, scale: Math.abs(value) * Math.max(1, share) };
}

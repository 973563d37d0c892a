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
 * The specification leaves integer overflow open. Here integers keep their lowest bits, as in every known implementation.
 */
function arithmetic({ ofNumbers, ofIntegers }: Arithmetic): Binary {
  return each((a, b, dataType) => {
    if (isFloatType(dataType)) return ofNumbers(Number(a), Number(b));
    return wrappedTo(dataType, ofIntegers(BigInt(a), BigInt(b)));
  });
}

/** The specification leaves NaN open here, so the other operand is accepted as the result, too. */
function extreme(takesFirst: (a: Element, b: Element) => boolean): Binary {
  return each((a, b) => {
    if (Number.isNaN(a) || Number.isNaN(b)) return { value: NaN, also: [a, b] };
    return takesFirst(a, b) ? a : b;
  });
}

export const add = arithmetic({ ofNumbers: (a, b) => a + b, ofIntegers: (a, b) => a + b });
export const sub = arithmetic({ ofNumbers: (a, b) => a - b, ofIntegers: (a, b) => a - b });
export const mul = arithmetic({ ofNumbers: (a, b) => a * b, ofIntegers: (a, b) => a * b });

/** Quotients of integers are truncated. Division by 0, and the one quotient that overflows, are open. */
export const div: Binary = each((a, b, dataType) => {
  if (isFloatType(dataType)) return Number(a) / Number(b);
  const [dividend, divisor] = [BigInt(a), BigInt(b)];
  if (divisor === 0n || (divisor === -1n && dividend === limitsOf(dataType).low)) return { value: 0, also: 'any' };
  return wrappedTo(dataType, dividend / divisor);
});

export const max = extreme((a, b) => a > b);
export const min = extreme((a, b) => a < b);

/**
 * If a power of integers is not an integer of the type, the result is open. 1 to the power of infinity or NaN is NaN in JavaScript,
 * but 1 in C. C also defines -Infinity to a power that is not an integer. All of these results are accepted.
 */
export const pow: Binary = each((a, b, dataType) => {
  if (isFloatType(dataType)) return powerOf(dataType, Number(a), Number(b));
  const { low, high } = limitsOf(dataType);
  if (b < 0) return { value: 0, also: 'any' };
  // With an exponent above 64, only the powers of -1, 0 and 1 are in the range of any type.
  const exponent = BigInt(b) > 64n ? 64n + (BigInt(b) % 2n) : BigInt(b);
  const result = BigInt(a) ** exponent;
  return result < low || result > high ? { value: 0, also: 'any' } : wrappedTo(dataType, result);
});

/**
 * exp2(b · log2(a)) on a GPU: Direct3D promises an error of 2⁻²¹ for each function, and b multiplies the logarithm's error. For
 * large exponents and results this exceeds the tolerance of the web platform tests, whose numbers are small. Direct3D promises
 * nothing for the logarithm of a subnormal float32.
 */
function powerOf(dataType: FloatType, base: number, exponent: number): Outcome {
  const value = base ** exponent;
  if (Math.abs(base) === 1 && !Number.isFinite(exponent)) return { value: 1, also: [NaN] };
  if (base === -Infinity && !Number.isInteger(exponent)) return { value, also: [NaN] };
  if (dataType === 'float32' && exponent !== 0 && base !== 0 && Math.abs(base) < 2 ** -126) return { value, also: 'any' };
  // The sign of a zero base is ignored, so either infinity is right.
  if (base === 0 && Math.abs(value) === Infinity) return { value: Infinity, also: [-Infinity] };
  if (!Number.isFinite(value) || value === 0) return { value };
  const binades = Math.abs(Math.log2(Math.abs(value)));
  const units = 9 + 5.6 * Math.max(Math.abs(exponent), binades) + 0.7 * binades;
  const share = dataType === 'float32' ? units / 32 : units / 8192 / 2;
  return { value, scale: Math.abs(value) * Math.max(1, share) };
}

/** Arithmetic on two tensors, element by element: floats in float64, 64-bit integers exactly, other integers in 32 bits. */
import { isFloat, isUnsigned, isWide, leastNormalFloat32 } from '../../tensors/data-types.js';
import { byBlocks } from '../../compute/blocks.js';
import { readKeys, writeKeys } from '../../compute/integers.js';
import { maxNumber, minNumber } from '../../compute/numbers.js';
import { packedFloats, readBigInts, readNumbers, viewNumbers, writeBigInts, writeNumbers } from '../../compute/tensor-view.js';
import { simdWith } from '../../compute/simd.js';
import type { TwoInputsAndOutput } from '../../compute/kernel.js';

interface Functions {
  readonly float: (a: number, b: number) => number;
  /** For integers of up to 32 bits; the low bits of the result are what is written. */
  readonly integer?: (a: number, b: number, unsigned: boolean) => number;
  /** For 64-bit integers; the low bits of the result are what is written. */
  readonly wide?: (a: bigint, b: bigint) => bigint;
  /** `wide` compares, and works on keys. */
  readonly compares?: true;
  /** Does the same as `float` by SIMD. */
  readonly simd?: 'addFloats' | 'subtractFloats' | 'multiplyFloats' | 'divideFloats';
}

export const elementWiseAdd = arithmetic({
  float: (a, b) => a + b,
  simd: 'addFloats',
  wide: (a, b) => a + b,
});

export const elementWiseSubtract = arithmetic({
  float: (a, b) => a - b,
  simd: 'subtractFloats',
  wide: (a, b) => a - b,
});

export const elementWiseMultiply = arithmetic({
  float: (a, b) => a * b,
  simd: 'multiplyFloats',
  integer: Math.imul,
  wide: (a, b) => a * b,
});

/** Division by zero: the shader divides without signs, which gives all ones, and the result gets the dividend's sign. */
export const elementWiseDivide = arithmetic({
  float: (a, b) => a / b,
  simd: 'divideFloats',
  integer: (a, b) => (b === 0 ? withSignOf(a, -1) : Math.trunc(a / b)),
  wide: (a, b) => (b === 0n ? allOnes(a) : a / b),
});

/** If one operand is NaN, the result is the other one, as with the shader's instruction. */
export const elementWiseMax = arithmetic({
  float: maxNumber,
  wide: (a, b) => (a > b ? a : b),
  compares: true,
});

export const elementWiseMin = arithmetic({
  float: minNumber,
  wide: (a, b) => (a < b ? a : b),
  compares: true,
});

/** The sum wraps around, or overflows float32, before it is halved. */
export const elementWiseMean = arithmetic({
  float: (a, b) => Math.fround(a + b) / 2,
  integer: (a, b, unsigned) => Math.trunc((unsigned ? (a + b) >>> 0 : (a + b) | 0) / 2),
});

export const elementWiseDifferenceSquare = arithmetic({
  float: (a, b) => (a - b) ** 2,
  integer: (a, b) => Math.imul(a - b, a - b),
});

/**
 * Multiplying a float32 by 1 plus or minus this moves it to its neighbour. DirectML moves the quotient of a modulus: away from 0
 * for truncation, upwards for floor.
 */
const ONE_UNIT = 6e-8;

/** The next float32 above a quotient. */
function nextAbove(quotient: number): number {
  if (Math.abs(quotient) < leastNormalFloat32) return quotient + 2 ** -149;
  return Math.fround(quotient * (quotient < 0 ? 1 - ONE_UNIT : 1 + ONE_UNIT));
}

/** Modulus by zero: a signed or 64-bit integer stays as it is; an unsigned one of up to 32 bits becomes all ones. */
export const elementWiseModulusTruncate = arithmetic({
  float: (a, b) => {
    const quotient = Math.fround(a / b);
    return a - Math.fround(b * Math.trunc(Math.fround(quotient * (1 + ONE_UNIT))));
  },
  integer: (a, b, unsigned) => (b === 0 ? (unsigned ? -1 : a) : a % b),
  wide: (a, b) => (b === 0n ? a : a % b),
});

export const elementWiseModulusFloor = arithmetic({
  float: (a, b) => {
    return a - Math.fround(b * Math.floor(nextAbove(Math.fround(a / b))));
  },
  integer: (a, b) => (b === 0 ? withSignOf(a, -1) : floorModulus(a, b)),
  wide: (a, b) => (b === 0n ? a : ((a % b) + b) % b),
});

export const elementWiseAtanYx = arithmetic({ float: angle });

function arithmetic(functions: Functions): (operator: unknown, tensors: TwoInputsAndOutput) => void {
  const { float, integer = float, wide } = functions;
  const [read, write] = functions.compares === true ? [readKeys, writeKeys] : [readBigInts, writeBigInts];
  const compute = (_operator: unknown, { aTensor: a, bTensor: b, outputTensor: output }: TwoInputsAndOutput): void => {
    if (wide !== undefined && isWide(a.dataType)) {
      const values = read(a);
      const others = read(b);
      for (let i = 0; i < values.length; i++) values[i] = wide(values[i] ?? 0n, others[i] ?? 0n);
      write(output, values);
      return;
    }
    const [x, y, z] = [packedFloats(a), packedFloats(b), packedFloats(output)];
    if (x !== null && y !== null && z !== null) {
      if (functions.simd !== undefined && computeBySimd(functions.simd, x, y, z)) return;
      // Storing a result rounds it, and only once.
      for (let i = 0; i < z.length; i++) z[i] = float(x[i] ?? 0, y[i] ?? 0);
      return;
    }
    const values = readNumbers(a);
    const others = viewNumbers(b);
    const combine = isFloat(a.dataType) ? float : integer;
    const unsigned = isUnsigned(a.dataType);
    for (let i = 0; i < values.length; i++) values[i] = combine(values[i] ?? 0, others[i] ?? 0, unsigned);
    writeNumbers(output, values);
  };
  return byBlocks(
    compute,
    () => [],
    (_operator, { aTensor, bTensor, outputTensor }) => [aTensor, bTensor, outputTensor].every(packedFloats),
  );
}

/** Elements of each operand that are copied at a time. */
const SIMD_ELEMENTS = 4096;

/** Copying fewer elements would take longer than computing them. */
const FEW_ELEMENTS = 64;

/**
 * Float32 arithmetic equals float64 arithmetic that is rounded once. Returns false if the engine has no SIMD, or if it does not
 * pay.
 */
function computeBySimd(name: NonNullable<Functions['simd']>, a: Float32Array, b: Float32Array, result: Float32Array): boolean {
  const simd = result.length < FEW_ELEMENTS ? null : simdWith(2 * SIMD_ELEMENTS * 4);
  if (simd === null) return false;
  const { float32, exports } = simd;
  for (let first = 0; first < result.length; first += SIMD_ELEMENTS) {
    const end = Math.min(first + SIMD_ELEMENTS, result.length);
    float32.set(a.subarray(first, end));
    float32.set(b.subarray(first, end), SIMD_ELEMENTS);
    exports[name](0, SIMD_ELEMENTS * 4, end - first);
    result.set(float32.subarray(0, end - first), first);
  }
  return true;
}

/**
 * The shader multiplies the smaller magnitude by the reciprocal of the larger one. If one operand is NaN, both of these are the
 * other operand.
 */
function angle(y: number, x: number): number {
  if (Number.isNaN(y) && isOrdinary(x)) return hasNoReciprocal(x) ? Infinity : x < 0 ? (-3 / 4) * Math.PI : Math.PI / 4;
  if (Number.isNaN(x) && isOrdinary(y)) return hasNoReciprocal(y) ? Infinity : Math.PI / 4;
  const larger = Math.max(Math.abs(y), Math.abs(x));
  if (hasNoReciprocal(larger)) return Math.abs(y) > Math.abs(x) || y === 0 ? NaN : Math.sign(y * x) * Infinity;
  return Math.atan2(y, x);
}

/** True if the reciprocal of a float32 other than 0 is infinite. */
function hasNoReciprocal(value: number): boolean {
  return value !== 0 && Math.abs(value) <= 2 ** -128;
}

/** Neither NaN nor zero nor infinite. */
function isOrdinary(value: number): boolean {
  return Number.isFinite(value) && value !== 0;
}

/** `value`, or its negative for a negative `sign`. */
function withSignOf(sign: number, value: number): number {
  return sign < 0 ? -value : value;
}

/**
 * As many ones as the magnitude has bits, with the sign of the value: DirectML's emulated 64-bit division subtracts nothing at
 * each of these bits.
 */
function allOnes(value: bigint): bigint {
  const magnitude = value < 0n ? -value : value;
  const ones = BigInt(`0b${'1'.repeat(magnitude.toString(2).length)}`);
  return value < 0n ? -ones : ones;
}

/** The remainder that has the divisor's sign. */
function floorModulus(a: number, b: number): number {
  const remainder = a % b;
  return remainder !== 0 && remainder < 0 !== b < 0 ? remainder + b : remainder;
}

/**
 * Functions of one element. Floats are computed in float64, 64-bit integers exactly, others as numbers whose low bits are
 * written. Float16 is truncated, as the shader's conversion does.
 */
import { isWide, roundToEven } from '../../tensors/data-types.js';
import { byBlocks } from '../../compute/blocks.js';
import { erf } from '../../compute/erf.js';
import { truncateOrOverflow } from '../../compute/numbers.js';
import { power } from '../../compute/power.js';
import { mapped } from '../../compute/scratch.js';
import { readScaled, type Scaling } from '../../compute/scale-bias.js';
import { readBigInts, writeBigInts, writeNumbers, type TensorView } from '../../compute/tensor-view.js';
import type { InputAndOutput, Kernel } from '../../compute/kernel.js';

export const elementWiseAbs = unary(Math.abs, (x) => (x < 0n ? -x : x));
export const elementWiseAcos = unary(Math.acos);
export const elementWiseAcosh = unary((x) => inverseHyperbolic(x, -1));
export const elementWiseAsin = unary(Math.asin);
export const elementWiseAsinh = unary((x) => inverseHyperbolic(x, 1));
/** The shader starts with the minimum and the maximum of |x| and 1. NaN loses both, so it acts like 1. */
export const elementWiseAtan = unary((x) => Math.atan(Number.isNaN(x) ? 1 : x));
export const elementWiseAtanh = unary(Math.atanh);
export const elementWiseCeil = unary(Math.ceil);
export const elementWiseCos = unary(Math.cos);
export const elementWiseCosh = unary((x) => (expOverflows(x) ? Infinity : Math.cosh(x)));
export const elementWiseErf = unary(erf);
export const elementWiseExp = unary(Math.exp);
export const elementWiseFloor = unary(Math.floor);
export const elementWiseLog = unary(Math.log);
export const elementWiseNegate = unary(
  (x) => -x,
  (x) => -x,
);
export const elementWiseRecip = unary((x) => 1 / x);
/** The sign of NaN is 0, as with the shader's instruction. */
export const elementWiseSign = unary(
  (x) => (x > 0 ? 1 : x < 0 ? -1 : 0),
  (x) => (x > 0n ? 1n : x < 0n ? -1n : 0n),
);
export const elementWiseSin = unary(Math.sin);
export const elementWiseSinh = unary((x) => (expOverflows(x) ? x * Infinity : Math.sinh(x)));
export const elementWiseSqrt = unary(Math.sqrt);
export const elementWiseTan = unary(Math.tan);
export const elementWiseTanh = unary(Math.tanh);

export const elementWiseConstantPow: Kernel<'elementWiseConstantPow'> = byBlocks((operator, { inputTensor, outputTensor }) => {
  const exponent = Math.fround(operator.exponent);
  const bases = readScaled(operator, inputTensor);
  writeNumbers(
    outputTensor,
    mapped(bases, (base) => power(base, exponent)),
  );
});

/** DirectML's "toward infinity" rounds to nearest, with halves away from zero. */
export const elementWiseRound: Kernel<'elementWiseRound'> = (operator, tensors) => {
  const mode = operator.roundingMode;
  const round = mode === 'towardZero' ? Math.trunc : mode === 'towardInfinity' ? halvesAway : roundToEven;
  unary(round)(operator, tensors);
};

function unary(
  compute: (x: number) => number,
  wide?: (x: bigint) => bigint,
): (operator: Scaling & { readonly type: string }, tensors: InputAndOutput) => void {
  return byBlocks((operator, { inputTensor: input, outputTensor: output }) => {
    if (wide !== undefined && isWide(input.dataType)) {
      const values = readBigInts(input);
      for (let i = 0; i < values.length; i++) values[i] = wide(values[i] ?? 0n);
      writeBigInts(output, values);
      return;
    }
    const values = readScaled(operator, input);
    for (let i = 0; i < values.length; i++) values[i] = compute(values[i] ?? 0);
    writeNumbers(output, output.dataType === 'float16' ? truncateOrOverflow(values) : saturateShort(output, values));
  });
}

/** Results of 8 and 16 bits are computed in 32 bits and saturate: the magnitude of -128 is 127. */
function saturateShort({ dataType }: TensorView, values: Float64Array): Float64Array {
  const max = dataType === 'int8' ? 127 : dataType === 'int16' ? 32767 : Infinity;
  return max === Infinity ? values : mapped(values, (value) => (value > max ? max : value));
}

/** Adds the half in float32, as the shader does: from 2^23 on, where float32 has no halves, odd numbers change. */
function halvesAway(value: number): number {
  return Math.sign(value) * Math.floor(Math.fround(Math.abs(value) + 0.5));
}

/** log(x + √(x² ± 1)) in float32: large squares overflow, and for large negative x the sum cancels, down to 0. */
function inverseHyperbolic(x: number, one: 1 | -1): number {
  const root = Math.fround(Math.sqrt(Math.fround(Math.fround(x * x) + one)));
  return Math.log(Math.fround(x + root));
}

/** True if e^|x| overflows float32; the shader halves only afterwards. */
function expOverflows(x: number): boolean {
  return Math.fround(Math.exp(Math.abs(x))) === Infinity;
}

/** Functions of one element: floats in float64, 64-bit integers exactly, others as numbers whose low bits are written. */
import { isWide, roundToEven } from '../../../data-types/table.js';
import { erf } from '../compute/erf.js';
import { power } from '../compute/power.js';
import { readScaled, type Scaling } from '../compute/scale-bias.js';
import { readBigInts, writeBigInts, writeNumbers, type TensorView } from '../compute/tensor-view.js';
import type { InputAndOutput, Kernel } from './kernel.js';

export const elementWiseAbs = unary(Math.abs, (x) => (x < 0n ? -x : x));
export const elementWiseAcos = unary(Math.acos);
export const elementWiseAcosh = unary((x) => inverseHyperbolic(x, -1));
export const elementWiseAsin = unary(Math.asin);
export const elementWiseAsinh = unary((x) => inverseHyperbolic(x, 1));
/** The shader begins with the minimum and the maximum of |x| and 1, where NaN loses. */
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
/** NaN has no sign: 0, as the shader's instruction has it. */
export const elementWiseSign = unary(
  (x) => (x > 0 ? 1 : x < 0 ? -1 : 0),
  (x) => (x > 0n ? 1n : x < 0n ? -1n : 0n),
);
export const elementWiseSin = unary(Math.sin);
export const elementWiseSinh = unary((x) => (expOverflows(x) ? x * Infinity : Math.sinh(x)));
export const elementWiseSqrt = unary(Math.sqrt);
export const elementWiseTan = unary(Math.tan);
export const elementWiseTanh = unary(Math.tanh);

export const elementWiseConstantPow: Kernel<'elementWiseConstantPow'> = (operator, { inputTensor, outputTensor }) => {
  const exponent = Math.fround(operator.exponent);
  const bases = readScaled(operator, inputTensor);
  writeNumbers(
    outputTensor,
    bases.map((base) => power(base, exponent)),
  );
};

/** What DirectML calls "toward infinity" is to the nearest, halves away from zero. */
export const elementWiseRound: Kernel<'elementWiseRound'> = (operator, tensors) => {
  const mode = operator.roundingMode;
  const round = mode === 'towardZero' ? Math.trunc : mode === 'towardInfinity' ? halvesAway : roundToEven;
  unary(round)(operator, tensors);
};

function unary(
  compute: (x: number) => number,
  wide?: (x: bigint) => bigint,
): (operator: Scaling & { readonly type: string }, tensors: InputAndOutput) => void {
  return (operator, { inputTensor: input, outputTensor: output }) => {
    if (wide !== undefined && isWide(input.dataType)) {
      const values = readBigInts(input);
      for (let i = 0; i < values.length; i++) values[i] = wide(values[i] ?? 0n);
      writeBigInts(output, values);
      return;
    }
    const values = readScaled(operator, input);
    for (let i = 0; i < values.length; i++) values[i] = compute(values[i] ?? 0);
    writeNumbers(output, saturateShort(output, values));
  };
}

/** 8 and 16 bits hold what 32 bits were computed in, saturated: the magnitude of -128 is 127. */
function saturateShort({ dataType }: TensorView, values: Float64Array): Float64Array {
  const most = dataType === 'int8' ? 127 : dataType === 'int16' ? 32767 : Infinity;
  return values.map((value) => (value > most ? most : value));
}

/** The half is added in float32, as the shader does it: from 2^23 on, where there are no halves, odd numbers change. */
function halvesAway(value: number): number {
  return Math.sign(value) * Math.floor(Math.fround(Math.abs(value) + 0.5));
}

/** log(x + √(x² ± 1)) in float32: large squares overflow, and of large negative x the sum cancels, down to 0. */
function inverseHyperbolic(x: number, one: 1 | -1): number {
  const root = Math.fround(Math.sqrt(Math.fround(Math.fround(x * x) + one)));
  return Math.log(Math.fround(x + root));
}

/** True if e^|x| overflows float32; the shader halves only afterwards. */
function expOverflows(x: number): boolean {
  return Math.fround(Math.exp(Math.abs(x))) === Infinity;
}

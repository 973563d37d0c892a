/** Cases and tolerances of the element-wise operators on one tensor, and of clip's gradients. */
import type { OperatorType, TensorDesc } from 'node-directml';
import { bitsOf } from '#lib/tensors/data-types.js';
import type { Random } from '../../harness/random.js';
import { base64, VALUE_TYPES, type CaseGenerator, type ConformanceCase, type DataType } from '../../cases/case.js';
import { SUBNORMALS } from '../../cases/element-values.js';
import { anyBits, fillTensor, randomTensor, shapeInTurn } from '../../cases/layout.js';
import { ARC_SINE, cancelled, SINE, unitsOfOne } from './bounds.js';
import { EXACT, perBinade, SAME_VALUE, type OperatorTolerance } from '../../tolerance/row.js';
import { power } from '../../tolerance/shared-rows.js';
import { anyValue, elementOf, floatLimits, HUGE, scalarLimits, scaleBias, SPECIAL } from './values.js';

export const tolerances = {
  elementWiseAbs: SAME_VALUE,
  elementWiseBitCount: EXACT,
  elementWiseBitNot: EXACT,
  elementWiseCeil: SAME_VALUE,
  elementWiseClip: SAME_VALUE,
  elementWiseClip1: SAME_VALUE,
  elementWiseClipGrad: SAME_VALUE,
  elementWiseClipGrad1: SAME_VALUE,
  elementWiseFloor: SAME_VALUE,
  elementWiseIsInfinity: EXACT,
  elementWiseIsNan: EXACT,
  elementWiseLogicalNot: EXACT,
  elementWiseNegate: SAME_VALUE,
  elementWiseRound: SAME_VALUE,
  elementWiseSign: SAME_VALUE,
  elementWiseThreshold: SAME_VALUE,
  elementWiseRecip: { ulp: 1, reason: 'one division: 1 ULP' },
  elementWiseSqrt: { ulp: 1, reason: 'sqrt: 1 ULP' },
  elementWiseCos: SINE,
  elementWiseSin: SINE,
  elementWiseTan: {
    ulp: 2,
    growth: unitsOfOne('6711·(1 + |y|)·√(1 + y²)', (y) => 6711 * (1 + Math.abs(y)) * Math.hypot(1, y)),
    magnitude: 1,
    reason: 'the quotient of sin and cos from sincos: 0.0008 · (1 + |tan x|) / |cos x|, and a division',
  },
  elementWiseLog: {
    ulp: 9,
    magnitude: Math.LN2,
    reason: 'log2(x) · ln 2: 2⁻²¹, as an absolute error for x from 0.5 to 2; a product with a rounded constant',
  },
  elementWiseExp: {
    ulp: 8,
    growth: perBinade(0.85),
    reason:
      'exp2(x · log2 e): 2⁻²¹ for exp2; the rounded product and its rounded constant become 0.85 ULP per binade of the result',
  },
  elementWiseConstantPow: power(({ field }) => field('exponent')),
  elementWiseCosh: {
    ulp: 10,
    growth: perBinade(0.85),
    reason: 'the sum of two exponentials, each with the error of exp; the argument has one binade more than the result',
  },
  elementWiseSinh: {
    ulp: 12,
    growth: perBinade(0.85),
    magnitude: 1,
    reason: 'the difference of two exponentials, each with the error of exp; near 0 they cancel: 2⁻²¹ · cosh x',
  },
  elementWiseTanh: {
    ulp: 7,
    magnitude: 1,
    reason: 'a difference of exponentials divided by their sum: at most 2⁻²¹ for both together, 3 ULP for roundings',
  },
  elementWiseAcosh: {
    ulp: 6,
    growth: unitsOfOne('1/(4y), 0.75·e^(−2y) for y < 0', (y) => (y === 0 ? 0 : y < 0 ? cancelled(y) : 1 / (4 * y))),
    magnitude: 1,
    reason:
      'log(x + √(x² − 1)): 2⁻²¹ · ln 2, 3 ULP for roundings; near x = 1, rounding x² adds half its error divided by the root; ' +
      'negative x has the error of asinh',
  },
  elementWiseAsinh: {
    ulp: 6,
    growth: unitsOfOne('0.75·e^(−2y) for y < 0', (y) => (y < 0 ? cancelled(y) : 0)),
    magnitude: 1,
    reason:
      'log(x + √(x² + 1)): 2⁻²¹ · ln 2, 3 ULP for roundings; for negative x the sum cancels to e^y, but keeps an error of 1.5 ' +
      'ULP of |x|',
  },
  elementWiseAtanh: {
    ulp: 10,
    magnitude: 0.35,
    reason:
      'log((1 + x) / (1 − x)) / 2: 2⁻²¹ for the logarithm, as an absolute error from 0.5 to 2; 2 relative ULP for the quotient',
  },
  elementWiseAcos: ARC_SINE,
  elementWiseAsin: ARC_SINE,
  elementWiseAtan: {
    ulp: 100,
    magnitude: 1,
    reason: "HLSL's polynomial of degree 9 has an error of up to 1.15e-5, which is 96.4 ULP; 3 ULP for roundings",
  },
  elementWiseErf: {
    ulp: 9,
    magnitude: 1,
    reason: '1 − t · polynomial · exp(−x²): 2⁻²¹ for the exponential, 1.5e-7 for the polynomial, 4 ULP for roundings',
  },
} satisfies Record<string, OperatorTolerance>;

type ScaledOperator = Extract<
  OperatorType,
  | `elementWise${'Abs' | 'Acos' | 'Acosh' | 'Asin' | 'Asinh' | 'Atan' | 'Atanh' | 'Ceil' | 'Cos' | 'Cosh'}`
  | `elementWise${'Erf' | 'Exp' | 'Floor' | 'Log' | 'Recip' | 'Sin' | 'Sinh' | 'Sqrt' | 'Tan' | 'Tanh'}`
>;

const FLOATS: readonly DataType[] = ['float32', 'float16'];
const SIGNED: readonly DataType[] = [...FLOATS, 'int64', 'int32', 'int16', 'int8'];
const NUMERIC = VALUE_TYPES.filter((dataType) => dataType !== 'float64');
const NARROW = NUMERIC.filter((dataType) => bitsOf(dataType) !== 64);
const TRUTHS: readonly DataType[] = ['uint32', 'uint8'];
/** The ends of float16, and numbers x with x² + 1 = x² in float32. */
const LARGE_HALVES = [65504, -65504, 4100, -4100];
/** Numbers that overflow float32 if they are scaled by 2. */
const OVERFLOWING = [3e38, -3e38];

const BESIDE_ONE = [...SUBNORMALS, ...LARGE_HALVES, 1 + 2 ** -23, -1 - 2 ** -23, 2, -1e30];
const BEYOND_EXP = [...SUBNORMALS, ...HUGE, ...LARGE_HALVES, 88, -87, 90, -90, 100, -100];

export const elementWiseAbs = exact('elementWiseAbs', SIGNED);
export const elementWiseCeil = exact('elementWiseCeil', FLOATS);
export const elementWiseFloor = exact('elementWiseFloor', FLOATS);

export const elementWiseAcos = scaled('elementWiseAcos', -1, 1, BESIDE_ONE);
export const elementWiseAcosh = scaled('elementWiseAcosh', 1, 16, [
  ...SUBNORMALS,
  ...HUGE,
  ...LARGE_HALVES,
  0.5,
  -0.5,
  -1.5,
  -300,
  2 ** -24,
]);
export const elementWiseAsin = scaled('elementWiseAsin', -1, 1, BESIDE_ONE);
export const elementWiseAsinh = scaled('elementWiseAsinh', -16, 16, [...SUBNORMALS, ...HUGE, ...LARGE_HALVES, -300]);
export const elementWiseAtan = scaled('elementWiseAtan', -16, 16, [...SUBNORMALS, ...HUGE, ...LARGE_HALVES]);
export const elementWiseAtanh = scaled('elementWiseAtanh', -0.9375, 0.9375, [
  ...SUBNORMALS,
  ...HUGE,
  ...LARGE_HALVES,
  1,
  -1,
  1.5,
  -1.5,
]);
export const elementWiseCos = scaled('elementWiseCos', -16, 16, [...SUBNORMALS, 300, -300]);
export const elementWiseCosh = scaled('elementWiseCosh', -8, 8, BEYOND_EXP);
export const elementWiseErf = scaled('elementWiseErf', -4, 4, [...SUBNORMALS, ...HUGE, ...LARGE_HALVES, 30, -30]);
export const elementWiseExp = scaled('elementWiseExp', -16, 11, BEYOND_EXP);
/** No float32 subnormals: their logarithm may be any value between those of the smallest and the largest subnormal. */
export const elementWiseLog = scaled('elementWiseLog', 0.015625, 16, [...HUGE, ...LARGE_HALVES, -1, 2 ** -24, 2 ** -126]);
export const elementWiseRecip = scaled('elementWiseRecip', 0.015625, 16, [...SUBNORMALS, ...HUGE, ...LARGE_HALVES, 2 ** -24]);
export const elementWiseSin = scaled('elementWiseSin', -16, 16, [...SUBNORMALS, 300, -300]);
export const elementWiseSinh = scaled('elementWiseSinh', -8, 8, BEYOND_EXP);
export const elementWiseSqrt = scaled('elementWiseSqrt', 0, 16, [...SUBNORMALS, ...HUGE, ...LARGE_HALVES, 2 ** -24, -1]);
/** Avoids arguments whose cosine is near 0, because the errors of sine and cosine are divided by the square of the cosine. */
export const elementWiseTan = scaled('elementWiseTan', -1.25, 1.25, SUBNORMALS);
export const elementWiseTanh = scaled('elementWiseTanh', -8, 8, [...SUBNORMALS, ...HUGE, ...LARGE_HALVES, 30, -30]);

export const elementWiseConstantPow: CaseGenerator = (random, index) => {
  const exponent = random.pick([0, 1, 2, 3, -1, 0.5, random.int(-32, 32) / 8, random.pick([NaN, Infinity, -Infinity])]);
  const io = scaledTensors(random, index, 0.125, 8, [...HUGE, ...LARGE_HALVES, -1, -2, -0.5, -3, 1e-30, 2 ** -24]);
  return { descriptor: { type: 'elementWiseConstantPow', ...io.tensors, exponent }, data: io.data };
};

export const elementWiseNegate: CaseGenerator = (random, index) => {
  const io = exactTensors(random, index, SIGNED);
  return { descriptor: { type: 'elementWiseNegate', ...io.tensors }, data: io.data };
};

export const elementWiseSign: CaseGenerator = (random, index) => {
  const io = exactTensors(random, index, NUMERIC);
  return { descriptor: { type: 'elementWiseSign', ...io.tensors }, data: io.data };
};

export const elementWiseRound: CaseGenerator = (random, index) => {
  const io = exactTensors(random, index, FLOATS);
  const roundingMode = random.pick(['halvesToNearestEven', 'towardZero', 'towardInfinity'] as const);
  return { descriptor: { type: 'elementWiseRound', ...io.tensors, roundingMode }, data: io.data };
};

export const elementWiseThreshold: CaseGenerator = (random, index) => {
  const io = exactTensors(random, index, NARROW);
  const min = floatLimits(random, io.dataType)[0];
  return { descriptor: { type: 'elementWiseThreshold', ...io.tensors, ...scaleBias(random, io), min }, data: io.data };
};

export const elementWiseClip: CaseGenerator = (random, index) => {
  const io = exactTensors(random, index, NUMERIC);
  const [min, max] = floatLimits(random, io.dataType);
  return { descriptor: { type: 'elementWiseClip', ...io.tensors, ...scaleBias(random, io), min, max }, data: io.data };
};

export const elementWiseClip1: CaseGenerator = (random, index) => {
  const io = exactTensors(random, index, NUMERIC);
  const fields = { ...scaleBias(random, io), ...scalarLimits(random, io.dataType) };
  return { descriptor: { type: 'elementWiseClip1', ...io.tensors, ...fields }, data: io.data };
};

export const elementWiseClipGrad: CaseGenerator = (random, index) => {
  const io = gradientTensors(random, index);
  const [min, max] = floatLimits(random, io.dataType);
  return { descriptor: { type: 'elementWiseClipGrad', ...io.tensors, min, max }, data: io.data };
};

export const elementWiseClipGrad1: CaseGenerator = (random, index) => {
  const io = gradientTensors(random, index);
  const fields = scalarLimits(random, io.dataType);
  return { descriptor: { type: 'elementWiseClipGrad1', ...io.tensors, ...fields }, data: io.data };
};

export const elementWiseIsNan: CaseGenerator = (random, index) => {
  const io = exactTensors(random, index, FLOATS, random.pick(TRUTHS));
  return { descriptor: { type: 'elementWiseIsNan', ...io.tensors }, data: io.data };
};

export const elementWiseIsInfinity: CaseGenerator = (random, index) => {
  const io = exactTensors(random, index, FLOATS, 'uint8');
  const infinityMode = random.pick(['either', 'positive', 'negative'] as const);
  return { descriptor: { type: 'elementWiseIsInfinity', ...io.tensors, infinityMode }, data: io.data };
};

/** Half of the elements are 0, the others have any bits: every element other than 0 counts as true. */
export const elementWiseLogicalNot: CaseGenerator = (random, index) => {
  const { tensors } = exactTensors(random, index, TRUTHS);
  const value = () => (random.chance(0.5) ? 0 : anyValue(random, tensors.inputTensor.dataType));
  const data = { inputTensor: base64(fillTensor(random, tensors.inputTensor, value)) };
  return { descriptor: { type: 'elementWiseLogicalNot', ...tensors }, data };
};

export const elementWiseBitNot: CaseGenerator = (random, index) => {
  const { tensors } = exactTensors(random, index, VALUE_TYPES);
  const data = { inputTensor: base64(anyBits(random, tensors.inputTensor)) };
  return { descriptor: { type: 'elementWiseBitNot', ...tensors }, data };
};

export const elementWiseBitCount: CaseGenerator = (random, index) => {
  const { tensors } = exactTensors(random, index, VALUE_TYPES, random.pick(TRUTHS));
  const data = { inputTensor: base64(anyBits(random, tensors.inputTensor)) };
  return { descriptor: { type: 'elementWiseBitCount', ...tensors }, data };
};

function exact(type: ScaledOperator, dataTypes: readonly DataType[]): CaseGenerator {
  return (random, index) => {
    const io = exactTensors(random, index, dataTypes);
    return { descriptor: { type, ...io.tensors, ...scaleBias(random, io) }, data: io.data };
  };
}

function scaled(type: ScaledOperator, low: number, high: number, beyond: readonly number[]): CaseGenerator {
  return (random, index) => {
    const io = scaledTensors(random, index, low, high, beyond);
    return { descriptor: { type, ...io.tensors }, data: io.data };
  };
}

interface Io {
  readonly dataType: DataType;
  readonly tensors: Record<'inputTensor' | 'outputTensor', TensorDesc>;
  readonly data: ConformanceCase['data'];
}

function exactTensors(random: Random, index: number, dataTypes: readonly DataType[], outputType?: DataType): Io {
  const { dataType, sizes } = shapeInTurn(random, index, dataTypes);
  const inputTensor = randomTensor(random, dataType, sizes, 'input');
  const outputTensor = randomTensor(random, outputType ?? dataType, sizes, 'output');
  const bytes = fillTensor(random, inputTensor, () => anyValue(random, dataType));
  return { dataType, tensors: { inputTensor, outputTensor }, data: { inputTensor: base64(bytes) } };
}

/**
 * Floats for which the function's argument, after scaling, lies between `low` and `high`, and special values. `beyond` are
 * arguments for the cases without scaling.
 */
function scaledTensors(random: Random, index: number, low: number, high: number, beyond: readonly number[]) {
  const { dataType, sizes } = shapeInTurn(random, index, FLOATS);
  const inputTensor = randomTensor(random, dataType, sizes, 'input');
  const outputTensor = randomTensor(random, dataType, sizes, 'output');
  const isAny = random.chance(0.5);
  const scale = isAny ? Math.fround(random.pick([1, -1]) * (0.5 + 2 * random.fraction())) : random.pick([0.5, 2, -1, -0.5]);
  const bias = isAny ? Math.fround(4 * random.fraction() - 2) : random.int(-8, 8) / 4;
  const scaling = random.chance(0.4);
  const isFar = beyond.includes(3e38);
  const value = (): number => {
    if (random.chance(0.08)) return random.pick(scaling ? [...SPECIAL, ...(isFar ? OVERFLOWING : [])] : [...SPECIAL, ...beyond]);
    // Multiples of 1/64: with some scales and biases, scaling is exact in either data type.
    if (scaling) return (random.int(low * 64, high * 64) / 64 - bias) / scale;
    const any = low + (high - low) * random.fraction();
    return low < 0 && random.chance(0.3) ? any * 2 ** -random.int(1, 8) : any;
  };
  const bytes = fillTensor(random, inputTensor, () => elementOf(dataType, value()));
  return {
    tensors: { inputTensor, outputTensor, ...(scaling ? { scaleBias: { scale, bias } } : {}) },
    data: { inputTensor: base64(bytes) },
  };
}

function gradientTensors(random: Random, index: number) {
  const { dataType, sizes } = shapeInTurn(random, index, NUMERIC);
  const inputTensor = randomTensor(random, dataType, sizes, 'input');
  const inputGradientTensor = randomTensor(random, dataType, sizes, 'input');
  const outputGradientTensor = randomTensor(random, dataType, sizes, 'output');
  const values = (tensor: TensorDesc) => base64(fillTensor(random, tensor, () => anyValue(random, dataType)));
  return {
    dataType,
    tensors: { inputTensor, inputGradientTensor, outputGradientTensor },
    data: { inputTensor: values(inputTensor), inputGradientTensor: values(inputGradientTensor) },
  };
}

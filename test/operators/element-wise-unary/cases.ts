/** Cases of the element-wise operators on one tensor, and of clip's gradients. */
import type { OperatorType, TensorDesc } from 'node-directml';
import { float16ToBits } from '#lib/data-types/float16.js';
import { bitsOf, isFloat, isSigned, isUnsigned } from '#lib/data-types/table.js';
import type { Random } from '../../random.js';
import { base64, VALUE_TYPES, type CaseGenerator, type ConformanceCase, type DataType } from '../../conformance/case.js';
import { SUBNORMALS } from '../../conformance/element-values.js';
import { anyBits, fillTensor, randomTensor, shapeInTurn } from '../../conformance/layout.js';
import { integerScaleBias } from '../../conformance/values.js';

type Value = number | bigint;
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
const SPECIAL = [0, -0, Infinity, -Infinity, NaN];
const HUGE = [1e30, -1e30, 3e38, -3e38];
/** The ends of float16, and numbers x with x² + 1 = x² in float32. */
const LARGE_HALVES = [65504, -65504, 4100, -4100];
/** They overflow if they are scaled by 2. */
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
/** The cosine is not near 0: the errors of sine and cosine are divided by its square. */
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
  const value = (): Value => (random.chance(0.5) ? 0 : anyValue(random, tensors.inputTensor.dataType));
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

/** A `scaleBias` for some cases. */
function scaleBias(random: Random, { dataType }: Io) {
  if (bitsOf(dataType) === 64 || !random.chance(0.3)) return {};
  if (!isFloat(dataType)) return { scaleBias: integerScaleBias(random) };
  const any = { scale: Math.fround(6 * random.fraction() - 3), bias: Math.fround(8 * random.fraction() - 4) };
  return { scaleBias: random.pick([{ scale: random.pick([1, -1]), bias: 0 }, { ...any, bias: 0 }, any]) };
}

/** A lower and an upper limit: often multiples of 1/4 for all data types, so that elements equal a limit. */
function limits(random: Random, dataType: DataType): [number, number] {
  if (isFloat(dataType) && random.chance(0.5)) {
    const far = [-Infinity, -3e38, -70000, -65519, 65505, 65520, 3e38, Infinity, 2 ** -24 / 3, 1e-40];
    const any = () =>
      random.chance(0.2) ? random.pick(far) : Math.fround((20 * random.fraction() - 10) * 2 ** -random.int(0, 12));
    const [a, b] = [any(), any()];
    return [Math.min(a, b), Math.max(a, b)];
  }
  const low = random.int(isUnsigned(dataType) ? 0 : -40, 8) / 4;
  return [low, low + random.int(0, 40) / 4];
}

/** For integers, sometimes limits outside the range of the data type. */
function floatLimits(random: Random, dataType: DataType): [number, number] {
  const beyond = !isFloat(dataType) && random.chance(0.1);
  return beyond
    ? random.pick([
        [-1e10, 1e10],
        [1e20, 2e20],
        [-2e20, -1e20],
        [-Infinity, Infinity],
      ])
    : limits(random, dataType);
}

/** A typed scalar has to be one of its type. */
function scalarLimits(random: Random, dataType: DataType) {
  const isBeyond = (value: number) => dataType === 'float16' && Math.abs(value) >= 65520;
  const cut = (value: number): number => (isBeyond(value) ? value * Infinity : isFloat(dataType) ? value : Math.trunc(value));
  const [low, high] = limits(random, dataType).map(cut);
  const of = (value = 0): Value => (bitsOf(dataType) === 64 ? BigInt(value) : value);
  return { minMaxDataType: dataType, min: of(low), max: of(high) };
}

/** Any float, often a small multiple of 1/4; integers of any bits. */
function anyValue(random: Random, dataType: DataType): Value {
  if (!isFloat(dataType)) return anyInteger(random, dataType);
  if (random.chance(0.1)) return elementOf(dataType, random.pick([...SPECIAL, ...SUBNORMALS, ...HUGE]));
  if (random.chance(0.4)) return elementOf(dataType, random.int(-24, 24) / 4);
  if (dataType === 'float16') return (random.int(0, 1) << 15) | (random.int(0, 30) << 10) | random.int(0, 1023);
  return (random.chance(0.5) ? 1 : -1) * (1 + random.fraction()) * 2 ** random.int(-126, 126);
}

function anyInteger(random: Random, dataType: DataType): bigint {
  const bits = bitsOf(dataType);
  const signed = isSigned(dataType);
  if (random.chance(0.4)) return BigInt(random.int(signed ? -12 : 0, 12));
  if (random.chance(0.2)) return random.pick([2n ** BigInt(bits - 1), 2n ** BigInt(bits - 1) - 1n, -1n]);
  return random.int64();
}

/** The element as {@link fillTensor} takes it: float16 as its bits. */
function elementOf(dataType: DataType, value: number): number {
  return dataType === 'float16' ? float16ToBits(value) : value;
}

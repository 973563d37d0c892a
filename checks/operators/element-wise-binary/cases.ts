/** Cases and tolerances of the element-wise operators on two or three tensors: one line per operator. */
import type { OperatorType, TensorDesc } from 'node-directml';
import type { Random } from '../../harness/random.js';
import { base64, VALUE_TYPES, type CaseGenerator, type ConformanceCase, type DataType } from '../../cases/case.js';
import { bitsOf, isFloat } from '#lib/tensors/data-types.js';
import {
  anyInteger,
  anyValue,
  commonValue,
  eighths,
  numberOf,
  truthValue,
  type ElementValue,
} from '../../cases/element-values.js';
import { fillTensor, randomTensor, shapeInTurn } from '../../cases/layout.js';
import { power } from '../../tolerance/shared-rows.js';
import { COMPARED, EXACT, SAME_VALUE, type ComputedRow, type OperatorTolerance } from '../../tolerance/row.js';

export { elementWisePow } from './pow-cases.js';

const ROUNDED: ComputedRow = { ulp: 0, reason: 'one sum, difference or product, rounded to nearest even' };

const MODULUS: ComputedRow = {
  ulp: 0,
  reason:
    'the product and the difference are rounded to nearest even; the quotient was observed to be so too, which is not promised',
};

export const tolerances = {
  elementWiseAdd: ROUNDED,
  elementWiseSubtract: ROUNDED,
  elementWiseMultiply: ROUNDED,
  elementWiseDivide: { ulp: 1, reason: 'one division: 1 ULP' },
  elementWiseMean: ROUNDED,
  elementWiseDifferenceSquare: {
    ulp: 2.5,
    reason: 'squaring doubles the error of the rounded difference, and rounds again',
  },
  elementWiseMax: SAME_VALUE,
  elementWiseMin: SAME_VALUE,
  elementWiseModulusTruncate: MODULUS,
  elementWiseModulusFloor: MODULUS,
  elementWiseAtanYx: {
    ulp: 104,
    magnitude: 1,
    reason: "atan of a quotient (1 ULP): 96.4 ULP for HLSL's polynomial; the subtraction from π rounds by 3 ULP more",
  },
  elementWisePow: power(({ x: [, exponent = 0] }) => exponent),
  elementWiseIf: EXACT,
  elementWiseBitAnd: EXACT,
  elementWiseBitOr: EXACT,
  elementWiseBitXor: EXACT,
  elementWiseBitShiftLeft: EXACT,
  elementWiseBitShiftRight: EXACT,
  elementWiseLogicalAnd: EXACT,
  elementWiseLogicalOr: EXACT,
  elementWiseLogicalXor: EXACT,
  elementWiseLogicalEquals: COMPARED,
  elementWiseLogicalGreaterThan: COMPARED,
  elementWiseLogicalGreaterThanOrEqual: COMPARED,
  elementWiseLogicalLessThan: COMPARED,
  elementWiseLogicalLessThanOrEqual: COMPARED,
} satisfies Record<string, OperatorTolerance>;

type Arithmetic =
  | Extract<OperatorType, `elementWise${'Add' | 'Subtract' | 'Multiply' | 'Divide' | 'Max' | 'Min' | 'Mean' | 'AtanYx'}`>
  | 'elementWiseDifferenceSquare'
  | 'elementWiseModulusTruncate'
  | 'elementWiseModulusFloor';
type Bits = Extract<OperatorType, `elementWiseBit${'And' | 'Or' | 'Xor' | 'ShiftLeft' | 'ShiftRight'}`>;
type Comparison = Extract<OperatorType, `elementWiseLogical${'Equals' | 'Greater' | 'Less'}${string}`>;
type Logical = Extract<OperatorType, `elementWiseLogical${'And' | 'Or' | 'Xor'}`>;

const NUMERIC = VALUE_TYPES.filter((dataType) => dataType !== 'float64');
const FLOATS: readonly DataType[] = ['float32', 'float16'];
const WORDS: readonly DataType[] = ['float32', 'float16', 'int32', 'uint32'];
const UNSIGNED: readonly DataType[] = ['uint64', 'uint32', 'uint16', 'uint8'];
const TRUTHS: readonly DataType[] = ['uint32', 'uint8'];

const FLOAT_SPECIALS: readonly number[] = [0, -0, Infinity, -Infinity, NaN];

/** Like `value`, but sometimes gives one of the special floats. */
function orSpecial(value: ElementValue, special: readonly number[]): ElementValue {
  return (random, dataType) =>
    isFloat(dataType) && random.chance(0.06) ? numberOf(dataType, random.pick(special)) : value(random, dataType);
}

/** Up to 64 in magnitude. */
const moderate: ElementValue = (random, dataType) =>
  isFloat(dataType) ? numberOf(dataType, (random.fraction() * 2 - 1) * 2 ** random.int(-3, 6)) : anyInteger(random, dataType);

/** Any magnitude whose reciprocal is a finite float32; for float16, subnormals too. */
const far: ElementValue = (random, dataType) => {
  if (dataType === 'float16') return (random.int(0, 1) << 15) | random.int(1, 0x7bff);
  return (random.chance(0.5) ? 1 : -1) * (1 + random.fraction()) * 2 ** random.int(-120, 120);
};

/** Around the smallest normal float32 and below; some reciprocals are infinite. */
const small: ElementValue = (random, dataType) => {
  if (dataType === 'float16') return (random.int(0, 1) << 15) | random.int(1, 0x7ff);
  return (random.chance(0.5) ? 1 : -1) * Math.fround((1 + random.fraction()) * 2 ** -random.int(124, 149));
};

/** Half of the floats are multiples of 1/8, whose quotients are often whole. */
const modulusDividend: ElementValue = (random, dataType) =>
  (isFloat(dataType) && random.chance(0.5) ? orSpecial(eighths, FLOAT_SPECIALS) : anyValue)(random, dataType);
const modulusDivisor: ElementValue = (random, dataType) =>
  (isFloat(dataType) && random.chance(0.5) ? orSpecial(eighths, FLOAT_SPECIALS) : divisor)(random, dataType);
/** Never 0 for 64-bit integers: whether the adapter computes in 64 bits or DirectML emulates them changes that result. */
const divisor: ElementValue = (random, dataType) => {
  const value = anyValue(random, dataType);
  return bitsOf(dataType) === 64 && BigInt(value) === 0n ? 3n : value;
};

/** At most 63 for uint64: beyond, the result depends on whether the adapter computes in 64 bits or DirectML emulates them. */
const shiftAmount: ElementValue = (random, dataType) => random.int(0, dataType === 'uint64' ? 63 : 70);

export const elementWiseAdd = binary('elementWiseAdd', NUMERIC, anyValue);
export const elementWiseSubtract = binary('elementWiseSubtract', NUMERIC, anyValue);
export const elementWiseMultiply = binary('elementWiseMultiply', NUMERIC, anyValue);
export const elementWiseDivide = binary('elementWiseDivide', NUMERIC, anyValue, divisor);
export const elementWiseMax = binary('elementWiseMax', NUMERIC, anyValue);
export const elementWiseMin = binary('elementWiseMin', NUMERIC, anyValue);
export const elementWiseMean = binary('elementWiseMean', WORDS, anyValue);
export const elementWiseDifferenceSquare = binary('elementWiseDifferenceSquare', WORDS, anyValue);
export const elementWiseModulusTruncate = binary('elementWiseModulusTruncate', NUMERIC, modulusDividend, modulusDivisor);
export const elementWiseModulusFloor = binary('elementWiseModulusFloor', NUMERIC, modulusDividend, modulusDivisor);
/** No case has both NaN and zeros: for a pair of the two, DirectML gives either NaN or a zero. */
export const elementWiseAtanYx: CaseGenerator = (random, index) => {
  const ordinary = random.pick([moderate, moderate, moderate, far, far, small]);
  const value = orSpecial(ordinary, random.chance(0.5) ? [NaN] : [0, -0, Infinity, -Infinity]);
  return binary('elementWiseAtanYx', FLOATS, value)(random, index);
};

export const elementWiseBitAnd = binary('elementWiseBitAnd', VALUE_TYPES, anyValue);
export const elementWiseBitOr = binary('elementWiseBitOr', VALUE_TYPES, anyValue);
export const elementWiseBitXor = binary('elementWiseBitXor', VALUE_TYPES, anyValue);
export const elementWiseBitShiftLeft = binary('elementWiseBitShiftLeft', UNSIGNED, anyValue, shiftAmount);
export const elementWiseBitShiftRight = binary('elementWiseBitShiftRight', UNSIGNED, anyValue, shiftAmount);

export const elementWiseLogicalAnd = binary('elementWiseLogicalAnd', TRUTHS, truthValue);
export const elementWiseLogicalOr = binary('elementWiseLogicalOr', TRUTHS, truthValue);
export const elementWiseLogicalXor = binary('elementWiseLogicalXor', TRUTHS, truthValue);
export const elementWiseLogicalEquals = comparison('elementWiseLogicalEquals', NUMERIC, commonValue);
export const elementWiseLogicalGreaterThan = comparison('elementWiseLogicalGreaterThan', NUMERIC, commonValue);
export const elementWiseLogicalGreaterThanOrEqual = comparison('elementWiseLogicalGreaterThanOrEqual', NUMERIC, commonValue);
export const elementWiseLogicalLessThan = comparison('elementWiseLogicalLessThan', NUMERIC, commonValue);
export const elementWiseLogicalLessThanOrEqual = comparison('elementWiseLogicalLessThanOrEqual', NUMERIC, commonValue);

export const elementWiseIf: CaseGenerator = (random, index) => {
  const { dataType, sizes } = shapeInTurn(random, index, VALUE_TYPES);
  const conditionTensor = randomTensor(random, 'uint8', sizes, 'input');
  const { tensors, data } = operands(random, dataType, dataType, sizes, anyValue);
  return {
    descriptor: { type: 'elementWiseIf', conditionTensor, ...tensors },
    data: { ...data, conditionTensor: base64(fillTensor(random, conditionTensor, () => truthValue(random, 'uint8'))) },
  };
};

function binary(
  type: Arithmetic | Bits | Logical,
  dataTypes: readonly DataType[],
  a: ElementValue,
  b: ElementValue = a,
): CaseGenerator {
  return (random, index) => {
    const { dataType, sizes } = shapeInTurn(random, index, dataTypes);
    const { tensors, data } = operands(random, dataType, dataType, sizes, a, b);
    return { descriptor: { type, ...tensors }, data };
  };
}

function comparison(type: Comparison, dataTypes: readonly DataType[], value: ElementValue): CaseGenerator {
  return (random, index) => {
    const { dataType, sizes } = shapeInTurn(random, index, dataTypes);
    const { tensors, data } = operands(random, dataType, random.pick(TRUTHS), sizes, value);
    return { descriptor: { type, ...tensors }, data };
  };
}

function operands(
  random: Random,
  dataType: DataType,
  outputType: DataType,
  sizes: readonly number[],
  a: ElementValue,
  b: ElementValue = a,
): { tensors: Record<'aTensor' | 'bTensor' | 'outputTensor', TensorDesc>; data: ConformanceCase['data'] } {
  const aTensor = randomTensor(random, dataType, sizes, 'input');
  const bTensor = randomTensor(random, dataType, sizes, 'input');
  const outputTensor = randomTensor(random, outputType, sizes, 'output');
  return {
    tensors: { aTensor, bTensor, outputTensor },
    data: {
      aTensor: base64(fillTensor(random, aTensor, () => a(random, dataType))),
      bTensor: base64(fillTensor(random, bTensor, () => b(random, dataType))),
    },
  };
}

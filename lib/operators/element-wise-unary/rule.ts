/** Operators that compute each output element from one input element; gradients of clip take a second one. */
import type { Drafted } from '../../descriptors/drafted.js';
import { strictly } from '../../descriptors/strict.js';
import { alike, sameDimensionCount, sameSizes, sameTensors, scaleBiasFits } from '../../descriptors/checks.js';
import { refuse, type Rule, type WithInputs, type WithTensors } from '../../descriptors/rule.js';

/**
 * Both tensors have the same dimension count and sizes. `outputTensor` may have any data type that it supports.
 */
const query = (operator: WithTensors<'inputTensor' | 'outputTensor'>): void => {
  sameDimensionCount(operator, 'inputTensor', 'outputTensor');
  sameSizes(operator, 'inputTensor', 'outputTensor');
};

type Unary = WithInputs<'inputTensor'> & WithTensors<'outputTensor'> & { readonly scaleBias?: object | null };

/** Both tensors have the same dimension count, sizes and data type. `scaleBias` must be null for 64-bit data types. */
const unary = (operator: Unary): void => {
  sameTensors(operator, 'inputTensor', 'outputTensor');
  scaleBiasFits(operator);
};

const gradient = alike('inputTensor', 'inputGradientTensor', 'outputGradientTensor');

/** The limits have the data type of the tensors. */
function limitsAsTensors(operator: Drafted<'elementWiseClip1' | 'elementWiseClipGrad1'>): void {
  const { dataType } = operator.inputTensor;
  const given = operator.minMaxDataType;
  if (given === dataType) return;
  throw refuse(operator, 'ERR_DATA_TYPE', 'minMaxDataType', `'${dataType}', as inputTensor has`, `'${given}'`);
}

export const elementWiseAbs = unary;
export const elementWiseAcos = unary;
export const elementWiseAcosh = unary;
export const elementWiseAsin = unary;
export const elementWiseAsinh = unary;
export const elementWiseAtan = unary;
export const elementWiseAtanh = unary;
export const elementWiseBitNot = unary;
export const elementWiseCeil = unary;
export const elementWiseClip = unary;
export const elementWiseConstantPow = unary;
export const elementWiseCos = unary;
export const elementWiseCosh = unary;
export const elementWiseErf = unary;
export const elementWiseExp = unary;
export const elementWiseFloor = unary;
export const elementWiseLog = unary;
export const elementWiseLogicalNot = unary;
export const elementWiseNegate = unary;
export const elementWiseRecip = unary;
export const elementWiseRound = unary;
export const elementWiseSign = unary;
export const elementWiseSin = unary;
export const elementWiseSinh = unary;
export const elementWiseSqrt = unary;
export const elementWiseTan = unary;
export const elementWiseTanh = unary;
export const elementWiseThreshold = unary;
export const elementWiseBitCount = query;
export const elementWiseIsInfinity = query;
export const elementWiseIsNan = query;
/**
 * Both tensors have the same dimension count, sizes and data type. `minMaxDataType` is the data type of the tensors.
 * `scaleBias` must be null for 64-bit data types.
 */
export const elementWiseClip1: Rule<'elementWiseClip1'> = (operator) => {
  unary(operator);
  strictly('clip-limit-type', () => limitsAsTensors(operator));
};
export const elementWiseClipGrad = gradient;
/** {@inheritDoc gradient} `minMaxDataType` is the data type of the tensors. */
export const elementWiseClipGrad1: Rule<'elementWiseClipGrad1'> = (operator) => {
  gradient(operator);
  limitsAsTensors(operator);
};

/** Reductions: operators that combine all elements along some axes into one. */
import type { DataType, ReduceFunction } from '../../tensors/generated/enums.js';
import { stateDataType, type Drafted } from '../../descriptors/drafted.js';
import { axesFit, eachAxisOnce } from '../../descriptors/axes.js';
import { fitsOneDispatch, hasSizes, sameDataType, sameDimensionCount } from '../../descriptors/checks.js';
import { refuse, type Rule } from '../../descriptors/rule.js';

/**
 * {@inheritDoc reducedAxes} Both tensors have the same data type, except for `'argmax'` and `'argmin'`, whose
 * `outputTensor` holds indices: uint32 by default, int32, uint64 or int64. `'average'`, `'l2'`, `'logSum'` and `'logSumExp'`
 * support float32 and float16 only. `'l1'`, `'multiply'`, `'sum'` and `'sumSquare'` do not support integers of 8 or
 * 16 bits.
 */
export const reduce: Rule<'reduce'> = (operator) => {
  const functionName = operator.function;
  if (functionName === 'argmax' || functionName === 'argmin') {
    outputOneOf(operator, INDEX_TYPES);
  } else {
    sameDataType(operator, 'inputTensor', 'outputTensor');
    inputOneOf(operator);
  }
  reducedAxes(operator);
};

/** {@inheritDoc reducedAxes} */
const argReduction: Rule<'argmin' | 'argmax'> = (operator) => {
  reducedAxes(operator);
};

export const argmin = argReduction;
export const argmax = argReduction;

const FLOATS: readonly DataType[] = ['float32', 'float16'];
const INDEX_TYPES: readonly DataType[] = ['uint32', 'int32', 'uint64', 'int64'];

/** The data types of each function that supports fewer than the operator table lists for the field. */
const FUNCTION_TYPES: Readonly<Partial<Record<ReduceFunction, readonly DataType[]>>> = {
  average: FLOATS,
  l1: [...FLOATS, ...INDEX_TYPES],
  l2: FLOATS,
  logSum: FLOATS,
  logSumExp: FLOATS,
  multiply: [...FLOATS, ...INDEX_TYPES],
  sum: [...FLOATS, ...INDEX_TYPES],
  sumSquare: [...FLOATS, ...INDEX_TYPES],
};

function inputOneOf(operator: Drafted<'reduce'>): void {
  const {
    function: functionName,
    inputTensor: { dataType },
  } = operator;
  const types = FUNCTION_TYPES[functionName];
  if (types === undefined || types.includes(dataType)) return;
  const expected = `one of ${types.join(', ')}`;
  throw refuse(operator, 'ERR_DATA_TYPE', 'inputTensor.dataType', expected, `'${dataType}'`, `function is '${functionName}'`);
}

function outputOneOf(operator: Drafted<'reduce'>, types: readonly DataType[]): void {
  const expected = `one of ${types.join(', ')}`;
  const dataType = stateDataType(operator.outputTensor, 'uint32');
  if (types.includes(dataType)) return;
  throw refuse(operator, 'ERR_DATA_TYPE', 'outputTensor.dataType', expected, `'${dataType}'`, 'it holds indices');
}

/**
 * Both tensors have the same dimension count. Each of `axes` is a dimension of `inputTensor`, counted from 0.
 * `outputTensor` has the sizes of `inputTensor`, except along `axes`, where its size is 1, and at most 16,776,960
 * elements.
 */
function reducedAxes(operator: Drafted<'reduce' | 'argmin' | 'argmax'>): void {
  sameDimensionCount(operator, 'inputTensor', 'outputTensor');
  const { axes, inputTensor } = operator;
  axesFit(operator, axes, inputTensor);
  const expected = inputTensor.sizes.map((size, axis) => (axes.includes(axis) ? 1 : size));
  hasSizes(operator, 'outputTensor', expected, 'the sizes of inputTensor with 1 for each of the axes');
  eachAxisOnce(operator, axes);
  fitsOneDispatch(operator, 'inputTensor', axes);
}

/** Quantization, by a scale and a zero point that can be left out, which is the zero point 0. */
import {
  hasSizes,
  refuse,
  sameDataType,
  sameDimensionCount,
  sameSizes,
  tensorField,
  type ResolvedOperator,
  type Rule,
} from './rule.js';

/** Each element has its own scale and zero point; one for all is a tensor with strides of 0. */
const byElement = (operator: ResolvedOperator): void => {
  const others = present(operator, 'scaleTensor', 'zeroPointTensor', 'outputTensor');
  sameDimensionCount(operator, 'inputTensor', ...others);
  sameSizes(operator, 'inputTensor', ...others);
};

/** Of equal sizes; the scale has the input's data type, for INT32 FLOAT32, and the zero point the output's. */
export const elementWiseQuantizeLinear: Rule = (operator) => {
  byElement(operator);
  const { dataType } = tensorField(operator, 'scaleTensor');
  if (tensorField(operator, 'inputTensor').dataType !== 'int32') {
    sameDataType(operator, 'inputTensor', 'scaleTensor');
  } else if (dataType !== 'float32') {
    throw refuse(operator, 'ERR_DATA_TYPE', 'scaleTensor.dataType', `'float32' for an input of 'int32'`, `'${dataType}'`);
  }
  sameDataType(operator, 'outputTensor', ...present(operator, 'zeroPointTensor'));
};

/** Of equal sizes; the scale has the output's data type and the zero point the input's. */
export const elementWiseDequantizeLinear: Rule = (operator) => {
  byElement(operator);
  sameDataType(operator, 'scaleTensor', 'outputTensor');
  sameDataType(operator, 'inputTensor', ...present(operator, 'zeroPointTensor'));
};

const QUANTIZED = ['a', 'b', 'output'] as const;

/** Of equal sizes; a scale and a zero point hold for a whole tensor and have one element. */
export const elementWiseQuantizedLinearAdd: Rule = (operator) => {
  sameDimensionCount(operator, 'aTensor', 'bTensor', 'outputTensor');
  sameSizes(operator, 'aTensor', 'bTensor', 'outputTensor');
  const ones = tensorField(operator, 'aTensor').sizes.map(() => 1);
  for (const name of QUANTIZED) {
    const parameters = present(operator, `${name}ScaleTensor`, `${name}ZeroPointTensor`);
    sameDimensionCount(operator, 'aTensor', ...parameters);
    for (const parameter of parameters) hasSizes(operator, parameter, ones, 'it holds for the whole tensor');
    sameDataType(operator, `${name}Tensor`, ...present(operator, `${name}ZeroPointTensor`));
  }
};

function present(operator: ResolvedOperator, ...names: string[]): string[] {
  return names.filter((name) => operator.fields[name] !== null);
}

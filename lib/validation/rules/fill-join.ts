/** Operators that fill a tensor or put tensors together. */
import { list } from '../input.js';
import { inRange, refuse, sameScalarType, tensorField, tensorsField, type Rule } from './rule.js';

/** `valueDataType` is the data type of `outputTensor`. */
export const fillValueConstant: Rule = (operator) => sameScalarType(operator, 'valueDataType', 'outputTensor');

/**
 * `inputTensors` has at least one tensor. All tensors have the same dimension count and data type, and the same sizes
 * but for the one along `axis`. `axis` is a dimension of the tensors, counted from 0. The size of `outputTensor` along
 * `axis` is the sum of those of `inputTensors`.
 */
export const join: Rule = (operator) => {
  const output = tensorField(operator, 'outputTensor');
  const inputs = tensorsField(operator, 'inputTensors');
  if (inputs.length === 0) {
    throw refuse(operator, 'ERR_FIELD_COMBINATION', 'inputTensors', 'at least 1 tensor', '0');
  }
  const axis = inRange(operator, 'axis', 0, output.sizes.length - 1);
  for (const [i, input] of inputs.entries()) {
    const field = `inputTensors[${i}]`;
    if (input.dataType !== output.dataType) {
      const expected = `'${output.dataType}', as outputTensor has`;
      throw refuse(operator, 'ERR_DATA_TYPE', `${field}.dataType`, expected, `'${input.dataType}'`);
    }
    if (input.sizes.length !== output.sizes.length) {
      const expected = `${output.sizes.length} dimensions, as outputTensor has`;
      throw refuse(operator, 'ERR_DIMENSION_COUNT', `${field}.sizes`, expected, `${input.sizes.length}`);
    }
    if (input.sizes.some((size, dimension) => dimension !== axis && size !== output.sizes[dimension])) {
      const expected = `${list(output.sizes)} but for dimension ${axis}`;
      throw refuse(operator, 'ERR_SIZES', `${field}.sizes`, expected, list(input.sizes));
    }
  }
  const total = inputs.reduce((sum, input) => sum + (input.sizes[axis] ?? 0), 0);
  if (total !== output.sizes[axis]) {
    const why = 'the sum over inputTensors';
    throw refuse(operator, 'ERR_SIZES', `outputTensor.sizes[${axis}]`, `${total}`, `${output.sizes[axis]}`, why);
  }
};

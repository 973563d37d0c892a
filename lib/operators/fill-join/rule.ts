/** Operators that fill a tensor with one value or concatenate tensors. */
import { stateDataType, stateSizes, type Drafted } from '../../descriptors/drafted.js';
import type { ResolvedTensor } from '../../descriptors/resolved.js';
import { inRange, sameExceptAlong, sameScalarType } from '../../descriptors/checks.js';
import { refuse, type Rule } from '../../descriptors/rule.js';

/**
 * `valueDataType` is the data type of `outputTensor`.
 * The sizes of `outputTensor` must be given.
 */
export const fillValueConstant: Rule<'fillValueConstant'> = (operator) =>
  sameScalarType(operator, 'valueDataType', 'outputTensor');

/**
 * `inputTensors` has at least one tensor. All tensors have the same dimension count and data type. All tensors have
 * the same sizes, except along `axis`, which is a dimension of the tensors, counted from 0. The size of
 * `outputTensor` along `axis` is the sum of the sizes of `inputTensors` along it.
 */
export const join: Rule<'join'> = (operator) => {
  const { inputTensors: inputs, outputTensor: output } = operator;
  if (inputs.length === 0) {
    throw refuse(operator, 'ERR_FIELD_COMBINATION', 'inputTensors', 'at least 1 tensor', '0');
  }
  const [first] = inputs;
  if (first !== undefined) stateDataType(output, first.dataType);
  const sizes = stateSizes(output, () => joined(operator));
  const axis = inRange(operator, 'axis', 0, sizes.length - 1);
  sameExceptAlong(operator, axis, 'inputTensors', inputs, { name: 'outputTensor', tensor: output });
  const total = along(inputs, axis);
  if (total !== sizes[axis]) {
    const why = 'the sum over inputTensors';
    throw refuse(operator, 'ERR_SIZES', `outputTensor.sizes[${axis}]`, `${total}`, `${sizes[axis]}`, why);
  }
};

function joined(operator: Drafted<'join'>): readonly number[] {
  const { inputTensors: inputs } = operator;
  const sizes = inputs[0]?.sizes ?? [];
  const axis = inRange(operator, 'axis', 0, sizes.length - 1);
  return sizes.with(axis, along(inputs, axis));
}

function along(inputs: readonly ResolvedTensor[], axis: number): number {
  return inputs.reduce((sum, { sizes }) => sum + (sizes[axis] ?? 0), 0);
}

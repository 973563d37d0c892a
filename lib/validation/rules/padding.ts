/** Operators that repeat a tensor's elements around or beside it. */
import type { Resolved } from '../resolved.js';
import { hasSizes, perDimension, sameDataType, sameDimensionCount, sameScalarType, type Rule } from './rule.js';

/**
 * Both tensors have the same dimension count and data type. `startPadding` and `endPadding` have an element for each
 * dimension. `outputTensor` has the sizes `startPadding[i] + inputTensor.sizes[i] + endPadding[i]`.
 */
export const padding: Rule<'padding'> = (operator) => padded(operator);

/**
 * Both tensors have the same dimension count and data type. `startPadding` and `endPadding` have an element for each
 * dimension. `outputTensor` has the sizes `startPadding[i] + inputTensor.sizes[i] + endPadding[i]`.
 * `paddingValueDataType` is the data type of the tensors.
 */
export const padding1: Rule<'padding1'> = (operator) => {
  padded(operator);
  sameScalarType(operator, 'paddingValueDataType', 'inputTensor');
};

/**
 * Both tensors have the same dimension count and data type. `repeats` has an element for each dimension.
 * `outputTensor` has the sizes of `inputTensor` times `repeats`.
 */
export const tile: Rule<'tile'> = (operator) => {
  sameDimensionCount(operator, 'inputTensor', 'outputTensor');
  sameDataType(operator, 'inputTensor', 'outputTensor');
  const repeats = perDimension(operator, 'repeats', 'inputTensor');
  const { sizes } = operator.inputTensor;
  hasSizes(
    operator,
    'outputTensor',
    sizes.map((size, axis) => size * (repeats[axis] ?? 0)),
    'the repeated input',
  );
};

function padded(operator: Resolved<'padding' | 'padding1'>): void {
  sameDimensionCount(operator, 'inputTensor', 'outputTensor');
  sameDataType(operator, 'inputTensor', 'outputTensor');
  const start = perDimension(operator, 'startPadding', 'inputTensor');
  const end = perDimension(operator, 'endPadding', 'inputTensor');
  const { sizes } = operator.inputTensor;
  const expected = sizes.map((size, axis) => (start[axis] ?? 0) + size + (end[axis] ?? 0));
  hasSizes(operator, 'outputTensor', expected, 'start padding, input and end padding together');
}

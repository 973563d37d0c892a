/** Operators that add elements around a tensor or repeat it. */
import type { Drafted } from '../../descriptors/drafted.js';
import { hasSizes, perDimension, sameDataType, sameDimensionCount, sameScalarType } from '../../descriptors/checks.js';
import type { Rule } from '../../descriptors/rule.js';

/** {@inheritDoc padded} */
export const padding: Rule<'padding'> = (operator) => padded(operator);

/** {@inheritDoc padded} `paddingValueDataType` is the data type of the tensors. */
export const padding1: Rule<'padding1'> = (operator) => {
  padded(operator);
  sameScalarType(operator, 'paddingValueDataType', 'inputTensor');
};

/**
 * Both tensors have the same dimension count and data type. `repeats` has one element for each dimension.
 * Each size of `outputTensor` is `inputTensor.sizes[i] * repeats[i]`.
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

/**
 * Both tensors have the same dimension count and data type. `startPadding` and `endPadding` have one element for each
 * dimension. Each size of `outputTensor` is `startPadding[i] + inputTensor.sizes[i] + endPadding[i]`.
 */
function padded(operator: Drafted<'padding' | 'padding1'>): void {
  sameDimensionCount(operator, 'inputTensor', 'outputTensor');
  sameDataType(operator, 'inputTensor', 'outputTensor');
  const start = perDimension(operator, 'startPadding', 'inputTensor');
  const end = perDimension(operator, 'endPadding', 'inputTensor');
  const { sizes } = operator.inputTensor;
  const expected = sizes.map((size, axis) => (start[axis] ?? 0) + size + (end[axis] ?? 0));
  hasSizes(operator, 'outputTensor', expected, 'start padding, input and end padding together');
}

/**
 * Operators that fill a tensor from a formula of its coordinates, and one that scales images and adds a bias per
 * channel.
 */
import { sameDataType, sameDimensionCount, sameScalarType, sameSizes } from '../../descriptors/checks.js';
import { refuse, type Rule } from '../../descriptors/rule.js';

/**
 * The last two sizes of `outputTensor` are the rows and columns of each matrix. The data type and the sizes of
 * `outputTensor` must be given.
 */
export const diagonalMatrix: Rule<'diagonalMatrix'> = () => undefined;

/**
 * `valueDataType` is the data type of `outputTensor`. If `inputTensor` is given, it has the dimension count, sizes
 * and data type of `outputTensor`. The sizes of `outputTensor` must be given if there is no `inputTensor`.
 */
export const diagonalMatrix1: Rule<'diagonalMatrix1'> = (operator) => {
  sameScalarType(operator, 'valueDataType', 'outputTensor');
  if (operator.inputTensor === null) return;
  sameDimensionCount(operator, 'outputTensor', 'inputTensor');
  sameDataType(operator, 'outputTensor', 'inputTensor');
  sameSizes(operator, 'outputTensor', 'inputTensor');
};

/**
 * `valueDataType` is the data type of `outputTensor`.
 * The sizes of `outputTensor` must be given.
 */
export const fillValueSequence: Rule<'fillValueSequence'> = (operator) =>
  sameScalarType(operator, 'valueDataType', 'outputTensor');

/**
 * Both tensors have the same sizes and data type. `inputTensor` has 1 or 3 channels. `bias` has one element for each
 * channel.
 */
export const valueScale2d: Rule<'valueScale2d'> = (operator) => {
  sameSizes(operator, 'inputTensor', 'outputTensor');
  sameDataType(operator, 'inputTensor', 'outputTensor');
  const { length } = operator.bias;
  if (length !== 1 && length !== 3) throw refuse(operator, 'ERR_OUT_OF_RANGE', 'bias', '1 or 3 elements', `${length}`);
  const channels = operator.inputTensor.sizes[1] ?? 1;
  if (length !== channels) {
    const expected = `${channels} elements, one per channel of inputTensor`;
    throw refuse(operator, 'ERR_FIELD_COMBINATION', 'bias', expected, `${length}`);
  }
};

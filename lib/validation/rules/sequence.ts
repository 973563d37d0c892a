/** Operators that fill a tensor by a formula over its coordinates, and a scale with a bias per channel. */
import { refuse, sameDataType, sameDimensionCount, sameScalarType, sameSizes, type Rule } from './rule.js';

/**
 * The last two sizes of `outputTensor` are the rows and columns of each matrix.
 * Data type and sizes of `outputTensor` must be given.
 */
export const diagonalMatrix: Rule<'diagonalMatrix'> = () => undefined;

/**
 * `valueDataType` is the data type of `outputTensor`. `inputTensor`, where there is one, has the dimension count,
 * sizes and data type of `outputTensor`.
 * The sizes of `outputTensor` must be given where there is no `inputTensor`.
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

/** Both tensors have the same sizes and data type. `bias` has 1 or 3 elements, as many as there are channels. */
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

/** The coordinates of all elements that are not zero. */
import { list } from '../../errors.js';
import { hasSizes, refuse, sizesUnlessGiven, type Rule } from './rule.js';
import { productOf } from '../tensor-size.js';

/**
 * `outputCountTensor` holds a single number: all its sizes are 1. `outputCoordinatesTensor` has a row for each element
 * of `inputTensor`: its last but one size is their number, and sizes before it are 1. Its last size is the number of
 * coordinates: at most the dimension count of `inputTensor`, and at least this count without leading sizes of 1. The
 * dimension counts of the three tensors need not agree.
 * Sizes that are left out are [1] and [number of elements, dimension count] of `inputTensor`.
 */
export const nonzeroCoordinates: Rule<'nonzeroCoordinates'> = (operator) => {
  const {
    inputTensor: { sizes },
    outputCountTensor,
    outputCoordinatesTensor,
  } = operator;
  // Of all that they may be, what does not depend on how many leading sizes are 1.
  sizesUnlessGiven(outputCountTensor, () => [1]);
  sizesUnlessGiven(outputCoordinatesTensor, () => [productOf(sizes), sizes.length]);
  const count = outputCountTensor.sizes;
  hasSizes(
    operator,
    'outputCountTensor',
    count.map(() => 1),
    'it is a single number',
  );
  const coordinates = outputCoordinatesTensor.sizes;
  const rows = coordinates.map((size, axis) => (axis === coordinates.length - 1 ? size : 1)).with(-2, productOf(sizes));
  hasSizes(operator, 'outputCoordinatesTensor', rows, 'a row for each element of inputTensor');
  const width = coordinates[coordinates.length - 1] ?? 0;
  const leading = sizes.findIndex((size) => size !== 1);
  const effectiveRank = Math.max(1, leading < 0 ? 0 : sizes.length - leading);
  if (width < effectiveRank || width > sizes.length) {
    const field = `outputCoordinatesTensor.sizes[${coordinates.length - 1}]`;
    const why = `the coordinates of an element of ${list(sizes)}`;
    const expected = effectiveRank === sizes.length ? `${effectiveRank}` : `${effectiveRank} to ${sizes.length}`;
    throw refuse(operator, 'ERR_SIZES', field, expected, `${width}`, why);
  }
};

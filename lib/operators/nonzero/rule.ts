/** Lists the coordinates of all elements that are not zero. */
import { list } from '../../values/errors.js';
import { stateSizes } from '../../descriptors/drafted.js';
import { fitsOneDispatch, hasSizes } from '../../descriptors/checks.js';
import { refuse, type Rule } from '../../descriptors/rule.js';
import { productOf } from '../../tensors/tensor-size.js';

/**
 * The three tensors may have different dimension counts. `outputCountTensor` holds a single number: all its sizes are
 * 1. `outputCoordinatesTensor` has one row for each element of `inputTensor`: its second-to-last size is the number
 * of these elements, and all sizes before it are 1. The last size of `outputCoordinatesTensor` is the number of
 * coordinates in a row: at most the dimension count of `inputTensor`, and at least that count without leading sizes
 * of 1, or 1 if none is left. Inferred sizes are [1] for `outputCountTensor`, and [number of elements, dimension
 * count] of `inputTensor` for `outputCoordinatesTensor`. `inputTensor` has at most 16,776,960 elements.
 */
export const nonzeroCoordinates: Rule<'nonzeroCoordinates'> = (operator) => {
  const {
    inputTensor: { sizes },
    outputCountTensor,
    outputCoordinatesTensor,
  } = operator;
  // Several sizes are allowed. These do not depend on the number of leading sizes that are 1.
  const count = stateSizes(outputCountTensor, () => [1]);
  const coordinates = stateSizes(outputCoordinatesTensor, () => [productOf(sizes), sizes.length]);
  hasSizes(
    operator,
    'outputCountTensor',
    count.map(() => 1),
    'it is a single number',
  );
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
  fitsOneDispatch(operator, 'inputTensor');
};

/** The random generator: its state is a 128-bit counter and a 64-bit key. */
import { hasSizes, sameSizes, type Rule } from './rule.js';

/**
 * `inputStateTensor` holds four words of counter and two of key: its last size is 6, and all others are 1.
 * `outputStateTensor` has the same sizes.
 * The sizes of `outputTensor` must be given.
 */
export const randomGenerator: Rule<'randomGenerator'> = (operator) => {
  const { sizes } = operator.inputStateTensor;
  const expected = sizes.map((_, axis) => (axis === sizes.length - 1 ? 6 : 1));
  hasSizes(operator, 'inputStateTensor', expected, 'four words of counter and two of key');
  sameSizes(operator, 'inputStateTensor', 'outputStateTensor');
};

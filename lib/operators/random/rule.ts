/** The random generator, whose state is a 128-bit counter and a 64-bit key. */
import { hasSizes, sameSizes } from '../../descriptors/checks.js';
import type { Rule } from '../../descriptors/rule.js';

/**
 * The last size of `inputStateTensor` is 6, for four words of the counter and two words of the key, and all other
 * sizes are 1. `outputStateTensor` has the sizes of `inputStateTensor`.
 * The sizes of `outputTensor` must be given.
 */
export const randomGenerator: Rule<'randomGenerator'> = (operator) => {
  const { sizes } = operator.inputStateTensor;
  const expected = sizes.map((_, axis) => (axis === sizes.length - 1 ? 6 : 1));
  hasSizes(operator, 'inputStateTensor', expected, 'four words of counter and two of key');
  sameSizes(operator, 'inputStateTensor', 'outputStateTensor');
};

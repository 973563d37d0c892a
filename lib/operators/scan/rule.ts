/** Scans: operators that accumulate along one axis and write every intermediate result. */
import { axisOf, sameTensors } from '../../descriptors/checks.js';
import type { Rule } from '../../descriptors/rule.js';

/**
 * Both tensors have the same dimension count, sizes and data type. `axis` is a dimension of the tensors, counted from 0.
 */
const scan: Rule<'cumulativeSummation' | 'cumulativeProduct'> = (operator) => {
  sameTensors(operator, 'inputTensor', 'outputTensor');
  axisOf(operator, operator.inputTensor);
};

export const cumulativeSummation = scan;
export const cumulativeProduct = scan;

/** Softmax, log softmax and hardmax, along the last axis or along given axes. */
import { axesFit, eachAxisOnce } from '../../descriptors/axes.js';
import { fitsOneDispatch, sameTensors } from '../../descriptors/checks.js';
import { refuse, type Rule } from '../../descriptors/rule.js';

type AlongLast = 'activationHardmax' | 'activationLogSoftmax' | 'activationSoftmax';

/** Both tensors have the same dimension count, sizes and data type. Sizes before the last two are 1. */
const alongLast: Rule<AlongLast> = (operator) => {
  sameTensors(operator, 'inputTensor', 'outputTensor');
  const { sizes } = operator.inputTensor;
  const i = sizes.findIndex((size, axis) => axis < sizes.length - 2 && size !== 1);
  if (i >= 0) {
    const why = `'${operator.type}' works on the rows of a matrix; '${operator.type}1' has axes`;
    throw refuse(operator, 'ERR_SIZES', `inputTensor.sizes[${i}]`, '1', `${sizes[i]}`, why);
  }
};

/**
 * Both tensors have the same dimension count, sizes and data type. Each of `axes` is a dimension of the tensors,
 * counted from 0. The other dimensions have at most 16,776,960 elements.
 */
const alongAxes: Rule<`${AlongLast}1`> = (operator) => {
  sameTensors(operator, 'inputTensor', 'outputTensor');
  axesFit(operator, operator.axes, operator.inputTensor);
  eachAxisOnce(operator, operator.axes);
  fitsOneDispatch(operator, 'inputTensor', operator.axes);
};

export const activationHardmax = alongLast;
export const activationHardmax1 = alongAxes;
export const activationLogSoftmax = alongLast;
export const activationLogSoftmax1 = alongAxes;
export const activationSoftmax = alongLast;
export const activationSoftmax1 = alongAxes;

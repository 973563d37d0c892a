/** Gradients of softmax and its logarithm. */
import type { Expression, GradientRule, GradientRules, Operations } from '../../descriptors/gradient.js';

type Names = 'activationSoftmax' | 'activationLogSoftmax' | 'activationHardmax';
interface Outputs {
  readonly outputTensor: Expression;
  readonly axes?: readonly number[];
}

const steps = 'its output changes in steps only';
const axesOf = ({ outputTensor, axes }: Outputs) => axes ?? [outputTensor.sizes.length - 1];
const totalOf = (value: Expression, node: Outputs, o: Operations) =>
  o.reduce(value, { function: 'sum', axes: axesOf(node) }).broadcastTo(value.sizes);

const softmax: GradientRule<'activationSoftmax' | 'activationSoftmax1'> = (node, g, o) => ({
  inputTensor: () => o.multiply(node.outputTensor, o.subtract(g, totalOf(o.multiply(g, node.outputTensor), node, o))),
});
const logSoftmax: GradientRule<'activationLogSoftmax' | 'activationLogSoftmax1'> = (node, g, o) => ({
  inputTensor: () => o.subtract(g, o.multiply(o.exp(node.outputTensor), totalOf(g, node, o))),
});

export const gradients: GradientRules<Names | `${Names}1`> = {
  activationSoftmax: softmax,
  activationSoftmax1: softmax,
  activationLogSoftmax: logSoftmax,
  activationLogSoftmax1: logSoftmax,
  activationHardmax: steps,
  activationHardmax1: steps,
};

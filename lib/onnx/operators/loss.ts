/** The losses of classifiers. */
import { productOf } from '../../validation/tensor-size.js';
import { scalar } from '../make-data.js';
import { boolean, like, type Node } from '../node.js';
import { broadcast, reshaped, type Operand } from '../operand.js';
import type { Lowerings } from './lowering.js';
import { withWideSums } from './tensor-helpers.js';

export const lossOperators: Lowerings = {
  NegativeLogLikelihoodLoss: (node) => negativeLogLikelihood(node, node.input(0)),
  SoftmaxCrossEntropyLoss: (node) => {
    const logarithms = withWideSums(node, node.input(0), (scores) => node.map('activationLogSoftmax1', scores, { axes: [1] }));
    return [negativeLogLikelihood(node, logarithms), logarithms];
  },
};

/** Of each target, the logarithm of its class, negated and times the weight of the class. */
function negativeLogLikelihood(node: Node, input: Operand): Operand {
  const targets = node.input(1);
  const ignored = node.int('ignore_index');
  const isIgnored =
    ignored === undefined
      ? undefined
      : node.combine('elementWiseLogicalEquals', targets, scalar(targets.dataType, ignored), boolean);
  const masked = (operand: Operand) => (isIgnored === undefined ? operand : zeroWhere(node, isIgnored, operand));
  const classes = masked(targets);
  const weights = masked(weightsOf(node, input, classes));
  const chosen = ofClasses(node, input, classes);
  const losses = masked(node.arithmetic('elementWiseMultiply', node.map('elementWiseNegate', chosen), weights));
  return combined(node, losses, weights);
}

function combined(node: Node, losses: Operand, weights: Operand): Operand {
  const reduction = node.text('reduction', 'mean');
  if (reduction === 'none') return losses;
  const total = sumOf(node, losses);
  if (reduction === 'sum') return total;
  if (reduction !== 'mean') throw node.unsupported('reduction', reduction);
  return node.arithmetic('elementWiseDivide', total, sumOf(node, weights));
}

function weightsOf(node: Node, input: Operand, classes: Operand): Operand {
  const weights = node.optional(2);
  if (weights === undefined) return broadcast(scalar(input.dataType, 1), classes.dims);
  const dims = input.dims.map((_, i) => (i === 1 ? productOf(weights.dims) : 1));
  return ofClasses(node, broadcast(node.reshape(weights, dims), input.dims), classes);
}

/** The element of each class along axis 1. */
function ofClasses(node: Node, input: Operand, classes: Operand): Operand {
  const dims = classes.dims.toSpliced(1, 0, 1);
  const indicesTensor = node.reshape(classes, dims);
  const made = node.add('gatherElements', { inputTensor: input, indicesTensor, outputTensor: like(input, dims), axis: 1 });
  return reshaped(made, classes.dims);
}

function zeroWhere(node: Node, condition: Operand, input: Operand): Operand {
  const aTensor = broadcast(scalar(input.dataType, 0), input.dims);
  return node.add('elementWiseIf', { conditionTensor: condition, aTensor, bTensor: input, outputTensor: like(input) });
}

function sumOf(node: Node, input: Operand): Operand {
  const axes = input.dims.map((_, i) => i);
  const outputTensor = like(
    input,
    axes.map(() => 1),
  );
  return reshaped(node.add('reduce', { function: 'sum', inputTensor: input, outputTensor, axes }), []);
}

/** The losses of classifiers. */
import { scalar } from '../make-data.js';
import { boolean, like, type Node } from '../node.js';
import { broadcast, reshaped, type Operand } from '../operand.js';
import type { Lowerings } from './lowering.js';
import { choose, constant, perChannel, reduced, upTo, withWideSums } from './tensor-helpers.js';

export const lossOperators: Lowerings = {
  NegativeLogLikelihoodLoss: (node) => negativeLogLikelihood(node, node.input(0)),
  SoftmaxCrossEntropyLoss: (node) => {
    const logarithms = withWideSums(node, node.input(0), (scores) => node.map('activationLogSoftmax1', scores, { axes: [1] }));
    return [negativeLogLikelihood(node, logarithms), logarithms];
  },
};

/** Of each target, the logarithm of its class, negated and times the weight of the class. */
function negativeLogLikelihood(node: Node, input: Operand): Operand {
  const [targets, classWeights, ignored] = [node.input(1), node.optional(2), node.int('ignore_index')];
  const isIgnored =
    ignored === undefined
      ? undefined
      : node.combine('elementWiseLogicalEquals', targets, scalar(targets.dataType, ignored), boolean);
  const masked = (operand: Operand) =>
    isIgnored === undefined ? operand : choose(node, isIgnored, constant(operand.dataType, [], 0), operand);
  const classes = masked(targets);
  const weights = masked(
    classWeights === undefined
      ? constant(input.dataType, classes.dims, 1)
      : ofClasses(node, broadcast(perChannel(node, classWeights, input.dims.length), input.dims), classes),
  );
  const negative = node.map('elementWiseNegate', ofClasses(node, input, classes));
  const losses = masked(node.arithmetic('elementWiseMultiply', negative, weights));
  const reduction = node.text('reduction', 'mean');
  if (reduction === 'none') return losses;
  const sumOf = (all: Operand) => reshaped(reduced(node, 'sum', all, upTo(all.dims.length)), []);
  if (reduction === 'sum') return sumOf(losses);
  if (reduction !== 'mean') throw node.unsupported('reduction', reduction);
  return node.arithmetic('elementWiseDivide', sumOf(losses), sumOf(weights));
}

/** The element of each class along axis 1. */
function ofClasses(node: Node, input: Operand, classes: Operand): Operand {
  const dims = classes.dims.toSpliced(1, 0, 1);
  const indicesTensor = node.reshape(classes, dims);
  const made = node.add('gatherElements', { inputTensor: input, indicesTensor, outputTensor: like(input, dims), axis: 1 });
  return reshaped(made, classes.dims);
}

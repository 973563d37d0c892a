/** Layer normalization, written as `(x − mean) / √(variance + ε)`, times a scale, plus a bias. */
import { productOf, stridesOf } from '../../tensors/tensor-size.js';
import type { GraphNode } from '../resolved-graph.js';
import { affineOf } from './affine.js';
import { isSame, type Draft, type Edge, type Found } from './draft.js';
import type { Rule } from './rule.js';

export const normalization: Rule = {
  ends: ['elementWiseDivide'],
  apply: (node, draft) => {
    const { descriptor } = node.operator;
    if (descriptor.type !== 'elementWiseDivide' || descriptor.outputTensor.dataType !== 'float32') return null;
    const distance = draft.edge(node, 'aTensor');
    const difference = draft.producer(distance, ['elementWiseSubtract']);
    const deviation = deviationOf(draft, draft.edge(node, 'bTensor'));
    if (difference === null || deviation === null || !isSame(deviation.distance, distance)) return null;
    const inputTensor = draft.edge(difference.node, 'aTensor');
    const mean = draft.producer(draft.edge(difference.node, 'bTensor'), ['reduce'], true);
    if (mean === null || inputTensor === null || !isAverage(mean)) return null;
    const { axes } = mean.fields;
    if (!isSame(draft.edge(mean.node, 'inputTensor'), inputTensor) || axes.join() !== deviation.axes.join()) return null;
    // DirectML would take the element for the variance, too.
    if (productOf(axes.map((axis) => inputTensor.tensor.sizes[axis] ?? 1)) === 1) return null;
    return draft.node(node.name, {
      type: 'meanVarianceNormalization2',
      inputTensor,
      outputTensor: descriptor.outputTensor,
      axes,
      useMean: true,
      useVariance: true,
      epsilon: deviation.epsilon,
    });
  },
};

interface Deviation {
  readonly distance: Edge | null;
  readonly axes: readonly number[];
  readonly epsilon: number;
}

/** `√(average(distance²) + ε)` */
function deviationOf(draft: Draft, edge: Edge | null): Deviation | null {
  const root = draft.before(edge, ['elementWiseSqrt'], true);
  const inside = root?.fields.scaleBias === null ? affineOf(draft, draft.edge(root.node, 'inputTensor')) : null;
  if (inside?.scale !== 1 || inside.bias < 0) return null;
  const variance = draft.before(inside.edge, ['reduce'], true);
  if (variance === null || !isAverage(variance)) return null;
  const distance = squared(draft, draft.edge(variance.node, 'inputTensor'));
  return distance && { distance, axes: variance.fields.axes, epsilon: inside.bias };
}

/** The edge whose elements are squared. */
function squared(draft: Draft, edge: Edge | null): Edge | null {
  const square = draft.before(edge, ['elementWiseMultiply', 'elementWiseConstantPow']);
  if (square === null) return null;
  if (square.fields.type === 'elementWiseConstantPow')
    return square.fields.exponent === 2 && square.fields.scaleBias === null ? draft.edge(square.node, 'inputTensor') : null;
  const [a, b] = draft.sides(square.node);
  return isSame(a, b) ? a : null;
}

function isAverage({ fields }: Found<'reduce'>): boolean {
  return fields.function === 'average';
}

/** The scale, and then the bias. */
export const scaledNormalization: Rule = {
  ends: ['elementWiseMultiply', 'elementWiseAdd'],
  apply: (node, draft) => draft.inAnyOrder(node, (normal, given) => withParameter(draft, node, normal, given)),
};

function withParameter(draft: Draft, node: GraphNode, normal: Edge | null, given: Edge | null): GraphNode | null {
  const { descriptor } = node.operator;
  if (descriptor.type !== 'elementWiseMultiply' && descriptor.type !== 'elementWiseAdd') return null;
  const found = draft.before(normal, ['meanVarianceNormalization2']);
  if (found === null || given === null || found.fields.fusedActivation !== null || found.fields.biasTensor !== null) return null;
  const isScale = descriptor.type === 'elementWiseMultiply';
  if (isScale && found.fields.scaleTensor !== null) return null;
  const { outputTensor } = descriptor;
  return draft.variant(node.name, found.node, { outputTensor, [isScale ? 'scaleTensor' : 'biasTensor']: narrow(given) });
}

/** The edge without repeated elements. */
function narrow({ source, tensor }: Edge): Edge {
  const strides = stridesOf(tensor);
  const sizes = tensor.sizes.map((size, axis) => (strides[axis] === 0 ? 1 : size));
  return { source, tensor: { ...tensor, sizes, strides: tensor.strides && strides } };
}

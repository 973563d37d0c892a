/** SVMClassifier and SVMRegressor, as LIBSVM computes them. */
import { hostOperand } from '../make-data.js';
import type { Node } from '../node.js';
import type { Lowerings } from './lowering.js';
import { binaryScores, labelsOf, labelsTensor, logistic, rowsOf, transformOf } from './ml-scores.js';

export const supportOperators: Lowerings = {
  'ai.onnx.ml:SVMRegressor'(node) {
    const supports = node.int('n_supports', 0);
    const coefficients = node.floats('coefficients') ?? [];
    const [offset = 0] = node.floats('rho') ?? [];
    const isOneClass = node.flag('one_class');
    const transform = transformOf(node, node.text('post_transform', 'NONE'));
    const kernel = kernelOf(node, supports > 0 ? node.text('kernel_type', 'LINEAR') : 'LINEAR');
    const vectors = partsOf(node.floats('support_vectors') ?? [], supports);
    return node.compute([node.input(0)], (input) => {
      const scores = rowsOf(input).map((row) => {
        const sum =
          supports > 0
            ? dot(
                coefficients,
                vectors.map((each) => kernel(row, each)),
              )
            : kernel(row, coefficients);
        return isOneClass ? (sum + offset > 0 ? 1 : -1) : sum + offset;
      });
      return [
        hostOperand(
          'float32',
          [scores.length, 1],
          scores.flatMap((score) => transform([score])),
        ),
      ];
    });
  },
  'ai.onnx.ml:SVMClassifier'(node) {
    const labels = labelsOf(node, 'classlabels_ints');
    const classify = node.ints('vectors_per_class', []).length > 0 ? byVotes(node, labels.length) : byLines(node, labels.length);
    const offsets = node.floats('rho') ?? [];
    const isPositive = (node.floats('coefficients') ?? []).every((each) => each >= 0);
    const name = node.text('post_transform', 'NONE');
    const transform = transformOf(node, name);
    return node.compute([node.input(0)], (input) => {
      const results = rowsOf(input).map((row) => {
        const { scores, votes, areShares } = classify(row);
        const deciding = votes ?? scores;
        const most = Math.max(...deciding);
        const best = deciding.indexOf(most);
        const isPair = offsets.length === 1 && labels.length === 2;
        const label = isPair && !areShares && isPositive && most >= 0.5 ? 1 : best;
        const final =
          scores.length > 1 ? transform(scores) : isPair ? binaryScores(scores[0] ?? 0, false, name, transform) : scores;
        const single = most > 0 ? 1 : 0;
        return { label: offsets.length === 1 && !isPair ? single : (labels[label] ?? label), final };
      });
      const width = results[0]?.final.length ?? 0;
      return [
        labelsTensor(results.map(({ label }) => label)),
        hostOperand(
          'float32',
          [results.length, width],
          results.flatMap(({ final }) => final),
        ),
      ];
    });
  },
};

interface Classified {
  readonly scores: readonly number[];
  /** How often each class wins against another. */
  readonly votes: readonly number[] | undefined;
  readonly areShares: boolean;
}

/** A line for each class. */
function byLines(node: Node, classes: number): (row: readonly number[]) => Classified {
  const [offset = 0] = node.floats('rho') ?? [];
  const lines = partsOf(node.floats('coefficients') ?? [], Math.max(1, classes));
  return (row) => ({ scores: lines.map((line) => offset + dot(row, line)), votes: undefined, areShares: false });
}

/** Each class against each other. */
function byVotes(node: Node, classes: number): (row: readonly number[]) => Classified {
  const counts = node.ints('vectors_per_class', []);
  const starts = counts.map((_, i) => counts.slice(0, i).reduce((sum, each) => sum + each, 0));
  const total = counts.reduce((sum, each) => sum + each, 0);
  const vectors = partsOf(node.floats('support_vectors') ?? [], total);
  const all = node.floats('coefficients') ?? [];
  const coefficients = partsOf(all, Math.round(all.length / total));
  const offsets = node.floats('rho') ?? [];
  const kernel = kernelOf(node, node.text('kernel_type', 'LINEAR'));
  const probabilities = probabilitiesOf(node, classes);
  return (row) => {
    const kernels = vectors.map((each) => kernel(row, each));
    const part = (own: number, against: number) => {
      const [start = 0, count = 0] = [starts[own], counts[own]];
      return dot(coefficients[against]?.slice(start, start + count) ?? [], kernels.slice(start, start + count));
    };
    const votes = new Array<number>(classes).fill(0);
    const scores: number[] = [];
    for (let i = 0; i < classes; i++) {
      for (let j = i + 1; j < classes; j++) {
        const score = (offsets[scores.length] ?? 0) + part(i, j - 1) + part(j, i);
        scores.push(score);
        const winner = score > 0 ? i : j;
        votes[winner] = (votes[winner] ?? 0) + 1;
      }
    }
    return { scores: probabilities?.(scores) ?? scores, votes, areShares: probabilities !== undefined };
  };
}

/** Makes probabilities of scores of pairs, by the method of Wu, Lin and Weng. Undefined if the model does not ask for them. */
function probabilitiesOf(node: Node, classes: number): ((scores: readonly number[]) => readonly number[]) | undefined {
  const [a = [], b = []] = [node.floats('prob_a'), node.floats('prob_b')];
  if (a.length === 0) return undefined;
  return (scores) => {
    const pairs = Array.from({ length: classes }, () => new Array<number>(classes).fill(0));
    let next = 0;
    for (let i = 0; i < classes; i++) {
      for (let j = i + 1; j < classes; j++, next++) {
        const share = 1 - logistic((scores[next] ?? 0) * (a[next] ?? 0) + (b[next] ?? 0));
        const limited = Math.min(1 - 1e-7, Math.max(1e-7, share));
        pairs[i]?.splice(j, 1, limited);
        pairs[j]?.splice(i, 1, 1 - limited);
      }
    }
    return coupled(pairs);
  };
}

/** The probabilities of classes that fit those of pairs best. */
function coupled(pairs: readonly (readonly number[])[]): readonly number[] {
  const count = pairs.length;
  const at = (i: number, j: number) => pairs[i]?.[j] ?? 0;
  const matrix = pairs.map((_, t) =>
    pairs.map((_each, j) =>
      j === t ? pairs.reduce((sum, _other, i) => (i === t ? sum : sum + at(i, t) ** 2), 0) : -at(j, t) * at(t, j),
    ),
  );
  let shares = new Array<number>(count).fill(1 / count);
  for (let round = 0; round < Math.max(100, count); round++) {
    let products = matrix.map((row) => dot(row, shares));
    let sum = dot(shares, products);
    if (products.every((each) => Math.abs(each - sum) < 0.005 / count)) break;
    for (let t = 0; t < count; t++) {
      const own = matrix[t]?.[t] ?? 1;
      const difference = (sum - (products[t] ?? 0)) / own;
      const scale = 1 + difference;
      sum = (sum + difference * (difference * own + 2 * (products[t] ?? 0))) / scale ** 2;
      shares = shares.map((each, i) => (i === t ? each + difference : each) / scale);
      products = products.map((each, i) => (each + difference * (matrix[t]?.[i] ?? 0)) / scale);
    }
  }
  return shares;
}

type Kernel = (a: readonly number[], b: readonly number[]) => number;

function kernelOf(node: Node, name: string): Kernel {
  const [gamma = 0, addend = 0, degree = 0] = node.floats('kernel_params') ?? [];
  switch (name.toUpperCase()) {
    case 'LINEAR':
      return dot;
    case 'POLY':
      return (a, b) => (gamma * dot(a, b) + addend) ** Math.trunc(degree);
    case 'SIGMOID':
      return (a, b) => Math.tanh(gamma * dot(a, b) + addend);
    case 'RBF':
      return (a, b) => Math.exp(-gamma * a.reduce((sum, each, i) => sum + (each - (b[i] ?? 0)) ** 2, 0));
    default:
      throw node.unsupported('the kernel', name);
  }
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, each, i) => sum + each * (b[i] ?? 0), 0);
}

/** A list in parts of one length. */
function partsOf(numbers: readonly number[], count: number): readonly (readonly number[])[] {
  const length = count === 0 ? 0 : numbers.length / count;
  return Array.from({ length: count }, (_, i) => numbers.slice(i * length, (i + 1) * length));
}

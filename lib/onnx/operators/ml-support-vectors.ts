/** SVMClassifier and SVMRegressor, as LIBSVM computes them. */
import type { Node } from '../node.js';
import { dot, partsOf, type Numbers } from './in-memory.js';
import type { Lowerings } from './lowering.js';
import { binaryScores, classified, labelsOf, logistic, rowByRow, transformOf } from './ml-scores.js';

export const supportOperators: Lowerings = {
  'ai.onnx.ml:SVMRegressor'(node) {
    const supports = node.int('n_supports', 0);
    const coefficients = node.floats('coefficients') ?? [];
    const [offset = 0] = node.floats('rho') ?? [];
    const isOneClass = node.flag('one_class');
    const transform = transformOf(node);
    const kernel = supports > 0 ? kernelOf(node) : dot;
    const vectors = partsOf(node.floats('support_vectors') ?? [], supports);
    return rowByRow(node, 1, (row) => {
      const kernels = vectors.map((each) => kernel(row, each));
      const sum = (supports > 0 ? dot(coefficients, kernels) : dot(row, coefficients)) + offset;
      return transform([isOneClass ? (sum > 0 ? 1 : -1) : sum]);
    });
  },
  'ai.onnx.ml:SVMClassifier'(node) {
    const labels = labelsOf(node, 'classlabels_ints');
    const classify = node.ints('vectors_per_class', []).length > 0 ? byVotes(node, labels.length) : byLines(node, labels.length);
    const isSingle = node.floats('rho')?.length === 1;
    const isPair = isSingle && labels.length === 2;
    const isPositive = (node.floats('coefficients') ?? []).every((each) => each >= 0);
    const transform = transformOf(node);
    return classified(node, labels, (row) => {
      const { scores, votes, areShares } = classify(row);
      const deciding = votes ?? scores;
      const most = Math.max(...deciding);
      const best = isPair && !areShares && isPositive && most >= 0.5 ? 1 : deciding.indexOf(most);
      const label = isSingle && !isPair ? Number(most > 0) : (labels[best] ?? best);
      if (scores.length > 1) return { label, scores: transform(scores) };
      return { label, scores: isPair ? binaryScores(scores[0] ?? 0, false, transform) : scores };
    });
  },
};

interface Classified {
  readonly scores: Numbers;
  /** How often each class wins against another. */
  readonly votes?: Numbers;
  readonly areShares: boolean;
}

/** A line for each class. */
function byLines(node: Node, classes: number): (row: Numbers) => Classified {
  const [offset = 0] = node.floats('rho') ?? [];
  const lines = partsOf(node.floats('coefficients') ?? [], Math.max(1, classes));
  return (row) => ({ scores: lines.map((line) => offset + dot(row, line)), areShares: false });
}

/** Each class against each other. */
function byVotes(node: Node, classes: number): (row: Numbers) => Classified {
  const counts = node.ints('vectors_per_class', []);
  const total = counts.reduce((sum, each) => sum + each, 0);
  const vectors = partsOf(node.floats('support_vectors') ?? [], total);
  const all = node.floats('coefficients') ?? [];
  const coefficients = partsOf(all, Math.round(all.length / total));
  const offsets = node.floats('rho') ?? [];
  const kernel = kernelOf(node);
  const [a = [], b = []] = [node.floats('prob_a'), node.floats('prob_b')];
  const areShares = a.length > 0;
  return (row) => {
    const kernels = vectors.map((each) => kernel(row, each));
    const part = (own: number, against: number) => {
      const start = counts.slice(0, own).reduce((sum, each) => sum + each, 0);
      const end = start + (counts[own] ?? 0);
      return dot(coefficients[against]?.slice(start, end) ?? [], kernels.slice(start, end));
    };
    const votes = new Array<number>(classes).fill(0);
    const scores = pairsOf(classes).map(([i, j], pair) => {
      const score = (offsets[pair] ?? 0) + part(i, j - 1) + part(j, i);
      const winner = score > 0 ? i : j;
      votes[winner] = (votes[winner] ?? 0) + 1;
      return score;
    });
    return { scores: areShares ? probabilities(scores, classes, a, b) : scores, votes, areShares };
  };
}

/** Each pair of classes. */
function pairsOf(classes: number): readonly (readonly [number, number])[] {
  return Array.from({ length: classes }, (_, i) =>
    Array.from({ length: classes - i - 1 }, (_each, k) => [i, i + k + 1] as const),
  ).flat();
}

/** Makes probabilities of the scores of pairs, by the method of Wu, Lin and Weng. */
function probabilities(scores: Numbers, classes: number, a: Numbers, b: Numbers): Numbers {
  const shares = Array.from({ length: classes }, () => new Array<number>(classes).fill(0));
  for (const [pair, [i, j]] of pairsOf(classes).entries()) {
    const share = 1 - logistic((scores[pair] ?? 0) * (a[pair] ?? 0) + (b[pair] ?? 0));
    const limited = Math.min(1 - 1e-7, Math.max(1e-7, share));
    shares[i]?.splice(j, 1, limited);
    shares[j]?.splice(i, 1, 1 - limited);
  }
  return coupled(shares);
}

/** The probabilities of classes that fit those of pairs best. */
function coupled(pairs: readonly Numbers[]): Numbers {
  const count = pairs.length;
  const at = (i: number, j: number) => pairs[i]?.[j] ?? 0;
  const matrix = pairs.map((_, t) =>
    pairs.map((_each, j) => (j === t ? pairs.reduce((sum, _other, i) => sum + at(i, t) ** 2, 0) : -at(j, t) * at(t, j))),
  );
  let shares: Numbers = new Array<number>(count).fill(1 / count);
  for (let round = 0; round < Math.max(100, count); round++) {
    let products = matrix.map((row) => dot(row, shares));
    let sum = dot(shares, products);
    if (products.every((each) => Math.abs(each - sum) < 0.005 / count)) break;
    for (const [t, row] of matrix.entries()) {
      const [own = 1, product = 0] = [row[t], products[t]];
      const difference = (sum - product) / own;
      const scale = 1 + difference;
      sum = (sum + difference * (difference * own + 2 * product)) / scale ** 2;
      shares = shares.map((each, i) => (i === t ? each + difference : each) / scale);
      products = products.map((each, i) => (each + difference * (row[i] ?? 0)) / scale);
    }
  }
  return shares;
}

function kernelOf(node: Node): (a: Numbers, b: Numbers) => number {
  const [gamma = 0, addend = 0, degree = 0] = node.floats('kernel_params') ?? [];
  const name = node.text('kernel_type', 'LINEAR');
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

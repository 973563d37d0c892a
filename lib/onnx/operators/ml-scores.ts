/** What classifiers and regressors of ai.onnx.ml share: rows, labels, and what they make of scores. */
import { vector } from '../make-data.js';
import type { Node } from '../node.js';
import { numbersOf, type HostOperand } from '../operand.js';

/** The rows of a matrix; a vector is one row. */
export function rowsOf(input: HostOperand): readonly (readonly number[])[] {
  const numbers = numbersOf(input);
  const width = input.dims.at(-1) ?? 1;
  return Array.from({ length: width === 0 ? 0 : numbers.length / width }, (_, i) => numbers.slice(i * width, (i + 1) * width));
}

/** The labels of classes, which are whole numbers. */
export function labelsOf(node: Node, name: string): readonly number[] {
  if (node.texts('classlabels_strings')?.length) throw node.unsupported('labels', 'of strings');
  return node.ints(name, []);
}

export function labelsTensor(labels: readonly number[]): HostOperand {
  return vector('int64', labels);
}

export type Transform = (scores: readonly number[]) => readonly number[];

export function transformOf(node: Node, name: string): Transform {
  const transform = transforms[name];
  if (transform === undefined) throw node.unsupported('the transform', name);
  return transform;
}

const transforms: Readonly<Record<string, Transform | undefined>> = {
  __proto__: null as never,
  NONE: (scores) => scores,
  LOGISTIC: (scores) => scores.map(logistic),
  SOFTMAX: (scores) => shares(scores, (score, most) => Math.exp(score - most)),
  SOFTMAX_ZERO: (scores) =>
    shares(scores, (score, most) => (Math.abs(score) > 1e-7 ? Math.exp(score - most) : score * Math.exp(-most))),
  PROBIT: (scores) => scores.map(probit),
};

function shares(scores: readonly number[], value: (score: number, most: number) => number): readonly number[] {
  const most = Math.max(...scores);
  const values = scores.map((score) => value(score, most));
  const sum = values.reduce((total, each) => total + each, 0);
  return values.map((each) => (sum === 0 ? 0.5 : each / sum));
}

export function logistic(score: number): number {
  const share = 1 / (1 + Math.exp(-Math.abs(score)));
  return score < 0 ? 1 - share : share;
}

/** With the approximation of the inverse error function that ONNX names. */
function probit(score: number): number {
  const x = 2 * score - 1;
  const log = Math.log((1 - x) * (1 + x));
  if (log === -Infinity) return 0;
  const first = 2 / (Math.PI * 0.147) + 0.5 * log;
  return 1.41421356 * Math.sign(x) * Math.sqrt(-first + Math.sqrt(first * first - log / 0.147));
}

/** The scores of two classes, given that of the second. */
export function secondScores(score: number): readonly number[] {
  return [-score, score];
}

/**
 * The scores of two classes, given that of the second, as ONNX Runtime computes them.
 *
 * @param isShare True if the score is a share of 1.
 */
export function binaryScores(score: number, isShare: boolean, name: string, transform: Transform): readonly number[] {
  if (name === 'PROBIT') return transform([score]);
  return isShare && name === 'NONE' ? [1 - score, score] : transform(secondScores(score));
}

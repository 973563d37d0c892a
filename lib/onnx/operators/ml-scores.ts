/** What classifiers and regressors of ai.onnx.ml share: rows, labels, and what they make of scores. */
import type { DataType } from '../../tensors/generated/enums.js';
import { hostOperand, vector } from '../make-data.js';
import type { Node } from '../node.js';
import { numbersOf, type HostOperand, type Operand } from '../operand.js';
import { partsOf, type Numbers } from './in-memory.js';

/** The rows of a matrix; a vector is one row. */
export function rowsOf(input: HostOperand): readonly Numbers[] {
  const numbers = numbersOf(input);
  return partsOf(numbers, numbers.length / (input.dims.at(-1) ?? 1));
}

/** Makes a row of each row of the input. */
export function rowByRow(node: Node, width: number, work: (row: Numbers) => Numbers, dataType: DataType = 'float32'): Operand {
  return node.computeOne([node.input(0)], (input) => {
    const rows = rowsOf(input).map(work);
    return hostOperand(dataType, [rows.length, width], rows.flat());
  });
}

/** Finds the label of each row, and its scores. */
export function classified(
  node: Node,
  labels: Numbers,
  classify: (row: Numbers) => { readonly label: number; readonly scores: Numbers },
): readonly Operand[] {
  return node.compute([node.input(0)], (input) => {
    const results = rowsOf(input).map(classify);
    const scores = results.map((result) => result.scores);
    const found = results.map(({ label }) => label);
    return [vector('int64', found), hostOperand('float32', [scores.length, scores[0]?.length ?? labels.length], scores.flat())];
  });
}

/** The labels of classes, which are whole numbers. */
export function labelsOf(node: Node, name: string): Numbers {
  if (node.texts('classlabels_strings')?.length) throw node.unsupported('labels', 'of strings');
  return node.ints(name, []);
}

type Transform = (scores: Numbers) => Numbers;

export function transformOf(node: Node, name = node.text('post_transform', 'NONE')): Transform {
  const transform = transforms[name];
  if (transform === undefined) throw node.unsupported('the transform', name);
  return transform;
}

/** In the order of the numbers that TreeEnsemble has for them. */
export const transforms: Readonly<Record<string, Transform | undefined>> = {
  __proto__: null as never,
  NONE: (scores) => scores,
  SOFTMAX: (scores) => shares(scores, (score, most) => Math.exp(score - most)),
  LOGISTIC: (scores) => scores.map(logistic),
  SOFTMAX_ZERO: (scores) =>
    shares(scores, (score, most) => (Math.abs(score) > 1e-7 ? Math.exp(score - most) : score * Math.exp(-most))),
  PROBIT: (scores) => scores.map(probit),
};

function shares(scores: Numbers, value: (score: number, most: number) => number): Numbers {
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

/** The scores of two classes, given that of the second, as ONNX Runtime computes them. */
export function binaryScores(score: number, isShare: boolean, transform: Transform): Numbers {
  if (transform === transforms['PROBIT']) return transform([score]);
  return isShare && transform === transforms['NONE'] ? [1 - score, score] : transform([-score, score]);
}

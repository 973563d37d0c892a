/** Matrix products, from the specification's text. Numbers are float64. */
import { castNumber } from '../elements.js';
import type { Formula } from '../operator.js';
import { broadcastShapes, makeTensor, numberAt, type PlainTensor, type Shape } from '../plain-tensor.js';
import { transpose } from './movement.js';
import { sumOf, type Term } from './term.js';

export const matmul: Formula<'matmul'> = (a, b) => {
  const batch = broadcastShapes(a.shape.slice(0, -2), b.shape.slice(0, -2));
  return makeTensor(a.dataType, [...batch, a.shape.at(-2) ?? 1, b.shape.at(-1) ?? 1], (place) => productAt(a, b, place));
};

/** alpha · a · b + beta · c, with alpha and beta cast to the data type. */
export const gemm: Formula<'gemm'> = (a, b, { c, aTranspose = false, bTranspose = false, ...options } = {}) => {
  const { dataType } = a;
  const inType = (factor = 1) => Number(castNumber(factor, dataType));
  const [alpha, beta] = [inType(options.alpha), inType(options.beta)];
  const [left, right] = [aTranspose ? transpose(a) : a, bTranspose ? transpose(b) : b];
  return makeTensor(dataType, [left.shape[0] ?? 1, right.shape[1] ?? 1], (place) => {
    const { value, scale } = productAt(left, right, place);
    const product = { value: alpha * value, scale: Math.abs(alpha) * scale };
    return c === undefined ? product : sumOf([product, beta * numberAt(c, place)]);
  });
};

/** One element of the product of two matrices, or of two batches of matrices. */
function productAt(a: PlainTensor, b: PlainTensor, place: Shape): Term {
  const [matrix, row, column] = [place.slice(0, -2), place.at(-2) ?? 0, place.at(-1) ?? 0];
  const terms = Array.from({ length: a.shape.at(-1) ?? 1 }, (_, k) => {
    return numberAt(a, [...matrix, row, k]) * numberAt(b, [...matrix, k, column]);
  });
  return sumOf(terms);
}

/** Matrix products, from the specification's text. Numbers are float64. */
import { roundTo, isFloatType } from '../elements.js';
import type { Formula } from '../operator.js';
import { broadcastShapes, makeTensor, numberAt } from '../plain-tensor.js';
import { sumOf } from './term.js';

export const matmul: Formula<'matmul'> = (a, b) => {
  const [rows = 1, inner = 1] = a.shape.slice(-2);
  const [columns = 1] = b.shape.slice(-1);
  const batch = broadcastShapes(a.shape.slice(0, -2), b.shape.slice(0, -2));
  return makeTensor(a.dataType, [...batch, rows, columns], (place) => {
    const [matrix, row, column] = [place.slice(0, -2), place.at(-2) ?? 0, place.at(-1) ?? 0];
    const terms = Array.from({ length: inner }, (_, k) => {
      return numberAt(a, [...matrix, row, k]) * numberAt(b, [...matrix, k, column]);
    });
    return sumOf(terms);
  });
};

/** alpha · a · b + beta · c, with alpha and beta cast to the data type. */
export const gemm: Formula<'gemm'> = (a, b, { c, aTranspose = false, bTranspose = false, ...options } = {}) => {
  const { dataType } = a;
  if (!isFloatType(dataType)) throw new TypeError(`gemm has no ${dataType}`);
  const [alpha, beta] = [roundTo(dataType, options.alpha ?? 1), roundTo(dataType, options.beta ?? 1)];
  const [rows = 1, inner = 1] = aTranspose ? a.shape.toReversed() : a.shape;
  const [columns = 1] = bTranspose ? b.shape : b.shape.slice(1);
  return makeTensor(dataType, [rows, columns], ([row = 0, column = 0]) => {
    const products = Array.from({ length: inner }, (_, k) => {
      const left = numberAt(a, aTranspose ? [k, row] : [row, k]);
      const right = numberAt(b, bTranspose ? [column, k] : [k, column]);
      return left * right;
    });
    const { value, scale } = sumOf(products);
    const product = { value: alpha * value, scale: Math.abs(alpha) * scale };
    return c === undefined ? product : sumOf([product, beta * numberAt(c, [row, column])]);
  });
};

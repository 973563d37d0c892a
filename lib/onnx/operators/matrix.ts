/** Products of matrices. */
import { productOf } from '../../tensors/tensor-size.js';
import { like, type Node } from '../node.js';
import { broadcast, permuted, type Operand } from '../operand.js';
import { einsum } from './einsum.js';
import { combined } from './element-wise.js';
import type { Lowerings } from './lowering.js';
import { matMul, quantizedProduct } from './matrix-helpers.js';
import { quantizeBytes } from './quantize.js';
import { constant, minusZeroPoint, zeros } from './tensor-helpers.js';

export const matrixOperators: Lowerings = {
  MatMul: (node) => matMul(node, node.input(0), node.input(1)),
  Gemm: gemm,
  Einsum: einsum,
  MatMulInteger: (node) => integerProduct(node, node.input(0), node.input(1), node.optional(2), node.optional(3)),
  QLinearMatMul: quantizedMatMul,
};

function gemm(node: Node): Operand {
  const [aTensor, bTensor, c] = [node.input(0), node.input(1), node.optional(2)];
  if (aTensor.dims.length !== 2 || bTensor.dims.length !== 2) throw new RangeError('both inputs are matrices');
  const [turnsA, turnsB] = [node.flag('transA'), node.flag('transB')];
  const [alpha, beta] = [node.float('alpha', 1), node.float('beta', 1)];
  const [a, b] = [turnsA ? permuted(aTensor, [1, 0]) : aTensor, turnsB ? permuted(bTensor, [1, 0]) : bTensor];
  const dims = [a.dims[0] ?? 1, b.dims[1] ?? 1];
  const cTensor = c && broadcast(c, dims);
  if (a.dataType !== 'float32' && a.dataType !== 'float16') {
    const made = multiple(node, matMul(node, a, b), alpha);
    return cTensor === undefined ? made : combined(node, 'elementWiseAdd', made, multiple(node, cTensor, beta));
  }
  if (a.dims[1] === 0) return cTensor === undefined ? zeros(node, a.dataType, dims) : node.scaled(cTensor, beta);
  return node.add('gemm', {
    ...{ aTensor, bTensor, cTensor, outputTensor: like(a, dims), alpha, beta },
    transA: turnsA ? 'transpose' : 'none',
    transB: turnsB ? 'transpose' : 'none',
  });
}

function multiple(node: Node, input: Operand, factor: number): Operand {
  if (factor === 1) return input;
  const isWhole = input.dataType === 'float64' || Number.isInteger(factor);
  if (!isWhole) throw node.unsupported('the factor of a product of integers', `${factor}`);
  return combined(node, 'elementWiseMultiply', input, constant(input.dataType, [], factor));
}

/** The sums of products of 8-bit integers minus their zero points, as int32. */
export function integerProduct(node: Node, a: Operand, b: Operand, aZero?: Operand, bZero?: Operand): Operand {
  const zeroPoints = { a: { zeroPoint: aZero }, b: { zeroPoint: bZero } };
  return (
    quantizedProduct(node, 'matrixMultiplyInteger', [a, b], zeroPoints, 'int32') ??
    matMul(node, minusZeroPoint(node, a, aZero), minusZeroPoint(node, b, bZero))
  );
}

function quantizedMatMul(node: Node): Operand {
  const [a, b] = [node.input(0), node.input(3)];
  const scaleAt = (i: number) => ({ scale: node.cast(node.input(i), 'float32'), zeroPoint: node.input(i + 1) });
  const [from, other, to] = [scaleAt(1), scaleAt(4), scaleAt(6)];
  const { dataType } = to.zeroPoint;
  const made = quantizedProduct(node, 'quantizedLinearMatrixMultiply', [a, b], { a: from, b: other, output: to }, dataType);
  if (made !== null) return made;
  // In steps, for scales that differ from matrix to matrix. One number per row is a column beside matrices.
  const perRow = (given: Operand) =>
    given.dims.length === 1 && a.dims.length > 1 ? node.reshape(given, [productOf(given.dims), 1]) : given;
  const sums = integerProduct(node, a, b, perRow(from.zeroPoint), other.zeroPoint);
  const factors = node.arithmetic('elementWiseMultiply', perRow(from.scale), other.scale);
  const products = node.arithmetic('elementWiseMultiply', node.cast(sums, 'float32'), factors);
  return quantizeBytes(node, products, { scale: perRow(to.scale), zeroPoint: perRow(to.zeroPoint) }, dataType);
}

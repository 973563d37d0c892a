/** Products of matrices. */
import { productOf } from '../../validation/tensor-size.js';
import { hostOperand } from '../make-data.js';
import { like, type Node } from '../node.js';
import { broadcast, numbersOf, Output, permuted, reshaped, type Operand } from '../operand.js';
import { einsum } from './einsum.js';
import type { Lowerings } from './lowering.js';
import { factorsOf, matMul, quantizationOf, type Factors } from './matrix-helpers.js';
import { constant, minusZeroPoint, zeros } from './tensor-helpers.js';

export const matrixOperators: Lowerings = {
  MatMul: (node) => matMul(node, node.input(0), node.input(1)),
  Gemm: gemm,
  Einsum: einsum,
  MatMulInteger: (node) => integerProduct(node, node.input(0), node.input(1), node.optional(2), node.optional(3)),
  QLinearMatMul: quantizedProduct,
};

function gemm(node: Node): Operand {
  const [a, b] = [node.input(0), node.input(1)];
  if (a.dims.length !== 2 || b.dims.length !== 2) throw new RangeError('both inputs are matrices');
  const [turnsA, turnsB] = [node.flag('transA'), node.flag('transB')];
  const left = turnsA ? permuted(a, [1, 0]) : a;
  const right = turnsB ? permuted(b, [1, 0]) : b;
  const [rows = 1, inner = 1] = left.dims;
  const [height = 1, columns = 1] = right.dims;
  if (inner !== height) throw new RangeError(`${inner} columns are multiplied by ${height} rows`);
  const dims = [rows, columns];
  const c = node.optional(2);
  const addend = c && broadcast(c, dims);
  const isFloat = a.dataType === 'float32' || a.dataType === 'float16';
  if (!isFloat) return exactGemm(node, left, right, addend);
  if (productOf(dims) === 0 || inner === 0) return emptyGemm(node, left, addend, dims);
  return node.add('gemm', {
    aTensor: a,
    bTensor: b,
    cTensor: addend,
    outputTensor: like(a, dims),
    transA: turnsA ? 'transpose' : 'none',
    transB: turnsB ? 'transpose' : 'none',
    alpha: node.float('alpha', 1),
    beta: node.float('beta', 1),
  });
}

/** A product of matrices without elements is 0. */
function emptyGemm(node: Node, { dataType }: Operand, addend: Operand | undefined, dims: readonly number[]): Operand {
  return addend === undefined ? zeros(node, dataType, dims) : node.scaled(addend, node.float('beta', 1));
}

/** Of integers and 64-bit floats. */
function exactGemm(node: Node, a: Operand, b: Operand, addend: Operand | undefined): Operand {
  if (a.dataType === 'float64') return doubleGemm(node, a, b, addend);
  const made = multiple(node, matMul(node, a, b), node.float('alpha', 1));
  return addend === undefined ? made : node.arithmetic('elementWiseAdd', made, multiple(node, addend, node.float('beta', 1)));
}

function multiple(node: Node, input: Operand, factor: number): Operand {
  if (factor === 1) return input;
  if (!Number.isInteger(factor)) throw node.unsupported('the factor of a product of integers', `${factor}`);
  return node.arithmetic('elementWiseMultiply', input, constant(input.dataType, input.dims, factor));
}

function doubleGemm(node: Node, a: Operand, b: Operand, addend: Operand | undefined): Operand {
  const [alpha, beta] = [node.float('alpha', 1), node.float('beta', 1)];
  const made = matMul(node, a, b);
  return node.computeOne([made, addend], (products, addends) => {
    const added = addends && numbersOf(addends);
    const elements = numbersOf(products).map(
      (element, i) => alpha * element + (added === undefined ? 0 : beta * (added[i] ?? 0)),
    );
    return hostOperand('float64', made.dims, elements);
  });
}

/** The sums of products of 8-bit integers minus their zero points, as int32. */
function integerProduct(node: Node, a: Operand, b: Operand, aZero?: Operand, bZero?: Operand): Operand {
  const matrices = withoutVectors(node, a, b);
  const factors = factorsOf(node, matrices.a, matrices.b);
  const { dims, fullDims } = factors;
  const final = vectorDims(fullDims, a, b);
  if (a.dims.at(-1) === 0 || productOf(dims) === 0) return zeros(node, 'int32', final);
  const [left, right] = [quantized(node, factors, aZero, true), quantized(node, factors, bZero, false)];
  if (left === null || right === null) {
    const [wideA, wideB] = [minusZeroPoint(node, matrices.a, aZero), minusZeroPoint(node, matrices.b, bZero)];
    return reshaped(matMul(node, wideA, wideB), final);
  }
  const made = node.add('matrixMultiplyInteger', {
    aTensor: factors.a,
    aZeroPointTensor: left,
    bTensor: factors.b,
    bZeroPointTensor: right,
    outputTensor: new Output('int32', dims),
  });
  return reshaped(made, final);
}

function quantized(node: Node, { dims }: Factors, given: Operand | undefined, isOfRows: boolean): Operand | null | undefined {
  return given && quantizationOf(node, given, dims.at(isOfRows ? -2 : -1) ?? 1, isOfRows);
}

function withoutVectors(node: Node, a: Operand, b: Operand): { a: Operand; b: Operand } {
  return {
    a: a.dims.length === 1 ? node.reshape(a, [1, ...a.dims]) : a,
    b: b.dims.length === 1 ? node.reshape(b, [...b.dims, 1]) : b,
  };
}

/** Without the dimensions of size 1 that vectors got for the product. */
function vectorDims(dims: readonly number[], a: Operand, b: Operand): readonly number[] {
  const left = a.dims.length === 1 ? dims.length - 2 : -1;
  const right = b.dims.length === 1 ? dims.length - 1 : -1;
  return dims.filter((_, i) => i !== left && i !== right);
}

function quantizedProduct(node: Node): Operand {
  const [a, b, outputZero] = [node.input(0), node.input(3), node.input(7)];
  const [aScale, bScale, outputScale] = [1, 4, 6].map((i) => node.cast(node.input(i), 'float32'));
  if (aScale === undefined || bScale === undefined || outputScale === undefined) throw new RangeError('a scale is missing');
  const matrices = withoutVectors(node, a, b);
  const factors = factorsOf(node, matrices.a, matrices.b);
  const { dims, fullDims } = factors;
  const final = vectorDims(fullDims, a, b);
  const tensors = {
    ...both(node, 'a', factors, aScale, node.input(2), true),
    ...both(node, 'b', factors, bScale, node.input(5), false),
    ...both(node, 'output', factors, outputScale, outputZero, true),
  };
  const isPlain = Object.values(tensors).every((tensor) => tensor !== null) && a.dims.at(-1) !== 0;
  if (!isPlain) return requantized(node, { aScale, bScale, outputScale, outputZero, dims: final });
  const outputTensor = new Output(outputZero.dataType, dims);
  return reshaped(
    node.add('quantizedLinearMatrixMultiply', { aTensor: factors.a, bTensor: factors.b, ...tensors, outputTensor }),
    final,
  );
}

/** The scale and the zero point of one tensor, of the same sizes; null for sizes that DirectML does not take. */
function both(node: Node, name: string, { dims }: Factors, scale: Operand, zero: Operand, isOfRows: boolean) {
  const count = dims.at(isOfRows ? -2 : -1) ?? 1;
  const pair = [quantizationOf(node, scale, count, isOfRows), quantizationOf(node, zero, count, isOfRows)] as const;
  const most = pair.find((each) => each !== null && productOf(each.dims) > 1)?.dims ?? [1];
  const [scaleTensor, zeroTensor] = pair.map((each) => each && broadcast(each, most));
  return { [`${name}ScaleTensor`]: scaleTensor, [`${name}ZeroPointTensor`]: zeroTensor };
}

interface Requantization {
  readonly aScale: Operand;
  readonly bScale: Operand;
  readonly outputScale: Operand;
  readonly outputZero: Operand;
  readonly dims: readonly number[];
}

/** In steps, for scales that differ from matrix to matrix. */
function requantized(node: Node, { aScale, bScale, outputScale, outputZero, dims }: Requantization): Operand {
  const [a, b] = [node.input(0), node.input(3)];
  const aScales = aScale.dims.length === 1 && a.dims.length > 1 ? node.reshape(aScale, [productOf(aScale.dims), 1]) : aScale;
  const sums = integerProduct(node, a, b, columnOf(node, node.input(2), a), node.input(5));
  const factors = node.arithmetic('elementWiseMultiply', aScales, bScale);
  const products = node.arithmetic('elementWiseMultiply', node.cast(sums, 'float32'), factors);
  return node.add('elementWiseQuantizeLinear', {
    inputTensor: products,
    scaleTensor: broadcast(columnOf(node, outputScale, a), dims),
    zeroPointTensor: broadcast(columnOf(node, outputZero, a), dims),
    outputTensor: new Output(outputZero.dataType, dims),
  });
}

/** One number per row, beside matrices. */
function columnOf(node: Node, given: Operand, { dims }: Operand): Operand {
  return given.dims.length === 1 && dims.length > 1 ? node.reshape(given, [productOf(given.dims), 1]) : given;
}

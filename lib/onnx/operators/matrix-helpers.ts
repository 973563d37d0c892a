/** Products of matrices in any number of dimensions and of any data type. */
import { productOf } from '../../tensors/tensor-size.js';
import type { DataType } from '../../tensors/generated/enums.js';
import { hostOperand } from '../make-data.js';
import { like, type Node } from '../node.js';
import {
  broadcast,
  broadcastDims,
  elementsOf,
  Output,
  permuted,
  reshaped,
  stridesOf,
  withLayout,
  withRank,
  type HostOperand,
  type Operand,
} from '../operand.js';
import { reduced, upTo, zeros } from './tensor-helpers.js';

/** More single products of integers than this are added up by JavaScript: the device would need memory for each. */
const mostProducts = 2 ** 22;

/** Two factors of a product whose batch has few dimensions. */
interface Factors {
  readonly a: Operand;
  readonly b: Operand;
  /** The sizes of the product of these. */
  readonly dims: readonly number[];
  /** The sizes that ONNX gives the product, in the same order of elements. */
  readonly fullDims: readonly number[];
}

/** `a × b` as NumPy's matmul has it, multiplied by `alpha` if these are floats. */
export function matMul(node: Node, a: Operand, b: Operand, alpha = 1): Operand {
  const factors = factorsOf(node, a, b);
  const { dims, fullDims } = factors;
  if (a.dims.at(-1) === 0 || productOf(dims) === 0) return zeros(node, a.dataType, fullDims);
  const isFloat = a.dataType === 'float32' || a.dataType === 'float16';
  return reshaped(isFloat ? gemm(node, factors, alpha) : exactProducts(node, factors, alpha), fullDims);
}

function gemm(node: Node, factors: Factors, alpha: number): Operand {
  const { a, b, dims } = rowsOfBatch(factors);
  const [left, right] = [turned(a), turned(b)];
  return node.add('gemm', {
    ...{ aTensor: left ?? a, bTensor: right ?? b, outputTensor: like(a, dims), alpha },
    transA: left === undefined ? 'none' : 'transpose',
    transB: right === undefined ? 'none' : 'transpose',
  });
}

/** A batch that shares its right matrix is one product of more rows. */
function rowsOfBatch(factors: Factors): Omit<Factors, 'fullDims'> {
  const { a, b, dims } = factors;
  const [batch = 1, rows = 1, columns = 1] = dims;
  const [far, row = 0, next = 0] = stridesOf(a);
  const [shared, ...matrix] = stridesOf(b);
  if (dims.length !== 3 || shared !== 0 || far !== rows * row) return factors;
  const all = withLayout(a, [batch * rows, a.dims[2] ?? 1], [row, next]);
  return { a: all, b: withLayout(b, b.dims.slice(1), matrix), dims: [batch * rows, columns] };
}

/** A matrix that lies in memory column by column, with rows and columns exchanged; undefined for others. */
function turned(matrix: Operand): Operand | undefined {
  const [width = 1, height = 1] = matrix.dims.slice(-2);
  const [column, row = 0] = stridesOf(matrix).slice(-2);
  const rank = matrix.dims.length;
  const isTurned = column === 1 && row >= width && height !== 1;
  return isTurned ? permuted(matrix, [...upTo(rank - 2), rank - 1, rank - 2]) : undefined;
}

/** The factors as matrices, with at most two dimensions before these. */
function factorsOf(node: Node, a: Operand, b: Operand): Factors {
  if (a.dims.length === 0 || b.dims.length === 0) throw new RangeError('a single number is no matrix');
  const matrices = withRank(a, 2);
  const others = b.dims.length === 1 ? withLayout(b, [...b.dims, 1], [...stridesOf(b), 0]) : b;
  const batch = broadcastDims(matrices.dims.slice(0, -2), others.dims.slice(0, -2));
  const [rows = 1, inner = 1] = matrices.dims.slice(-2);
  const [height = 1, columns = 1] = others.dims.slice(-2);
  if (inner !== height) throw new RangeError(`${inner} columns are multiplied by ${height} rows`);
  const [left, right] = [broadcast(matrices, [...batch, rows, inner]), broadcast(others, [...batch, inner, columns])];
  const fullDims = [...batch, ...(a.dims.length === 1 ? [] : [rows]), ...(b.dims.length === 1 ? [] : [columns])];
  const steps = stepsOf(left, right);
  if (steps.length > 2) return { ...factorsOf(node, node.packed(left), node.packed(right)), fullDims };
  const sizes = steps.map(({ size }) => size);
  return {
    a: withLayout(left, [...sizes, rows, inner], [...steps.map((step) => step.a), ...stridesOf(left).slice(-2)]),
    b: withLayout(right, [...sizes, inner, columns], [...steps.map((step) => step.b), ...stridesOf(right).slice(-2)]),
    dims: [...(productOf(sizes) === productOf(batch) ? sizes : batch), rows, columns],
    fullDims,
  };
}

/** The dimensions of the batch. Neighbors are one where the matrices of both tensors are evenly spaced. */
function stepsOf(a: Operand, b: Operand) {
  const [left, right] = [stridesOf(a), stridesOf(b)];
  const steps: { size: number; a: number; b: number }[] = [];
  for (const [i, size] of a.dims.slice(0, -2).entries()) {
    if (size === 1) continue;
    const step = { size, a: left[i] ?? 0, b: right[i] ?? 0 };
    const outer = steps.at(-1);
    if (outer?.a === size * step.a && outer.b === size * step.b) steps.splice(-1, 1, { ...step, size: outer.size * size });
    else steps.push(step);
  }
  return steps;
}

/** Of integers and 64-bit floats, for which DirectML has no products of matrices. */
function exactProducts(node: Node, factors: Factors, alpha: number): Operand {
  const { a, b, dims } = factors;
  if (alpha !== 1) throw node.unsupported('the factor of a product of integers', `${alpha}`);
  const inner = a.dims.at(-1) ?? 1;
  const isSummed = /^u?int(32|64)$/.test(a.dataType) && productOf(dims) * inner <= mostProducts;
  return isSummed ? summedProducts(node, factors) : node.computeOne([a, b], (left, right) => matrixProduct(left, right, dims));
}

/** Each row times each column, element by element, and then the sums. */
function summedProducts(node: Node, { a, b, dims }: Factors): Operand {
  const [rows = 1, columns = 1] = dims.slice(-2);
  const inner = a.dims.at(-1) ?? 1;
  const full = [...dims.slice(0, -2), rows, inner, columns];
  const far = stridesOf(b).slice(0, -2);
  const all = node.add('elementWiseMultiply', {
    aTensor: withLayout(a, full, [...stridesOf(a), 0]),
    bTensor: withLayout(b, full, [...far, 0, ...stridesOf(b).slice(-2)]),
    outputTensor: like(a, full),
  });
  return reshaped(reduced(node, 'sum', all, [full.length - 2]), dims);
}

function matrixProduct(left: HostOperand, right: HostOperand, dims: readonly number[]): HostOperand {
  const [rows = 1, columns = 1] = dims.slice(-2);
  const inner = left.dims.at(-1) ?? 1;
  const [a, b] = [elementsOf(left), elementsOf(right)];
  const elements = upTo(productOf(dims)).map((i) => {
    const column = i % columns;
    const row = Math.floor(i / columns);
    const matrix = Math.floor(row / rows) * inner * columns;
    return dot(left, (k) => [a[row * inner + k] ?? 0, b[matrix + k * columns + column] ?? 0], inner);
  });
  return hostOperand(left.dataType, dims, elements);
}

/** The sum of products; that of integers wraps around at the size of their type. */
function dot(
  { dataType }: Operand,
  pair: (k: number) => readonly [number | bigint, number | bigint],
  count: number,
): number | bigint {
  if (dataType === 'int64' || dataType === 'uint64') {
    return upTo(count).reduce((sum, k) => {
      const [a, b] = pair(k);
      return BigInt.asIntN(64, sum + BigInt(a) * BigInt(b));
    }, 0n);
  }
  const isFloat = dataType.startsWith('float');
  return upTo(count).reduce((sum, k) => {
    const [a, b] = pair(k);
    return isFloat ? sum + Number(a) * Number(b) : (sum + Math.imul(Number(a), Number(b))) | 0;
  }, 0);
}

interface Quantization {
  readonly scale?: Operand;
  readonly zeroPoint?: Operand | undefined;
}

/**
 * The product of quantized matrices by an operator of DirectML. Null if it does not take a scale or zero point, because that is
 * neither one number nor one for each row, or column of `b`; and without elements to sum.
 */
export function quantizedProduct(
  node: Node,
  type: 'matrixMultiplyInteger' | 'matrixMultiplyIntegerToFloat' | 'quantizedLinearMatrixMultiply',
  [a, b]: readonly [a: Operand, b: Operand],
  quantization: Readonly<Partial<Record<'a' | 'b' | 'output', Quantization>>>,
  dataType: DataType,
): Operand | null {
  const { dims, fullDims, ...factors } = factorsOf(node, a, b);
  if (a.dims.at(-1) === 0) return null;
  const tensors = Object.entries(quantization).flatMap(([name, { scale, zeroPoint }]) => {
    const all = [scale, zeroPoint].map((each) => each && perLine(node, each, dims, name !== 'b'));
    // Both have the same sizes.
    const most = all.find((each) => productOf(each?.dims ?? []) > 1)?.dims ?? [1];
    return all.map((each, i) => [name + (i === 0 ? 'ScaleTensor' : 'ZeroPointTensor'), each && broadcast(each, most)] as const);
  });
  if (tensors.some(([, tensor]) => tensor === null)) return null;
  const fields = { ...Object.fromEntries(tensors), aTensor: factors.a, bTensor: factors.b };
  return reshaped(node.add(type, { ...fields, outputTensor: new Output(dataType, dims) }), fullDims);
}

/** One number, or one for each row or column; null for others. */
function perLine(node: Node, given: Operand, dims: readonly number[], isOfRows: boolean): Operand | null {
  const count = productOf(given.dims);
  if (count === 1) return node.reshape(given, [1]);
  const axis = given.dims.length === 1 ? 0 : given.dims.length - (isOfRows ? 2 : 1);
  if (count !== dims.at(isOfRows ? -2 : -1) || given.dims[axis] !== count) return null;
  return node.reshape(given, isOfRows ? [count, 1] : [count]);
}

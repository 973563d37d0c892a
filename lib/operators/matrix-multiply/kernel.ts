/**
 * Matrix products. The matrices are the last two dimensions of their tensors. Sums are computed in float64, which holds every sum
 * of products of 8-bit integers exactly. Only if float32 would overflow on the way are floats summed in float32.
 */
import type { MatrixTransform } from '../../tensors/generated/enums.js';
import { saturateToFloat16, truncateOrOverflow, truncateToFloat16 } from '../../compute/numbers.js';
import { partOf, readNumbers, viewNumbers, writeNumbers, type TensorView } from '../../compute/tensor-view.js';
import { mayOverflow, mayUnderflow } from '../../compute/float32-range.js';
import { applyActivationInOwnPass, applyFusedActivation } from '../../compute/fused-activation.js';
import { isBiasInOwnPass, passesOf } from '../../compute/gemm-passes.js';
import type { Kernel } from '../../compute/kernel.js';
import { multiplication } from '../../compute/multiply.js';
import { copyColumns } from '../../compute/multiply-block.js';
import { requantize } from '../../compute/quantization.js';

/** Matrices one after the other, each packed; a single one if all of a batch are the same in memory. */
interface Matrices {
  readonly values: Float64Array;
  readonly rows: number;
  readonly columns: number;
}

const { fround } = Math;

export const gemm: Kernel<'gemm'> = (operator, tensors) => {
  const { cTensor: c, outputTensor: output } = tensors;
  const { transA, transB, alpha, beta, fusedActivation } = operator;
  const a = transformed(transA, matricesOf(tensors.aTensor));
  const b = transformed(transB, matricesOf(tensors.bTensor));
  const isHalf = output.dataType === 'float16';
  const isInFloat32 =
    mayOverflow(a.values, b.values, { length: a.columns, factor: alpha, isHalf }) ||
    (Math.abs(alpha) > 1 && mayUnderflow(a.values, b.values));
  const { isActivationFused, addsCInOwnPass } = passesOf(operator, tensors);
  const products = multiply(a, b, output, isInFloat32);
  for (let i = 0; i < products.length; i++) products[i] = fround(alpha * fround(products[i] ?? 0));
  const sums = addsCInOwnPass && isHalf ? truncateToFloat16(products) : products;
  if (c !== null) {
    const addends = viewNumbers(c);
    for (let i = 0; i < sums.length; i++) sums[i] = fround((sums[i] ?? 0) + fround(beta * (addends[i] ?? 0)));
  }
  if (isActivationFused) applyFusedActivation(fusedActivation, sums, output.sizes);
  else applyActivationInOwnPass(fusedActivation, sums, output, addsCInOwnPass ? truncateOrOverflow : truncateToFloat16);
  writeNumbers(output, isHalf ? sums.map(saturateToFloat16) : sums);
};

export const matrixMultiplyInteger: Kernel<'matrixMultiplyInteger'> = (_operator, tensors) => {
  const a = subtractZeroPoints(tensors.aTensor, tensors.aZeroPointTensor, 'rows');
  const b = subtractZeroPoints(tensors.bTensor, tensors.bZeroPointTensor, 'columns');
  // Sums that do not fit wrap around.
  writeNumbers(tensors.outputTensor, multiply(a, b, tensors.outputTensor));
};

/** Dequantizes both matrices, multiplies them and adds the bias. If the output is float16, so is the result of each pass. */
export const matrixMultiplyIntegerToFloat: Kernel<'matrixMultiplyIntegerToFloat'> = (_operator, tensors) => {
  const { biasTensor: bias, outputTensor: output } = tensors;
  const left = dequantized(tensors.aTensor, tensors.aScaleTensor, tensors.aZeroPointTensor, 'rows');
  const right = dequantized(tensors.bTensor, tensors.bScaleTensor, tensors.bZeroPointTensor, 'columns');
  const isHalf = output.dataType === 'float16';
  const sums = multiply(left, right, output, true);
  if (bias === null) return writeNumbers(output, isHalf ? truncateToFloat16(sums) : sums);
  const isBiasApart = isBiasInOwnPass(bias);
  const products = isHalf && isBiasApart ? truncateToFloat16(sums) : sums;
  readNumbers(bias).forEach((value, i) => (products[i] = Math.fround((products[i] ?? 0) + value)));
  writeNumbers(output, !isHalf ? products : isBiasApart ? truncateOrOverflow(products) : truncateToFloat16(products));
};

export const quantizedLinearMatrixMultiply: Kernel<'quantizedLinearMatrixMultiply'> = (_operator, tensors) => {
  const output = tensors.outputTensor;
  const a = subtractZeroPoints(tensors.aTensor, tensors.aZeroPointTensor, 'rows');
  const b = subtractZeroPoints(tensors.bTensor, tensors.bZeroPointTensor, 'columns');
  const sums = multiply(a, b, output);
  const [rows = 1, columns = 1] = output.sizes.slice(-2);
  const [aScales, bScales] = [readNumbers(tensors.aScaleTensor), readNumbers(tensors.bScaleTensor)];
  const scales = readNumbers(tensors.outputScaleTensor);
  const zeroPoints = numbersOrNone(tensors.outputZeroPointTensor);
  const rowOf = (i: number) => Math.floor(i / columns) % rows;
  const factor = (i: number) => {
    const ofRow = Math.fround(lineValue(aScales, rowOf(i), 1) / lineValue(scales, rowOf(i), 1));
    return Math.fround(ofRow * lineValue(bScales, i % columns, 1));
  };
  requantize(output, sums, factor, (i) => lineValue(zeroPoints, rowOf(i), 0));
};

function matricesOf(view: TensorView): Matrices {
  const [rows = 1, columns = 1] = view.sizes.slice(-2);
  const isOfBatch = (axis: number) => axis < view.sizes.length - 2;
  const isShared = view.sizes.every((size, axis) => !isOfBatch(axis) || size === 1 || view.strides[axis] === 0);
  const first = view.sizes.map((size, axis) => (isOfBatch(axis) ? 1 : size));
  return { values: readNumbers(isShared ? partOf(view, [], first) : view), rows, columns };
}

/** The lines of a matrix that have a scale and a zero point each, unless all share one. */
type Lines = 'rows' | 'columns';

/** The elements minus their zero points. */
function subtractZeroPoints(view: TensorView, zeroPoint: TensorView | null, lines: Lines): Matrices {
  const zeroPoints = numbersOrNone(zeroPoint);
  return eachElement(matricesOf(view), lines, (value, line) => value - lineValue(zeroPoints, line, 0));
}

/**
 * (value - zero point) * scale in float32; integers beyond 2^24 are rounded when they become float32. For float16 the result is
 * truncated. Without a zero point, though, the value becomes float16 first, and the product is infinite above the largest float16.
 */
function dequantized(view: TensorView, scale: TensorView, zeroPoint: TensorView | null, lines: Lines): Matrices {
  const scales = readNumbers(scale);
  const times = (value: number, line: number) => Math.fround(value * lineValue(scales, line, 1));
  const matrices = matricesOf(view);
  const isHalf = scale.dataType === 'float16';
  if (isHalf && zeroPoint === null) {
    const { values } = eachElement({ ...matrices, values: truncateToFloat16(matrices.values) }, lines, times);
    return { ...matrices, values: truncateOrOverflow(values) };
  }
  const zeroPoints = numbersOrNone(zeroPoint);
  const { values } = eachElement(matrices, lines, (value, line) =>
    times(Math.fround(Math.fround(value) - Math.fround(lineValue(zeroPoints, line, 0))), line),
  );
  return { ...matrices, values: isHalf ? truncateToFloat16(values) : values };
}

/** Changes the values in place; `line` is the number of the element's row or column. */
function eachElement(matrices: Matrices, lines: Lines, apply: (value: number, line: number) => number): Matrices {
  const { values, rows, columns } = matrices;
  for (let i = 0; i < values.length; i++) {
    values[i] = apply(values[i] ?? 0, lines === 'rows' ? Math.floor(i / columns) % rows : i % columns);
  }
  return matrices;
}

function numbersOrNone(view: TensorView | null): Float64Array | null {
  return view === null ? null : readNumbers(view);
}

/** The value for a line, or the only value if there is just one for all; `absent` if there is none. */
function lineValue(values: Float64Array | null, line: number, absent: number): number {
  if (values === null) return absent;
  return values[values.length === 1 ? 0 : line] ?? absent;
}

function transformed(transform: MatrixTransform, matrices: Matrices): Matrices {
  if (transform !== 'transpose') return matrices;
  const { values, rows, columns } = matrices;
  const transposed = new Float64Array(values.length);
  const size = rows * columns;
  for (let start = 0; start < values.length; start += size) {
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++) {
        transposed[start + column * rows + row] = values[start + row * columns + column] ?? 0;
      }
    }
  }
  return { values: transposed, rows: columns, columns: rows };
}

/** The product of each matrix of `a` with the matrix of `b` at the same index. */
function multiply(a: Matrices, b: Matrices, output: TensorView, isInFloat32 = false): Float64Array {
  const { columns: length } = a;
  const { columns: stride } = b;
  const values = new Float64Array(output.elementCount);
  const multiplyBy = multiplication(length, isInFloat32);
  const [isOneA, isOneB] = [a, b].map((matrices) => matrices.values.length === matrices.rows * matrices.columns);
  // The rows of all matrices are multiplied at once if they have the same matrix on their right.
  const count = isOneB && !isOneA ? a.values.length / length : a.rows;
  for (let batch = 0; batch * count * stride < values.length; batch++) {
    const rows = { values: a.values, start: isOneA ? 0 : batch * count * length, count, length };
    const layOut = (first: number, columns: number, block: Float64Array) => {
      copyColumns(b, isOneB ? 0 : batch, first, columns, block);
    };
    multiplyBy(rows, stride, layOut, { values, start: batch * count * stride, stride });
  }
  return values;
}

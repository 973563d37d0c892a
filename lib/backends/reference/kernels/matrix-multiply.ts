/**
 * Products of matrices, which are the last two dimensions of their tensors. All is summed in float64, which holds every
 * sum of products of 8-bit integers exactly, and rounded once.
 */
import type { ResolvedOperator } from '../../../validation/resolved.js';
import { readNumbers, writeNumbers, type TensorView } from '../tensor-view.js';
import { quantize } from './element-wise-quantize.js';
import { applyFusedActivation } from './fused-activation.js';
import { numberField, required, type Kernel } from './kernel.js';

/** Matrices one after the other, each packed. */
interface Matrices {
  readonly values: Float64Array;
  readonly rows: number;
  readonly columns: number;
}

export const gemm: Kernel = (operator, inputs, outputs) => {
  const a = transformed(operator, 'transA', matricesOf(required(inputs, 0)));
  const b = transformed(operator, 'transB', matricesOf(required(inputs, 1)));
  const [, , c = null] = inputs;
  const output = required(outputs, 0);
  const alpha = Math.fround(numberField(operator, 'alpha'));
  const beta = Math.fround(numberField(operator, 'beta'));
  const sums = multiply(a, b);
  const addends = c === null ? null : readNumbers(c);
  for (let i = 0; i < sums.length; i++) {
    const product = alpha * (sums[i] ?? 0);
    sums[i] = addends === null ? product : product + beta * (addends[i] ?? 0);
  }
  applyFusedActivation(operator.fields['fusedActivation'], sums, output.sizes);
  writeNumbers(output, sums);
};

export const matrixMultiplyInteger: Kernel = (_operator, inputs, outputs) => {
  const [a, aZeroPoint = null, b, bZeroPoint = null] = inputs;
  const product = multiply(dequantized(a, null, aZeroPoint, 'rows'), dequantized(b, null, bZeroPoint, 'columns'));
  // What does not fit wraps around.
  writeNumbers(required(outputs, 0), product);
};

export const matrixMultiplyIntegerToFloat: Kernel = (_operator, inputs, outputs) => {
  const [a, aScale = null, aZeroPoint = null, b, bScale = null, bZeroPoint = null, bias = null] = inputs;
  const product = multiply(dequantized(a, aScale, aZeroPoint, 'rows'), dequantized(b, bScale, bZeroPoint, 'columns'));
  if (bias !== null) readNumbers(bias).forEach((value, i) => (product[i] = (product[i] ?? 0) + value));
  writeNumbers(required(outputs, 0), product);
};

export const quantizedLinearMatrixMultiply: Kernel = (_operator, inputs, outputs) => {
  const [a, aScale = null, aZeroPoint = null, b, bScale = null, bZeroPoint = null, scale, zeroPoint = null] = inputs;
  const output = required(outputs, 0);
  const product = multiply(dequantized(a, aScale, aZeroPoint, 'rows'), dequantized(b, bScale, bZeroPoint, 'columns'));
  const [rows = 1, columns = 1] = output.sizes.slice(-2);
  const [scales, zeroPoints] = [scale ?? null, zeroPoint].map((view) => (view === null ? null : readNumbers(view)));
  const rowOf = (i: number) => Math.floor(i / columns) % rows;
  quantize(output, product, (i) => at(scales ?? null, rowOf(i), 1), (i) => at(zeroPoints ?? null, rowOf(i), 0));
};

function matricesOf(view: TensorView): Matrices {
  const [rows = 1, columns = 1] = view.sizes.slice(-2);
  return { values: readNumbers(view), rows, columns };
}

/** (value - zero point) * scale, which there is one of for all, or one for each row or column. */
function dequantized(
  view: TensorView | null | undefined,
  scale: TensorView | null,
  zeroPoint: TensorView | null,
  lines: 'rows' | 'columns',
): Matrices {
  if (view === null || view === undefined) throw new TypeError('a matrix is not bound');
  const matrices = matricesOf(view);
  const { values, rows, columns } = matrices;
  const scales = scale === null ? null : readNumbers(scale);
  const zeroPoints = zeroPoint === null ? null : readNumbers(zeroPoint);
  for (let i = 0; i < values.length; i++) {
    const line = lines === 'rows' ? Math.floor(i / columns) % rows : i % columns;
    values[i] = ((values[i] ?? 0) - at(zeroPoints, line, 0)) * at(scales, line, 1);
  }
  return matrices;
}

/** One value for all lines, or one each. */
function at(values: Float64Array | null, line: number, absent: number): number {
  if (values === null) return absent;
  return values[values.length === 1 ? 0 : line] ?? absent;
}

function transformed(operator: ResolvedOperator, transform: string, matrices: Matrices): Matrices {
  if (operator.fields[transform] !== 'transpose') return matrices;
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

/** The product of each matrix of `a` and its partner in `b`. */
function multiply(a: Matrices, b: Matrices): Float64Array {
  const { rows, columns: inner } = a;
  const { columns } = b;
  const batches = a.values.length / (rows * inner);
  const product = new Float64Array(batches * rows * columns);
  for (let row = 0; row < batches * rows; row++) {
    const target = row * columns;
    const firstB = Math.floor(row / rows) * inner * columns;
    // Row by row of B, so that the innermost loop runs over neighbours in memory.
    for (let k = 0; k < inner; k++) {
      const factor = a.values[row * inner + k] ?? 0;
      const source = firstB + k * columns;
      for (let column = 0; column < columns; column++) {
        product[target + column] = (product[target + column] ?? 0) + factor * (b.values[source + column] ?? 0);
      }
    }
  }
  return product;
}

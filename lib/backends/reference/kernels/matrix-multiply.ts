/**
 * Products of matrices, which are the last two dimensions of their tensors. All is summed in float64, which holds every
 * sum of products of 8-bit integers exactly, and rounded once.
 */
import type { ResolvedOperator } from '../../../validation/resolved.js';
import { readNumbers, writeNumbers, type TensorView } from '../tensor-view.js';
import { quantizeAsIntegers } from './element-wise-quantize.js';
import { applyFusedActivation } from './fused-activation.js';
import { numberField, required, type Kernel } from './kernel.js';
import { BLOCK, multiplyBlock } from './multiply-block.js';

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
  quantizeAsIntegers(output, product, (i) => at(scales ?? null, rowOf(i), 1), (i) => at(zeroPoints ?? null, rowOf(i), 0));
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
  const { rows: count, columns: length } = a;
  const { columns: stride } = b;
  const batches = a.values.length / (count * length);
  const product = new Float64Array(batches * count * stride);
  const block = new Float64Array(BLOCK * length);
  for (let batch = 0; batch < batches; batch++) {
    const rows = { values: a.values, start: batch * count * length, count, length };
    for (let column = 0; column < stride; column += BLOCK) {
      const columns = Math.min(BLOCK, stride - column);
      copyColumns(b, batch, column, columns, block);
      multiplyBlock(rows, block, columns, { values: product, start: batch * count * stride + column, stride });
    }
  }
  return product;
}

function copyColumns({ values, rows, columns }: Matrices, batch: number, first: number, count: number, block: Float64Array): void {
  for (let row = 0; row < rows; row++) {
    const from = (batch * rows + row) * columns + first;
    for (let i = 0; i < count; i++) block[row * BLOCK + i] = values[from + i] ?? 0;
  }
}

/** Tolerance of matrixMultiplyIntegerToFloat. */
import type { TensorDesc } from 'node-directml';
import type { ConformanceCase, WholeDescriptor } from '../../cases/case.js';
import { inputOf } from '../../tolerance/magnitudes.js';
import { ofMagnitudes, type ComputedRow } from '../../tolerance/row.js';

export const integerProduct: ComputedRow = {
  ulp: 5,
  perTerm: 0.5,
  narrowed: 5,
  magnitude: ofMagnitudes('Σ (|a| + |zero point|)·|scale|·(|b| + |zero point|)·|scale| + |bias|'),
  magnitudesOf: productMagnitudes,
  reason:
    'each factor rounds its integer, its zero point, their difference and a product; then the product of both factors rounds; ' +
    'each term of the sum rounds by 0.5 ULP; with float16, the integers, both matrices and their product truncate to float16',
};

type Named = WholeDescriptor<'matrixMultiplyIntegerToFloat'>;

function productMagnitudes(test: ConformanceCase): Float64Array {
  const { descriptor } = test;
  if (descriptor.type !== 'matrixMultiplyIntegerToFloat') throw new TypeError(`${descriptor.type} is another operator`);
  const [rows = 1, columns = 1] = descriptor.outputTensor?.sizes?.slice(-2) ?? [];
  const length = descriptor.aTensor.sizes.at(-1) ?? 1;
  const a = factors(test, descriptor, 'a', (i) => Math.floor(i / length) % rows);
  const b = factors(test, descriptor, 'b', (i) => i % columns);
  const bias = inputOf(test, 'biasTensor', descriptor.biasTensor);
  return Float64Array.from({ length: (a.length / length) * columns }, (_, i) => {
    const row = Math.floor(i / columns);
    const first = Math.floor(row / rows) * length * columns + (i % columns);
    let sum = Math.abs(bias[bias.length === 1 ? 0 : i] ?? 0);
    for (let k = 0; k < length; k++) sum += (a[row * length + k] ?? 0) * (b[first + k * columns] ?? 0);
    return sum;
  });
}

/** (|element| + |zero point|) · |scale| for each element of a matrix. `lineOf` gives an element's row in A or column in B. */
function factors(test: ConformanceCase, descriptor: Named, matrix: 'a' | 'b', lineOf: (i: number) => number): Float64Array {
  const values = (name: keyof Named & `${string}Tensor`, tensor: TensorDesc | null | undefined, absent = 0) =>
    inputOf(test, name, tensor, absent).map(Math.abs);
  const scales = values(`${matrix}ScaleTensor`, descriptor[`${matrix}ScaleTensor`], 1);
  const zeroPoints = values(`${matrix}ZeroPointTensor`, descriptor[`${matrix}ZeroPointTensor`]);
  const at = (list: Float64Array, line: number) => list[list.length === 1 ? 0 : line] ?? 0;
  return values(`${matrix}Tensor`, descriptor[`${matrix}Tensor`]).map(
    (value, i) => (value + at(zeroPoints, lineOf(i))) * at(scales, lineOf(i)),
  );
}

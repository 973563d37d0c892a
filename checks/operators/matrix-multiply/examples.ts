/** Examples of the operators that multiply matrices. */
import { tensor, type ExampleTensor } from '../../cases/example.js';
import { own } from '../../cases/own-example.js';

const matrix = (dataType: ExampleTensor['dataType'], sizes: readonly number[], ...values: readonly number[]): ExampleTensor =>
  tensor(dataType, sizes, values);

const one = (dataType: ExampleTensor['dataType'], value: number): ExampleTensor => tensor(dataType, [1, 1], [value]);

/** [1 2 3; 4 5 6] × [1 0; 0 1; 1 1] is [4 5; 10 11]. */
const a = matrix('uint8', [2, 3], 11, 12, 13, 14, 15, 16);
const b = matrix('uint8', [3, 2], 1, 0, 0, 1, 1, 1);
const aZeroPointTensor = one('uint8', 10);

export const ours = [
  own(
    'gemm',
    {
      aTensor: matrix('float32', [2, 3], 1, 2, 3, 4, 5, 6),
      bTensor: matrix('float32', [3, 2], 1, 0, 0, 1, 1, 1),
      cTensor: matrix('float32', [2, 2], 1, 1, 1, 1),
    },
    { outputTensor: matrix('float32', [2, 2], 9, 11, 21, 23) },
    { transA: 'none', transB: 'none', alpha: 2, beta: 1 },
  ),
  own(
    'matrixMultiplyInteger',
    { aTensor: a, aZeroPointTensor, bTensor: b },
    { outputTensor: matrix('int32', [2, 2], 4, 5, 10, 11) },
  ),
  own(
    'matrixMultiplyIntegerToFloat',
    { aTensor: a, aScaleTensor: one('float32', 0.5), aZeroPointTensor, bTensor: b, bScaleTensor: one('float32', 1) },
    { outputTensor: matrix('float32', [2, 2], 2, 2.5, 5, 5.5) },
  ),
  own(
    'quantizedLinearMatrixMultiply',
    {
      ...{ aTensor: a, aScaleTensor: one('float32', 1), aZeroPointTensor, bTensor: b, bScaleTensor: one('float32', 1) },
      ...{ outputScaleTensor: one('float32', 2), outputZeroPointTensor: one('int8', -1) },
    },
    { outputTensor: matrix('int8', [2, 2], 1, 1, 4, 5) },
  ),
];

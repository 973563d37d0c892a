/** Examples of nonzeroCoordinates. */
import { examplesOf, tensor } from '../../cases/example.js';
import { floatTensor, own } from '../../cases/own-example.js';

const UNDEFINED_ROW = [null, null, null];

export const nonzeroCoordinates = examplesOf('nonzeroCoordinates', 'ns-directml-dml_nonzero_coordinates_operator_desc.md', [
  {
    title: 'in row-major order',
    inputs: { inputTensor: tensor('float32', [2, 6], [0, 0, 0, 0, 0, 1, 1, 0, 1, 0, 0, 0]) },
    outputs: {
      outputCountTensor: tensor('uint32', [1, 1], [3]),
      outputCoordinatesTensor: tensor('uint32', [12, 2], [...[0, 5, 1, 0, 1, 2], ...new Array<null>(18).fill(null)]),
    },
    note: 'The page lists three coordinates; the sizes are ours.',
  },
  {
    title: 'with coordinates of three dimensions',
    inputs: { inputTensor: tensor('float32', [1, 1, 2, 4], [1, 0, 0, 2, -0, 3.5, 0, -5.2]) },
    outputs: {
      outputCountTensor: tensor('uint32', [1, 1, 1, 1], [4]),
      outputCoordinatesTensor: tensor(
        'uint32',
        [1, 1, 8, 3],
        [...[0, 0, 0, 0, 0, 3, 0, 1, 1, 0, 1, 3], ...[...UNDEFINED_ROW, ...UNDEFINED_ROW, ...UNDEFINED_ROW, ...UNDEFINED_ROW]],
      ),
    },
  },
]);

export const ours = [
  own(
    'nonzeroCoordinates',
    { inputTensor: floatTensor([2, 2], 5, 0, 0, 7) },
    {
      outputCountTensor: tensor('uint32', [1], [2]),
      outputCoordinatesTensor: tensor('uint32', [4, 2], [0, 0, 1, 1, null, null, null, null]),
    },
  ),
];

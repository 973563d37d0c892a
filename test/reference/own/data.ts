/** Operators that make, move and convert elements. */
import { tensor, type ExampleTensor } from '../example.js';
import { floats, integers, own, unary } from './own.js';

const image = (sizes: readonly number[], ...values: readonly number[]): ExampleTensor =>
  tensor('float32', sizes, values);
const padded = { startPadding: [0, 1], endPadding: [0, 1] };
const shallow = image([1, 1, 2, 4], 1, 2, 3, 4, 5, 6, 7, 8);
const deep = image([1, 4, 1, 2], 1, 3, 2, 4, 5, 7, 6, 8);

export const movement = [
  unary('cast', floats(1.75, -2.5, 300), integers(1, -2, 300)),
  unary('padding', image([2, 2], 1, 2, 3, 4), image([2, 4], 0, 1, 2, 0, 0, 3, 4, 0), {
    paddingMode: 'constant',
    paddingValue: 0,
    ...padded,
  }),
  unary('padding1', image([2, 2], 1, 2, 3, 4), image([2, 4], 9, 1, 2, 9, 9, 3, 4, 9), {
    paddingMode: 'constant',
    paddingValueDataType: 'float32',
    paddingValue: 9,
    ...padded,
  }),
  unary('spaceToDepth', shallow, deep, { blockSize: 2 }),
  unary('spaceToDepth1', shallow, deep, { blockSize: 2, order: 'depthColumnRow' }),
  unary('depthToSpace', deep, shallow, { blockSize: 2 }),
  unary('depthToSpace1', deep, shallow, { blockSize: 2, order: 'depthColumnRow' }),
  unary('valueScale2d', image([1, 3, 1, 2], 1, 2, 3, 4, 5, 6), image([1, 3, 1, 2], 12, 14, 26, 28, 40, 42), {
    scale: 2,
    bias: [10, 20, 30],
  }),
  unary(
    'unfold',
    image([1, 1, 3, 3], 1, 2, 3, 4, 5, 6, 7, 8, 9),
    image([1, 4, 4], 1, 2, 4, 5, 2, 3, 5, 6, 4, 5, 7, 8, 5, 6, 8, 9),
    { windowSizes: [2, 2], strides: [1, 1], dilations: [1, 1], startPadding: [0, 0], endPadding: [0, 0] },
  ),
];

export const indices = [
  own(
    'scatterElements',
    {
      inputTensor: floats(1, 2, 3, 4, 5),
      indicesTensor: tensor('uint32', [2], [3, 0]),
      updatesTensor: floats(9, 8),
    },
    { outputTensor: floats(8, 2, 3, 9, 5) },
    { axis: 0 },
  ),
  own(
    'nonzeroCoordinates',
    { inputTensor: image([2, 2], 5, 0, 0, 7) },
    {
      outputCountTensor: tensor('uint32', [1], [2]),
      outputCoordinatesTensor: tensor('uint32', [4, 2], [0, 0, 1, 1, null, null, null, null]),
    },
  ),
];

export const generators = [
  own(
    'randomGenerator',
    { inputStateTensor: tensor('uint32', [6], [0, 0, 0, 0, 0, 0]) },
    {
      outputTensor: tensor('uint32', [4], [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8]),
      outputStateTensor: tensor('uint32', [6], [1, 0, 0, 0, 0, 0]),
    },
    { generatorType: 'philox4x32_10' },
  ),
];

/** Examples of the operators between space and depth: each pair shows one transformation in both directions. */
import { examplesOf, tensor } from '../../cases/example.js';
import { floatTensor, unary } from '../../cases/own-example.js';

/** Eight channels of 2 × 3 elements. The first elements of the channels are multiples of 9. */
const deep = tensor(
  'uint32',
  [1, 8, 2, 3],
  [0, 9, 18, 27, 36, 45, 54, 63].flatMap((first) => [0, 1, 2, 3, 4, 5].map((i) => first + i)),
);

const depthFirst = tensor(
  'uint32',
  [1, 2, 4, 6],
  [
    ...[0, 18, 1, 19, 2, 20],
    ...[36, 54, 37, 55, 38, 56],
    ...[3, 21, 4, 22, 5, 23],
    ...[39, 57, 40, 58, 41, 59],
    ...[9, 27, 10, 28, 11, 29],
    ...[45, 63, 46, 64, 47, 65],
    ...[12, 30, 13, 31, 14, 32],
    ...[48, 66, 49, 67, 50, 68],
  ],
);

const depthLast = tensor(
  'uint32',
  [1, 2, 4, 6],
  [
    ...[0, 9, 1, 10, 2, 11],
    ...[18, 27, 19, 28, 20, 29],
    ...[3, 12, 4, 13, 5, 14],
    ...[21, 30, 22, 31, 23, 32],
    ...[36, 45, 37, 46, 38, 47],
    ...[54, 63, 55, 64, 56, 65],
    ...[39, 48, 40, 49, 41, 50],
    ...[57, 66, 58, 67, 59, 68],
  ],
);

export const spaceToDepth = examplesOf('spaceToDepth', 'ns-directml-dml_space_to_depth_operator_desc.md', [
  {
    title: 'blocks of 2 by 2',
    inputs: { inputTensor: depthFirst },
    outputs: { outputTensor: deep },
    fields: { blockSize: 2 },
  },
]);

export const spaceToDepth1 = examplesOf('spaceToDepth1', 'ns-directml-dml_space_to_depth1_operator_desc.md', [
  {
    title: 'depth, column, row',
    inputs: { inputTensor: depthFirst },
    outputs: { outputTensor: deep },
    fields: { blockSize: 2, order: 'depthColumnRow' },
  },
  {
    title: 'column, row, depth',
    inputs: { inputTensor: depthLast },
    outputs: { outputTensor: deep },
    fields: { blockSize: 2, order: 'columnRowDepth' },
  },
]);

export const depthToSpace = examplesOf('depthToSpace', 'ns-directml-dml_depth_to_space_operator_desc.md', [
  {
    title: 'blocks of 2 by 2',
    inputs: { inputTensor: deep },
    outputs: { outputTensor: depthFirst },
    fields: { blockSize: 2 },
  },
]);

export const depthToSpace1 = examplesOf('depthToSpace1', 'ns-directml-dml_depth_to_space1_operator_desc.md', [
  {
    title: 'depth, column, row',
    inputs: { inputTensor: deep },
    outputs: { outputTensor: depthFirst },
    fields: { blockSize: 2, order: 'depthColumnRow' },
  },
  {
    title: 'column, row, depth',
    inputs: { inputTensor: deep },
    outputs: { outputTensor: depthLast },
    fields: { blockSize: 2, order: 'columnRowDepth' },
  },
]);

const shallow = floatTensor([1, 1, 2, 4], 1, 2, 3, 4, 5, 6, 7, 8);
const fourChannels = floatTensor([1, 4, 1, 2], 1, 3, 2, 4, 5, 7, 6, 8);

export const ours = [
  unary('spaceToDepth', shallow, fourChannels, { blockSize: 2 }),
  unary('spaceToDepth1', shallow, fourChannels, { blockSize: 2, order: 'depthColumnRow' }),
  unary('depthToSpace', fourChannels, shallow, { blockSize: 2 }),
  unary('depthToSpace1', fourChannels, shallow, { blockSize: 2, order: 'depthColumnRow' }),
];

import type { Family } from '../../descriptors/facts.js';
import { all, floats, upTo32Bits } from '../../descriptors/data-type-lists.js';

export const depthSpace: Family = {
  meanings: {
    inputTensor: 'The images whose blocks become channels.',
    outputTensor: 'The smaller images with more channels.',
    blockSize: 'Width and height, in elements, of the blocks that become channels.',
    order: 'The order in which channels hold the rows, columns and depth of blocks.',
  },
  operators: {
    spaceToDepth: {
      value: 68,
      since: '1.0',
      listed: { after: 'tile' },
      summary: 'Moves square blocks of height and width into the channels: an image becomes smaller and deeper.',
      explanation: [
        "The order is that of `'depthColumnRow'` in [spaceToDepth1](spaceToDepth1.md). With a block of 2, `[[[0, 2], [4, 6]], [[1, 3], [5, 7]]]` gives `[0, 1, 2, 3, 4, 5, 6, 7]`.",
      ],
      otherNames: { ONNX: ['SpaceToDepth'], PyTorch: ['torch.nn.functional.pixel_unshuffle'], others: ['tf.nn.space_to_depth'] },
      fields: {
        inputTensor: {
          kind: 'input',
          shape: '{ BatchCount, InputChannelCount, InputHeight, InputWidth }',
          support: { '5.0': ['4', all], '2.1': ['4', upTo32Bits], '1.0': ['4', floats] },
        },
        outputTensor: {
          kind: 'output',
          shape: '{ BatchCount, OutputChannelCount, OutputHeight, OutputWidth }',
          support: 'inputTensor',
        },
        blockSize: { kind: 'uint' },
      },
    },
    spaceToDepth1: {
      value: 114,
      since: '2.1',
      summary: 'Moves square blocks of height and width into the channels, in a chosen order.',
      explanation: [
        "With a block of 2 and `'depthColumnRow'`, `[[[0, 2], [4, 6]], [[1, 3], [5, 7]]]` gives `[0, 1, 2, 3, 4, 5, 6, 7]`; with `'columnRowDepth'`, `[[[0, 1], [2, 3]], [[4, 5], [6, 7]]]` gives `[0, 1, 2, 3, 4, 5, 6, 7]`.",
      ],
      otherNames: { ONNX: ['SpaceToDepth'], PyTorch: ['torch.nn.functional.pixel_unshuffle'], others: ['tf.nn.space_to_depth'] },
      like: 'spaceToDepth',
      fields: {
        inputTensor: { support: { '5.0': ['4', all], '2.1': ['4', upTo32Bits] } },
        order: {
          kind: 'enum',
          enumName: 'DepthSpaceOrder',
          default: { value: 'depthColumnRow', source: ['DirectMLX.h', 'ONNX'] },
        },
      },
    },
    depthToSpace: {
      value: 69,
      since: '1.0',
      summary: 'Moves channels into square blocks of height and width: an image becomes larger and shallower.',
      explanation: [
        "The order is that of `'depthColumnRow'` in [depthToSpace1](depthToSpace1.md). With a block of 2, `[0, 1, 2, 3, 4, 5, 6, 7]` gives `[[[0, 2], [4, 6]], [[1, 3], [5, 7]]]`.",
      ],
      otherNames: { ONNX: ['DepthToSpace'], others: ['tf.nn.depth_to_space'] },
      fields: {
        inputTensor: {
          kind: 'input',
          meaning: 'The images whose channels become blocks.',
          shape: '{ BatchCount, InputChannelCount, InputHeight, InputWidth }',
          support: { '5.0': ['4', all], '2.1': ['4', upTo32Bits], '1.0': ['4', floats] },
        },
        outputTensor: {
          kind: 'output',
          meaning: 'The larger images with fewer channels.',
          shape: '{ BatchCount, OutputChannelCount, OutputHeight, OutputWidth }',
          support: 'inputTensor',
        },
        blockSize: { kind: 'uint', meaning: 'Width and height, in elements, of the blocks that channels become.' },
      },
    },
    depthToSpace1: {
      value: 113,
      since: '2.1',
      summary: 'Moves channels into square blocks of height and width, in a chosen order.',
      explanation: [
        "With a block of 2 and `'depthColumnRow'`, `[0, 1, 2, 3, 4, 5, 6, 7]` gives `[[[0, 2], [4, 6]], [[1, 3], [5, 7]]]`; with `'columnRowDepth'`, `[0, 1, 2, 3, 4, 5, 6, 7]` gives `[[[0, 1], [2, 3]], [[4, 5], [6, 7]]]`.",
      ],
      otherNames: {
        ONNX: ['DepthToSpace'],
        PyTorch: ['torch.nn.functional.pixel_shuffle'],
        others: ['pixel shuffle', 'tf.nn.depth_to_space'],
      },
      like: 'depthToSpace',
      fields: {
        inputTensor: { support: { '5.0': ['4', all], '2.1': ['4', upTo32Bits] } },
        order: {
          kind: 'enum',
          enumName: 'DepthSpaceOrder',
          default: { value: 'depthColumnRow', source: ['DirectMLX.h', 'ONNX'], note: 'mode DCR' },
        },
      },
    },
  },
};

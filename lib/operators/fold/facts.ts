import type { Family } from '../../descriptors/facts.js';
import { all } from '../../descriptors/data-type-lists.js';

export const fold: Family = {
  meanings: {
    windowSizes:
      'Number of elements of a window along each spatial dimension; as many numbers as the images have such dimensions.',
    strides: 'How many elements the window moves from one column to the next, per spatial dimension.',
  },
  operators: {
    fold: {
      value: 176,
      since: '6.4',
      listed: { after: 'valueScale2d' },
      summary:
        'Combines columns of sliding windows into images and adds up where windows overlap; the inverse of `unfold` except for these sums.',
      explanation: ['Elements of windows that overlap are added up. It is the same as `torch.nn.functional.fold`.'],
      otherNames: { ONNX: ['Col2Im'], PyTorch: ['torch.nn.functional.fold'], others: ['col2im', 'overlap add'] },
      refusedDataTypes: ['float64'],
      fields: {
        inputTensor: {
          kind: 'input',
          meaning: 'The columns, each with the elements of one window.',
          support: { '6.4': ['3 to 8', all] },
        },
        outputTensor: { kind: 'output', meaning: 'The images that the windows add up to.', support: 'inputTensor' },
        dimensionCount: { kind: 'uint', perDimensionOf: 'outputTensor', fromDimension: 2 },
        windowSizes: { kind: 'uintArray', countField: 'dimensionCount' },
        strides: {
          kind: 'uintArray',
          countField: 'dimensionCount',
          default: { fill: 1, perElementOf: 'windowSizes', source: ['PyTorch'] },
        },
        dilations: {
          kind: 'uintArray',
          countField: 'dimensionCount',
          default: { fill: 1, perElementOf: 'windowSizes', source: ['PyTorch'] },
        },
        startPadding: {
          kind: 'uintArray',
          countField: 'dimensionCount',
          meaning: 'How many elements are cut off the start of each spatial dimension after windows are added up.',
          default: { fill: 0, perElementOf: 'windowSizes', source: ['PyTorch'] },
        },
        endPadding: {
          kind: 'uintArray',
          countField: 'dimensionCount',
          meaning: 'How many elements are cut off the end of each spatial dimension after windows are added up.',
          default: { fill: 0, perElementOf: 'windowSizes', source: ['PyTorch'] },
        },
      },
    },
    unfold: {
      value: 177,
      since: '6.4',
      summary: 'Copies each position of a sliding window over images into a column.',
      explanation: [
        'It is the same as `torch.nn.functional.unfold`: a column holds the window channel by channel, each in row-major order.',
      ],
      otherNames: { PyTorch: ['torch.nn.functional.unfold'], others: ['im2col', 'patches', 'tf.image.extract_patches'] },
      refusedDataTypes: ['float64'],
      fields: {
        inputTensor: { kind: 'input', meaning: 'The images that the window slides over.', support: { '6.4': ['3 to 8', all] } },
        outputTensor: { kind: 'output', meaning: 'The columns, each with the elements of one window.', support: 'inputTensor' },
        dimensionCount: { kind: 'uint', perDimensionOf: 'inputTensor', fromDimension: 2 },
        windowSizes: { kind: 'uintArray', countField: 'dimensionCount' },
        strides: {
          kind: 'uintArray',
          countField: 'dimensionCount',
          default: { fill: 1, perElementOf: 'windowSizes', source: ['PyTorch'] },
        },
        dilations: {
          kind: 'uintArray',
          countField: 'dimensionCount',
          default: { fill: 1, perElementOf: 'windowSizes', source: ['PyTorch'] },
        },
        startPadding: {
          kind: 'uintArray',
          countField: 'dimensionCount',
          meaning: 'How many zeros precede the first element along each spatial dimension, before windows are laid.',
          default: { fill: 0, perElementOf: 'windowSizes', source: ['PyTorch'] },
        },
        endPadding: {
          kind: 'uintArray',
          countField: 'dimensionCount',
          meaning: 'How many zeros follow the last element along each spatial dimension, before windows are laid.',
          default: { fill: 0, perElementOf: 'windowSizes', source: ['PyTorch'] },
        },
      },
    },
  },
};

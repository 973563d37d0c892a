import type { Family } from '../../descriptors/facts.js';
import { floats } from '../../descriptors/data-type-lists.js';

export const softmax: Family = {
  meanings: {
    inputTensor: 'A matrix in its last two dimensions, each of whose rows is computed by itself.',
  },
  operators: {
    activationSoftmax: {
      value: 48,
      since: '1.0',
      fusion: { since: '6.1', into: ['gemm'] },
      listed: { after: 'activationShrink' },
      summary:
        'Turns each row of a matrix into positive numbers with the sum 1: `output = exp(input) / sum of exp over the row`.',
      otherNames: { ONNX: ['Softmax'], WebNN: ['softmax'], PyTorch: ['torch.nn.functional.softmax'], others: ['tf.nn.softmax'] },
      fields: {
        inputTensor: { kind: 'input', support: { '3.0': ['1 to 8', floats], '2.0': ['4 to 5', floats], '1.0': ['4', floats] } },
        outputTensor: { kind: 'output', support: 'inputTensor' },
      },
    },
    activationSoftmax1: {
      value: 158,
      since: '5.1',
      fusion: { since: '6.1', into: ['gemm'] },
      summary:
        'Turns the elements along `axes` into positive numbers with the sum 1: `output = exp(input) / sum of exp along the axes`.',
      otherNames: {
        ONNX: ['Softmax'],
        WebNN: ['softmax'],
        PyTorch: ['torch.nn.functional.softmax'],
        others: ['tf.nn.softmax'],
        words: ['softmax along an axis'],
      },
      like: 'activationSoftmax',
      fields: {
        inputTensor: {
          meaning: 'The elements that are compared with each other along the axes.',
          support: { '5.1': ['1 to 8', floats] },
        },
        axisCount: { kind: 'uint' },
        axes: {
          kind: 'uintArray',
          countField: 'axisCount',
          meaning: 'The dimensions whose elements sum up to 1 together, counted from 0.',
          default: { rule: 'last axis', of: 'inputTensor', source: ['ONNX'] },
        },
      },
    },
    activationLogSoftmax: {
      value: 41,
      since: '1.0',
      summary: 'Takes the logarithm of the softmax of each row of a matrix: `output = input - ln(sum of exp over the row)`.',
      otherNames: { ONNX: ['LogSoftmax'], PyTorch: ['torch.nn.functional.log_softmax'], others: ['tf.nn.log_softmax'] },
      like: 'activationSoftmax',
    },
    activationLogSoftmax1: {
      value: 159,
      since: '5.1',
      summary: 'Takes the logarithm of the softmax along `axes`: `output = input - ln(sum of exp along the axes)`.',
      otherNames: { ONNX: ['LogSoftmax'], PyTorch: ['torch.nn.functional.log_softmax'], others: ['tf.nn.log_softmax'] },
      like: 'activationLogSoftmax',
      fields: {
        inputTensor: {
          meaning: 'The elements that are compared with each other along the axes.',
          support: { '5.1': ['1 to 8', floats] },
        },
        axisCount: { kind: 'uint' },
        axes: {
          kind: 'uintArray',
          countField: 'axisCount',
          meaning: 'The dimensions along which exponentials are summed, counted from 0.',
          default: { rule: 'last axis', of: 'inputTensor', source: ['ONNX'] },
        },
      },
    },
    activationHardmax: {
      value: 36,
      since: '1.0',
      summary: 'Marks the first largest element of each row of a matrix with 1 and all others with 0.',
      otherNames: { ONNX: ['Hardmax'], words: ['one-hot of argmax'] },
      fields: {
        inputTensor: { kind: 'input', support: { '3.0': ['1 to 8', floats], '2.0': ['4 to 5', floats], '1.0': ['4', floats] } },
        outputTensor: {
          kind: 'output',
          meaning: '1 for the first largest element of a group, 0 for the others.',
          support: 'inputTensor',
        },
      },
    },
    activationHardmax1: {
      value: 160,
      since: '5.1',
      summary: 'Marks the first largest element along `axes` with 1 and all others with 0.',
      otherNames: { ONNX: ['Hardmax'], words: ['one-hot of argmax'] },
      like: 'activationHardmax',
      fields: {
        inputTensor: {
          meaning: 'The elements that are compared with each other along the axes.',
          support: { '5.1': ['1 to 8', floats] },
        },
        axisCount: { kind: 'uint' },
        axes: {
          kind: 'uintArray',
          countField: 'axisCount',
          meaning: 'The dimensions among whose elements one becomes 1, counted from 0.',
          default: { rule: 'last axis', of: 'inputTensor', source: ['ONNX'] },
        },
      },
    },
  },
};

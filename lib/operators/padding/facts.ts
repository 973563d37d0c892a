import type { Family } from '../../descriptors/facts.js';
import { all, floats, upTo32Bits } from '../../descriptors/data-type-lists.js';

export const padding: Family = {
  meanings: {
    inputTensor: 'The tensor that elements are added around.',
    outputTensor: 'The input with the added elements around it.',
    paddingMode: 'What the added elements are: a constant, copies of the edge, or a mirror image or repetition of the tensor.',
    startPadding: 'How many elements are added before the first along each dimension.',
    endPadding: 'How many elements are added after the last along each dimension.',
  },
  operators: {
    padding: {
      value: 64,
      since: '1.0',
      listed: { after: 'sliceGrad' },
      summary: 'Adds elements around a tensor: one float value, a repeated edge, or a mirror image of the tensor.',
      otherNames: { ONNX: ['Pad'], WebNN: ['pad'], PyTorch: ['torch.nn.functional.pad'], others: ['np.pad', 'tf.pad'] },
      fields: {
        inputTensor: {
          kind: 'input',
          support: {
            '5.0': ['1 to 8', all],
            '3.1': ['1 to 8', upTo32Bits],
            '2.1': ['4 to 5', upTo32Bits],
            '1.0': ['4 to 5', floats],
          },
        },
        outputTensor: { kind: 'output', support: 'inputTensor' },
        paddingMode: {
          kind: 'enum',
          enumName: 'PaddingMode',
          default: { value: 'constant', source: ['ONNX', 'WebNN', 'PyTorch'] },
        },
        paddingValue: {
          kind: 'float',
          meaning: "The value of added elements if `paddingMode` is `'constant'`.",
          default: { value: 0, source: ['ONNX', 'WebNN', 'PyTorch'] },
        },
        dimensionCount: { kind: 'uint', perDimensionOf: 'inputTensor' },
        startPadding: { kind: 'uintArray', countField: 'dimensionCount' },
        endPadding: { kind: 'uintArray', countField: 'dimensionCount' },
      },
    },
    padding1: {
      value: 155,
      since: '5.0',
      summary:
        "Adds elements around a tensor: one value of the tensor's data type, a repeated edge, or a mirror image of the tensor.",
      otherNames: {
        ONNX: ['Pad'],
        WebNN: ['pad'],
        PyTorch: ['torch.nn.functional.pad'],
        others: ['np.pad', 'integer padding', 'circular padding'],
        words: ['wrap'],
      },
      like: 'padding',
      fields: {
        inputTensor: { support: { '5.0': ['1 to 8', all] } },
        paddingValueDataType: {
          after: 'paddingMode',
          kind: 'enum',
          enumName: 'DataType',
          meaning: 'Data type in which `paddingValue` is given: that of the tensors.',
          default: {
            rule: 'data type',
            of: 'inputTensor',
            source: ['follows from the other fields', "ONNX Runtime's DirectML provider"],
          },
        },
        paddingValue: {
          kind: 'scalar',
          meaning: "The value of added elements, of the data type `paddingValueDataType`, if `paddingMode` is `'constant'`.",
          default: { value: 0, source: ['ONNX', 'WebNN', 'PyTorch'] },
        },
      },
    },
    tile: {
      value: 70,
      since: '1.0',
      summary: 'Repeats a tensor `repeats[i]` times along each dimension i.',
      otherNames: {
        ONNX: ['Tile', 'Expand'],
        WebNN: ['tile', 'expand'],
        PyTorch: ['torch.tile', 'torch.Tensor.repeat'],
        others: ['np.tile', 'broadcast'],
      },
      fields: {
        inputTensor: {
          kind: 'input',
          meaning: 'The tensor that is repeated.',
          support: { '4.1': ['1 to 8', all], '3.1': ['1 to 8', upTo32Bits], '2.1': ['4', upTo32Bits], '1.0': ['4', floats] },
        },
        outputTensor: { kind: 'output', meaning: 'The repeated tensor.', support: 'inputTensor' },
        repeatsCount: { kind: 'uint' },
        repeats: {
          kind: 'uintArray',
          countField: 'repeatsCount',
          meaning: 'Number of copies that follow each other, per dimension, at least 1.',
          default: { rule: 'ratio of sizes', of: 'outputTensor', to: 'inputTensor', source: ['follows from the other fields'] },
        },
      },
    },
  },
};

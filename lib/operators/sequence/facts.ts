import type { Family } from '../../descriptors/facts.js';
import { all, allButFloat64, floats, upTo32Bits } from '../../descriptors/data-type-lists.js';

export const sequence: Family = {
  meanings: {
    outputTensor: 'The matrices, in the last two dimensions.',
  },
  operators: {
    fillValueSequence: {
      value: 104,
      since: '2.1',
      listed: { after: 'fillValueConstant' },
      call: { takesPlace: true },
      summary: 'Writes an arithmetic sequence, in the order of the elements: `output[i] = valueStart + i * valueDelta`.',
      explanation: ['Integers wrap around: with uint8, `[250, 3]` as `valueStart` and `valueDelta` gives `[250, 253, 0, 3]`.'],
      otherNames: { ONNX: ['Range'], WebNN: ['constant'], PyTorch: ['torch.arange'], others: ['np.arange', 'iota'] },
      fields: {
        outputTensor: {
          kind: 'output',
          meaning: 'The tensor that is filled.',
          support: { '5.0': ['1 to 8', allButFloat64], '4.0': ['1 to 8', upTo32Bits], '2.1': ['4', upTo32Bits] },
        },
        valueDataType: {
          kind: 'enum',
          enumName: 'DataType',
          meaning: 'Data type in which `valueStart` and `valueDelta` are given: that of the output.',
          default: { rule: 'data type', of: 'outputTensor', source: ['follows from the other fields', 'DirectMLX.h'] },
        },
        valueStart: { kind: 'scalar', meaning: 'What the first element becomes.' },
        valueDelta: {
          kind: 'scalar',
          meaning: 'What is added from one element to the next in row-major order; integers wrap around.',
        },
      },
    },
    diagonalMatrix: {
      value: 93,
      since: '2.0',
      call: { takesPlace: true },
      summary: 'Creates matrices with `value` on one diagonal and 0 elsewhere: `output[i, i + offset] = value`.',
      otherNames: { ONNX: ['EyeLike'], PyTorch: ['torch.eye'], others: ['np.eye', 'identity matrix'] },
      fields: {
        outputTensor: {
          kind: 'output',
          support: { '5.1': ['2 to 4', all], '4.0': ['2 to 4', upTo32Bits], '2.1': ['4', upTo32Bits], '2.0': ['4', floats] },
        },
        offset: {
          kind: 'int',
          meaning: 'The diagonal that gets `value`: 0 is the main one, positive ones lie to its right, negative ones below it.',
          default: { value: 0, source: ['ONNX'], note: 'EyeLike k' },
        },
        value: {
          kind: 'float',
          meaning: 'What the diagonal is filled with; all other elements are 0.',
          default: { value: 1, source: ["Microsoft's page"] },
        },
      },
    },
    diagonalMatrix1: {
      value: 163,
      since: '5.1',
      call: { takesPlace: true },
      summary: 'Fills a band of diagonals of each matrix with a value, and the rest from the input, or with 0 if there is none.',
      adds: "`inputTensor`, bands of diagonals with `diagonalFillBegin` and `diagonalFillEnd` in place of `offset`, and a `value` of the tensor's data type with `valueDataType`",
      explanation: [
        '`diagonalFillBegin` and `diagonalFillEnd` count diagonals: element (row, column) is on diagonal column - row.',
        'Diagonals from the beginning up to, but without, the end are filled. If the end is below the beginning, all but those from the end up to the beginning are; if both are equal, none.',
        'With 0 and 2 and the value 7, `[0, 0, 0, 0, 0, 0, 0, 0, 0]` gives `[7, 7, 0, 0, 7, 7, 0, 0, 7]`; with 2 and 0, `[0, 0, 0, 0, 0, 0, 0, 0, 0]` gives `[0, 0, 7, 7, 0, 0, 7, 7, 0]`.',
      ],
      otherNames: {
        ONNX: ['EyeLike', 'Trilu'],
        WebNN: ['triangular'],
        PyTorch: ['torch.tril', 'torch.triu', 'torch.eye'],
        others: ['np.tril', 'np.triu', 'band matrix'],
        words: ['causal mask'],
      },
      fields: {
        inputTensor: {
          kind: 'input',
          optional: true,
          meaning: 'The matrices whose other elements are kept; without this tensor they are 0.',
          support: { '5.1': ['2 to 4', all] },
        },
        outputTensor: { kind: 'output', support: 'inputTensor' },
        valueDataType: {
          kind: 'enum',
          enumName: 'DataType',
          default: { rule: 'data type', of: 'outputTensor', source: ['follows from the other fields', 'DirectMLX.h'] },
        },
        value: {
          kind: 'scalar',
          meaning: 'What the chosen diagonals are filled with, of the data type `valueDataType`.',
          default: { rule: 'while', of: 'inputTensor', is: null, then: 1, source: ['ONNX'] },
        },
        diagonalFillBegin: {
          kind: 'int',
          meaning: 'The first diagonal that gets `value`: 0 is the main one, 1 the one above it, -1 the one below it.',
          default: { rule: 'while', of: 'inputTensor', is: null, then: 0, source: ['ONNX'] },
        },
        diagonalFillEnd: {
          kind: 'int',
          meaning:
            'The diagonal after the last one that gets `value`; if it is below `diagonalFillBegin`, all diagonals but those in between get it.',
          default: {
            rule: 'one diagonal',
            of: 'diagonalFillBegin',
            source: ['ONNX'],
            note: 'EyeLike and diagonalMatrix fill one diagonal',
          },
        },
      },
    },
    valueScale2d: {
      value: 65,
      since: '1.0',
      native: 'VALUE_SCALE_2D',
      listed: { after: 'reverseSubsequences' },
      summary: 'Scales an image by one factor and shifts each of its channels: `output = scale * input + bias[channel]`.',
      otherNames: { ONNX: ['ImageScaler'], others: ['normalize image', 'mean and scale'] },
      fields: {
        inputTensor: {
          kind: 'input',
          meaning: 'The image whose colours are scaled and shifted.',
          support: { '1.0': ['4', floats] },
        },
        outputTensor: { kind: 'output', meaning: 'The scaled and shifted image.', support: 'inputTensor' },
        scale: { kind: 'float', meaning: 'Factor of each element, before the bias of its channel is added.' },
        channelCount: { kind: 'uint' },
        bias: {
          kind: 'floatArray',
          countField: 'channelCount',
          meaning: 'What is added to each channel after the scaling, one number per channel.',
        },
      },
    },
  },
};

import type { Family } from '../../descriptors/facts.js';
import { all, upTo32Bits } from '../../descriptors/data-type-lists.js';

export const fillJoin: Family = {
  operators: {
    fillValueConstant: {
      value: 103,
      since: '2.1',
      listed: { under: 'Filling and generating' },
      call: { takesPlace: true },
      summary: 'Writes one value to every element: `output[i] = value`.',
      otherNames: {
        ONNX: ['ConstantOfShape', 'Constant'],
        WebNN: ['constant'],
        PyTorch: ['torch.full', 'torch.zeros', 'torch.ones'],
        others: ['np.full', 'fill', 'clear', 'memset'],
      },
      fields: {
        outputTensor: {
          kind: 'output',
          meaning: 'The tensor that is filled.',
          support: { '4.1': ['1 to 8', all], '4.0': ['1 to 8', upTo32Bits], '2.1': ['4', upTo32Bits] },
        },
        valueDataType: {
          kind: 'enum',
          enumName: 'DataType',
          default: { rule: 'data type', of: 'outputTensor', source: ['follows from the other fields', 'DirectMLX.h'] },
        },
        value: { kind: 'scalar', meaning: 'What all elements become, of the data type `valueDataType`.' },
      },
    },
    join: {
      value: 63,
      since: '1.0',
      listed: { after: 'cast' },
      inGraphs: 'joined',
      summary: 'Concatenates tensors along an axis.',
      otherNames: {
        ONNX: ['Concat'],
        WebNN: ['concat'],
        PyTorch: ['torch.cat', 'torch.stack'],
        others: ['np.concatenate', 'concatenate', 'tf.concat'],
      },
      fields: {
        inputCount: { kind: 'uint' },
        inputTensors: {
          kind: 'inputs',
          countField: 'inputCount',
          meaning: 'The tensors that follow each other along the axis.',
          support: {
            '4.1': ['1 to 8', all],
            '3.0': ['4 to 5', upTo32Bits],
            '2.1': ['4', upTo32Bits],
            '1.0': ['4', ['float32', 'float16', 'int32', 'int16', 'uint32', 'uint16']],
          },
        },
        outputTensor: { kind: 'output', meaning: 'All inputs, one after the other along the axis.', support: 'inputTensors' },
        axis: { kind: 'uint', meaning: 'The dimension along which the inputs follow each other, counted from 0.' },
      },
    },
  },
};

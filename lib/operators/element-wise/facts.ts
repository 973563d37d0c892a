import type { Family } from '../../descriptors/facts.js';
import { all, allButFloat64, floats, upTo32Bits } from '../../descriptors/data-type-lists.js';

export const elementWise: Family = {
  meanings: {
    inputTensor: 'The elements that are copied.',
  },
  operators: {
    elementWiseIdentity: {
      value: 1,
      since: '1.0',
      listed: { under: 'Element-wise arithmetic' },
      summary: 'Copies each element, and scales and shifts it if `scaleBias` is given: `output = input * scale + bias`.',
      otherNames: {
        ONNX: ['Identity'],
        WebNN: ['identity'],
        PyTorch: ['torch.clone'],
        others: ['copy', 'np.copy', 'contiguous', 'transpose', 'expand'],
        words: ['scale and bias'],
      },
      fields: {
        inputTensor: {
          kind: 'input',
          support: {
            '4.1': ['1 to 8', all],
            '3.0': ['1 to 8', upTo32Bits],
            '2.1': ['4 to 5', upTo32Bits],
            '1.0': ['4 to 5', floats],
          },
        },
        outputTensor: { kind: 'output', inPlace: ['inputTensor'], support: 'inputTensor' },
        scaleBias: {
          kind: 'scaleBias',
          optional: true,
          meaning: 'A factor and an addend for each element: the output is `input * scale + bias`.',
        },
      },
    },
    elementWiseAdd1: {
      value: 89,
      since: '2.0',
      listed: { after: 'elementWiseAdd' },
      summary: 'Adds two tensors element by element and can apply an activation to the sums: `output = activation(a + b)`.',
      otherNames: {
        ONNX: ['Add'],
        WebNN: ['add'],
        PyTorch: ['torch.add'],
        others: ['np.add'],
        words: ['add with fused activation'],
      },
      fields: {
        aTensor: { kind: 'input', support: { '3.0': ['1 to 8', floats], '2.0': ['4 to 5', floats] } },
        bTensor: { kind: 'input', support: 'aTensor' },
        outputTensor: {
          kind: 'output',
          inPlace: ['aTensor', 'bTensor'],
          meaning: 'The results, one for each pair of elements.',
          support: 'aTensor',
        },
        fusedActivation: { kind: 'operator', optional: true },
      },
    },
    cast: {
      value: 61,
      since: '1.0',
      listed: { under: 'Moving data' },
      summary: 'Converts each element to another data type.',
      otherNames: {
        ONNX: ['Cast', 'CastLike'],
        WebNN: ['cast'],
        PyTorch: ['torch.Tensor.to'],
        others: ['astype', 'convert', 'tf.cast'],
        words: ['float16 to float32'],
      },
      fields: {
        inputTensor: {
          kind: 'input',
          support: {
            '4.1': ['1 to 8', all],
            '3.1': ['1 to 8', allButFloat64],
            '3.0': ['4', allButFloat64],
            '1.0': ['4', ['float32', 'float16', 'int16', 'int8', 'uint16', 'uint8']],
          },
        },
        outputTensor: {
          kind: 'output',
          ownDataType: true,
          meaning: 'The same numbers in its own data type.',
          support: 'inputTensor',
        },
      },
    },
  },
};

import type { Family } from '../../descriptors/facts.js';
import { all, upTo32Bits } from '../../descriptors/data-type-lists.js';

export const slice: Family = {
  meanings: {
    inputTensor: 'The tensor that a part is copied from.',
    outputTensor: 'The copied part.',
    inputWindowStrides:
      "Distance, in elements, from one step in the window to the next, per dimension; negative ones begin at the window's last element.",
  },
  operators: {
    split: {
      value: 62,
      since: '1.0',
      listed: { after: 'join' },
      inGraphs: 'part',
      summary: 'Splits a tensor along an axis into several.',
      otherNames: {
        ONNX: ['Split'],
        WebNN: ['split'],
        PyTorch: ['torch.split', 'torch.chunk', 'torch.unbind'],
        others: ['np.split'],
      },
      fields: {
        inputTensor: {
          kind: 'input',
          meaning: 'The tensor that is divided.',
          support: {
            '4.1': ['1 to 8', all],
            '3.0': ['1 to 8', upTo32Bits],
            '2.1': ['4', upTo32Bits],
            '1.0': ['4', ['float32', 'float16', 'int32', 'int16', 'uint32', 'uint16']],
          },
        },
        outputCount: { kind: 'uint' },
        outputTensors: {
          kind: 'outputs',
          countField: 'outputCount',
          meaning: 'The parts, in their order along the axis.',
          support: 'inputTensor',
        },
        axis: {
          kind: 'uint',
          meaning: 'The dimension that is divided, counted from 0.',
          default: { value: 0, source: ['ONNX', 'NumPy'] },
        },
      },
    },
    slice: {
      value: 60,
      since: '1.0',
      inGraphs: 'part',
      summary: 'Copies part of a tensor: in each dimension `sizes[i]` elements from `offsets[i]` on, `strides[i]` apart.',
      explanation: [
        '`output[i] = input[offsets + i * strides]`, in each dimension, for i below `sizes`. With `offsets` 1, `sizes` 3, `strides` 2: `[0, 1, 2, 3, 4, 5]` gives `[1, 3, 5]`.',
      ],
      otherNames: {
        ONNX: ['Slice'],
        WebNN: ['slice'],
        PyTorch: ['torch.narrow'],
        others: ['tf.strided_slice', 'crop'],
        words: ['tensor[a:b:s]'],
      },
      fields: {
        inputTensor: {
          kind: 'input',
          support: {
            '4.1': ['1 to 8', all],
            '3.0': ['1 to 8', upTo32Bits],
            '2.1': ['4 to 5', upTo32Bits],
            '1.0': ['4 to 5', ['float32', 'float16', 'int32', 'int16', 'uint32', 'uint16']],
          },
        },
        outputTensor: { kind: 'output', support: 'inputTensor' },
        dimensionCount: { kind: 'uint', perDimensionOf: 'inputTensor' },
        offsets: {
          kind: 'uintArray',
          countField: 'dimensionCount',
          meaning: 'The first element that is copied, per dimension, counted from 0.',
        },
        sizes: {
          kind: 'uintArray',
          countField: 'dimensionCount',
          meaning: 'Number of elements that are copied, per dimension: the sizes of the output.',
        },
        strides: {
          kind: 'uintArray',
          countField: 'dimensionCount',
          meaning: 'Distance, in elements, from one copied element to the next, per dimension, at least 1.',
          default: { fill: 1, perElementOf: 'sizes', source: ['ONNX', 'WebNN'] },
        },
      },
    },
    slice1: {
      value: 111,
      since: '2.1',
      inGraphs: 'part',
      summary: 'Copies part of a tensor: the elements of a window, in steps forwards or backwards along each dimension.',
      adds: 'negative strides, with `inputWindowOffsets`, `inputWindowSizes` and `inputWindowStrides` in place of `offsets`, `sizes` and `strides`',
      explanation: [
        '`output[i] = input[offset + i * stride]`, in each dimension; with a negative stride, `output[i] = input[offset + window size - 1 + i * stride]`.',
        'With the offset 1, the window size 6 and the stride -2: `[0, 1, 2, 3, 4, 5, 6, 7]` gives `[6, 4, 2]`.',
      ],
      otherNames: {
        ONNX: ['Slice'],
        WebNN: ['slice', 'reverse'],
        PyTorch: ['torch.flip'],
        others: ['np.flip', 'tf.strided_slice', 'crop', 'reverse'],
        words: ['tensor[a:b:s]'],
      },
      fields: {
        inputTensor: {
          kind: 'input',
          support: { '4.1': ['1 to 8', all], '3.0': ['1 to 8', upTo32Bits], '2.1': ['4 to 5', upTo32Bits] },
        },
        outputTensor: { kind: 'output', support: 'inputTensor' },
        dimensionCount: { kind: 'uint', perDimensionOf: 'inputTensor' },
        inputWindowOffsets: {
          kind: 'uintArray',
          countField: 'dimensionCount',
          meaning: 'First element of the window in the input, per dimension, counted from 0.',
        },
        inputWindowSizes: {
          kind: 'uintArray',
          countField: 'dimensionCount',
          meaning: 'Number of input elements that the window covers, per dimension, those between the steps included.',
        },
        inputWindowStrides: {
          kind: 'intArray',
          countField: 'dimensionCount',
          default: { fill: 1, perElementOf: 'inputWindowSizes', source: ['ONNX', 'WebNN'] },
        },
      },
    },
    sliceGrad: {
      value: 135,
      since: '3.0',
      summary:
        'Computes the gradient of `slice1`: each incoming element goes back to the position that it was copied from; all others are 0.',
      explanation: ['Each incoming gradient is written to the place that `slice1` copies from; all other places are 0.'],
      otherNames: { PyTorch: ['slice_backward'], others: ['gradient of slice'], words: ['scatter with strides'] },
      fields: {
        inputGradientTensor: {
          kind: 'input',
          support: { '4.1': ['1 to 8', all], '3.1': ['1 to 8', upTo32Bits], '3.0': ['4 to 5', upTo32Bits] },
        },
        outputGradientTensor: { kind: 'output', support: 'inputGradientTensor' },
        dimensionCount: { kind: 'uint', perDimensionOf: 'inputGradientTensor' },
        inputWindowOffsets: {
          kind: 'uintArray',
          countField: 'dimensionCount',
          meaning: 'First element of the window in `outputGradientTensor`, per dimension, counted from 0.',
        },
        inputWindowSizes: {
          kind: 'uintArray',
          countField: 'dimensionCount',
          meaning:
            'Number of elements of `outputGradientTensor` that the window covers, per dimension, those between the steps included.',
        },
        inputWindowStrides: {
          kind: 'intArray',
          countField: 'dimensionCount',
          default: { fill: 1, perElementOf: 'inputWindowSizes', source: ['ONNX', 'WebNN'] },
        },
      },
    },
  },
};

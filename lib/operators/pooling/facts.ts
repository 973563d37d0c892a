import type { Family } from '../../descriptors/facts.js';
import { allButFloat64, bytes, floats } from '../../descriptors/data-type-lists.js';

const averagePoolingExplanation = [
  'With a window of 2 and one element of padding before, true for `includePadding`: `[2, 4]` gives `[1, 3]`; with false, `[2, 4]` gives `[2, 3]`.',
];

const maxPooling1Explanation = [
  'An index counts through the whole packed `inputTensor` in row-major order, batch and channels included.',
  'In two images of one row, with a window of two elements: `[[1, 2], [4, 3]]` gives the indices `[1, 2]`.',
];

export const pooling: Family = {
  meanings: {
    inputTensor: 'The images or volumes that the window slides over, channel by channel.',
    outputTensor: 'One element for each position of the window.',
    windowSize: 'Number of elements of a window along each spatial dimension.',
    startPadding: 'How many elements are added before the first along each spatial dimension, before windows are laid.',
    endPadding: 'How many elements are added after the last along each spatial dimension, before windows are laid.',
    includePadding:
      'Whether added elements count as zeros in the mean; if not, the sum is divided by the number of elements inside the image.',
    p: 'Order of the norm: 1 sums up magnitudes, 2 is the Euclidean length.',
    outputIndicesTensor: 'The position in the input of the element that each window took.',
  },
  operators: {
    averagePooling: {
      value: 56,
      since: '1.0',
      listed: { under: 'Pooling' },
      summary: 'Averages the elements in each position of a sliding window.',
      explanation: averagePoolingExplanation,
      otherNames: {
        ONNX: ['AveragePool', 'GlobalAveragePool'],
        WebNN: ['averagePool2d'],
        PyTorch: ['torch.nn.functional.avg_pool2d'],
        others: ['tf.nn.avg_pool', 'mean pooling'],
      },
      fields: {
        inputTensor: { kind: 'input', support: { '1.0': ['4 to 5', floats] } },
        outputTensor: { kind: 'output', support: 'inputTensor' },
        dimensionCount: { kind: 'uint', perDimensionOf: 'inputTensor', fromDimension: 2 },
        strides: { kind: 'uintArray', countField: 'dimensionCount' },
        windowSize: { kind: 'uintArray', countField: 'dimensionCount' },
        startPadding: {
          kind: 'uintArray',
          countField: 'dimensionCount',
          default: { fill: 0, perElementOf: 'windowSize', source: ['DirectMLX.h', 'ONNX'] },
        },
        endPadding: {
          kind: 'uintArray',
          countField: 'dimensionCount',
          default: { fill: 0, perElementOf: 'windowSize', source: ['DirectMLX.h', 'ONNX'] },
        },
        includePadding: { kind: 'bool' },
      },
    },
    averagePooling1: {
      value: 166,
      since: '6.2',
      summary: 'Averages the elements in each position of a sliding window, which can have gaps between its elements.',
      explanation: averagePoolingExplanation,
      otherNames: {
        ONNX: ['AveragePool'],
        WebNN: ['averagePool2d'],
        PyTorch: ['torch.nn.functional.avg_pool2d'],
        words: ['mean pooling with dilations'],
      },
      like: 'averagePooling',
      fields: {
        inputTensor: { support: { '6.2': ['4 to 5', floats] } },
        dilations: {
          after: 'endPadding',
          kind: 'uintArray',
          countField: 'dimensionCount',
          default: { fill: 1, perElementOf: 'windowSize', source: ['DirectMLX.h', 'ONNX'] },
        },
      },
    },
    averagePoolingGrad: {
      value: 130,
      since: '3.0',
      summary: 'Computes the gradient of `averagePooling`: each incoming element is distributed over its window.',
      otherNames: { ONNX: ['AveragePoolGrad'], PyTorch: ['avg_pool2d_backward'], others: ['gradient of average pooling'] },
      fields: {
        inputGradientTensor: { kind: 'input', support: { '3.0': ['4 to 5', floats] } },
        outputGradientTensor: { kind: 'output', support: 'inputGradientTensor' },
        dimensionCount: { kind: 'uint', perDimensionOf: 'inputGradientTensor', fromDimension: 2 },
        strides: { kind: 'uintArray', countField: 'dimensionCount' },
        windowSize: { kind: 'uintArray', countField: 'dimensionCount' },
        startPadding: {
          kind: 'uintArray',
          countField: 'dimensionCount',
          default: { fill: 0, perElementOf: 'windowSize', source: ['DirectMLX.h', 'ONNX'] },
        },
        endPadding: {
          kind: 'uintArray',
          countField: 'dimensionCount',
          default: { fill: 0, perElementOf: 'windowSize', source: ['DirectMLX.h', 'ONNX'] },
        },
        includePadding: {
          kind: 'bool',
          meaning:
            'Whether each gradient is divided by the whole window; if not, by the number of its elements inside the image.',
        },
      },
    },
    quantizedLinearAveragePooling: {
      value: 169,
      since: '6.2',
      summary: 'Averages quantized elements in each position of a sliding window and quantizes the result again.',
      explanation: [
        '`mean = average of (input - inputZeroPoint) * inputScale`, over the window; `output = clamp(round(mean / outputScale) + outputZeroPoint)`.',
      ],
      otherNames: { ONNX: ['QLinearAveragePool', 'QLinearGlobalAveragePool'], others: ['quantized average pooling'] },
      fields: {
        inputTensor: {
          kind: 'input',
          meaning:
            'The images or volumes that the window slides over, as integers that `inputScaleTensor` and `inputZeroPointTensor` interpret.',
          support: { '6.2': ['4 to 5', bytes] },
        },
        inputScaleTensor: { kind: 'input', support: { '6.2': ['1 to 5', ['float32']] } },
        inputZeroPointTensor: { kind: 'input', optional: true, support: { '6.2': ['1 to 5', bytes] } },
        outputScaleTensor: { kind: 'input', support: 'inputScaleTensor' },
        outputZeroPointTensor: { kind: 'input', optional: true, support: 'inputZeroPointTensor' },
        outputTensor: {
          kind: 'output',
          meaning:
            'One element for each position of the window, as integers that `outputScaleTensor` and `outputZeroPointTensor` interpret.',
          support: 'inputTensor',
        },
        dimensionCount: { kind: 'uint', perDimensionOf: 'inputTensor', fromDimension: 2 },
        strides: { kind: 'uintArray', countField: 'dimensionCount' },
        windowSize: { kind: 'uintArray', countField: 'dimensionCount' },
        startPadding: {
          kind: 'uintArray',
          countField: 'dimensionCount',
          default: { fill: 0, perElementOf: 'windowSize', source: ['DirectMLX.h', 'ONNX'] },
        },
        endPadding: {
          kind: 'uintArray',
          countField: 'dimensionCount',
          default: { fill: 0, perElementOf: 'windowSize', source: ['DirectMLX.h', 'ONNX'] },
        },
        dilations: {
          kind: 'uintArray',
          countField: 'dimensionCount',
          default: { fill: 1, perElementOf: 'windowSize', source: ['DirectMLX.h', 'ONNX'] },
        },
        includePadding: { kind: 'bool' },
      },
    },
    lpPooling: {
      value: 57,
      since: '1.0',
      summary: 'Takes the p-norm of the elements in each position of a sliding window: `output = (sum of |input|^p)^(1/p)`.',
      otherNames: {
        ONNX: ['LpPool', 'GlobalLpPool'],
        WebNN: ['l2Pool2d'],
        PyTorch: ['torch.nn.functional.lp_pool2d'],
        others: ['L2 pooling'],
      },
      fields: {
        inputTensor: { kind: 'input', support: { '1.0': ['4 to 5', floats] } },
        outputTensor: { kind: 'output', support: 'inputTensor' },
        dimensionCount: { kind: 'uint', perDimensionOf: 'inputTensor', fromDimension: 2 },
        strides: { kind: 'uintArray', countField: 'dimensionCount' },
        windowSize: { kind: 'uintArray', countField: 'dimensionCount' },
        startPadding: {
          kind: 'uintArray',
          countField: 'dimensionCount',
          default: { fill: 0, perElementOf: 'windowSize', source: ['DirectMLX.h', 'ONNX'] },
        },
        endPadding: {
          kind: 'uintArray',
          countField: 'dimensionCount',
          default: { fill: 0, perElementOf: 'windowSize', source: ['DirectMLX.h', 'ONNX'] },
        },
        p: { kind: 'uint', default: { value: 2, source: ['ONNX'], note: 'LpPool, LpNormalization' } },
      },
    },
    lpPooling1: {
      value: 165,
      since: '6.2',
      summary: 'Takes the p-norm of the elements in each position of a sliding window, which can have gaps between its elements.',
      otherNames: { ONNX: ['LpPool'], WebNN: ['l2Pool2d'], PyTorch: ['torch.nn.functional.lp_pool2d'], others: ['L2 pooling'] },
      like: 'lpPooling',
      fields: {
        inputTensor: { support: { '6.2': ['4 to 5', floats] } },
        dilations: {
          after: 'endPadding',
          kind: 'uintArray',
          countField: 'dimensionCount',
          default: { fill: 1, perElementOf: 'windowSize', source: ['DirectMLX.h', 'ONNX'] },
        },
      },
    },
    maxPooling: {
      value: 58,
      since: '1.0',
      summary: 'Takes the largest element in each position of a sliding window.',
      otherNames: {
        ONNX: ['MaxPool', 'GlobalMaxPool'],
        WebNN: ['maxPool2d'],
        PyTorch: ['torch.nn.functional.max_pool2d'],
        others: ['tf.nn.max_pool'],
      },
      fields: {
        inputTensor: {
          kind: 'input',
          support: { '5.0': ['4 to 5', allButFloat64], '3.0': ['4 to 5', [...floats, ...bytes]], '1.0': ['4 to 5', floats] },
        },
        outputTensor: { kind: 'output', support: 'inputTensor' },
        dimensionCount: { kind: 'uint', perDimensionOf: 'inputTensor', fromDimension: 2 },
        strides: { kind: 'uintArray', countField: 'dimensionCount' },
        windowSize: { kind: 'uintArray', countField: 'dimensionCount' },
        startPadding: {
          kind: 'uintArray',
          countField: 'dimensionCount',
          meaning: 'How many elements are added before the first along each spatial dimension; they are never the largest.',
          default: { fill: 0, perElementOf: 'windowSize', source: ['DirectMLX.h', 'ONNX'] },
        },
        endPadding: {
          kind: 'uintArray',
          countField: 'dimensionCount',
          meaning: 'How many elements are added after the last along each spatial dimension; they are never the largest.',
          default: { fill: 0, perElementOf: 'windowSize', source: ['DirectMLX.h', 'ONNX'] },
        },
      },
    },
    maxPooling1: {
      value: 91,
      since: '2.0',
      summary: 'Takes the largest element in each position of a sliding window, and can also give its index.',
      explanation: maxPooling1Explanation,
      otherNames: {
        ONNX: ['MaxPool'],
        WebNN: ['maxPool2d'],
        PyTorch: ['torch.nn.functional.max_pool2d'],
        others: ['tf.nn.max_pool_with_argmax'],
      },
      like: 'maxPooling',
      fields: {
        inputTensor: {
          support: { '5.0': ['4 to 5', allButFloat64], '3.0': ['4 to 5', [...floats, ...bytes]], '2.0': ['4 to 5', floats] },
        },
        outputIndicesTensor: {
          after: 'outputTensor',
          kind: 'output',
          ownDataType: true,
          defaultDataType: 'uint32',
          optional: true,
          note: 'Indices count through the whole of `inputTensor` in row-major order, batch and channels included.',
          support: { '5.0': ['4 to 5', ['uint64', 'uint32']], '3.0': ['4 to 5', ['uint32']], '2.0': ['4 to 5', ['uint32']] },
        },
      },
    },
    maxPooling2: {
      value: 110,
      since: '2.1',
      summary:
        'Takes the largest element in each position of a sliding window, which can have gaps between its elements, and can also give its index.',
      explanation: maxPooling1Explanation,
      otherNames: {
        ONNX: ['MaxPool'],
        WebNN: ['maxPool2d'],
        PyTorch: ['torch.nn.functional.max_pool2d'],
        others: ['dilated max pooling'],
      },
      like: 'maxPooling1',
      fields: {
        inputTensor: {
          support: { '5.0': ['4 to 5', allButFloat64], '3.0': ['4 to 5', [...floats, ...bytes]], '2.1': ['4 to 5', floats] },
        },
        outputIndicesTensor: {
          support: { '5.0': ['4 to 5', ['uint64', 'uint32']], '3.0': ['4 to 5', ['uint32']], '2.1': ['4 to 5', ['uint32']] },
        },
        dilations: {
          kind: 'uintArray',
          countField: 'dimensionCount',
          default: { fill: 1, perElementOf: 'windowSize', source: ['DirectMLX.h', 'ONNX'] },
        },
      },
    },
    maxPoolingGrad: {
      value: 131,
      since: '3.0',
      summary: 'Computes the gradient of `maxPooling2`: each incoming element goes back to the largest element of its window.',
      otherNames: { ONNX: ['MaxPoolGrad'], PyTorch: ['max_pool2d_backward'], others: ['gradient of max pooling'] },
      fields: {
        inputTensor: {
          kind: 'input',
          meaning: 'The input of the forward operator, in which the largest elements are found again.',
          shape: '{ BatchCount, ChannelCount, [InputDepth], InputHeight, InputWidth }',
          support: { '4.0': ['4 to 5', floats], '3.0': ['4', floats] },
        },
        inputGradientTensor: {
          kind: 'input',
          shape: '{ BatchCount, ChannelCount, [OutputDepth], OutputHeight, OutputWidth }',
          support: 'inputTensor',
        },
        outputGradientTensor: {
          kind: 'output',
          shape: '{ BatchCount, ChannelCount, [InputDepth], InputHeight, InputWidth }',
          support: 'inputTensor',
        },
        dimensionCount: { kind: 'uint', perDimensionOf: 'inputTensor', fromDimension: 2 },
        strides: { kind: 'uintArray', countField: 'dimensionCount' },
        windowSize: { kind: 'uintArray', countField: 'dimensionCount' },
        startPadding: {
          kind: 'uintArray',
          countField: 'dimensionCount',
          meaning: 'How many elements are added before the first along each spatial dimension; they are never the largest.',
          default: { fill: 0, perElementOf: 'windowSize', source: ['DirectMLX.h', 'ONNX'] },
        },
        endPadding: {
          kind: 'uintArray',
          countField: 'dimensionCount',
          meaning: 'How many elements are added after the last along each spatial dimension; they are never the largest.',
          default: { fill: 0, perElementOf: 'windowSize', source: ['DirectMLX.h', 'ONNX'] },
        },
        dilations: {
          kind: 'uintArray',
          countField: 'dimensionCount',
          default: { fill: 1, perElementOf: 'windowSize', source: ['DirectMLX.h', 'ONNX'] },
        },
      },
    },
    maxUnpooling: {
      value: 92,
      since: '2.0',
      summary: 'Writes the results of `maxPooling1` back to the positions that their indices give, and 0 everywhere else.',
      explanation: [
        'An index counts through the whole packed `outputTensor` in row-major order, batch and channels included.',
        'With the indices 1 and 2 and two output images of two elements: `[8, 9]` gives `[[0, 8], [9, 0]]`.',
      ],
      otherNames: { ONNX: ['MaxUnpool'], PyTorch: ['torch.nn.functional.max_unpool2d'], others: ['unpooling'] },
      fields: {
        inputTensor: {
          kind: 'input',
          meaning: 'The elements that are written back to their positions.',
          support: { '5.0': ['4', allButFloat64], '2.0': ['4', floats] },
        },
        indicesTensor: {
          kind: 'input',
          indexes: { elementsOf: 'outputTensor' },
          meaning: 'The position in the output that each input element is written to.',
          note: 'Indices count through the whole of `outputTensor` in row-major order, batch and channels included.',
          support: { '5.0': ['4', ['uint64', 'uint32']], '2.0': ['4', ['uint32']] },
        },
        outputTensor: {
          kind: 'output',
          meaning: "The input's elements at their positions, and 0 elsewhere.",
          support: 'inputTensor',
        },
      },
    },
  },
};

import type { Family } from '../../descriptors/facts.js';
import { bytes, floats } from '../../descriptors/data-type-lists.js';

export const convolution: Family = {
  meanings: {
    filterTensor: 'The weights of the windows as integers, one filter for each output channel.',
    startPadding:
      'How many elements precede the first along each spatial dimension; each counts as 0 after the zero point is subtracted.',
    endPadding:
      'How many elements follow the last along each spatial dimension; each counts as 0 after the zero point is subtracted.',
    groupCount:
      'Number of groups of channels, each of which is convolved by itself; as many as channels is a depthwise convolution.',
    filterZeroPointTensor:
      'The integer in `filterTensor` that stands for 0, for all filters or for each output channel; without this tensor it is 0.',
  },
  operators: {
    convolution: {
      value: 53,
      since: '1.0',
      listed: { under: 'Convolution' },
      summary: 'Convolves a tensor with filters, forward or transposed, in groups, with a bias and an activation.',
      explanation: [
        "With the filter 1 2 3, one zero on both sides and `'crossCorrelation'`: `[1, 0, 0, 0]` gives `[2, 1, 0, 0]`; with `'convolution'`, `[1, 0, 0, 0]` gives `[2, 3, 0, 0]`.",
        "Backward, without padding and with `'crossCorrelation'`: `[1, 0, 0, 0]` gives `[1, 2, 3, 0, 0, 0]`; with `'convolution'`, `[1, 0, 0, 0]` gives `[3, 2, 1, 0, 0, 0]`.",
      ],
      otherNames: {
        ONNX: ['Conv', 'ConvTranspose', 'FusedConv'],
        WebNN: ['conv2d', 'convTranspose2d'],
        PyTorch: [
          'torch.nn.functional.conv1d',
          'torch.nn.functional.conv2d',
          'torch.nn.functional.conv3d',
          'torch.nn.functional.conv_transpose2d',
        ],
        others: ['deconvolution', 'depthwise convolution', 'tf.nn.conv2d'],
        words: ['transposed convolution'],
      },
      fields: {
        inputTensor: {
          kind: 'input',
          skipsOnes: true,
          meaning: 'The images, signals or volumes that are convolved.',
          shape: '{ BatchCount, InputChannelCount, [InputDepth], [InputHeight], InputWidth }',
          support: { '4.0': ['3 to 5', floats], '1.0': ['4 to 5', floats] },
        },
        filterTensor: {
          kind: 'input',
          meaning: 'The weights of the windows, one filter for each output channel (backward, for each input channel).',
          shape: '{ FilterBatchCount, FilterChannelCount, [FilterDepth], [FilterHeight], FilterWidth }',
          support: 'inputTensor',
        },
        biasTensor: {
          kind: 'input',
          perChannel: 'output',
          optional: true,
          meaning: 'What is added to each output channel before the activation; without this tensor nothing.',
          shape: '{ 1, OutputChannelCount, [1], [1], 1 }',
          support: 'inputTensor',
        },
        outputTensor: {
          kind: 'output',
          meaning: 'The sums over windows, one channel for each filter.',
          shape: '{ BatchCount, OutputChannelCount, [OutputDepth], [OutputHeight], OutputWidth }',
          support: 'inputTensor',
        },
        mode: {
          kind: 'enum',
          enumName: 'ConvolutionMode',
          meaning: 'Whether the filter is turned around before it slides over the input.',
          default: { value: 'crossCorrelation', source: ['DirectMLX.h', 'ONNX', "Microsoft's page"] },
        },
        direction: {
          kind: 'enum',
          enumName: 'ConvolutionDirection',
          meaning:
            'Whether windows of the input are summed up, or input elements are spread over windows of the output (transposed convolution).',
          default: { value: 'forward', source: ['DirectMLX.h'], note: "'backward' is ONNX ConvTranspose" },
        },
        dimensionCount: { kind: 'uint', perDimensionOf: 'inputTensor', fromDimension: 2 },
        strides: {
          kind: 'uintArray',
          countField: 'dimensionCount',
          meaning:
            'How many elements the window moves from one position to the next, per spatial dimension; backward, how far apart input elements land in the output.',
          default: { fill: 1, perSpatialDimensionOf: 'inputTensor', source: ['DirectMLX.h', 'ONNX'] },
        },
        dilations: {
          kind: 'uintArray',
          countField: 'dimensionCount',
          default: { fill: 1, perSpatialDimensionOf: 'inputTensor', source: ['DirectMLX.h', 'ONNX'] },
        },
        startPadding: {
          kind: 'uintArray',
          countField: 'dimensionCount',
          meaning:
            'How many zeros precede the first element along each spatial dimension; backward, how many elements are cut off the start of the output.',
          default: { fill: 0, perSpatialDimensionOf: 'inputTensor', source: ['DirectMLX.h', 'ONNX'] },
        },
        endPadding: {
          kind: 'uintArray',
          countField: 'dimensionCount',
          meaning:
            'How many zeros follow the last element along each spatial dimension; backward, how many elements are cut off the end of the output.',
          default: { fill: 0, perSpatialDimensionOf: 'inputTensor', source: ['DirectMLX.h', 'ONNX'] },
        },
        outputPadding: {
          kind: 'uintArray',
          countField: 'dimensionCount',
          meaning: 'How many zeros follow the last computed element of the output, per spatial dimension.',
          default: { fill: 0, perSpatialDimensionOf: 'inputTensor', source: ['DirectMLX.h', 'ONNX'] },
        },
        groupCount: { kind: 'uint', default: { value: 1, source: ['DirectMLX.h', 'ONNX'] } },
        fusedActivation: { kind: 'operator', optional: true },
      },
    },
    convolutionInteger: {
      value: 119,
      since: '2.1',
      summary:
        'Convolves a tensor of 8-bit integers with filters of 8-bit integers, minus their zero points, into 32-bit integers.',
      explanation: ['`output = Σ (input - inputZeroPoint) * (filter - filterZeroPoint)`, over the window, as int32.'],
      otherNames: { ONNX: ['ConvInteger'], others: ['integer convolution'] },
      fields: {
        inputTensor: {
          kind: 'input',
          skipsOnes: true,
          meaning: 'The images, signals or volumes that are convolved, as integers.',
          shape: '{ BatchCount, InputChannelCount, [InputHeight], InputWidth }',
          support: { '4.0': ['3 to 4', bytes], '2.1': ['4', bytes] },
        },
        inputZeroPointTensor: {
          kind: 'input',
          optional: true,
          shape: '{ [1], [1], [1], 1 }',
          support: { '4.0': ['1 to 4', bytes], '2.1': ['4', bytes] },
        },
        filterTensor: {
          kind: 'input',
          ownDataType: true,
          shape: '{ FilterBatchCount, FilterChannelCount, [FilterHeight], FilterWidth }',
          support: 'inputTensor',
        },
        filterZeroPointTensor: {
          kind: 'input',
          perChannel: 'output',
          ownDataType: true,
          optional: true,
          shape: '{ [1], FilterZeroPointChannelCount, [1], [1] }',
          support: 'inputZeroPointTensor',
        },
        outputTensor: {
          kind: 'output',
          ownDataType: true,
          meaning: 'The sums over windows as 32-bit integers, one channel for each filter.',
          shape: '{ BatchCount, OutputChannelCount, [OutputHeight], OutputWidth }',
          support: { '4.0': ['3 to 4', ['int32']], '2.1': ['4', ['int32']] },
        },
        dimensionCount: { kind: 'uint', perDimensionOf: 'inputTensor', fromDimension: 2 },
        strides: {
          kind: 'uintArray',
          countField: 'dimensionCount',
          default: { fill: 1, perSpatialDimensionOf: 'inputTensor', source: ['DirectMLX.h', 'ONNX'] },
        },
        dilations: {
          kind: 'uintArray',
          countField: 'dimensionCount',
          default: { fill: 1, perSpatialDimensionOf: 'inputTensor', source: ['DirectMLX.h', 'ONNX'] },
        },
        startPadding: {
          kind: 'uintArray',
          countField: 'dimensionCount',
          default: { fill: 0, perSpatialDimensionOf: 'inputTensor', source: ['DirectMLX.h', 'ONNX'] },
        },
        endPadding: {
          kind: 'uintArray',
          countField: 'dimensionCount',
          default: { fill: 0, perSpatialDimensionOf: 'inputTensor', source: ['DirectMLX.h', 'ONNX'] },
        },
        groupCount: { kind: 'uint', default: { value: 1, source: ['DirectMLX.h', 'ONNX'] } },
      },
    },
    quantizedLinearConvolution: {
      value: 120,
      since: '2.1',
      summary: 'Convolves a quantized tensor with quantized filters: both become floats, and the result is quantized again.',
      explanation: [
        '`sum = Σ (input - inputZeroPoint) * (filter - filterZeroPoint) + bias`, over the window; `output = clamp(round(sum * inputScale * filterScale / outputScale) + outputZeroPoint)`.',
        'The bias is an int32 in units of `inputScale * filterScale`.',
      ],
      otherNames: { ONNX: ['QLinearConv'], PyTorch: ['torch.ao.nn.quantized.Conv2d'], others: ['quantized convolution'] },
      fields: {
        inputTensor: {
          kind: 'input',
          skipsOnes: true,
          meaning:
            'The images, signals or volumes that are convolved, as integers that `inputScaleTensor` and `inputZeroPointTensor` interpret.',
          support: { '5.2': ['3 to 4', bytes], '4.0': ['3 to 4', bytes], '2.1': ['4', bytes] },
        },
        inputScaleTensor: {
          kind: 'input',
          support: { '5.2': ['1 to 4', ['float32']], '4.0': ['1 to 4', ['float32']], '2.1': ['4', ['float32']] },
        },
        inputZeroPointTensor: {
          kind: 'input',
          optional: true,
          support: { '5.2': ['1 to 4', bytes], '4.0': ['1 to 4', bytes], '2.1': ['4', bytes] },
        },
        filterTensor: { kind: 'input', ownDataType: true, support: 'inputTensor' },
        filterScaleTensor: {
          kind: 'input',
          perChannel: 'output',
          meaning: 'The number that one unit of `filterTensor` stands for, for all filters or for each output channel.',
          support: { '5.2': ['1 to 4', ['float32']], '4.0': ['3 to 4', ['float32']], '2.1': ['4', ['float32']] },
        },
        filterZeroPointTensor: {
          kind: 'input',
          perChannel: 'output',
          ownDataType: true,
          optional: true,
          support: 'inputZeroPointTensor',
        },
        biasTensor: {
          kind: 'input',
          perChannel: 'output',
          optional: true,
          meaning: 'Int32 numbers that are added to the sums of each output channel, in units of `inputScale * filterScale`.',
          support: { '5.2': ['3 to 4', ['int32']], '4.0': ['3 to 4', ['int32']], '2.1': ['4', ['int32']] },
        },
        outputScaleTensor: { kind: 'input', support: 'inputScaleTensor' },
        outputZeroPointTensor: { kind: 'input', ownDataType: true, optional: true, support: 'inputZeroPointTensor' },
        outputTensor: {
          kind: 'output',
          ownDataType: true,
          meaning: 'The sums over windows, as integers that `outputScaleTensor` and `outputZeroPointTensor` interpret.',
          support: 'inputTensor',
        },
        dimensionCount: { kind: 'uint', perDimensionOf: 'inputTensor', fromDimension: 2 },
        strides: {
          kind: 'uintArray',
          countField: 'dimensionCount',
          default: { fill: 1, perSpatialDimensionOf: 'inputTensor', source: ['DirectMLX.h', 'ONNX'] },
        },
        dilations: {
          kind: 'uintArray',
          countField: 'dimensionCount',
          default: { fill: 1, perSpatialDimensionOf: 'inputTensor', source: ['DirectMLX.h', 'ONNX'] },
        },
        startPadding: {
          kind: 'uintArray',
          countField: 'dimensionCount',
          default: { fill: 0, perSpatialDimensionOf: 'inputTensor', source: ['DirectMLX.h', 'ONNX'] },
        },
        endPadding: {
          kind: 'uintArray',
          countField: 'dimensionCount',
          default: { fill: 0, perSpatialDimensionOf: 'inputTensor', source: ['DirectMLX.h', 'ONNX'] },
        },
        groupCount: { kind: 'uint', default: { value: 1, source: ['DirectMLX.h', 'ONNX'] } },
      },
    },
  },
};

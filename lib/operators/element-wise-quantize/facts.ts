import type { Family } from '../../descriptors/facts.js';
import { bytes, floats, integersUpTo32Bits } from '../../descriptors/data-type-lists.js';

export const elementWiseQuantize: Family = {
  operators: {
    elementWiseQuantizeLinear: {
      value: 33,
      since: '1.0',
      listed: { under: 'Quantization' },
      summary:
        'Converts floats to small integers with a scale and a zero point per element: `output = clamp(round(input / scale) + zeroPoint)`.',
      explanation: [
        "`output = clamp(round(input / scale) + zeroPoint)` to the range of the output's data type; halves are rounded to the even integer.",
        'With the scale 0.5 and the zero point 10, `[0.25, 0.75, 1.25]` gives `[10, 12, 12]`.',
      ],
      otherNames: {
        ONNX: ['QuantizeLinear'],
        WebNN: ['quantizeLinear'],
        PyTorch: ['torch.quantize_per_tensor', 'torch.quantize_per_channel'],
        others: ['quantise'],
        words: ['int8'],
      },
      fields: {
        inputTensor: {
          kind: 'input',
          meaning: 'The floats that become integers.',
          support: {
            '6.2': ['1 to 8', ['float32', 'float16', 'int32']],
            '6.0': ['1 to 8', ['float32', 'float16', 'int32']],
            '3.0': ['1 to 8', ['float32', 'int32']],
            '2.1': ['4', ['float32', 'int32']],
            '1.0': ['4', ['float32']],
          },
        },
        scaleTensor: {
          kind: 'input',
          perChannel: 'repeated',
          meaning: 'The number that one unit of `outputTensor` stands for.',
          support: {
            '6.2': ['1 to 8', floats],
            '6.0': ['1 to 8', floats],
            '3.0': ['1 to 8', ['float32']],
            '2.1': ['4', ['float32']],
            '1.0': ['4', ['float32']],
          },
        },
        zeroPointTensor: {
          kind: 'input',
          perChannel: 'repeated',
          optional: true,
          optionalSince: '6.2',
          meaning: 'The integer in `outputTensor` that stands for 0; without this tensor it is 0.',
          support: {
            '6.2': ['1 to 8', bytes],
            '6.0': ['1 to 8', bytes],
            '3.0': ['1 to 8', bytes],
            '2.1': ['4', bytes],
            '1.0': ['4', ['uint8']],
          },
        },
        outputTensor: { kind: 'output', ownDataType: true, meaning: 'The integers.', support: 'zeroPointTensor' },
      },
    },
    elementWiseDequantizeLinear: {
      value: 34,
      since: '1.0',
      summary:
        'Converts small integers to floats with a scale and a zero point per element: `output = (input - zeroPoint) * scale`.',
      explanation: ['With the scale 0.5 and the zero point 10, `[10, 12, 13]` gives `[0, 1, 1.5]`.'],
      otherNames: {
        ONNX: ['DequantizeLinear'],
        WebNN: ['dequantizeLinear'],
        PyTorch: ['torch.dequantize'],
        others: ['dequantise'],
      },
      fields: {
        inputTensor: {
          kind: 'input',
          meaning: 'The integers that become floats.',
          support: {
            '6.2': ['1 to 8', integersUpTo32Bits],
            '6.0': ['1 to 8', integersUpTo32Bits],
            '3.0': ['1 to 8', integersUpTo32Bits],
            '2.1': ['4', integersUpTo32Bits],
            '1.0': ['4', ['uint8']],
          },
        },
        scaleTensor: {
          kind: 'input',
          perChannel: 'repeated',
          meaning: 'The number that one unit of `inputTensor` stands for.',
          support: {
            '6.2': ['1 to 8', floats],
            '6.0': ['1 to 8', floats],
            '3.0': ['1 to 8', ['float32']],
            '2.1': ['4', ['float32']],
            '1.0': ['4', ['float32']],
          },
        },
        zeroPointTensor: {
          kind: 'input',
          perChannel: 'repeated',
          optional: true,
          optionalSince: '6.2',
          meaning: 'The integer in `inputTensor` that stands for 0; without this tensor it is 0.',
          support: 'inputTensor',
        },
        outputTensor: { kind: 'output', ownDataType: true, meaning: 'The floats.', support: 'scaleTensor' },
      },
    },
    elementWiseQuantizedLinearAdd: {
      value: 147,
      since: '4.0',
      // Its scales and zero points are for whole tensors.
      call: { broadcast: ['aTensor', 'bTensor'] },
      summary: 'Adds two quantized tensors: both become floats, and the sum is quantized again.',
      explanation: [
        '`sum = (a - aZeroPoint) * aScale + (b - bZeroPoint) * bScale`; `output = clamp(round(sum / outputScale) + outputZeroPoint)`.',
      ],
      otherNames: { ONNX: ['QLinearAdd'], PyTorch: ['torch.ops.quantized.add'], others: ['quantized add'] },
      fields: {
        aTensor: {
          kind: 'input',
          meaning: 'The first addends, as integers that `aScaleTensor` and `aZeroPointTensor` interpret.',
          support: { '4.0': ['1 to 8', bytes] },
        },
        aScaleTensor: { kind: 'input', support: { '4.0': ['1 to 8', ['float32']] } },
        aZeroPointTensor: { kind: 'input', optional: true, support: 'aTensor' },
        bTensor: {
          kind: 'input',
          ownDataType: true,
          meaning: 'The second addends, as integers that `bScaleTensor` and `bZeroPointTensor` interpret.',
          support: 'aTensor',
        },
        bScaleTensor: { kind: 'input', support: 'aScaleTensor' },
        bZeroPointTensor: { kind: 'input', ownDataType: true, optional: true, support: 'aTensor' },
        outputScaleTensor: { kind: 'input', support: 'aScaleTensor' },
        outputZeroPointTensor: { kind: 'input', ownDataType: true, optional: true, support: 'aTensor' },
        outputTensor: {
          kind: 'output',
          ownDataType: true,
          meaning: 'The sums, as integers that `outputScaleTensor` and `outputZeroPointTensor` interpret.',
          support: 'aTensor',
        },
      },
    },
  },
};

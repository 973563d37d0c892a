import type { Family } from '../../descriptors/facts.js';
import { bytes, floats } from '../../descriptors/data-type-lists.js';

export const quantize: Family = {
  meanings: {
    inputTensor: 'The floats that become integers.',
    outputTensor: 'The integers.',
    quantizationType: 'Which tensors `quantizationTensors` has: a scale, or a scale and a zero point.',
    quantizationTensors: "The scale, and with `'scaleZeroPoint'` the zero point after it, one element for each block.",
  },
  operators: {
    dynamicQuantizeLinear: {
      value: 148,
      since: '4.0',
      listed: { after: 'elementWiseQuantizedLinearAdd' },
      summary: 'Computes the scale and zero point that fit the range of a tensor, and quantizes the tensor with them.',
      explanation: [
        'Low is the smallest element or 0, high the largest element or 0, so that 0 is always in the range.',
        '`scale = (high - low) / 255`; `zeroPoint = round(lowest level - low / scale)`, where the lowest level is 0 for uint8 and -128 for int8; then `output = clamp(round(input / scale) + zeroPoint)`.',
      ],
      otherNames: {
        ONNX: ['DynamicQuantizeLinear'],
        PyTorch: ['torch.quantize_per_tensor_dynamic'],
        others: ['dynamic quantization'],
      },
      fields: {
        inputTensor: { kind: 'input', support: { '4.0': ['1 to 8', floats] } },
        outputTensor: { kind: 'output', ownDataType: true, support: { '4.0': ['1 to 8', bytes] } },
        outputScaleTensor: {
          kind: 'output',
          ownDataType: true,
          meaning: "The number that one unit of `outputTensor` stands for, computed from the input's range.",
          support: { '4.0': ['1 to 8', ['float32']] },
        },
        outputZeroPointTensor: {
          kind: 'output',
          ownDataType: true,
          meaning: "The integer in `outputTensor` that stands for 0, computed from the input's range.",
          support: 'outputTensor',
        },
      },
    },
    quantize: {
      value: 173,
      since: '6.3',
      summary: 'Converts floats to integers of 4 or 8 bits with a scale, and optionally a zero point, per block of elements.',
      explanation: [
        "`output = clamp(round(input / scale) + zeroPoint)` to the range of the output's data type; halves are rounded to the even integer.",
        'Along each dimension, as many consecutive elements share a scale and a zero point as the size of the input is divided by that of the scale.',
      ],
      otherNames: { ONNX: ['QuantizeLinear'], WebNN: ['quantizeLinear'], others: ['block-wise quantization'], words: ['int4'] },
      fields: {
        inputTensor: { kind: 'input', support: { '6.3': ['1 to 8', floats] } },
        quantizationType: {
          kind: 'enum',
          enumName: 'QuantizationType',
          taken: ['scale', 'scaleZeroPoint'],
          default: { rule: 'quantization type', of: 'quantizationTensors', source: ['follows from the other fields'] },
        },
        quantizationTensorCount: { kind: 'uint' },
        quantizationTensors: {
          kind: 'inputs',
          countField: 'quantizationTensorCount',
          support: { '6.3': ['1 to 8', ['float32', 'float16', 'int8', 'int4', 'uint8', 'uint4']] },
        },
        outputTensor: { kind: 'output', ownDataType: true, support: { '6.3': ['1 to 8', ['int8', 'int4', 'uint8', 'uint4']] } },
      },
    },
    dequantize: {
      value: 174,
      since: '6.3',
      summary: 'Converts integers of 4 or 8 bits to floats with a scale, and optionally a zero point, per block of elements.',
      explanation: [
        '`output = (input - zeroPoint) * scale`.',
        'Along each dimension, as many consecutive elements share a scale and a zero point as the size of the input is divided by that of the scale.',
      ],
      otherNames: {
        ONNX: ['DequantizeLinear'],
        WebNN: ['dequantizeLinear'],
        others: ['block-wise dequantization', 'MatMulNBits'],
        words: ['int4 weights'],
      },
      fields: {
        inputTensor: {
          kind: 'input',
          meaning: 'The integers that become floats.',
          support: { '6.3': ['1 to 8', ['int8', 'int4', 'uint8', 'uint4']] },
        },
        quantizationType: {
          kind: 'enum',
          enumName: 'QuantizationType',
          taken: ['scale', 'scaleZeroPoint'],
          default: { rule: 'quantization type', of: 'quantizationTensors', source: ['follows from the other fields'] },
        },
        quantizationTensorCount: { kind: 'uint' },
        quantizationTensors: {
          kind: 'inputs',
          countField: 'quantizationTensorCount',
          support: { '6.3': ['1 to 8', ['float32', 'float16', 'int8', 'int4', 'uint8', 'uint4']] },
        },
        outputTensor: { kind: 'output', ownDataType: true, meaning: 'The floats.', support: { '6.3': ['1 to 8', floats] } },
      },
    },
  },
};

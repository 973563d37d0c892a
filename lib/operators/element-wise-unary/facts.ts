import type { Family } from '../../descriptors/facts.js';
import { all, allButFloat64, floats, upTo32Bits } from '../../descriptors/data-type-lists.js';

export const elementWiseUnary: Family = {
  meanings: {
    scaleBias: 'A factor and an addend for each input element: the function is applied to `input * scale + bias`.',
    inputGradientTensor: 'The gradient of the loss with respect to each result of the forward operator.',
    outputGradientTensor: 'The incoming gradient where it passes, elsewhere 0.',
    minMaxDataType: 'Data type in which `min` and `max` are given: that of the tensors.',
  },
  operators: {
    elementWiseAbs: {
      value: 2,
      since: '1.0',
      listed: { after: 'elementWiseIdentity' },
      summary: 'Takes the absolute value of each element: `output = |input|`.',
      otherNames: {
        ONNX: ['Abs'],
        WebNN: ['abs'],
        PyTorch: ['torch.abs'],
        others: ['np.abs', 'absolute value'],
        words: ['magnitude'],
      },
      fields: {
        inputTensor: {
          kind: 'input',
          support: {
            '4.1': ['1 to 8', ['float32', 'float16', 'int64', 'int32', 'int16', 'int8']],
            '3.0': ['1 to 8', ['float32', 'float16', 'int32', 'int16', 'int8']],
            '2.1': ['4', ['float32', 'float16', 'int32', 'int16', 'int8']],
            '1.0': ['4', floats],
          },
        },
        outputTensor: { kind: 'output', inPlace: ['inputTensor'], support: 'inputTensor' },
        scaleBias: { kind: 'scaleBias', optional: true },
      },
    },
    elementWiseNegate: {
      value: 156,
      since: '5.0',
      summary: 'Changes the sign of each element: `output = -input`.',
      otherNames: { ONNX: ['Neg'], WebNN: ['neg'], PyTorch: ['torch.neg'], others: ['np.negative'] },
      fields: {
        inputTensor: { kind: 'input', support: { '5.0': ['1 to 8', ['float32', 'float16', 'int64', 'int32', 'int16', 'int8']] } },
        outputTensor: { kind: 'output', inPlace: ['inputTensor'], support: 'inputTensor' },
      },
    },
    elementWiseSign: {
      value: 79,
      since: '2.0',
      summary: 'Computes the sign of each element: `output` is -1, 0 or 1.',
      otherNames: { ONNX: ['Sign'], WebNN: ['sign'], PyTorch: ['torch.sign'], others: ['np.sign'] },
      fields: {
        inputTensor: {
          kind: 'input',
          support: {
            '4.1': ['1 to 8', allButFloat64],
            '3.0': ['1 to 8', upTo32Bits],
            '2.1': ['4', upTo32Bits],
            '2.0': ['4', floats],
          },
        },
        outputTensor: { kind: 'output', inPlace: ['inputTensor'], support: 'inputTensor' },
      },
    },
    elementWiseRecip: {
      value: 27,
      since: '1.0',
      listed: { after: 'elementWiseModulusFloor' },
      summary: 'Takes the reciprocal of each element: `output = 1 / input`.',
      otherNames: {
        ONNX: ['Reciprocal'],
        WebNN: ['reciprocal'],
        PyTorch: ['torch.reciprocal'],
        others: ['np.reciprocal', 'inverse'],
        words: ['1/x'],
      },
      fields: {
        inputTensor: { kind: 'input', support: { '3.0': ['1 to 8', floats], '1.0': ['4', floats] } },
        outputTensor: { kind: 'output', inPlace: ['inputTensor'], support: 'inputTensor' },
        scaleBias: { kind: 'scaleBias', optional: true },
      },
    },
    elementWiseCeil: {
      value: 7,
      since: '1.0',
      listed: { after: 'elementWiseDifferenceSquare' },
      summary: 'Rounds each element up to a whole number.',
      otherNames: { ONNX: ['Ceil'], WebNN: ['ceil'], PyTorch: ['torch.ceil'], others: ['np.ceil'] },
      fields: {
        inputTensor: { kind: 'input', support: { '3.0': ['1 to 8', floats], '1.0': ['4', floats] } },
        outputTensor: { kind: 'output', inPlace: ['inputTensor'], support: 'inputTensor' },
        scaleBias: { kind: 'scaleBias', optional: true },
      },
    },
    elementWiseFloor: {
      value: 12,
      since: '1.0',
      summary: 'Rounds each element down to a whole number.',
      otherNames: { ONNX: ['Floor'], WebNN: ['floor'], PyTorch: ['torch.floor'], others: ['np.floor'] },
      fields: {
        inputTensor: { kind: 'input', support: { '3.0': ['1 to 8', floats], '1.0': ['4', floats] } },
        outputTensor: { kind: 'output', inPlace: ['inputTensor'], support: 'inputTensor' },
        scaleBias: { kind: 'scaleBias', optional: true },
      },
    },
    elementWiseRound: {
      value: 99,
      since: '2.1',
      summary: 'Rounds each element to a whole number, as `roundingMode` says.',
      otherNames: {
        ONNX: ['Round'],
        WebNN: ['roundEven'],
        PyTorch: ['torch.round', 'torch.trunc'],
        others: ['np.round', 'np.rint', 'np.trunc'],
      },
      fields: {
        inputTensor: { kind: 'input', support: { '3.0': ['1 to 8', floats], '2.1': ['4', floats] } },
        outputTensor: { kind: 'output', inPlace: ['inputTensor'], support: 'inputTensor' },
        roundingMode: {
          kind: 'enum',
          enumName: 'RoundingMode',
          meaning: 'Which whole number an element becomes.',
          default: { value: 'halvesToNearestEven', source: ['DirectMLX.h', 'ONNX', 'NumPy'] },
        },
      },
    },
    elementWiseClip: {
      value: 8,
      since: '1.0',
      fusion: { since: '6.0', into: ['convolution', 'gemm'] },
      summary: 'Limits each element to the range from `min` to `max`, which are floats: `output = max(min, min(input, max))`.',
      otherNames: {
        ONNX: ['Clip'],
        WebNN: ['clamp'],
        PyTorch: ['torch.clamp'],
        others: ['np.clip', 'tf.clip_by_value', 'relu6'],
      },
      fields: {
        inputTensor: {
          kind: 'input',
          meaning: 'The elements that are limited.',
          support: {
            '5.0': ['1 to 8', allButFloat64],
            '3.0': ['1 to 8', upTo32Bits],
            '2.1': ['4', upTo32Bits],
            '1.0': ['4', floats],
          },
        },
        outputTensor: { kind: 'output', inPlace: ['inputTensor'], support: 'inputTensor' },
        scaleBias: { kind: 'scaleBias', optional: true },
        min: {
          kind: 'float',
          meaning: 'The lower limit: smaller elements are raised to it.',
          default: {
            rule: 'lowest value',
            of: 'inputTensor',
            source: ['ONNX', 'WebNN'],
            note: 'ONNX: the lowest finite number; WebNN: -Infinity. They differ for an element of -Infinity',
          },
        },
        max: {
          kind: 'float',
          meaning: 'The upper limit: greater elements are lowered to it.',
          default: { rule: 'highest value', of: 'inputTensor', source: ['ONNX', 'WebNN'] },
        },
      },
    },
    elementWiseClip1: {
      value: 153,
      since: '5.0',
      summary:
        'Limits each element to the range from `min` to `max`, which have the data type of the tensors: `output = max(min, min(input, max))`.',
      otherNames: { ONNX: ['Clip'], WebNN: ['clamp'], PyTorch: ['torch.clamp'], others: ['np.clip', 'integer clip'] },
      like: 'elementWiseClip',
      fields: {
        inputTensor: { support: { '5.0': ['1 to 8', allButFloat64] } },
        minMaxDataType: {
          after: 'scaleBias',
          kind: 'enum',
          enumName: 'DataType',
          default: { rule: 'data type', of: 'inputTensor', source: ['DirectMLX.h', 'follows from the other fields'] },
        },
        min: {
          kind: 'scalar',
          meaning: 'The lower limit, of the data type `minMaxDataType`: smaller elements are raised to it.',
          default: {
            rule: 'lowest value',
            of: 'inputTensor',
            source: ['ONNX', 'WebNN'],
            note: 'ONNX: the lowest finite number; WebNN: -Infinity. They differ for an element of -Infinity',
          },
        },
        max: {
          kind: 'scalar',
          meaning: 'The upper limit, of the data type `minMaxDataType`: greater elements are lowered to it.',
          default: { rule: 'highest value', of: 'inputTensor', source: ['ONNX', 'WebNN'] },
        },
      },
    },
    elementWiseClipGrad: {
      value: 142,
      since: '3.1',
      summary:
        'Computes the gradient of `elementWiseClip`: the incoming gradient where the input is strictly between the limits, else 0.',
      otherNames: { PyTorch: ['clamp backward'], others: ['gradient of clip', 'hardtanh backward'] },
      fields: {
        inputTensor: {
          kind: 'input',
          meaning: 'The input of the forward operator, which decides where the gradient passes.',
          support: { '5.0': ['1 to 8', allButFloat64], '3.1': ['1 to 8', upTo32Bits] },
        },
        inputGradientTensor: { kind: 'input', support: 'inputTensor' },
        outputGradientTensor: { kind: 'output', inPlace: ['inputTensor'], support: 'inputTensor' },
        min: { kind: 'float', meaning: 'The lower limit of the forward operator: the gradient passes only above it.' },
        max: { kind: 'float', meaning: 'The upper limit of the forward operator: the gradient passes only below it.' },
      },
    },
    elementWiseClipGrad1: {
      value: 154,
      since: '5.0',
      summary:
        'Computes the gradient of `elementWiseClip1`: the incoming gradient where the input is strictly between the limits, else 0.',
      otherNames: { PyTorch: ['clamp backward'], others: ['gradient of clip'] },
      like: 'elementWiseClipGrad',
      fields: {
        inputTensor: { support: { '5.0': ['1 to 8', allButFloat64] } },
        minMaxDataType: {
          after: 'outputGradientTensor',
          kind: 'enum',
          enumName: 'DataType',
          default: { rule: 'data type', of: 'inputTensor', source: ['DirectMLX.h', 'follows from the other fields'] },
        },
        min: {
          kind: 'scalar',
          meaning:
            'The lower limit of the forward operator, of the data type `minMaxDataType`: the gradient passes only above it.',
        },
        max: {
          kind: 'scalar',
          meaning:
            'The upper limit of the forward operator, of the data type `minMaxDataType`: the gradient passes only below it.',
        },
      },
    },
    elementWiseThreshold: {
      value: 32,
      since: '1.0',
      summary: 'Raises each element to at least `min`: `output = max(input, min)`.',
      otherNames: { PyTorch: ['torch.clamp'], words: ['np.maximum with a number'] },
      fields: {
        inputTensor: {
          kind: 'input',
          meaning: 'The elements that are limited.',
          support: { '3.0': ['1 to 8', upTo32Bits], '2.1': ['4', upTo32Bits], '1.0': ['4', floats] },
        },
        outputTensor: { kind: 'output', inPlace: ['inputTensor'], support: 'inputTensor' },
        scaleBias: { kind: 'scaleBias', optional: true },
        min: { kind: 'float', meaning: 'The lower limit: smaller elements are raised to it; there is no upper one.' },
      },
    },
    elementWiseSqrt: {
      value: 29,
      since: '1.0',
      summary: 'Takes the square root of each element: `output = √input`.',
      otherNames: { ONNX: ['Sqrt'], WebNN: ['sqrt'], PyTorch: ['torch.sqrt'], others: ['np.sqrt'] },
      fields: {
        inputTensor: { kind: 'input', support: { '3.0': ['1 to 8', floats], '1.0': ['4', floats] } },
        outputTensor: { kind: 'output', inPlace: ['inputTensor'], support: 'inputTensor' },
        scaleBias: { kind: 'scaleBias', optional: true },
      },
    },
    elementWiseExp: {
      value: 11,
      since: '1.0',
      summary: 'Raises e to each element: `output = exp(input)`.',
      otherNames: { ONNX: ['Exp'], WebNN: ['exp'], PyTorch: ['torch.exp'], others: ['np.exp'] },
      fields: {
        inputTensor: { kind: 'input', support: { '3.0': ['1 to 8', floats], '1.0': ['4', floats] } },
        outputTensor: { kind: 'output', inPlace: ['inputTensor'], support: 'inputTensor' },
        scaleBias: { kind: 'scaleBias', optional: true },
      },
    },
    elementWiseLog: {
      value: 13,
      since: '1.0',
      summary: 'Takes the natural logarithm of each element: `output = ln(input)`.',
      otherNames: { ONNX: ['Log'], WebNN: ['log'], PyTorch: ['torch.log'], others: ['np.log', 'natural logarithm'] },
      fields: {
        inputTensor: { kind: 'input', support: { '3.0': ['1 to 8', floats], '1.0': ['4', floats] } },
        outputTensor: { kind: 'output', inPlace: ['inputTensor'], support: 'inputTensor' },
        scaleBias: { kind: 'scaleBias', optional: true },
      },
    },
    elementWiseConstantPow: {
      value: 26,
      since: '1.0',
      listed: { after: 'elementWisePow' },
      summary: 'Raises all elements to the same power: `output = input ^ exponent`.',
      otherNames: {
        ONNX: ['Pow'],
        WebNN: ['pow'],
        PyTorch: ['torch.pow'],
        others: ['np.square', 'np.power', 'square'],
        words: ['cube'],
      },
      fields: {
        inputTensor: { kind: 'input', support: { '3.0': ['1 to 8', floats], '1.0': ['4', floats] } },
        outputTensor: { kind: 'output', inPlace: ['inputTensor'], support: 'inputTensor' },
        scaleBias: { kind: 'scaleBias', optional: true },
        exponent: {
          kind: 'float',
          meaning: 'The power that each element is raised to; negative elements give NaN unless it is a whole number.',
        },
      },
    },
    elementWiseErf: {
      value: 81,
      since: '2.0',
      summary: 'Computes the Gauss error function of each element: `output = erf(input)`.',
      otherNames: { ONNX: ['Erf'], WebNN: ['erf'], PyTorch: ['torch.erf'], others: ['scipy.special.erf'] },
      fields: {
        inputTensor: { kind: 'input', support: { '3.0': ['1 to 8', floats], '2.0': ['4', floats] } },
        outputTensor: { kind: 'output', inPlace: ['inputTensor'], support: 'inputTensor' },
        scaleBias: { kind: 'scaleBias', optional: true },
      },
    },
    elementWiseSin: {
      value: 28,
      since: '1.0',
      listed: { under: 'Element-wise trigonometry' },
      summary: 'Takes the sine of each element, an angle in radians: `output = sin(input)`.',
      otherNames: { ONNX: ['Sin'], WebNN: ['sin'], PyTorch: ['torch.sin'], others: ['np.sin'] },
      fields: {
        inputTensor: { kind: 'input', support: { '3.0': ['1 to 8', floats], '1.0': ['4', floats] } },
        outputTensor: { kind: 'output', inPlace: ['inputTensor'], support: 'inputTensor' },
        scaleBias: { kind: 'scaleBias', optional: true },
      },
    },
    elementWiseCos: {
      value: 9,
      since: '1.0',
      summary: 'Takes the cosine of each element, an angle in radians: `output = cos(input)`.',
      otherNames: { ONNX: ['Cos'], WebNN: ['cos'], PyTorch: ['torch.cos'], others: ['np.cos'] },
      fields: {
        inputTensor: { kind: 'input', support: { '3.0': ['1 to 8', floats], '1.0': ['4', floats] } },
        outputTensor: { kind: 'output', inPlace: ['inputTensor'], support: 'inputTensor' },
        scaleBias: { kind: 'scaleBias', optional: true },
      },
    },
    elementWiseTan: {
      value: 31,
      since: '1.0',
      summary: 'Takes the tangent of each element, an angle in radians: `output = tan(input)`.',
      otherNames: { ONNX: ['Tan'], WebNN: ['tan'], PyTorch: ['torch.tan'], others: ['np.tan'] },
      fields: {
        inputTensor: { kind: 'input', support: { '3.0': ['1 to 8', floats], '1.0': ['4', floats] } },
        outputTensor: { kind: 'output', inPlace: ['inputTensor'], support: 'inputTensor' },
        scaleBias: { kind: 'scaleBias', optional: true },
      },
    },
    elementWiseAsin: {
      value: 5,
      since: '1.0',
      summary: 'Computes the arcsine of each element, an angle from -π/2 to π/2: `output = asin(input)`.',
      otherNames: { ONNX: ['Asin'], PyTorch: ['torch.asin'], others: ['np.arcsin'] },
      fields: {
        inputTensor: { kind: 'input', support: { '3.0': ['1 to 8', floats], '1.0': ['4', floats] } },
        outputTensor: { kind: 'output', inPlace: ['inputTensor'], support: 'inputTensor' },
        scaleBias: { kind: 'scaleBias', optional: true },
      },
    },
    elementWiseAcos: {
      value: 3,
      since: '1.0',
      summary: 'Computes the arccosine of each element, an angle from 0 to π: `output = acos(input)`.',
      otherNames: { ONNX: ['Acos'], PyTorch: ['torch.acos'], others: ['np.arccos'] },
      fields: {
        inputTensor: { kind: 'input', support: { '3.0': ['1 to 8', floats], '1.0': ['4', floats] } },
        outputTensor: { kind: 'output', inPlace: ['inputTensor'], support: 'inputTensor' },
        scaleBias: { kind: 'scaleBias', optional: true },
      },
    },
    elementWiseAtan: {
      value: 6,
      since: '1.0',
      summary: 'Computes the arctangent of each element, an angle from -π/2 to π/2: `output = atan(input)`.',
      otherNames: { ONNX: ['Atan'], PyTorch: ['torch.atan'], others: ['np.arctan'] },
      fields: {
        inputTensor: { kind: 'input', support: { '3.0': ['1 to 8', floats], '1.0': ['4', floats] } },
        outputTensor: { kind: 'output', inPlace: ['inputTensor'], support: 'inputTensor' },
        scaleBias: { kind: 'scaleBias', optional: true },
      },
    },
    elementWiseSinh: {
      value: 82,
      since: '2.0',
      listed: { after: 'elementWiseAtanYx' },
      summary: 'Takes the hyperbolic sine of each element: `output = (exp(input) - exp(-input)) / 2`.',
      otherNames: { ONNX: ['Sinh'], PyTorch: ['torch.sinh'], others: ['np.sinh'] },
      fields: {
        inputTensor: { kind: 'input', support: { '3.0': ['1 to 8', floats], '2.0': ['4', floats] } },
        outputTensor: { kind: 'output', inPlace: ['inputTensor'], support: 'inputTensor' },
        scaleBias: { kind: 'scaleBias', optional: true },
      },
    },
    elementWiseCosh: {
      value: 83,
      since: '2.0',
      summary: 'Takes the hyperbolic cosine of each element: `output = (exp(input) + exp(-input)) / 2`.',
      otherNames: { ONNX: ['Cosh'], PyTorch: ['torch.cosh'], others: ['np.cosh'] },
      fields: {
        inputTensor: { kind: 'input', support: { '3.0': ['1 to 8', floats], '2.0': ['4', floats] } },
        outputTensor: { kind: 'output', inPlace: ['inputTensor'], support: 'inputTensor' },
        scaleBias: { kind: 'scaleBias', optional: true },
      },
    },
    elementWiseTanh: {
      value: 84,
      since: '2.0',
      summary: 'Takes the hyperbolic tangent of each element: `output = sinh(input) / cosh(input)`.',
      otherNames: { ONNX: ['Tanh'], WebNN: ['tanh'], PyTorch: ['torch.tanh'], others: ['np.tanh'] },
      fields: {
        inputTensor: { kind: 'input', support: { '3.0': ['1 to 8', floats], '2.0': ['4', floats] } },
        outputTensor: { kind: 'output', inPlace: ['inputTensor'], support: 'inputTensor' },
        scaleBias: { kind: 'scaleBias', optional: true },
      },
    },
    elementWiseAsinh: {
      value: 85,
      since: '2.0',
      summary: 'Computes the inverse hyperbolic sine: `output = ln(input + √(input² + 1))`.',
      otherNames: { ONNX: ['Asinh'], PyTorch: ['torch.asinh'], others: ['np.arcsinh'] },
      fields: {
        inputTensor: { kind: 'input', support: { '3.0': ['1 to 8', floats], '2.0': ['4', floats] } },
        outputTensor: { kind: 'output', inPlace: ['inputTensor'], support: 'inputTensor' },
        scaleBias: { kind: 'scaleBias', optional: true },
      },
    },
    elementWiseAcosh: {
      value: 86,
      since: '2.0',
      summary: 'Computes the inverse hyperbolic cosine of elements that are at least 1: `output = ln(input + √(input² - 1))`.',
      otherNames: { ONNX: ['Acosh'], PyTorch: ['torch.acosh'], others: ['np.arccosh'] },
      fields: {
        inputTensor: { kind: 'input', support: { '3.0': ['1 to 8', floats], '2.0': ['4', floats] } },
        outputTensor: { kind: 'output', inPlace: ['inputTensor'], support: 'inputTensor' },
        scaleBias: { kind: 'scaleBias', optional: true },
      },
    },
    elementWiseAtanh: {
      value: 87,
      since: '2.0',
      summary:
        'Computes the inverse hyperbolic tangent of elements between -1 and 1: `output = ln((1 + input) / (1 - input)) / 2`.',
      otherNames: { ONNX: ['Atanh'], PyTorch: ['torch.atanh'], others: ['np.arctanh'] },
      fields: {
        inputTensor: { kind: 'input', support: { '3.0': ['1 to 8', floats], '2.0': ['4', floats] } },
        outputTensor: { kind: 'output', inPlace: ['inputTensor'], support: 'inputTensor' },
        scaleBias: { kind: 'scaleBias', optional: true },
      },
    },
    elementWiseLogicalNot: {
      value: 18,
      since: '1.0',
      listed: { after: 'elementWiseLogicalXor' },
      summary: 'Computes the logical NOT of each element: `output` is 1 if it is 0, else 0.',
      otherNames: { ONNX: ['Not'], WebNN: ['logicalNot'], PyTorch: ['torch.logical_not'], others: ['np.logical_not'] },
      fields: {
        inputTensor: {
          kind: 'input',
          support: { '3.0': ['1 to 8', ['uint32', 'uint8']], '2.0': ['4', ['uint32', 'uint8']], '1.0': ['4', ['uint32']] },
        },
        outputTensor: {
          kind: 'output',
          inPlace: ['inputTensor'],
          meaning: '1 or 0 for each element of the input.',
          support: 'inputTensor',
        },
      },
    },
    elementWiseIsNan: {
      value: 80,
      since: '2.0',
      listed: { after: 'elementWiseLogicalLessThanOrEqual' },
      summary: 'Tests whether each element is NaN: `output` is 1 if it is, else 0.',
      otherNames: { ONNX: ['IsNaN'], WebNN: ['isNaN'], PyTorch: ['torch.isnan'], others: ['np.isnan'] },
      fields: {
        inputTensor: { kind: 'input', support: { '3.0': ['1 to 8', floats], '2.0': ['4', floats] } },
        outputTensor: {
          kind: 'output',
          ownDataType: true,
          defaultDataType: 'uint8',
          meaning: '1 or 0 for each element of the input.',
          support: { '3.0': ['1 to 8', ['uint32', 'uint8']], '2.0': ['4', ['uint32', 'uint8']] },
        },
      },
    },
    elementWiseIsInfinity: {
      value: 100,
      since: '2.1',
      summary:
        'Tests whether each element is infinite, with the sign that `infinityMode` selects: `output` is 1 if it is, else 0.',
      otherNames: {
        ONNX: ['IsInf'],
        WebNN: ['isInfinite'],
        PyTorch: ['torch.isinf'],
        others: ['np.isinf', 'np.isposinf', 'np.isneginf'],
      },
      fields: {
        inputTensor: { kind: 'input', support: { '3.0': ['1 to 8', floats], '2.1': ['4', floats] } },
        outputTensor: {
          kind: 'output',
          ownDataType: true,
          meaning: '1 or 0 for each element of the input.',
          support: { '3.0': ['1 to 8', ['uint8']], '2.1': ['4', ['uint8']] },
        },
        infinityMode: {
          kind: 'enum',
          enumName: 'IsInfinityMode',
          meaning: 'The sign of the infinities that are found.',
          default: { value: 'either', source: ['DirectMLX.h', 'ONNX', 'NumPy'] },
        },
      },
    },
    elementWiseBitNot: {
      value: 124,
      since: '3.0',
      listed: { after: 'elementWiseBitXor' },
      summary: 'Inverts every bit of each element: `output = ~input`.',
      otherNames: { ONNX: ['BitwiseNot'], PyTorch: ['torch.bitwise_not'], others: ['np.bitwise_not'] },
      fields: {
        inputTensor: { kind: 'input', support: { '4.1': ['1 to 8', all], '3.0': ['1 to 8', ['uint32', 'uint16', 'uint8']] } },
        outputTensor: { kind: 'output', inPlace: ['inputTensor'], support: 'inputTensor' },
      },
    },
    elementWiseBitCount: {
      value: 125,
      since: '3.0',
      summary: 'Counts the bits of each element that are 1.',
      otherNames: { ONNX: ['BitCount'], others: ['popcount', 'np.bitwise_count', 'tf.raw_ops.PopulationCount'] },
      fields: {
        inputTensor: { kind: 'input', support: { '4.1': ['1 to 8', all], '3.0': ['1 to 8', ['uint32', 'uint16', 'uint8']] } },
        outputTensor: {
          kind: 'output',
          ownDataType: true,
          defaultDataType: 'uint8',
          support: { '4.1': ['1 to 8', ['uint32', 'uint8']], '3.0': ['1 to 8', ['uint32', 'uint8']] },
        },
      },
    },
  },
};

import type { Family } from '../../descriptors/facts.js';
import {
  all,
  allButFloat64,
  floats,
  floatsAnd32Bits,
  floatsAndIndices,
  unsigned,
  upTo32Bits,
} from '../../descriptors/data-type-lists.js';

export const elementWiseBinary: Family = {
  operators: {
    elementWiseAdd: {
      value: 4,
      since: '1.0',
      listed: { after: 'elementWiseSign' },
      summary: 'Adds two tensors element by element: `output = a + b`.',
      otherNames: {
        ONNX: ['Add', 'Sum'],
        WebNN: ['add'],
        PyTorch: ['torch.add'],
        others: ['np.add', 'plus'],
        words: ['residual'],
      },
      fields: {
        aTensor: {
          kind: 'input',
          support: {
            '5.1': ['1 to 8', allButFloat64],
            '4.1': ['1 to 8', floatsAndIndices],
            '3.0': ['1 to 8', floatsAnd32Bits],
            '2.1': ['4 to 5', floatsAnd32Bits],
            '1.0': ['4 to 5', floats],
          },
        },
        bTensor: { kind: 'input', support: 'aTensor' },
        outputTensor: {
          kind: 'output',
          inPlace: ['aTensor', 'bTensor'],
          meaning: 'The results, one for each pair of elements.',
          support: 'aTensor',
        },
      },
    },
    elementWiseSubtract: {
      value: 30,
      since: '1.0',
      listed: { after: 'elementWiseAdd1' },
      summary: 'Subtracts the second tensor from the first, element by element: `output = a - b`.',
      otherNames: { ONNX: ['Sub'], WebNN: ['sub'], PyTorch: ['torch.sub'], others: ['np.subtract', 'minus'] },
      fields: {
        aTensor: {
          kind: 'input',
          meaning: 'The elements that is subtracted from.',
          support: {
            '5.1': ['1 to 8', allButFloat64],
            '4.1': ['1 to 8', floatsAndIndices],
            '3.0': ['1 to 8', floatsAnd32Bits],
            '2.1': ['4', floatsAnd32Bits],
            '1.0': ['4', floats],
          },
        },
        bTensor: { kind: 'input', meaning: 'The elements that are subtracted.', support: 'aTensor' },
        outputTensor: {
          kind: 'output',
          inPlace: ['aTensor', 'bTensor'],
          meaning: 'The results, one for each pair of elements.',
          support: 'aTensor',
        },
      },
    },
    elementWiseMultiply: {
      value: 24,
      since: '1.0',
      summary: 'Multiplies two tensors element by element: `output = a * b`.',
      otherNames: { ONNX: ['Mul'], WebNN: ['mul'], PyTorch: ['torch.mul'], others: ['np.multiply', 'Hadamard product'] },
      like: 'elementWiseAdd',
    },
    elementWiseDivide: {
      value: 10,
      since: '1.0',
      summary:
        'Divides the first tensor by the second, element by element: `output = a / b`, truncated towards zero for integers.',
      otherNames: { ONNX: ['Div'], WebNN: ['div'], PyTorch: ['torch.div'], others: ['np.divide'] },
      fields: {
        aTensor: {
          kind: 'input',
          meaning: 'The dividends.',
          support: {
            '6.0': ['1 to 8', allButFloat64],
            '5.1': ['1 to 8', upTo32Bits],
            '3.0': ['1 to 8', floatsAnd32Bits],
            '2.1': ['4', floatsAnd32Bits],
            '1.0': ['4', floats],
          },
        },
        bTensor: { kind: 'input', meaning: 'The divisors.', support: 'aTensor' },
        outputTensor: {
          kind: 'output',
          inPlace: ['aTensor', 'bTensor'],
          meaning: 'The results, one for each pair of elements.',
          support: 'aTensor',
        },
      },
    },
    elementWiseModulusTruncate: {
      value: 101,
      since: '2.1',
      summary:
        'Computes the remainder of a division whose quotient is truncated towards zero, so it has the sign of `a`: `output = a - b * trunc(a / b)`.',
      otherNames: { ONNX: ['Mod'], PyTorch: ['torch.fmod'], others: ['np.fmod', 'remainder'], words: ['C %'] },
      fields: {
        aTensor: {
          kind: 'input',
          meaning: 'The dividends.',
          support: { '6.0': ['1 to 8', allButFloat64], '3.0': ['1 to 8', upTo32Bits], '2.1': ['4', upTo32Bits] },
        },
        bTensor: { kind: 'input', meaning: 'The divisors.', support: 'aTensor' },
        outputTensor: {
          kind: 'output',
          inPlace: ['aTensor', 'bTensor'],
          meaning: 'The results, one for each pair of elements.',
          support: 'aTensor',
        },
      },
    },
    elementWiseModulusFloor: {
      value: 102,
      since: '2.1',
      summary:
        'Computes the remainder of a division whose quotient is rounded down, so it has the sign of `b`: `output = a - b * floor(a / b)`.',
      otherNames: { ONNX: ['Mod'], PyTorch: ['torch.remainder'], others: ['np.mod', 'tf.math.floormod'], words: ['Python %'] },
      fields: {
        aTensor: {
          kind: 'input',
          meaning: 'The dividends.',
          support: { '6.0': ['1 to 8', allButFloat64], '3.0': ['1 to 8', upTo32Bits], '2.1': ['4', upTo32Bits] },
        },
        bTensor: { kind: 'input', meaning: 'The divisors.', support: 'aTensor' },
        outputTensor: {
          kind: 'output',
          inPlace: ['aTensor', 'bTensor'],
          meaning: 'The results, one for each pair of elements.',
          support: 'aTensor',
        },
      },
    },
    elementWiseMax: {
      value: 21,
      since: '1.0',
      listed: { after: 'elementWiseRecip' },
      summary: 'Takes the larger of two elements: `output = max(a, b)`.',
      otherNames: { ONNX: ['Max'], WebNN: ['max'], PyTorch: ['torch.maximum'], others: ['np.maximum'] },
      fields: {
        aTensor: {
          kind: 'input',
          support: {
            '5.0': ['1 to 8', allButFloat64],
            '3.0': ['1 to 8', upTo32Bits],
            '2.1': ['4', upTo32Bits],
            '1.0': ['4', floats],
          },
        },
        bTensor: { kind: 'input', support: 'aTensor' },
        outputTensor: {
          kind: 'output',
          inPlace: ['aTensor', 'bTensor'],
          meaning: 'The results, one for each pair of elements.',
          support: 'aTensor',
        },
      },
    },
    elementWiseMin: {
      value: 23,
      since: '1.0',
      summary: 'Takes the smaller of two elements: `output = min(a, b)`.',
      otherNames: { ONNX: ['Min'], WebNN: ['min'], PyTorch: ['torch.minimum'], others: ['np.minimum'] },
      like: 'elementWiseMax',
    },
    elementWiseMean: {
      value: 22,
      since: '1.0',
      summary: 'Takes the mean of two elements: `output = (a + b) / 2`.',
      otherNames: { ONNX: ['Mean'], words: ['average of two'] },
      fields: {
        aTensor: {
          kind: 'input',
          support: { '3.0': ['1 to 8', floatsAnd32Bits], '2.1': ['4', floatsAnd32Bits], '1.0': ['4', floats] },
        },
        bTensor: { kind: 'input', support: 'aTensor' },
        outputTensor: {
          kind: 'output',
          inPlace: ['aTensor', 'bTensor'],
          meaning: 'The results, one for each pair of elements.',
          support: 'aTensor',
        },
      },
    },
    elementWiseDifferenceSquare: {
      value: 143,
      since: '3.1',
      summary: 'Squares the difference of two elements: `output = (a - b)²`.',
      otherNames: { others: ['tf.math.squared_difference'], words: ['squared error'] },
      fields: {
        aTensor: { kind: 'input', support: { '3.1': ['1 to 8', floatsAnd32Bits] } },
        bTensor: { kind: 'input', support: 'aTensor' },
        outputTensor: {
          kind: 'output',
          inPlace: ['aTensor', 'bTensor'],
          meaning: 'The results, one for each pair of elements.',
          support: 'aTensor',
        },
      },
    },
    elementWisePow: {
      value: 25,
      since: '1.0',
      listed: { after: 'elementWiseLog' },
      summary: 'Raises each element to its own power: `output = input ^ exponent`.',
      otherNames: { ONNX: ['Pow'], WebNN: ['pow'], PyTorch: ['torch.pow'], others: ['np.power'] },
      fields: {
        inputTensor: {
          kind: 'input',
          meaning: 'The base for each element.',
          support: { '3.0': ['1 to 8', upTo32Bits], '1.0': ['4', floats] },
        },
        exponentTensor: { kind: 'input', ownDataType: true, meaning: 'The power for each element.', support: 'inputTensor' },
        outputTensor: { kind: 'output', inPlace: ['inputTensor'], support: 'inputTensor' },
        scaleBias: {
          kind: 'scaleBias',
          optional: true,
          meaning:
            'A factor and an addend for each element, of bases and of exponents alike: `input * scale + bias` and `exponent * scale + bias`.',
        },
      },
    },
    elementWiseAtanYx: {
      value: 141,
      since: '3.1',
      listed: { after: 'elementWiseAtan' },
      summary: 'Computes the angle of the point (b, a) as seen from the origin, from -π to π: `output = atan2(a, b)`.',
      otherNames: { PyTorch: ['torch.atan2'], others: ['np.arctan2', 'atan2', 'tf.math.atan2'] },
      fields: {
        aTensor: { kind: 'input', meaning: 'The vertical coordinates y of the points.', support: { '3.1': ['1 to 8', floats] } },
        bTensor: { kind: 'input', meaning: 'The horizontal coordinates x of the points.', support: 'aTensor' },
        outputTensor: {
          kind: 'output',
          inPlace: ['aTensor', 'bTensor'],
          meaning: 'The results, one for each pair of elements.',
          support: 'aTensor',
        },
      },
    },
    elementWiseLogicalAnd: {
      value: 14,
      since: '1.0',
      listed: { under: 'Element-wise logic and comparison' },
      summary: 'Computes the logical AND of two elements: `output` is 1 if both are nonzero, else 0.',
      otherNames: { ONNX: ['And'], WebNN: ['logicalAnd'], PyTorch: ['torch.logical_and'], others: ['np.logical_and'] },
      fields: {
        aTensor: {
          kind: 'input',
          support: { '3.0': ['1 to 8', ['uint32', 'uint8']], '2.0': ['4', ['uint32', 'uint8']], '1.0': ['4', ['uint32']] },
        },
        bTensor: { kind: 'input', support: 'aTensor' },
        outputTensor: {
          kind: 'output',
          inPlace: ['aTensor', 'bTensor'],
          meaning: '1 or 0 for each pair of elements.',
          support: 'aTensor',
        },
      },
    },
    elementWiseLogicalOr: {
      value: 19,
      since: '1.0',
      summary: 'Computes the logical OR of two elements: `output` is 1 if at least one is nonzero, else 0.',
      otherNames: { ONNX: ['Or'], WebNN: ['logicalOr'], PyTorch: ['torch.logical_or'], others: ['np.logical_or'] },
      like: 'elementWiseLogicalAnd',
    },
    elementWiseLogicalXor: {
      value: 20,
      since: '1.0',
      summary: 'Computes the logical XOR of two elements: `output` is 1 if exactly one is nonzero, else 0.',
      otherNames: { ONNX: ['Xor'], WebNN: ['logicalXor'], PyTorch: ['torch.logical_xor'], others: ['np.logical_xor'] },
      like: 'elementWiseLogicalAnd',
    },
    elementWiseLogicalEquals: {
      value: 15,
      since: '1.0',
      listed: { after: 'elementWiseLogicalNot' },
      summary: 'Tests whether two elements are equal: `output = a == b ? 1 : 0`.',
      otherNames: { ONNX: ['Equal'], WebNN: ['equal'], PyTorch: ['torch.eq'], others: ['np.equal'] },
      fields: {
        aTensor: {
          kind: 'input',
          support: {
            '4.1': ['1 to 8', allButFloat64],
            '3.0': ['1 to 8', upTo32Bits],
            '2.1': ['4', upTo32Bits],
            '2.0': ['4', floats],
            '1.0': ['4', floats],
          },
        },
        bTensor: { kind: 'input', support: 'aTensor' },
        outputTensor: {
          kind: 'output',
          ownDataType: true,
          defaultDataType: 'uint8',
          meaning: '1 or 0 for each pair of elements.',
          support: {
            '4.1': ['1 to 8', ['uint32', 'uint8']],
            '3.0': ['1 to 8', ['uint32', 'uint8']],
            '2.1': ['4', ['uint32', 'uint8']],
            '2.0': ['4', ['uint32', 'uint8']],
            '1.0': ['4', ['uint32']],
          },
        },
      },
    },
    elementWiseLogicalGreaterThan: {
      value: 16,
      since: '1.0',
      summary: 'Tests whether the first element is greater than the second: `output = a > b ? 1 : 0`.',
      otherNames: { ONNX: ['Greater'], WebNN: ['greater'], PyTorch: ['torch.gt'], others: ['np.greater'] },
      like: 'elementWiseLogicalEquals',
    },
    elementWiseLogicalLessThan: {
      value: 17,
      since: '1.0',
      summary: 'Tests whether the first element is less than the second: `output = a < b ? 1 : 0`.',
      otherNames: { ONNX: ['Less'], WebNN: ['lesser'], PyTorch: ['torch.lt'], others: ['np.less'] },
      like: 'elementWiseLogicalEquals',
    },
    elementWiseLogicalGreaterThanOrEqual: {
      value: 126,
      since: '3.0',
      summary: 'Tests whether the first element is greater than or equal to the second: `output = a >= b ? 1 : 0`.',
      otherNames: { ONNX: ['GreaterOrEqual'], WebNN: ['greaterOrEqual'], PyTorch: ['torch.ge'], others: ['np.greater_equal'] },
      fields: {
        aTensor: { kind: 'input', support: { '4.1': ['1 to 8', allButFloat64], '3.0': ['1 to 8', upTo32Bits] } },
        bTensor: { kind: 'input', support: 'aTensor' },
        outputTensor: {
          kind: 'output',
          ownDataType: true,
          defaultDataType: 'uint8',
          meaning: '1 or 0 for each pair of elements.',
          support: { '4.1': ['1 to 8', ['uint32', 'uint8']], '3.0': ['1 to 8', ['uint32', 'uint8']] },
        },
      },
    },
    elementWiseLogicalLessThanOrEqual: {
      value: 127,
      since: '3.0',
      summary: 'Tests whether the first element is less than or equal to the second: `output = a <= b ? 1 : 0`.',
      otherNames: { ONNX: ['LessOrEqual'], WebNN: ['lesserOrEqual'], PyTorch: ['torch.le'], others: ['np.less_equal'] },
      like: 'elementWiseLogicalGreaterThanOrEqual',
    },
    elementWiseIf: {
      value: 88,
      since: '2.0',
      listed: { after: 'elementWiseIsInfinity' },
      summary: 'Chooses between two tensors element by element: `output = condition != 0 ? a : b`.',
      otherNames: {
        ONNX: ['Where'],
        WebNN: ['where'],
        PyTorch: ['torch.where'],
        others: ['np.where', 'select', 'tf.where'],
        words: ['ternary'],
      },
      fields: {
        conditionTensor: {
          kind: 'input',
          meaning: 'What decides for each element: `aTensor` where it is not 0, `bTensor` where it is.',
          support: { '5.0': ['1 to 8', ['uint8']], '3.0': ['1 to 8', ['uint8']], '2.0': ['4', ['uint8']] },
        },
        aTensor: {
          kind: 'input',
          meaning: 'The elements that are taken where the condition is not 0.',
          support: { '5.0': ['1 to 8', all], '3.0': ['1 to 8', upTo32Bits], '2.0': ['4', ['float16']] },
        },
        bTensor: { kind: 'input', meaning: 'The elements that are taken where the condition is 0.', support: 'aTensor' },
        outputTensor: { kind: 'output', meaning: 'The results, one for each pair of elements.', support: 'aTensor' },
      },
    },
    elementWiseBitAnd: {
      value: 121,
      since: '3.0',
      listed: { under: 'Element-wise bits' },
      summary: 'Computes the bitwise AND of two elements: `output = a & b`.',
      otherNames: { ONNX: ['BitwiseAnd'], PyTorch: ['torch.bitwise_and'], others: ['np.bitwise_and'] },
      fields: {
        aTensor: { kind: 'input', support: { '4.1': ['1 to 8', all], '3.0': ['1 to 8', ['uint32', 'uint16', 'uint8']] } },
        bTensor: { kind: 'input', support: 'aTensor' },
        outputTensor: {
          kind: 'output',
          inPlace: ['aTensor', 'bTensor'],
          meaning: 'The results, one for each pair of elements.',
          support: 'aTensor',
        },
      },
    },
    elementWiseBitOr: {
      value: 122,
      since: '3.0',
      summary: 'Computes the bitwise OR of two elements: `output = a | b`.',
      otherNames: { ONNX: ['BitwiseOr'], PyTorch: ['torch.bitwise_or'], others: ['np.bitwise_or'] },
      fields: {
        aTensor: { kind: 'input', support: { '4.1': ['1 to 8', all], '3.0': ['1 to 8', ['uint32', 'uint16', 'uint8']] } },
        bTensor: { kind: 'input', support: 'aTensor' },
        outputTensor: {
          kind: 'output',
          inPlace: ['aTensor', 'bTensor'],
          meaning: 'The results, one for each pair of elements.',
          support: 'aTensor',
        },
      },
    },
    elementWiseBitXor: {
      value: 123,
      since: '3.0',
      summary: 'Computes the bitwise XOR of two elements: `output = a ^ b`.',
      otherNames: { ONNX: ['BitwiseXor'], PyTorch: ['torch.bitwise_xor'], others: ['np.bitwise_xor'] },
      fields: {
        aTensor: { kind: 'input', support: { '4.1': ['1 to 8', all], '3.0': ['1 to 8', ['uint32', 'uint16', 'uint8']] } },
        bTensor: { kind: 'input', support: 'aTensor' },
        outputTensor: {
          kind: 'output',
          inPlace: ['aTensor', 'bTensor'],
          meaning: 'The results, one for each pair of elements.',
          support: 'aTensor',
        },
      },
    },
    elementWiseBitShiftLeft: {
      value: 97,
      since: '2.1',
      listed: { after: 'elementWiseBitCount' },
      summary: 'Shifts the bits of each element left by its own number of positions: `output = a << b`.',
      otherNames: { ONNX: ['BitShift'], PyTorch: ['torch.bitwise_left_shift'], others: ['np.left_shift'] },
      fields: {
        aTensor: {
          kind: 'input',
          meaning: 'The elements whose bits are shifted.',
          support: {
            '4.1': ['1 to 8', unsigned],
            '3.0': ['1 to 8', ['uint32', 'uint16', 'uint8']],
            '2.1': ['4', ['uint32', 'uint16', 'uint8']],
          },
        },
        bTensor: { kind: 'input', meaning: 'The number of positions by which each element is shifted.', support: 'aTensor' },
        outputTensor: {
          kind: 'output',
          inPlace: ['aTensor', 'bTensor'],
          meaning: 'The results, one for each pair of elements.',
          support: 'aTensor',
        },
      },
    },
    elementWiseBitShiftRight: {
      value: 98,
      since: '2.1',
      summary: 'Shifts the bits of each element right by its own number of positions and fills with zeros: `output = a >>> b`.',
      otherNames: { ONNX: ['BitShift'], PyTorch: ['torch.bitwise_right_shift'], others: ['np.right_shift'] },
      like: 'elementWiseBitShiftLeft',
    },
  },
};

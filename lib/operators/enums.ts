import type { EnumFacts } from '../descriptors/facts.js';

export const enums: Readonly<Record<string, EnumFacts>> = {
  DataType: {
    native: 'DML_TENSOR_DATA_TYPE',
    members: {
      float32: { value: 1, otherNames: ['float', 'single', 'fp32', 'f32', 'Float32Array'], meaning: 'A 32-bit float.' },
      float16: {
        value: 2,
        otherNames: ['half', 'fp16', 'f16', 'Float16Array'],
        meaning: 'A 16-bit float: 11 binary digits, up to 65504.',
      },
      uint32: { value: 3, otherNames: ['uint', 'u32', 'Uint32Array'], meaning: 'A 32-bit integer without a sign.' },
      uint16: { value: 4, otherNames: ['ushort', 'u16', 'Uint16Array'], meaning: 'A 16-bit integer without a sign.' },
      uint8: {
        value: 5,
        otherNames: ['bool', 'boolean', 'byte', 'uchar', 'u8', 'Uint8Array'],
        meaning: 'An 8-bit integer without a sign.',
      },
      int32: { value: 6, otherNames: ['int', 'integer', 'i32', 'Int32Array'], meaning: 'A 32-bit integer with a sign.' },
      int16: { value: 7, otherNames: ['short', 'i16', 'Int16Array'], meaning: 'A 16-bit integer with a sign.' },
      int8: { value: 8, otherNames: ['sbyte', 'char', 'i8', 'Int8Array'], meaning: 'An 8-bit integer with a sign.' },
      float64: { value: 9, otherNames: ['double', 'fp64', 'f64', 'Float64Array'], meaning: 'A 64-bit float.' },
      uint64: {
        value: 10,
        otherNames: ['ulong', 'biguint', 'u64', 'BigUint64Array'],
        meaning: 'A 64-bit integer without a sign.',
      },
      int64: { value: 11, otherNames: ['long', 'bigint', 'i64', 'BigInt64Array'], meaning: 'A 64-bit integer with a sign.' },
      uint4: { value: 12, since: '6.3', otherNames: ['u4'], meaning: 'A 4-bit integer without a sign, two in a byte.' },
      int4: { value: 13, since: '6.3', otherNames: ['i4'], meaning: 'A 4-bit integer with a sign, two in a byte.' },
    },
  },
  TensorFlags: {
    members: {
      none: { value: 0, meaning: 'The tensor is bound at each dispatch.' },
      ownedByDml: { value: 1, meaning: 'The tensor is bound once, when the operator is initialized; DirectML keeps a copy.' },
    },
  },
  ReduceFunction: {
    members: {
      argmax: { value: 0, meaning: 'Index of the largest element: `[1, 2, 4]` gives `[2]`.' },
      argmin: { value: 1, meaning: 'Index of the smallest element: `[1, 2, 4]` gives `[0]`.' },
      average: { value: 2, otherNames: ['mean', 'avg'], meaning: 'Mean: `[1, 2, 4]` gives `[2.333]`.' },
      l1: { value: 3, meaning: 'Sum of the magnitudes: `[-1, 2, 4]` gives `[7]`.' },
      l2: { value: 4, otherNames: ['norm'], meaning: 'Square root of the sum of the squares: `[1, 2, 4]` gives `[4.583]`.' },
      logSum: { value: 5, meaning: 'Natural logarithm of the sum: `[1, 2, 4]` gives `[1.946]`.' },
      logSumExp: { value: 6, meaning: 'Natural logarithm of the sum of the exponentials: `[1, 2, 4]` gives `[4.170]`.' },
      max: { value: 7, otherNames: ['amax', 'maximum'], meaning: 'Largest element: `[1, 2, 4]` gives `[4]`.' },
      min: { value: 8, otherNames: ['amin', 'minimum'], meaning: 'Smallest element: `[1, 2, 4]` gives `[1]`.' },
      multiply: { value: 9, otherNames: ['prod', 'product'], meaning: 'Product: `[1, 2, 4]` gives `[8]`.' },
      sum: { value: 10, meaning: 'Sum: `[1, 2, 4]` gives `[7]`.' },
      sumSquare: { value: 11, meaning: 'Sum of the squares: `[1, 2, 4]` gives `[21]`.' },
    },
  },
  MatrixTransform: {
    members: {
      none: { value: 0, meaning: 'The matrix is taken as it is.' },
      transpose: { value: 1, meaning: 'Rows become columns, and columns rows.' },
    },
  },
  ConvolutionMode: {
    members: {
      convolution: {
        value: 0,
        meaning:
          'The filter is turned around in each spatial dimension, as in mathematics: `[1, 0, 0, 0]` with the filter 1 2 3 and a padding of 1 gives `[2, 3, 0, 0]`.',
      },
      crossCorrelation: {
        value: 1,
        meaning:
          'The filter is taken as it is, as neural networks do: `[1, 0, 0, 0]` with the filter 1 2 3 and a padding of 1 gives `[2, 1, 0, 0]`.',
      },
    },
  },
  ConvolutionDirection: {
    members: {
      forward: { value: 0, meaning: 'Each output element is the weighted sum of a window of the input.' },
      backward: {
        value: 1,
        otherNames: ['transposed'],
        meaning:
          'Each input element is spread over a window of the output: transposed convolution, the gradient of the forward one.',
      },
    },
  },
  PaddingMode: {
    members: {
      constant: {
        value: 0,
        otherNames: ['zeros'],
        meaning: 'All are `paddingValue`: `[1, 2, 3]` with two 9 on both sides gives `[9, 9, 1, 2, 3, 9, 9]`.',
      },
      edge: {
        value: 1,
        otherNames: ['replicate'],
        meaning: 'The first and the last element repeat: `[1, 2, 3]` with two on both sides gives `[1, 1, 1, 2, 3, 3, 3]`.',
      },
      reflection: {
        value: 2,
        otherNames: ['reflect'],
        meaning:
          'Mirrored at the edge element, which is not repeated: `[1, 2, 3]` with two on both sides gives `[3, 2, 1, 2, 3, 2, 1]`.',
      },
      symmetric: {
        value: 3,
        since: '3.0',
        meaning: 'Mirrored with the edge element repeated: `[1, 2, 3]` with two on both sides gives `[2, 1, 1, 2, 3, 3, 2]`.',
      },
      wrap: {
        value: 4,
        since: '6.4',
        otherNames: ['circular'],
        meaning: 'Continued from the other end: `[1, 2, 3]` with two on both sides gives `[2, 3, 1, 2, 3, 1, 2]`.',
      },
    },
  },
  InterpolationMode: {
    members: {
      nearestNeighbor: {
        value: 0,
        otherNames: ['nearest', 'nearest neighbour'],
        meaning: 'One element is taken as it is: `[10, 20]` enlarged by 2 gives `[10, 10, 20, 20]`.',
      },
      linear: {
        value: 1,
        otherNames: ['bilinear', 'trilinear'],
        meaning: 'Neighbours are weighted by their distance: `[10, 20]` enlarged by 2 gives `[10, 12.5, 17.5, 20]`.',
      },
    },
  },
  RecurrentNetworkDirection: {
    members: {
      forward: { value: 0, meaning: 'From the first step of a sequence to its last.' },
      backward: {
        value: 1,
        otherNames: ['reverse'],
        meaning: 'From the last step of a sequence to its first; results stay at their own steps.',
      },
      bidirectional: {
        value: 2,
        otherNames: ['both'],
        meaning: 'Both, each with weights of its own: index 0 is forward, index 1 backward.',
      },
    },
  },
  RoundingMode: {
    members: {
      halvesToNearestEven: {
        value: 0,
        since: '2.1',
        meaning: 'The nearest whole number, halves to the even one: `[0.5, 1.5, 2.5, -1.75]` gives `[0, 2, 2, -2]`.',
      },
      towardZero: { value: 1, since: '2.1', meaning: 'The fraction is cut off: `[0.5, 1.5, 2.5, -1.75]` gives `[0, 1, 2, -1]`.' },
      towardInfinity: {
        value: 2,
        since: '2.1',
        meaning: 'The nearest whole number, halves away from 0: `[0.5, 1.5, 2.5, -2.5]` gives `[1, 2, 3, -3]`.',
      },
    },
  },
  IsInfinityMode: {
    members: {
      either: { value: 0, since: '2.1', meaning: 'Both infinities are found.' },
      positive: { value: 1, since: '2.1', meaning: 'Only Infinity is found.' },
      negative: { value: 2, since: '2.1', meaning: 'Only -Infinity is found.' },
    },
  },
  AxisDirection: {
    members: {
      increasing: { value: 0, since: '2.1', meaning: 'Towards higher indices or values.' },
      decreasing: { value: 1, since: '2.1', meaning: 'Towards lower indices or values.' },
    },
  },
  DepthSpaceOrder: {
    members: {
      depthColumnRow: {
        value: 0,
        since: '2.1',
        otherNames: ['DCR'],
        meaning: 'Channel = (row in the block * `blockSize` + column in the block) * depth count + depth.',
      },
      columnRowDepth: {
        value: 1,
        since: '2.1',
        otherNames: ['CRD'],
        meaning: 'Channel = depth * `blockSize`² + row in the block * `blockSize` + column in the block.',
      },
    },
  },
  RandomGeneratorType: {
    members: {
      philox4x32_10: {
        value: 0,
        since: '3.0',
        meaning: 'Philox with ten rounds: each value of a 128-bit counter and a 64-bit key make four 32-bit words.',
      },
    },
  },
  MultiheadAttentionMaskType: {
    members: {
      none: { value: 0, since: '6.1', meaning: 'All keys are open.' },
      keySequenceLength: {
        value: 1,
        since: '6.1',
        meaning: 'An int32 tensor [1, batch]: the number of open keys of each batch, from the first on; 0 and less opens all.',
      },
      keySequenceEndStart: {
        value: 2,
        since: '6.1',
        meaning: 'An int32 tensor [2, batch]: the ends (exclusive) of the open keys of all batches, then their starts.',
      },
      keyQuerySequenceLengthStartEnd: {
        value: 3,
        since: '6.1',
        meaning:
          'An int32 tensor [3 · batch + 2]: key lengths, then query starts and their end, then key starts and their end, counted through the whole batch.',
      },
      boolean: {
        value: 4,
        since: '6.1',
        meaning: 'An int32 tensor [batch, heads, queries, keys]: 1 for an open key, 0 for a masked one.',
      },
    },
  },
  QuantizationType: {
    members: {
      none: { value: 0, since: '6.3', meaning: 'No tensors; DirectML refuses it.' },
      scale: {
        value: 1,
        since: '6.3',
        meaning: 'A scale alone; the zero point is 0, or for types without a sign the middle of their range, 128 or 8.',
      },
      scaleZeroPoint: { value: 2, since: '6.3', meaning: 'A scale and a zero point.' },
    },
  },
  FeatureLevel: {
    members: {
      '1.0': { value: 4096 },
      '2.0': { value: 8192 },
      '2.1': { value: 8448 },
      '3.0': { value: 12288 },
      '3.1': { value: 12544 },
      '4.0': { value: 16384 },
      '4.1': { value: 16640 },
      '5.0': { value: 20480 },
      '5.1': { value: 20736 },
      '5.2': { value: 20992 },
      '6.0': { value: 24576 },
      '6.1': { value: 24832 },
      '6.2': { value: 25088 },
      '6.3': { value: 25344 },
      '6.4': { value: 25600 },
    },
  },
};

import type { Family } from '../../descriptors/facts.js';
import { floats } from '../../descriptors/data-type-lists.js';

const meanVarianceNormalizationExplanation = [
  '`output = activation(scale * (input - mean) / √(variance + epsilon) + bias)`; without `normalizeVariance` nothing is divided.',
  'The variance is the sum of squared distances from the mean divided by the number of elements, not by one less.',
];

export const normalization: Family = {
  meanings: {
    inputTensor: 'The elements that are normalized.',
    crossChannel:
      'Whether the neighbours are in adjacent channels at the same place; if not, they are around the element in its own channel.',
    normalizeVariance: 'Whether elements are divided by their standard deviation after the mean is subtracted.',
    localSize:
      'Number of neighbours along each dimension, the element itself included; an even number has one more after it than before it.',
    alpha: 'Weight of the sum of squares in the base of the power; it is divided by `localSize` first.',
    beta: 'Exponent of the divisor.',
    bias: 'What is added to the weighted sum of squares; above 0 it prevents a division by 0.',
    axes: 'The dimensions that share a mean and a variance: [2, 3] is instance normalization, the last one alone is layer normalization.',
  },
  operators: {
    meanVarianceNormalization: {
      value: 73,
      since: '1.0',
      listed: { after: 'batchNormalizationTrainingGrad' },
      summary:
        'Normalizes each image, or each of its channels, with its own mean and variance: `output = activation(scale * (input - mean) / √(variance + epsilon) + bias)`.',
      explanation: meanVarianceNormalizationExplanation,
      otherNames: {
        ONNX: ['MeanVarianceNormalization', 'InstanceNormalization'],
        WebNN: ['instanceNormalization'],
        PyTorch: ['torch.nn.functional.instance_norm'],
        others: ['MVN'],
        words: ['instance norm'],
      },
      fields: {
        inputTensor: { kind: 'input', shape: '{ BatchCount, ChannelCount, Height, Width }', support: { '1.0': ['4', floats] } },
        scaleTensor: {
          kind: 'input',
          perChannel: 'whole',
          optional: true,
          shape: '{ ScaleBatchCount, ScaleChannelCount, ScaleHeight, ScaleWidth }',
          support: 'inputTensor',
        },
        biasTensor: {
          kind: 'input',
          perChannel: 'whole',
          optional: true,
          shape: '{ BiasBatchCount, BiasChannelCount, BiasHeight, BiasWidth }',
          support: 'inputTensor',
        },
        outputTensor: { kind: 'output', shape: '{ BatchCount, ChannelCount, Height, Width }', support: 'inputTensor' },
        crossChannel: {
          kind: 'bool',
          meaning: 'Whether all channels of an image share a mean and a variance; if not, each channel has its own.',
        },
        normalizeVariance: {
          kind: 'bool',
          default: { value: true, source: ['ONNX MeanVarianceNormalization'], note: 'it always does' },
        },
        epsilon: {
          kind: 'float',
          default: { value: 0.00001, source: ["Microsoft's page", 'ONNX LayerNormalization, InstanceNormalization'] },
        },
        fusedActivation: { kind: 'operator', optional: true },
      },
    },
    meanVarianceNormalization1: {
      value: 115,
      since: '2.1',
      summary:
        'Normalizes with the mean and variance along `axes`: `output = activation(scale * (input - mean) / √(variance + epsilon) + bias)`.',
      explanation: meanVarianceNormalizationExplanation,
      otherNames: {
        ONNX: ['MeanVarianceNormalization', 'LayerNormalization', 'InstanceNormalization', 'GroupNormalization'],
        WebNN: ['layerNormalization', 'instanceNormalization'],
        PyTorch: ['torch.nn.functional.layer_norm', 'torch.nn.functional.instance_norm', 'torch.nn.functional.group_norm'],
        others: ['LayerNorm', 'tf.keras.layers.LayerNormalization'],
        words: ['layer norm', 'instance norm'],
      },
      fields: {
        inputTensor: { kind: 'input', support: { '3.1': ['1 to 8', floats], '2.1': ['4', floats] } },
        scaleTensor: { kind: 'input', perChannel: 'whole', optional: true, support: 'inputTensor' },
        biasTensor: { kind: 'input', perChannel: 'whole', optional: true, support: 'inputTensor' },
        outputTensor: { kind: 'output', support: 'inputTensor' },
        axisCount: { kind: 'uint' },
        axes: { kind: 'uintArray', countField: 'axisCount' },
        normalizeVariance: {
          kind: 'bool',
          default: { value: true, source: ['ONNX MeanVarianceNormalization'], note: 'it always does' },
        },
        epsilon: {
          kind: 'float',
          default: { value: 0.00001, source: ["Microsoft's page", 'ONNX LayerNormalization, InstanceNormalization'] },
        },
        fusedActivation: { kind: 'operator', optional: true },
      },
    },
    meanVarianceNormalization2: {
      value: 171,
      since: '6.3',
      summary:
        'Normalizes with the mean, the variance or both along `axes`: `output = activation(scale * (input - mean) / √(variance + epsilon) + bias)`.',
      explanation: [
        '`output = activation(scale * (input - mean) / √(variance + epsilon) + bias)`; without `useMean` nothing is subtracted, without `useVariance` nothing is divided.',
        'The variance is the sum of squared distances from the mean divided by the number of elements, not by one less; without `useMean` it is the mean of the squares.',
      ],
      otherNames: {
        ONNX: ['RMSNormalization', 'SimplifiedLayerNormalization', 'LayerNormalization'],
        WebNN: ['layerNormalization'],
        PyTorch: ['torch.nn.functional.rms_norm', 'torch.nn.functional.layer_norm'],
        others: ['RMSNorm'],
        words: ['layer norm', 'RMS norm'],
      },
      fields: {
        inputTensor: { kind: 'input', support: { '6.3': ['1 to 8', floats] } },
        scaleTensor: { kind: 'input', perChannel: 'whole', optional: true, support: 'inputTensor' },
        biasTensor: { kind: 'input', perChannel: 'whole', optional: true, support: 'inputTensor' },
        outputTensor: { kind: 'output', support: 'inputTensor' },
        axisCount: { kind: 'uint' },
        axes: { kind: 'uintArray', countField: 'axisCount' },
        useMean: {
          kind: 'bool',
          meaning: 'Whether the mean is subtracted; if not, the variance is the mean of the squares, as in RMS normalization.',
          default: { value: true, source: ['ONNX LayerNormalization'], note: 'RMS normalization is useMean false' },
        },
        useVariance: {
          kind: 'bool',
          meaning: 'Whether elements are divided by their standard deviation.',
          default: { value: true, source: ['ONNX LayerNormalization'], note: 'RMS normalization is useMean false' },
        },
        epsilon: {
          kind: 'float',
          meaning:
            'What is added under the root against a division by 0: to the variance, or without `useMean` to the mean of the squares.',
          default: { value: 0.00001, source: ["Microsoft's page", 'ONNX LayerNormalization, InstanceNormalization'] },
        },
        fusedActivation: { kind: 'operator', optional: true },
      },
    },
    localResponseNormalization: {
      value: 74,
      since: '1.0',
      summary:
        'Divides each element by a power of the sum of squares in its neighbourhood: `output = input / (bias + alpha / localSize * sum of input²)^beta`.',
      explanation: [
        '`output = input / (bias + alpha / localSize * Σ input²)^beta`, over the neighbours.',
        'In three channels, with `crossChannel`, `localSize` 3, `alpha` 3, `beta` 1 and `bias` 1: `[1, 2, 3]` gives `[0.1667, 0.1333, 0.2143]`.',
        'Without `crossChannel`, `localSize`² neighbours in height and width are summed, and `alpha` is still divided by `localSize` alone.',
      ],
      otherNames: {
        ONNX: ['LRN'],
        PyTorch: ['torch.nn.functional.local_response_norm'],
        others: ['tf.nn.local_response_normalization'],
      },
      fields: {
        inputTensor: { kind: 'input', support: { '1.0': ['4', floats] } },
        outputTensor: { kind: 'output', support: 'inputTensor' },
        crossChannel: {
          kind: 'bool',
          default: { value: true, source: ['ONNX', 'TensorFlow'], note: 'their LRN knows no other way' },
        },
        localSize: { kind: 'uint' },
        alpha: { kind: 'float', default: { value: 0.0001, source: ['ONNX', "Microsoft's page"] } },
        beta: { kind: 'float', default: { value: 0.75, source: ['ONNX', "Microsoft's page"] } },
        bias: { kind: 'float', default: { value: 1, source: ['ONNX', "Microsoft's page"] } },
      },
    },
    localResponseNormalizationGrad: {
      value: 144,
      since: '3.1',
      summary: 'Computes the gradient of `localResponseNormalization`.',
      otherNames: { PyTorch: ['local_response_norm backward'], others: ['gradient of LRN'] },
      fields: {
        inputTensor: { kind: 'input', meaning: 'The input of the forward operator.', support: { '3.1': ['4', floats] } },
        inputGradientTensor: { kind: 'input', support: 'inputTensor' },
        outputGradientTensor: { kind: 'output', support: 'inputTensor' },
        crossChannel: {
          kind: 'bool',
          default: { value: true, source: ['ONNX', 'TensorFlow'], note: 'their LRN knows no other way' },
        },
        localSize: { kind: 'uint' },
        alpha: { kind: 'float', default: { value: 0.0001, source: ['ONNX', "Microsoft's page"] } },
        beta: { kind: 'float', default: { value: 0.75, source: ['ONNX', "Microsoft's page"] } },
        bias: { kind: 'float', default: { value: 1, source: ['ONNX', "Microsoft's page"] } },
      },
    },
    lpNormalization: {
      value: 75,
      since: '1.0',
      summary: 'Divides each element by the p-norm along an axis: `output = input / (sum of |input|^p)^(1/p)`.',
      explanation: ['`output = input / √(norm² + epsilon)`. With `p` 2 and `epsilon` 0, `[3, 4]` gives `[0.6, 0.8]`.'],
      otherNames: {
        ONNX: ['LpNormalization'],
        PyTorch: ['torch.nn.functional.normalize'],
        others: ['tf.linalg.l2_normalize'],
        words: ['unit vector'],
      },
      fields: {
        inputTensor: { kind: 'input', support: { '3.1': ['1 to 8', floats], '1.0': ['4', floats] } },
        outputTensor: { kind: 'output', support: 'inputTensor' },
        axis: {
          kind: 'uint',
          meaning: 'The dimension along which each norm is taken, counted from 0.',
          default: { rule: 'last axis', of: 'inputTensor', source: ['ONNX'] },
        },
        epsilon: {
          kind: 'float',
          meaning: 'What is added to the square of the norm, under the root, against a division by 0; also if `p` is 1.',
          default: { value: 0.00001, source: ["Microsoft's page"], note: 'enters as norm² + epsilon' },
        },
        p: {
          kind: 'uint',
          meaning: 'Order of the norm: 1 for the sum of magnitudes, 2 for the Euclidean length.',
          default: { value: 2, source: ['ONNX'], note: 'LpPool, LpNormalization' },
        },
      },
    },
  },
};

import type { Family } from '../../descriptors/facts.js';
import { floats } from '../../descriptors/data-type-lists.js';

export const batchNormalization: Family = {
  meanings: {
    inputTensor: 'The elements that are normalized.',
    outputScaleGradientTensor:
      'The gradient with respect to the scale: the sum of the incoming gradient times the normalized input.',
    outputBiasGradientTensor: 'The gradient with respect to the bias: the sum of the incoming gradient.',
  },
  operators: {
    batchNormalization: {
      value: 72,
      since: '1.0',
      listed: { under: 'Normalization' },
      summary:
        'Normalizes with a given mean and variance: `output = activation(scale * (input - mean) / √(variance + epsilon) + bias)`.',
      explanation: [
        '`output = activation(scale * (input - mean) / √(variance + epsilon) + bias)`, in which mean, variance, scale and bias repeat along their dimensions of size 1.',
      ],
      otherNames: {
        ONNX: ['BatchNormalization'],
        WebNN: ['batchNormalization'],
        PyTorch: ['torch.nn.functional.batch_norm'],
        others: ['BatchNorm', 'tf.nn.batch_normalization'],
        words: ['batch norm'],
      },
      fields: {
        inputTensor: {
          kind: 'input',
          shape: '{ InputDimensions[] }',
          support: { '3.1': ['1 to 8', floats], '1.0': ['4', floats] },
        },
        meanTensor: {
          kind: 'input',
          perChannel: 'whole',
          meaning: 'The mean that is subtracted.',
          shape: '{ MeanDimensions[] }',
          support: 'inputTensor',
        },
        varianceTensor: {
          kind: 'input',
          perChannel: 'whole',
          meaning: 'The variance whose root elements are divided by, after `epsilon` is added.',
          shape: '{ VarianceDimensions[] }',
          support: 'inputTensor',
        },
        scaleTensor: { kind: 'input', perChannel: 'whole', shape: '{ ScaleDimensions[] }', support: 'inputTensor' },
        biasTensor: { kind: 'input', perChannel: 'whole', shape: '{ BiasDimensions[] }', support: 'inputTensor' },
        outputTensor: { kind: 'output', shape: '{ InputDimensions[] }', support: 'inputTensor' },
        spatial: {
          kind: 'bool',
          meaning: 'Whether channels have one mean and variance each; it has no effect, as the sizes of these tensors say it.',
          default: {
            value: true,
            source: ['ONNX BatchNormalization up to operator set 8'],
            note: 'DirectML does what the sizes of the parameters say',
          },
        },
        epsilon: { kind: 'float', default: { value: 0.00001, source: ['ONNX BatchNormalization', 'PyTorch'] } },
        fusedActivation: { kind: 'operator', optional: true },
      },
    },
    batchNormalizationGrad: {
      value: 146,
      since: '3.1',
      summary: 'Computes the gradients of `batchNormalization` with respect to its input, scale and bias.',
      otherNames: { PyTorch: ['native_batch_norm_backward'], others: ['gradient of batch normalization'] },
      fields: {
        inputTensor: {
          kind: 'input',
          meaning: 'The input of the forward operator.',
          shape: '{ InputDimensions[] }',
          support: { '3.1': ['1 to 8', floats] },
        },
        inputGradientTensor: { kind: 'input', shape: '{ InputDimensions[] }', support: 'inputTensor' },
        meanTensor: {
          kind: 'input',
          perChannel: 'whole',
          meaning: 'The mean that the forward operator subtracts.',
          shape: '{ MeanDimensions[] }',
          support: 'inputTensor',
        },
        varianceTensor: {
          kind: 'input',
          perChannel: 'whole',
          meaning: 'The variance that the forward operator uses.',
          shape: '{ MeanDimensions[] }',
          support: 'inputTensor',
        },
        scaleTensor: {
          kind: 'input',
          perChannel: 'whole',
          meaning: 'The factor of the forward operator.',
          shape: '{ MeanDimensions[] }',
          support: 'inputTensor',
        },
        outputGradientTensor: { kind: 'output', shape: '{ InputDimensions[] }', support: 'inputTensor' },
        outputScaleGradientTensor: { kind: 'output', shape: '{ MeanDimensions[] }', support: 'inputTensor' },
        outputBiasGradientTensor: { kind: 'output', shape: '{ MeanDimensions[] }', support: 'inputTensor' },
        epsilon: {
          kind: 'float',
          meaning: 'What the forward operator adds to the variance, under the root.',
          default: {
            value: 0.00001,
            source: ['PyTorch', 'ONNX BatchNormalization'],
            note: 'a gradient has to use that of its forward operator',
          },
        },
      },
    },
    batchNormalizationTraining: {
      value: 151,
      since: '4.1',
      summary:
        'Normalizes with the mean and variance of the input itself, and also gives these: `output = activation(scale * (input - mean) / √(variance + epsilon) + bias + fusedAdd)`.',
      explanation: [
        'Mean and variance are taken over the dimensions in which `scaleTensor` has the size 1: with [1, C, 1, 1], of each channel over batch and space.',
        'The variance is the sum of squared distances from the mean divided by the number of elements, not by one less.',
        '`output = activation(scale * (input - mean) / √(variance + epsilon) + bias + fusedAdd)`.',
      ],
      otherNames: {
        ONNX: ['BatchNormalization'],
        PyTorch: ['torch.nn.functional.batch_norm'],
        others: ['BatchNorm training'],
        words: ['batch norm'],
      },
      fields: {
        inputTensor: { kind: 'input', shape: '{ InputDimensions[] }', support: { '4.1': ['1 to 8', floats] } },
        scaleTensor: { kind: 'input', perChannel: 'whole', shape: '{ ScaleDimensions[] }', support: 'inputTensor' },
        biasTensor: { kind: 'input', perChannel: 'whole', shape: '{ ScaleDimensions[] }', support: 'inputTensor' },
        fusedAddTensor: {
          kind: 'input',
          optional: true,
          meaning: 'What is added to the normalized elements before the activation.',
          shape: '{ InputDimensions[] }',
          support: 'inputTensor',
        },
        outputTensor: { kind: 'output', shape: '{ InputDimensions[] }', support: 'inputTensor' },
        outputMeanTensor: {
          kind: 'output',
          meaning: 'The mean of the elements that share it.',
          shape: '{ ScaleDimensions[] }',
          support: 'inputTensor',
        },
        outputVarianceTensor: {
          kind: 'output',
          meaning:
            'The variance of the elements that share it: the mean squared distance from their mean, divided by their number.',
          shape: '{ ScaleDimensions[] }',
          support: 'inputTensor',
        },
        epsilon: {
          kind: 'float',
          default: {
            value: 0.00001,
            source: ['PyTorch', 'ONNX BatchNormalization'],
            note: 'a gradient has to use that of its forward operator',
          },
        },
        fusedActivation: { kind: 'operator', optional: true },
      },
    },
    batchNormalizationTrainingGrad: {
      value: 152,
      since: '4.1',
      summary: 'Computes the gradients of `batchNormalizationTraining` with respect to its input, scale and bias.',
      otherNames: { PyTorch: ['native_batch_norm_backward'], others: ['gradient of batch normalization'] },
      fields: {
        inputTensor: {
          kind: 'input',
          meaning: 'The input of the forward operator.',
          shape: '{ InputDimensions[] }',
          support: { '4.1': ['1 to 8', floats] },
        },
        inputGradientTensor: { kind: 'input', shape: '{ InputDimensions[] }', support: 'inputTensor' },
        meanTensor: {
          kind: 'input',
          perChannel: 'whole',
          meaning: 'The mean that the forward operator computed, its `outputMeanTensor`.',
          shape: '{ MeanDimensions[] }',
          support: 'inputTensor',
        },
        varianceTensor: {
          kind: 'input',
          perChannel: 'whole',
          meaning: 'The variance that the forward operator computed, its `outputVarianceTensor`.',
          shape: '{ MeanDimensions[] }',
          support: 'inputTensor',
        },
        scaleTensor: {
          kind: 'input',
          perChannel: 'whole',
          meaning: 'The factor of the forward operator.',
          shape: '{ MeanDimensions[] }',
          support: 'inputTensor',
        },
        outputGradientTensor: { kind: 'output', shape: '{ InputDimensions[] }', support: 'inputTensor' },
        outputScaleGradientTensor: { kind: 'output', shape: '{ MeanDimensions[] }', support: 'inputTensor' },
        outputBiasGradientTensor: { kind: 'output', shape: '{ MeanDimensions[] }', support: 'inputTensor' },
        epsilon: {
          kind: 'float',
          meaning: 'What the forward operator adds to the variance, under the root.',
          default: {
            value: 0.00001,
            source: ['PyTorch', 'ONNX BatchNormalization'],
            note: 'a gradient has to use that of its forward operator',
          },
        },
      },
    },
  },
};

import type { Family } from '../../descriptors/facts.js';
import { floats } from '../../descriptors/data-type-lists.js';

export const optimizer: Family = {
  operators: {
    adamOptimizer: {
      value: 136,
      since: '3.0',
      listed: { under: 'Training' },
      summary:
        'Updates weights from their gradients, and running averages of the gradients and their squares, by the Adam method.',
      explanation: [
        'First moment: `M = beta1 * M + (1 - beta1) * G`, where G is the gradient.',
        'Second moment: `V = beta2 * V + (1 - beta2) * G²`.',
        "Weights: `X = X - learningRate * alpha * M / (√V + epsilon)`, where `alpha = √(1 - beta2^t) / (1 - beta1^t)` corrects the moments' start at 0 and t is `trainingStepTensor`.",
        'Steps count from 1. The operator reads t but does not advance it: write t + 1 before the next step. At 0, `alpha` is 1.',
      ],
      otherNames: {
        ONNX: ['Adam'],
        PyTorch: ['torch.optim.Adam'],
        others: ['tf.keras.optimizers.Adam'],
        words: ['weight update'],
      },
      fields: {
        inputParametersTensor: {
          kind: 'input',
          meaning: 'The weights before this step.',
          support: { '3.0': ['1 to 8', floats] },
        },
        inputFirstMomentTensor: {
          kind: 'input',
          meaning: 'The running average of the gradients before this step; zeros at first.',
          support: 'inputParametersTensor',
        },
        inputSecondMomentTensor: {
          kind: 'input',
          meaning: 'The running average of the squared gradients before this step; zeros at first.',
          support: 'inputParametersTensor',
        },
        gradientTensor: {
          kind: 'input',
          meaning: 'The gradient of the loss with respect to each weight.',
          support: 'inputParametersTensor',
        },
        trainingStepTensor: {
          kind: 'input',
          meaning: 'The number of this step, from which the correction of the moments follows.',
          note: "Count steps from 1; the operator does not advance it. From 0, where Microsoft's page begins, nothing is corrected: with beta1 0.9 and beta2 0.999 the first step is 3.16 times too long.",
          support: { '3.0': ['1 to 8', ['uint32']] },
        },
        outputParametersTensor: {
          kind: 'output',
          // The page allows any output over any input but the step. A moment over inputParametersTensor was wrong where layouts
          // differ.
          inPlace: ['inputParametersTensor'],
          meaning: 'The weights after this step.',
          support: 'inputParametersTensor',
        },
        outputFirstMomentTensor: {
          kind: 'output',
          inPlace: ['inputFirstMomentTensor'],
          meaning: 'The running average of the gradients after this step.',
          support: 'inputParametersTensor',
        },
        outputSecondMomentTensor: {
          kind: 'output',
          inPlace: ['inputSecondMomentTensor'],
          meaning: 'The running average of the squared gradients after this step.',
          support: 'inputParametersTensor',
        },
        learningRate: { kind: 'float', meaning: 'Length of a step: the factor of the corrected ratio of the moments.' },
        beta1: {
          kind: 'float',
          meaning: 'Share of the first moment that survives a step, from 0 to below 1.',
          default: { value: 0.9, source: ["Microsoft's page", 'PyTorch'] },
        },
        beta2: {
          kind: 'float',
          meaning: 'Share of the second moment that survives a step, from 0 to below 1.',
          default: { value: 0.999, source: ["Microsoft's page", 'PyTorch'] },
        },
        epsilon: {
          kind: 'float',
          meaning: 'What is added to the root of the second moment, against a division by 0.',
          default: { value: 1e-8, source: ["Microsoft's page", 'PyTorch'] },
        },
      },
    },
  },
};

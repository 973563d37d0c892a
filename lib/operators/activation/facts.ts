import type { Family } from '../../descriptors/facts.js';
import { floats, upTo32Bits } from '../../descriptors/data-type-lists.js';

export const activation: Family = {
  operators: {
    activationIdentity: {
      value: 38,
      since: '1.0',
      fusion: { since: '1.0' },
      listed: { under: 'Activations' },
      summary: 'Returns each element unchanged: `output = input`.',
      otherNames: { ONNX: ['Identity'], WebNN: ['identity'], PyTorch: ['torch.nn.Identity'] },
      fields: {
        inputTensor: { kind: 'input', support: { '3.0': ['1 to 8', floats], '2.0': ['4 to 5', floats], '1.0': ['4', floats] } },
        outputTensor: { kind: 'output', inPlace: ['inputTensor'], support: 'inputTensor' },
      },
    },
    activationLinear: {
      value: 40,
      since: '1.0',
      fusion: { since: '1.0' },
      summary: 'Scales and shifts each element: `output = alpha * input + beta`.',
      otherNames: { WebNN: ['linear'], others: ['affine'], words: ['alpha x + beta'] },
      fields: {
        inputTensor: { kind: 'input', support: { '3.0': ['1 to 8', floats], '2.0': ['4 to 5', floats], '1.0': ['4', floats] } },
        outputTensor: { kind: 'output', inPlace: ['inputTensor'], support: 'inputTensor' },
        alpha: { kind: 'float', meaning: 'Factor of each element, before `beta` is added.' },
        beta: { kind: 'float', meaning: 'What is added to each element after `alpha` multiplied it.' },
      },
    },
    activationRelu: {
      value: 44,
      since: '1.0',
      fusion: { since: '1.0' },
      summary: 'Replaces negative elements by 0: `output = max(0, input)`.',
      otherNames: { ONNX: ['Relu'], WebNN: ['relu'], PyTorch: ['torch.nn.functional.relu'], others: ['tf.nn.relu', 'rectifier'] },
      fields: {
        inputTensor: {
          kind: 'input',
          support: {
            '5.1': ['1 to 8', ['float32', 'float16', 'int32', 'int16', 'int8']],
            '3.0': ['1 to 8', floats],
            '2.0': ['4 to 5', floats],
            '1.0': ['4', floats],
          },
        },
        outputTensor: { kind: 'output', inPlace: ['inputTensor'], support: 'inputTensor' },
      },
    },
    activationReluGrad: {
      value: 129,
      since: '3.0',
      summary: 'Computes the gradient of `activationRelu`: `outputGradient = input > 0 ? inputGradient : 0`.',
      otherNames: { PyTorch: ['threshold_backward'], others: ['gradient of ReLU'] },
      fields: {
        inputTensor: {
          kind: 'input',
          meaning: 'The input of the forward operator, which decides where the gradient passes.',
          support: {
            '5.1': ['1 to 8', ['float32', 'float16', 'int32', 'int16', 'int8']],
            '4.0': ['1 to 8', floats],
            '3.0': ['1 to 8', floats],
          },
        },
        inputGradientTensor: {
          kind: 'input',
          meaning: 'The gradient of the loss with respect to each result of the forward operator.',
          support: 'inputTensor',
        },
        outputGradientTensor: {
          kind: 'output',
          meaning: 'The incoming gradient where it passes, elsewhere 0.',
          support: 'inputTensor',
        },
      },
    },
    activationLeakyRelu: {
      value: 39,
      since: '1.0',
      fusion: { since: '1.0' },
      summary: 'Scales negative elements by one common factor: `output = input >= 0 ? input : alpha * input`.',
      otherNames: { ONNX: ['LeakyRelu'], WebNN: ['leakyRelu'], PyTorch: ['torch.nn.functional.leaky_relu'] },
      fields: {
        inputTensor: { kind: 'input', support: { '3.0': ['1 to 8', floats], '2.0': ['4 to 5', floats], '1.0': ['4', floats] } },
        outputTensor: { kind: 'output', inPlace: ['inputTensor'], support: 'inputTensor' },
        alpha: {
          kind: 'float',
          meaning: 'Slope for negative elements, usually a small positive number.',
          default: { value: 0.01, source: ['DirectMLX.h', 'ONNX', "Microsoft's page"] },
        },
      },
    },
    activationParameterizedRelu: {
      value: 42,
      since: '1.0',
      summary: 'Scales each negative element by its own factor: `output = input >= 0 ? input : slope * input`.',
      otherNames: { ONNX: ['PRelu'], WebNN: ['prelu'], PyTorch: ['torch.nn.functional.prelu'], others: ['parametric ReLU'] },
      fields: {
        inputTensor: {
          kind: 'input',
          support: {
            '5.1': ['1 to 8', ['float32', 'float16', 'int32', 'int16', 'int8']],
            '3.0': ['1 to 8', floats],
            '2.0': ['4 to 5', floats],
            '1.0': ['4', floats],
          },
        },
        slopeTensor: {
          kind: 'input',
          perChannel: 'repeated',
          meaning: 'Factor of each element if it is negative.',
          support: 'inputTensor',
        },
        outputTensor: { kind: 'output', inPlace: ['inputTensor'], support: 'inputTensor' },
      },
    },
    activationThresholdedRelu: {
      value: 52,
      since: '1.0',
      fusion: { since: '1.0' },
      summary: 'Replaces elements by 0 unless they are above a threshold: `output = input > alpha ? input : 0`.',
      otherNames: { ONNX: ['ThresholdedRelu'], PyTorch: ['torch.nn.functional.threshold'] },
      fields: {
        inputTensor: { kind: 'input', support: { '3.0': ['1 to 8', floats], '2.0': ['4 to 5', floats], '1.0': ['4', floats] } },
        outputTensor: { kind: 'output', inPlace: ['inputTensor'], support: 'inputTensor' },
        alpha: {
          kind: 'float',
          meaning: 'The threshold: elements up to and including it become 0, greater ones stay.',
          default: { value: 1, source: ['DirectMLX.h', 'ONNX', "Microsoft's page"] },
        },
      },
    },
    activationElu: {
      value: 35,
      since: '1.0',
      fusion: { since: '1.0' },
      summary:
        'Maps negative elements smoothly to the range from -alpha to 0: `output = input >= 0 ? input : alpha * (exp(input) - 1)`.',
      otherNames: { ONNX: ['Elu'], WebNN: ['elu'], PyTorch: ['torch.nn.functional.elu'], others: ['tf.nn.elu'] },
      fields: {
        inputTensor: { kind: 'input', support: { '3.0': ['1 to 8', floats], '2.0': ['4 to 5', floats], '1.0': ['4', floats] } },
        outputTensor: { kind: 'output', inPlace: ['inputTensor'], support: 'inputTensor' },
        alpha: {
          kind: 'float',
          meaning: 'The limit of negative results: they approach -`alpha`.',
          default: { value: 1, source: ['DirectMLX.h', 'ONNX', "Microsoft's page"] },
        },
      },
    },
    activationScaledElu: {
      value: 45,
      since: '1.0',
      fusion: { since: '1.0' },
      summary:
        'Computes an exponential linear unit with a factor: `output = gamma * (input > 0 ? input : alpha * (exp(input) - 1))`.',
      otherNames: { ONNX: ['Selu'], PyTorch: ['torch.nn.functional.selu'], others: ['tf.nn.selu', 'SELU'] },
      fields: {
        inputTensor: { kind: 'input', support: { '3.0': ['1 to 8', floats], '2.0': ['4 to 5', floats], '1.0': ['4', floats] } },
        outputTensor: { kind: 'output', inPlace: ['inputTensor'], support: 'inputTensor' },
        alpha: {
          kind: 'float',
          meaning: 'Factor of `exp(input) - 1` for negative elements, multiplied by `gamma` too.',
          default: { value: 1.6732631921768188, source: ['DirectMLX.h', 'ONNX'], note: "Microsoft's page rounds to 1.6732" },
        },
        gamma: {
          kind: 'float',
          meaning: 'Factor of all results, of positive elements too.',
          default: { value: 1.0507010221481323, source: ['DirectMLX.h', 'ONNX'], note: "Microsoft's page rounds to 1.0507" },
        },
      },
    },
    activationCelu: {
      value: 128,
      since: '3.0',
      fusion: { since: '3.0' },
      summary:
        'Computes an exponential linear unit with a continuous derivative: `output = max(0, input) + min(0, alpha * (exp(input / alpha) - 1))`.',
      otherNames: { ONNX: ['Celu'], PyTorch: ['torch.nn.functional.celu'] },
      fields: {
        inputTensor: { kind: 'input', support: { '3.0': ['1 to 8', floats] } },
        outputTensor: { kind: 'output', inPlace: ['inputTensor'], support: 'inputTensor' },
        alpha: {
          kind: 'float',
          meaning:
            'How far negative elements are let down, to -`alpha` at most: `max(0, input) + min(0, alpha * (exp(input / alpha) - 1))`.',
          default: { value: 1, source: ['DirectMLX.h', 'ONNX', "Microsoft's page"] },
        },
      },
    },
    activationGelu: {
      value: 157,
      since: '5.1',
      fusion: { since: '5.1' },
      summary: 'Weights each element by the normal distribution: `output = input * (1 + erf(input / √2)) / 2`.',
      otherNames: { ONNX: ['Gelu'], WebNN: ['gelu'], PyTorch: ['torch.nn.functional.gelu'], others: ['tf.nn.gelu'] },
      fields: {
        inputTensor: { kind: 'input', support: { '5.1': ['1 to 8', floats] } },
        outputTensor: { kind: 'output', support: 'inputTensor' },
      },
    },
    activationSigmoid: {
      value: 47,
      since: '1.0',
      fusion: { since: '1.0' },
      summary: 'Maps each element into the range from 0 to 1: `output = 1 / (1 + exp(-input))`.',
      otherNames: { ONNX: ['Sigmoid'], WebNN: ['sigmoid'], PyTorch: ['torch.sigmoid'], others: ['logistic', 'tf.sigmoid'] },
      like: 'activationIdentity',
    },
    activationHardSigmoid: {
      value: 37,
      since: '1.0',
      fusion: { since: '1.0' },
      summary: 'Approximates the sigmoid by a straight line between 0 and 1: `output = max(0, min(alpha * input + beta, 1))`.',
      otherNames: { ONNX: ['HardSigmoid'], WebNN: ['hardSigmoid'], PyTorch: ['torch.nn.functional.hardsigmoid'] },
      fields: {
        inputTensor: { kind: 'input', support: { '3.0': ['1 to 8', floats], '2.0': ['4 to 5', floats], '1.0': ['4', floats] } },
        outputTensor: { kind: 'output', inPlace: ['inputTensor'], support: 'inputTensor' },
        alpha: {
          kind: 'float',
          meaning: 'Slope of the line `alpha * input + beta` between 0 and 1.',
          default: { value: 0.2, source: ['DirectMLX.h', 'ONNX', "Microsoft's page"] },
        },
        beta: {
          kind: 'float',
          meaning: 'Height of the line `alpha * input + beta` at 0; 0.5 puts its middle there.',
          default: { value: 0.5, source: ['DirectMLX.h', 'ONNX', "Microsoft's page"] },
        },
      },
    },
    activationSwish: {
      value: 167,
      since: '6.2',
      fusion: { since: '6.2' },
      summary: 'Multiplies each element by its own sigmoid: `output = input / (1 + exp(-sigmoidInputScale * input))`.',
      otherNames: { ONNX: ['Swish'], PyTorch: ['torch.nn.functional.silu'], others: ['SiLU', 'QuickGelu', 'tf.nn.swish'] },
      fields: {
        inputTensor: { kind: 'input', support: { '6.2': ['1 to 8', floats] } },
        outputTensor: { kind: 'output', inPlace: ['inputTensor'], support: 'inputTensor' },
        sigmoidInputScale: {
          kind: 'float',
          meaning: 'Factor of each element inside the sigmoid.',
          default: { value: 1, source: ["Microsoft's page", 'ONNX'] },
        },
      },
    },
    activationHardSwish: {
      value: 168,
      since: '6.2',
      fusion: { since: '6.2' },
      summary: 'Multiplies each element by its own hard sigmoid: `output = input * max(0, min(alpha * input + beta, 1))`.',
      otherNames: {
        ONNX: ['HardSwish'],
        WebNN: ['hardSwish'],
        PyTorch: ['torch.nn.functional.hardswish'],
        others: ['h-swish'],
        words: ['MobileNetV3'],
      },
      fields: {
        inputTensor: { kind: 'input', support: { '6.2': ['1 to 8', floats] } },
        outputTensor: { kind: 'output', inPlace: ['inputTensor'], support: 'inputTensor' },
        alpha: {
          kind: 'float',
          meaning: 'Slope of the line `alpha * input + beta` between 0 and 1.',
          default: { value: 0.16666666666666666, source: ["Microsoft's page", 'ONNX'], note: 'ONNX HardSwish has it fixed' },
        },
        beta: {
          kind: 'float',
          meaning: 'Height of the line `alpha * input + beta` at 0; 0.5 puts its middle there.',
          default: { value: 0.5, source: ["Microsoft's page", 'ONNX'] },
        },
      },
    },
    activationTanh: {
      value: 51,
      since: '1.0',
      fusion: { since: '1.0' },
      summary: 'Maps each element into the range from -1 to 1: `output = tanh(input)`.',
      otherNames: { ONNX: ['Tanh'], WebNN: ['tanh'], PyTorch: ['torch.tanh'] },
      like: 'activationIdentity',
    },
    activationScaledTanh: {
      value: 46,
      since: '1.0',
      fusion: { since: '1.0' },
      summary: 'Computes a hyperbolic tangent with an outer and an inner factor: `output = alpha * tanh(beta * input)`.',
      otherNames: { ONNX: ['ScaledTanh'], others: ['LeCun tanh'] },
      fields: {
        inputTensor: { kind: 'input', support: { '3.0': ['1 to 8', floats], '2.0': ['4 to 5', floats], '1.0': ['4', floats] } },
        outputTensor: { kind: 'output', inPlace: ['inputTensor'], support: 'inputTensor' },
        alpha: {
          kind: 'float',
          meaning: 'Factor of the result of the function.',
          default: { value: 1, source: ['DirectMLX.h', "Microsoft's page"] },
        },
        beta: {
          kind: 'float',
          meaning: 'Factor of each element before the function.',
          default: { value: 0.5, source: ['DirectMLX.h', "Microsoft's page"] },
        },
      },
    },
    activationSoftplus: {
      value: 49,
      since: '1.0',
      fusion: { since: '1.0' },
      summary: 'Computes a smooth rectifier: `output = ln(1 + exp(steepness * input)) / steepness`.',
      otherNames: { ONNX: ['Softplus'], WebNN: ['softplus'], PyTorch: ['torch.nn.functional.softplus'] },
      fields: {
        inputTensor: { kind: 'input', support: { '3.0': ['1 to 8', floats], '2.0': ['4 to 5', floats], '1.0': ['4', floats] } },
        outputTensor: { kind: 'output', inPlace: ['inputTensor'], support: 'inputTensor' },
        steepness: {
          kind: 'float',
          meaning: 'How sharp the bend at 0 is: the greater, the more like relu.',
          default: { value: 1, source: ['DirectMLX.h', "Microsoft's page"] },
        },
      },
    },
    activationParametricSoftplus: {
      value: 43,
      since: '1.0',
      fusion: { since: '1.0' },
      summary: 'Computes a smooth rectifier with an outer and an inner factor: `output = alpha * ln(1 + exp(beta * input))`.',
      otherNames: { ONNX: ['ParametricSoftplus'], others: ['CoreML parametric softplus'] },
      fields: {
        inputTensor: { kind: 'input', support: { '3.0': ['1 to 8', floats], '2.0': ['4 to 5', floats], '1.0': ['4', floats] } },
        outputTensor: { kind: 'output', inPlace: ['inputTensor'], support: 'inputTensor' },
        alpha: { kind: 'float', meaning: 'Factor of the result of the function.' },
        beta: { kind: 'float', meaning: 'Factor of each element before the function, and so the steepness of its bend.' },
      },
    },
    activationSoftsign: {
      value: 50,
      since: '1.0',
      fusion: { since: '1.0' },
      summary: 'Maps each element into the range from -1 to 1, more slowly than tanh: `output = input / (1 + |input|)`.',
      otherNames: { ONNX: ['Softsign'], WebNN: ['softsign'], PyTorch: ['torch.nn.functional.softsign'] },
      like: 'activationIdentity',
    },
    activationShrink: {
      value: 90,
      since: '2.0',
      fusion: { since: '2.0' },
      summary:
        'Moves elements towards 0 and replaces those near it by 0: `input - bias` above `threshold`, `input + bias` below `-threshold`, else 0.',
      otherNames: {
        ONNX: ['Shrink'],
        PyTorch: ['torch.nn.functional.softshrink', 'torch.nn.functional.hardshrink'],
        others: ['soft threshold'],
      },
      fields: {
        inputTensor: {
          kind: 'input',
          support: { '5.1': ['1 to 8', upTo32Bits], '3.0': ['1 to 8', floats], '2.0': ['4 to 5', floats] },
        },
        outputTensor: { kind: 'output', inPlace: ['inputTensor'], support: 'inputTensor' },
        bias: {
          kind: 'float',
          meaning: 'How far elements outside the threshold move towards 0.',
          default: { value: 0, source: ['DirectMLX.h', 'ONNX', "Microsoft's page"] },
        },
        threshold: {
          kind: 'float',
          meaning: 'Half the width of the range around 0, limits included, in which elements become 0.',
          default: { value: 0.5, source: ['DirectMLX.h', 'ONNX', "Microsoft's page"], note: 'ONNX calls it lambd' },
        },
      },
    },
  },
};

/** Activations that onnxruntime's operators have built in. */
import type { Node } from '../node.js';
import type { Operand } from '../operand.js';

/** `0.5 x (1 + tanh(√(2/π) (x + 0.044715 x³)))`, which is `x · sigmoid(√(8/π) (x + 0.044715 x³))`. */
export function tanhGelu(node: Node, input: Operand): Operand {
  const factor = Math.sqrt(8 / Math.PI);
  const square = node.arithmetic('elementWiseMultiply', input, input);
  const inner = node.arithmetic('elementWiseMultiply', input, node.scaled(square, factor * 0.044715, factor));
  return node.arithmetic('elementWiseMultiply', input, node.map('activationSigmoid', inner));
}

/** `x · sigmoid(alpha · x)` */
export function quickGelu(node: Node, input: Operand, alpha: number): Operand {
  const gate = node.map('activationSigmoid', alpha === 1 ? input : node.scaled(input, alpha));
  return node.arithmetic('elementWiseMultiply', input, gate);
}

/** The activation of a fused operator of onnxruntime, with its parameters in their order. */
export function namedActivation(node: Node, input: Operand, name: string, parameters: readonly number[]): Operand {
  const [first, second] = parameters;
  switch (name) {
    case '':
      return input;
    case 'Relu':
      return node.map('activationRelu', input);
    case 'Tanh':
      return node.map('activationTanh', input);
    case 'Sigmoid':
      return node.map('activationSigmoid', input);
    case 'LeakyRelu':
      return node.map('activationLeakyRelu', input, { alpha: first ?? 0.01 });
    case 'Elu':
      return node.map('activationElu', input, { alpha: first ?? 1 });
    case 'Selu':
      return node.map('activationScaledElu', input, { alpha: first ?? 1.6732632423543772, gamma: second ?? 1.0507009873554805 });
    case 'Softplus':
      return node.map('activationSoftplus', input, { steepness: 1 });
    case 'Softsign':
      return node.map('activationSoftsign', input);
    case 'ThresholdedRelu':
      return node.map('activationThresholdedRelu', input, { alpha: first ?? 1 });
    case 'HardSigmoid':
      return node.map('activationHardSigmoid', input, { alpha: first ?? 0.2, beta: second ?? 0.5 });
    case 'HardSwish':
      return node.map('activationHardSwish', input, { alpha: 1 / 6, beta: 0.5 });
    case 'Clip':
      return node.map('elementWiseClip', input, { min: first ?? -Infinity, max: second ?? Infinity });
    default:
      throw node.unsupported('the activation', name);
  }
}

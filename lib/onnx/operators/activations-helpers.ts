/** Activations that onnxruntime's operators have built in. */
import type { Node } from '../node.js';
import type { Operand } from '../operand.js';

/** `0.5 x (1 + tanh(√(2/π) (x + 0.044715 x³)))` */
export function tanhGelu(node: Node, input: Operand): Operand {
  const square = node.arithmetic('elementWiseMultiply', input, input);
  const cube = node.arithmetic('elementWiseMultiply', square, input);
  const inner = node.arithmetic('elementWiseAdd', input, node.scaled(cube, 0.044715));
  const curve = node.map('elementWiseTanh', inner, { scaleBias: { scale: Math.sqrt(2 / Math.PI), bias: 0 } });
  return node.arithmetic('elementWiseMultiply', input, node.scaled(curve, 0.5, 0.5));
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

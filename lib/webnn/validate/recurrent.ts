/** gru, lstm and their cells. */
import type { Operand, OperandDescriptor } from '../ml-operand.js';
import type { MLRecurrentNetworkDirection } from '../generated/types.js';
import { list, type Check, type Validators } from './check.js';

export const recurrent: Validators<'gru' | 'gruCell' | 'lstm' | 'lstmCell'> = {
  gru(check, input, weight, recurrentWeight, steps, hiddenSize, options) {
    const { bias, recurrentBias, initialHiddenState, returnSequence } = options;
    const network = { gates: 3, steps, hiddenSize, ...options };
    const { batch, state, sequence } = checkNetwork(check, input, weight, recurrentWeight, network);
    checkBiases(check, [state[0] ?? 1, 3 * hiddenSize], { bias, recurrentBias });
    check.shape('initialHiddenState', initialHiddenState, state);
    checkActivations(check, options.activations, 2);
    checkHiddenSize(check, hiddenSize, 6, batch);
    return descriptors(input, returnSequence ? [state, sequence] : [state]);
  },
  gruCell(check, input, weight, recurrentWeight, hiddenState, hiddenSize, { bias, recurrentBias, activations }) {
    checkHiddenSize(check, hiddenSize, 6);
    const state = checkCell(check, input, weight, recurrentWeight, 3, hiddenSize);
    check.shape('hiddenState', hiddenState, state);
    checkBiases(check, [3 * hiddenSize], { bias, recurrentBias });
    checkActivations(check, activations, 2);
    return { dataType: input.dataType, shape: state };
  },
  lstm(check, input, weight, recurrentWeight, steps, hiddenSize, options) {
    const { bias, recurrentBias, peepholeWeight, initialHiddenState, initialCellState, returnSequence } = options;
    const network = { gates: 4, steps, hiddenSize, ...options };
    const { batch, state, sequence } = checkNetwork(check, input, weight, recurrentWeight, network);
    checkBiases(check, [state[0] ?? 1, 4 * hiddenSize], { bias, recurrentBias });
    check.shape('peepholeWeight', peepholeWeight, [state[0] ?? 1, 3 * hiddenSize]);
    check.shape('initialHiddenState', initialHiddenState, state);
    check.shape('initialCellState', initialCellState, state);
    checkActivations(check, options.activations, 3);
    checkHiddenSize(check, hiddenSize, 8, batch);
    return descriptors(input, returnSequence ? [state, state, sequence] : [state, state]);
  },
  lstmCell(check, input, weight, recurrentWeight, hiddenState, cellState, hiddenSize, options) {
    checkHiddenSize(check, hiddenSize, 8);
    const state = checkCell(check, input, weight, recurrentWeight, 4, hiddenSize);
    check.shape('hiddenState', hiddenState, state);
    check.shape('cellState', cellState, state);
    const { bias, recurrentBias, peepholeWeight, activations } = options;
    checkBiases(check, [4 * hiddenSize], { bias, recurrentBias });
    check.shape('peepholeWeight', peepholeWeight, [3 * hiddenSize]);
    checkActivations(check, activations, 3);
    return descriptors(input, [state, state]);
  },
};

interface Network {
  readonly gates: number;
  readonly steps: number;
  readonly hiddenSize: number;
  readonly direction: MLRecurrentNetworkDirection;
}

function checkNetwork(check: Check, input: Operand, weight: Operand, recurrentWeight: Operand, network: Network) {
  const { gates, steps, hiddenSize, direction } = network;
  check.that(steps > 0 && input.shape[0] === steps, () => `steps is ${steps}, but input has the shape ${list(input.shape)}`);
  check.that(hiddenSize > 0, () => 'hiddenSize is 0');
  const [, batch = 1, inputSize = 1] = input.shape;
  const directions = direction === 'both' ? 2 : 1;
  check.shape('weight', weight, [directions, gates * hiddenSize, inputSize]);
  check.shape('recurrentWeight', recurrentWeight, [directions, gates * hiddenSize, hiddenSize]);
  return { batch, state: [directions, batch, hiddenSize], sequence: [steps, directions, batch, hiddenSize] };
}

/** Returns the shape of the state. */
function checkCell(check: Check, input: Operand, weight: Operand, recurrentWeight: Operand, gates: number, hiddenSize: number) {
  const [batch = 1, inputSize = 1] = input.shape;
  check.shape('weight', weight, [gates * hiddenSize, inputSize]);
  check.shape('recurrentWeight', recurrentWeight, [gates * hiddenSize, hiddenSize]);
  return [batch, hiddenSize];
}

function checkBiases(check: Check, expected: readonly number[], biases: Readonly<Record<string, Operand | undefined>>): void {
  for (const [name, bias] of Object.entries(biases)) check.shape(name, bias, expected);
}

/** Both biases side by side must be a valid dimension. */
function checkHiddenSize(check: Check, hiddenSize: number, parts: number, batch = 1): void {
  const isValid = hiddenSize > 0 && hiddenSize * parts < 2 ** 31 && batch > 0;
  check.that(isValid, () => `hiddenSize ${hiddenSize} is not in the range of 1 to ${Math.floor((2 ** 31 - 1) / parts)}`);
}

function checkActivations(check: Check, activations: readonly string[] | undefined, count: number): void {
  if (activations === undefined || activations.length === count) return;
  check.fail(`activations has ${activations.length} elements, not ${count}`);
}

function descriptors({ dataType }: Operand, shapes: readonly (readonly number[])[]): readonly OperandDescriptor[] {
  return shapes.map((shape) => ({ dataType, shape }));
}

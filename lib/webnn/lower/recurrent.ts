/** Lowers gru, lstm and their cells. DirectML has one order of the gates, and wants both biases as one. */
import type { Value } from '../../graph/value.js';
import type { MLRecurrentNetworkActivation, MLRecurrentNetworkDirection } from '../generated/types.js';
import { withRank, type Lowerings, type Step } from './step.js';

export const recurrent: Lowerings<'gru' | 'gruCell' | 'lstm' | 'lstmCell'> = {
  gru: (step, input, weight, recurrentWeight, _steps, _hiddenSize, options) => {
    const { initialHiddenState, returnSequence, resetAfter, direction } = options;
    const network = networkOf(step, gruGates, { ...options, input, weight, recurrentWeight });
    const { outputSingleTensor, outputSequenceTensor } = step.add({
      ...{ type: 'gru', ...network, linearBeforeReset: resetAfter, direction: directions[direction] },
      hiddenInitTensor: state(initialHiddenState),
      ...{ outputSingleTensor: {}, outputSequenceTensor: returnSequence ? {} : undefined },
    });
    return present([outputSingleTensor, outputSequenceTensor]);
  },
  gruCell: (step, input, weight, recurrentWeight, hiddenState, _hiddenSize, options) => {
    const network = networkOf(step, gruGates, cellOf(input, weight, recurrentWeight, options));
    const { outputSingleTensor } = step.add({
      ...{ type: 'gru', ...network, linearBeforeReset: options.resetAfter },
      ...{ hiddenInitTensor: state(hiddenState), outputSingleTensor: {} },
    });
    return one([outputSingleTensor]);
  },
  lstm: (step, input, weight, recurrentWeight, _steps, _hiddenSize, options) => {
    const { peepholeWeight, initialHiddenState, initialCellState, returnSequence, direction } = options;
    const network = networkOf(step, lstmGates, { ...options, input, weight, recurrentWeight });
    const { outputSingleTensor, outputCellSingleTensor, outputSequenceTensor } = step.add({
      ...{ type: 'lstm', ...network, direction: directions[direction], peepholeTensor: state(peepholeWeight) },
      ...{ hiddenInitTensor: state(initialHiddenState), cellMemInitTensor: state(initialCellState) },
      ...{ outputSingleTensor: {}, outputCellSingleTensor: {}, outputSequenceTensor: returnSequence ? {} : undefined },
    });
    return present([outputSingleTensor, outputCellSingleTensor, outputSequenceTensor]);
  },
  lstmCell: (step, input, weight, recurrentWeight, hiddenState, cellState, _hiddenSize, options) => {
    const network = networkOf(step, lstmGates, cellOf(input, weight, recurrentWeight, options));
    const { outputSingleTensor, outputCellSingleTensor } = step.add({
      ...{ type: 'lstm', ...network, peepholeTensor: state(options.peepholeWeight) },
      ...{ hiddenInitTensor: state(hiddenState), cellMemInitTensor: state(cellState) },
      ...{ outputSingleTensor: {}, outputCellSingleTensor: {} },
    });
    return present([outputSingleTensor, outputCellSingleTensor]);
  },
};

const directions = { forward: 'forward', backward: 'backward', both: 'bidirectional' } as const;
const activationTypes = { relu: 'activationRelu', sigmoid: 'activationSigmoid', tanh: 'activationTanh' } as const;

interface Gates {
  /** DirectML's order, in WebNN's letters. */
  readonly order: string;
  readonly activations: readonly MLRecurrentNetworkActivation[];
}

const gruGates: Gates = { order: 'zrn', activations: ['sigmoid', 'tanh'] };
const lstmGates: Gates = { order: 'iofg', activations: ['sigmoid', 'tanh', 'tanh'] };

interface Network {
  readonly input: Value;
  readonly weight: Value;
  readonly recurrentWeight: Value;
  readonly bias?: Value;
  readonly recurrentBias?: Value;
  readonly layout: string;
  readonly activations?: readonly MLRecurrentNetworkActivation[];
  readonly direction?: MLRecurrentNetworkDirection;
}

/** The fields that both operators have. */
function networkOf(step: Step, gates: Gates, network: Network) {
  const { input, weight, recurrentWeight, bias, recurrentBias, layout, direction } = network;
  const sorted = (value: Value) => inGateOrder(step, value, layout, gates.order);
  const own = network.activations ?? gates.activations;
  const all = direction === 'both' ? [...own, ...own] : own;
  return {
    inputTensor: withRank(step.packed(input), 4),
    weightTensor: state(sorted(weight)),
    recurrenceTensor: state(sorted(recurrentWeight)),
    biasTensor: bothBiases(step, weight, bias, recurrentBias, sorted),
    activationDescs: all.map((name) => ({ type: activationTypes[name] })),
  };
}

/** A cell as a network of one step: what a network has per direction gets a leading dimension. */
function cellOf(
  input: Value,
  weight: Value,
  recurrentWeight: Value,
  options: { bias?: Value; recurrentBias?: Value; layout: string; activations?: readonly MLRecurrentNetworkActivation[] },
): Network {
  const { bias, recurrentBias } = options;
  return {
    ...options,
    ...{ input, weight: withRank(weight, 3), recurrentWeight: withRank(recurrentWeight, 3) },
    ...(bias === undefined ? {} : { bias: withRank(bias, 2) }),
    ...(recurrentBias === undefined ? {} : { recurrentBias: withRank(recurrentBias, 2) }),
  };
}

/** Dimension 1 of weights and biases has the gates one after the other. */
function inGateOrder(step: Step, value: Value, from: string, to: string): Value {
  if (from === to) return value;
  const { sizes } = value;
  const size = (sizes[1] ?? 1) / to.length;
  const parts = Array.from(to, (gate) => {
    const starts = sizes.map((_, axis) => (axis === 1 ? from.indexOf(gate) * size : 0));
    return step.slice(value, starts, sizes.with(1, size));
  });
  return step.join(parts, 1);
}

function bothBiases(
  step: Step,
  weight: Value,
  bias: Value | undefined,
  recurrentBias: Value | undefined,
  sorted: (value: Value) => Value,
): Value | undefined {
  if (bias === undefined && recurrentBias === undefined) return undefined;
  const zeros = () => step.fill(step.dataType, weight.sizes.slice(0, 2), 0);
  const both = [bias, recurrentBias].map((value) => (value === undefined ? zeros() : sorted(value)));
  return withRank(step.join(both, 1), 4);
}

/** Leading dimensions up to DirectML's four. */
function state(value: Value): Value;
function state(value: Value | undefined): Value | undefined;
function state(value: Value | undefined): Value | undefined {
  return value === undefined ? undefined : withRank(value, 4);
}

function present(values: readonly (Value | undefined)[]): readonly Value[] {
  return values.filter((value) => value !== undefined);
}

function one(values: readonly (Value | undefined)[]): Value {
  const [value] = present(values);
  if (value === undefined) throw new TypeError('an output that was asked for is there');
  return value;
}

/** What the lowerings of recurrent networks share: the order of the gates, biases, and the dimensions that DirectML wants. */
import type { Value } from '../../graph/value.js';
import type { MLRecurrentNetworkActivation, MLRecurrentNetworkDirection } from '../generated/types.js';
import { withRank, type Step } from './step.js';

export const directions = { forward: 'forward', backward: 'backward', both: 'bidirectional' } as const;
const activationTypes = { relu: 'activationRelu', sigmoid: 'activationSigmoid', tanh: 'activationTanh' } as const;

interface Gates {
  /** DirectML's order, in WebNN's letters. */
  readonly order: string;
  readonly activations: readonly MLRecurrentNetworkActivation[];
}

export const gruGates: Gates = { order: 'zrn', activations: ['sigmoid', 'tanh'] };
export const lstmGates: Gates = { order: 'iofg', activations: ['sigmoid', 'tanh', 'tanh'] };

export interface Network {
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
export function networkOf(step: Step, gates: Gates, network: Network) {
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
export function cellOf(
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
export function inGateOrder(step: Step, value: Value, from: string, to: string): Value {
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
export function state(value: Value): Value;
export function state(value: Value | undefined): Value | undefined;
export function state(value: Value | undefined): Value | undefined {
  return value === undefined ? undefined : withRank(value, 4);
}

/** An output that the node was asked for. */
export function asked(value: Value | undefined): Value {
  if (value === undefined) throw new TypeError('an output that was asked for is there');
  return value;
}

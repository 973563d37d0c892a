/**
 * Lowers lstm with peepholes. In WebNN all gates see the cell as it is before a step; in DirectML the output gate sees it as it
 * is after. So each step is a node, the cell is a part of its input, and the peepholes are diagonal matrices beside the weights.
 */
import type { Value } from '../../graph/value.js';
import { asked, inGateOrder, lstmGates, networkOf, state, type Network } from './network.js';
import type { Step } from './step.js';

interface PeepholeNetwork extends Network {
  /** [directions, 3 · hidden size], for the gates i, o and f. */
  readonly peepholeWeight: Value;
  /** [directions, batch, hidden size] */
  readonly initialHiddenState?: Value | undefined;
  readonly initialCellState?: Value | undefined;
}

/** What is carried from step to step, each [1, batch, hidden size]. */
interface State {
  readonly hidden: Value;
  readonly cell: Value;
}

/** The last hidden state, the last cell and the sequence of hidden states, of all directions. */
export function peepholeLstm(step: Step, network: PeepholeNetwork): readonly Value[] {
  const { direction = 'forward' } = network;
  const backwards = direction === 'both' ? [false, true] : [direction === 'backward'];
  const runs = backwards.map((isBackward, i) => runDirection(step, network, i, isBackward));
  const last = runs.map((states, i) => states.at(backwards[i] === true ? 0 : -1));
  const joined = (name: keyof State) => {
    return step.join(
      last.flatMap((own) => own?.[name] ?? []),
      0,
    );
  };
  const sequence = runs.map((states) => {
    return states.map(({ hidden }) => step.reshape(hidden, [1, ...hidden.sizes]));
  });
  const steps = sequence[0]?.map((_, i) =>
    step.join(
      sequence.flatMap((own) => own[i] ?? []),
      1,
    ),
  );
  return [joined('hidden'), joined('cell'), step.join(steps ?? [], 0)];
}

/** The states after each step of a direction, in the order of the input. */
function runDirection(step: Step, network: PeepholeNetwork, index: number, isBackward: boolean): readonly State[] {
  const { input } = network;
  const [steps = 1, batch = 1] = input.sizes;
  const hiddenSize = network.recurrentWeight.sizes[2] ?? 1;
  const start = (value: Value | undefined) => {
    return value === undefined ? step.packed(step.fill(step.dataType, [1, batch, hiddenSize], 0)) : part(step, value, index);
  };
  let last: State = { hidden: start(network.initialHiddenState), cell: start(network.initialCellState) };
  const own = directionOf(step, network, index);
  let fields: ReturnType<typeof networkOf> | undefined;
  const states: State[] = [];
  for (let i = 0; i < steps; i++) {
    const widened = step.join([part(step, input, isBackward ? steps - 1 - i : i), last.cell], 2);
    fields ??= networkOf(step, lstmGates, { ...own, input: widened });
    const { outputSingleTensor, outputCellSingleTensor } = step.add({
      ...{ type: 'lstm', ...fields, inputTensor: state(widened) },
      ...{ hiddenInitTensor: state(last.hidden), cellMemInitTensor: state(last.cell) },
      ...{ outputSingleTensor: {}, outputCellSingleTensor: {} },
    });
    last = {
      hidden: step.reshape(asked(outputSingleTensor), last.hidden.sizes),
      cell: step.reshape(asked(outputCellSingleTensor), last.cell.sizes),
    };
    states.push(last);
  }
  return isBackward ? states.reverse() : states;
}

/** Weights and biases of one direction in DirectML's order; the weights reach over the cell. */
function directionOf(step: Step, network: PeepholeNetwork, index: number): Omit<Network, 'input'> {
  const { weight, recurrentWeight, peepholeWeight, bias, recurrentBias, activations } = network;
  const sorted = (value: Value) => inGateOrder(step, part(step, value, index), network.layout, lstmGates.order);
  const hiddenSize = recurrentWeight.sizes[2] ?? 1;
  return {
    layout: lstmGates.order,
    weight: step.join([sorted(weight), diagonals(step, part(step, peepholeWeight, index), hiddenSize)], 2),
    recurrentWeight: sorted(recurrentWeight),
    ...(bias === undefined ? {} : { bias: sorted(bias) }),
    ...(recurrentBias === undefined ? {} : { recurrentBias: sorted(recurrentBias) }),
    ...(activations === undefined ? {} : { activations }),
  };
}

/** [1, 4 · hidden size, hidden size]: a diagonal matrix for each gate, which is 0 for the last. */
function diagonals(step: Step, peephole: Value, size: number): Value {
  const { dataType } = step;
  const mask = Uint8Array.from({ length: 3 * size * size }, (_, i) => (Math.floor(i / size) % size === i % size ? 1 : 0));
  const aTensor = step.reshape(peephole, [1, 3 * size, 1]).broadcastTo([1, 3 * size, size]);
  const bTensor = step.fill(dataType, aTensor.sizes, 0);
  const conditionTensor = step.mask(aTensor.sizes, mask);
  const { outputTensor } = step.add({ type: 'elementWiseIf', conditionTensor, aTensor, bTensor });
  return step.join([outputTensor, step.fill(dataType, [1, size, size], 0)], 1);
}

/** What a value has at an index of its first dimension, which remains with a size of 1. */
function part(step: Step, value: Value, index: number): Value {
  if (value.sizes[0] === 1) return value;
  const starts = value.sizes.map((_, axis) => (axis === 0 ? index : 0));
  return step.slice(value, starts, value.sizes.with(0, 1));
}

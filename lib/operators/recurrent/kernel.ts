/**
 * Recurrent networks. Sequences are computed one after the other. Every sum, product and state is rounded to float32, in
 * DirectML's order: states that are kept finite may be the largest finite numbers, and the sums of the next step then overflow.
 */
import { largestFloat16, largestFloat32 } from '../../tensors/data-types.js';
import type { Resolved } from '../../descriptors/resolved.js';
import type { RecurrentNetworkDirection } from '../../tensors/generated/enums.js';
import { maxNumber, minNumber } from '../../compute/numbers.js';
import { readNumbers, viewNumbers, writeNumbers, type TensorView } from '../../compute/tensor-view.js';
import type { Kernel } from '../../compute/kernel.js';
import { applyActivation } from '../../compute/activations.js';

/** The state of one sequence, which a step reads and changes: one number per hidden unit. */
interface State {
  readonly hidden: Float32Array;
  readonly cell: Float32Array;
  /** True if DirectML has a state to multiply. If not, it leaves out the recurrence, and the peepholes. */
  readonly hasHidden: boolean;
  readonly hasCell: boolean;
}

/** One direction of a layer, as one step sees it. Gates are in the order of the weights. */
interface Direction {
  /** The weighted inputs of a gate at this step. */
  readonly fromInput: (gate: number) => Float32Array;
  /** The weighted hidden state of a gate; zeros if the state is null. */
  readonly fromState: (gate: number, state: Float32Array | null) => Float32Array;
  /** The biases of a gate; zeros if the operator has none. */
  readonly inputBias: (gate: number) => Float32Array;
  readonly stateBias: (gate: number) => Float32Array;
  /** The cell state as a gate sees it through its peephole. */
  readonly fromCell: (gate: number, cell: Float32Array) => Float32Array;
  /** Applies one of the direction's activations in place. */
  readonly activate: (activation: number, values: Float32Array) => Float32Array;
}

/** Computes one step: changes the state in place. */
type Step = (state: State, direction: Direction) => void;

/** The fields that all recurrent networks have; their tensors follow. */
interface Network {
  readonly direction: RecurrentNetworkDirection;
  readonly activationDescs: Resolved<'rnn'>['activationDescs'];
}

interface Views {
  readonly inputTensor: TensorView;
  readonly weightTensor: TensorView;
  readonly recurrenceTensor: TensorView;
  readonly biasTensor: TensorView | null;
  /** The states before the first step; null means 0. */
  readonly hiddenInitTensor: TensorView | null;
  readonly sequenceLengthsTensor: TensorView | null;
  readonly outputSequenceTensor: TensorView | null;
  readonly outputSingleTensor: TensorView | null;
}

interface Layer {
  readonly gates: number;
  /** The number of activations of each direction. */
  readonly activations: number;
  readonly step: Step;
  readonly cellInit?: TensorView | null;
  readonly peephole?: TensorView | null;
}

export const rnn: Kernel<'rnn'> = (operator, tensors) => {
  const limit = largestFinite(tensors.inputTensor);
  const step: Step = ({ hidden, hasHidden }, direction) => {
    hidden.set(direction.activate(0, clamped(gateArgument(direction, 0, hasHidden ? hidden : null), limit)));
  };
  run(operator, tensors, { gates: 1, activations: 1, step });
};

/** The gates are update, reset and hidden. */
export const gru: Kernel<'gru'> = (operator, tensors) => {
  const isLinearFirst = operator.linearBeforeReset;
  const step: Step = ({ hidden, hasHidden }, { fromInput, fromState, inputBias, stateBias, activate }) => {
    const state = hasHidden ? hidden : null;
    // Unlike elsewhere, the bias of the recurrence is added last.
    const sum = (gate: number, seen: Float32Array | null) =>
      add(add(add(fromInput(gate), inputBias(gate)), fromState(gate, seen)), stateBias(gate));
    const update = activate(0, sum(0, state));
    const reset = activate(0, sum(1, state));
    const recurrence = () => scale(reset, add(fromState(2, state), stateBias(2)));
    const candidate = activate(
      1,
      isLinearFirst ? add(add(fromInput(2), inputBias(2)), recurrence()) : sum(2, state && scale(reset, state)),
    );
    for (let i = 0; i < hidden.length; i++) {
      const share = update[i] ?? 0;
      hidden[i] = fround(fround(1 - share) * (candidate[i] ?? 0)) + fround(share * (hidden[i] ?? 0));
    }
  };
  run(operator, tensors, { gates: 3, activations: 2, step });
};

/** The gates are input, output, forget and cell; the first three have peepholes. */
export const lstm: Kernel<'lstm'> = (operator, tensors) => {
  const isCoupled = operator.coupleInputForget;
  const limit = operator.useClipThreshold ? operator.clipThreshold : largestFinite(tensors.inputTensor);
  const step: Step = ({ hidden, hasHidden, cell, hasCell }, direction) => {
    const { fromCell, activate } = direction;
    const sum = (gate: number) => gateArgument(direction, gate, hasHidden ? hidden : null);
    const gated = (gate: number, seesCell: boolean) =>
      activate(0, clamped(seesCell ? add(sum(gate), fromCell(gate, cell)) : sum(gate), limit));
    const admit = gated(0, hasCell);
    const keep = isCoupled ? admit.map((share) => 1 - share) : gated(2, hasCell);
    const candidate = activate(1, clamped(sum(3), limit));
    for (let i = 0; i < cell.length; i++) {
      const kept = hasCell ? fround((keep[i] ?? 0) * (cell[i] ?? 0)) : 0;
      cell[i] = kept + fround((admit[i] ?? 0) * (candidate[i] ?? 0));
    }
    const emit = gated(1, true);
    hidden.set(scale(activate(2, cell.slice()), emit));
  };
  const { cellMemInitTensor: cellInit, peepholeTensor: peephole } = tensors;
  const cell = run(operator, tensors, { gates: 4, activations: 3, step, cellInit, peephole });
  if (tensors.outputCellSingleTensor !== null) writeNumbers(tensors.outputCellSingleTensor, cell);
};

const { fround } = Math;

/** The argument of a gate's activation in rnn and lstm: the sum of both biases is added before the weighted state. */
function gateArgument(
  { fromInput, fromState, inputBias, stateBias }: Direction,
  gate: number,
  state: Float32Array | null,
): Float32Array {
  return add(add(fromInput(gate), add(inputBias(gate), stateBias(gate))), fromState(gate, state));
}

function largestFinite(input: TensorView): number {
  return input.dataType === 'float16' ? largestFloat16 : largestFloat32;
}

/** Writes the hidden states of all steps, and those after the last step. Returns the cell states after the last step. */
function run(operator: Network, tensors: Views, layer: Layer): Float32Array {
  const { hiddenInitTensor: hiddenInit, sequenceLengthsTensor, outputSequenceTensor, outputSingleTensor } = tensors;
  const {
    sizes: [, steps = 1, batch = 1],
  } = tensors.inputTensor;
  const {
    sizes: [, directions = 1, , size = 1],
  } = tensors.recurrenceTensor;
  const stepOf = directionsOf(operator.activationDescs, tensors, layer);
  const lengths = sequenceLengthsTensor === null ? null : readNumbers(sequenceLengthsTensor);
  const count = directions * batch * size;
  const hiddens = initial(hiddenInit, count);
  const cells = initial(layer.cellInit ?? null, count);
  const hasHidden = hiddenInit !== null;
  const hasCell = (layer.cellInit ?? null) !== null;
  const sequence = new Float32Array(steps * count);
  for (let direction = 0; direction < directions; direction++) {
    const isBackward = direction === 1 || operator.direction === 'backward';
    for (let item = 0; item < batch; item++) {
      const start = (direction * batch + item) * size;
      const hidden = hiddens.subarray(start, start + size);
      const cell = cells.subarray(start, start + size);
      const length = lengths?.[item] ?? steps;
      const taken = Math.min(length, steps);
      for (let i = 0; i < taken; i++) {
        const time = isBackward ? taken - 1 - i : i;
        // A backward sequence that is shorter than the longest skips DirectML's first step, and multiplies the zeros left there.
        const isFirst = time === (isBackward ? steps - 1 : 0);
        const state = { hidden, cell, hasHidden: !isFirst || hasHidden, hasCell: !isFirst || hasCell };
        layer.step(state, stepOf(direction, time * batch + item));
        sequence.set(hidden, time * count + start);
      }
      // DirectML reads the last state of a forward sequence from the step before its length. If there is no such step, it is 0.
      if (!isBackward && (length === 0 || length > steps)) hidden.fill(0);
    }
  }
  if (outputSequenceTensor !== null) writeNumbers(outputSequenceTensor, sequence);
  if (outputSingleTensor !== null) writeNumbers(outputSingleTensor, hiddens);
  return cells;
}

function initial(view: TensorView | null, count: number): Float32Array {
  return view === null ? new Float32Array(count) : floatsOf(view);
}

function floatsOf(view: TensorView): Float32Array {
  return Float32Array.from(viewNumbers(view));
}

/** The number of gates of an LSTM that have peepholes, of four. */
const PEEPHOLES = 3;

/** Returns a function that gives a direction at one step of one sequence; `row` is the row of the input. */
function directionsOf(
  activations: Resolved<'rnn'>['activationDescs'],
  { inputTensor, weightTensor, recurrenceTensor, biasTensor }: Views,
  { gates, activations: activationsPerDirection, peephole = null }: Layer,
): (direction: number, row: number) => Direction {
  const input = floatsOf(inputTensor);
  const weight = floatsOf(weightTensor);
  const recurrence = floatsOf(recurrenceTensor);
  const {
    sizes: [, , , length = 1],
  } = weightTensor;
  const {
    sizes: [, , , size = 1],
  } = recurrenceTensor;
  const bias = biasTensor === null ? null : floatsOf(biasTensor);
  const peepholes = peephole === null ? null : floatsOf(peephole);
  /** A direction has the input biases of all its gates, and then the biases of the recurrence. */
  const biasOf = (block: number) => (bias === null ? new Float32Array(size) : bias.slice(block * size, (block + 1) * size));
  return (direction, row) => {
    const first = direction * gates;
    return {
      fromInput: (gate) => multiply(weight, (first + gate) * size * length, input, row * length, length, size),
      inputBias: (gate) => biasOf(2 * first + gate),
      stateBias: (gate) => biasOf(2 * first + gates + gate),
      fromState: (gate, state) =>
        state === null ? new Float32Array(size) : multiply(recurrence, (first + gate) * size * size, state, 0, size, size),
      fromCell: (gate, cell) => {
        if (peepholes === null) return new Float32Array(size);
        const start = (direction * PEEPHOLES + gate) * size;
        return scale(peepholes.slice(start, start + size), cell);
      },
      activate: (which, values) => {
        const activation = activations[direction * activationsPerDirection + which];
        if (activation === undefined) return values;
        const exact = Float64Array.from(values);
        applyActivation(activation, exact);
        return Float32Array.from(exact);
      },
    };
  };
}

/** The products of `rows` matrix rows, which begin at `first`, with the vector that begins at `start`. */
function multiply(
  matrix: Float32Array,
  first: number,
  vector: Float32Array,
  start: number,
  length: number,
  rows: number,
): Float32Array {
  const sums = new Float32Array(rows);
  for (let row = 0; row < rows; row++) {
    let sum = 0;
    for (let k = 0; k < length; k++) {
      sum = fround(sum + fround((matrix[first + row * length + k] ?? 0) * (vector[start + k] ?? 0)));
    }
    sums[row] = sum;
  }
  return sums;
}

/** Adds `b` to `a` in place. */
function add(a: Float32Array, b: Float32Array): Float32Array {
  for (let i = 0; i < a.length; i++) a[i] = (a[i] ?? 0) + (b[i] ?? 0);
  return a;
}

/** Multiplies `a` by `b` in place. */
function scale(a: Float32Array, b: Float32Array): Float32Array {
  for (let i = 0; i < a.length; i++) a[i] = (a[i] ?? 0) * (b[i] ?? 0);
  return a;
}

/** Clamps the values to the range from -limit to limit, in place; NaN becomes -limit. */
function clamped(values: Float32Array, limit: number): Float32Array {
  for (let i = 0; i < values.length; i++) values[i] = minNumber(maxNumber(values[i] ?? 0, -limit), limit);
  return values;
}

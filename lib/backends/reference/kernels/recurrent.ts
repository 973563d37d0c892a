/**
 * Recurrent networks. Sequences are run one after the other in float64, with the states of all steps; results are
 * rounded once.
 */
import type { ResolvedOperator } from '../../../validation/resolved.js';
import { larger, smaller } from '../numbers.js';
import { readNumbers, writeNumbers, type TensorView } from '../tensor-view.js';
import { applyActivation } from './activation.js';
import { isOperator, numberField, required, type Kernel } from './kernel.js';

/** What a step starts with and changes: `hidden` numbers each. */
interface State {
  readonly hidden: Float64Array;
  readonly cell: Float64Array;
}

/** One direction of a layer, as a step sees it. Gates are in the order of the weights. */
interface Direction {
  /** The weighted inputs of a gate at this step, with their bias. */
  readonly fromInput: (gate: number) => Float64Array;
  /** The weighted state of a gate, with its bias. */
  readonly fromState: (gate: number, state: Float64Array) => Float64Array;
  /** The state of the cell as a gate sees it through its peephole. */
  readonly fromCell: (gate: number, cell: Float64Array) => Float64Array;
  /** Applies one of the direction's activations in place. */
  readonly activate: (activation: number, values: Float64Array) => Float64Array;
}

/** Changes the state. */
type Step = (state: State, direction: Direction) => void;

interface Layer {
  readonly gates: number;
  /** Of each direction. */
  readonly activations: number;
  readonly step: Step;
  readonly lengths: TensorView | null;
  /** The states before the first step; 0 where there are none. */
  readonly hiddenInit: TensorView | null;
  readonly cellInit?: TensorView | null;
  readonly peephole?: TensorView | null;
}

/** The hidden states of all steps, and the states after the last one, as the output tensors have them. */
interface Result extends State {
  readonly sequence: Float64Array;
}

export const rnn: Kernel = (operator, inputs, outputs) => {
  const [input, , , , hiddenInit = null, lengths = null] = inputs;
  const limit = largestOf(input);
  const step: Step = ({ hidden }, { fromInput, fromState, activate }) => {
    hidden.set(activate(0, clipped(add(fromInput(0), fromState(0, hidden)), limit)));
  };
  const { sequence, hidden } = run(operator, inputs, { gates: 1, activations: 1, step, lengths, hiddenInit });
  writeAll(outputs, [sequence, hidden]);
};

/** The gates are update, reset and hidden. */
export const gru: Kernel = (operator, inputs, outputs) => {
  const [, , , , hiddenInit = null, lengths = null] = inputs;
  const isLinearFirst = operator.fields['linearBeforeReset'] === true;
  const step: Step = ({ hidden }, { fromInput, fromState, activate }) => {
    const update = activate(0, add(fromInput(0), fromState(0, hidden)));
    const reset = activate(0, add(fromInput(1), fromState(1, hidden)));
    const recurrence = isLinearFirst ? scale(reset, fromState(2, hidden)) : fromState(2, scale(reset, hidden));
    const candidate = activate(1, add(fromInput(2), recurrence));
    for (let i = 0; i < hidden.length; i++) {
      const share = update[i] ?? 0;
      hidden[i] = (1 - share) * (candidate[i] ?? 0) + share * (hidden[i] ?? 0);
    }
  };
  const { sequence, hidden } = run(operator, inputs, { gates: 3, activations: 2, step, lengths, hiddenInit });
  writeAll(outputs, [sequence, hidden]);
};

/** The gates are input, output, forget and cell; the first three have peepholes. */
export const lstm: Kernel = (operator, inputs, outputs) => {
  const [input, , , , hiddenInit = null, cellInit = null, lengths = null, peephole = null] = inputs;
  const isCoupled = operator.fields['coupleInputForget'] === true;
  const isClipped = operator.fields['useClipThreshold'] === true;
  const limit = isClipped ? Math.fround(numberField(operator, 'clipThreshold')) : largestOf(input);
  const step: Step = ({ hidden, cell }, { fromInput, fromState, fromCell, activate }) => {
    const sum = (gate: number) => add(fromInput(gate), fromState(gate, hidden));
    const gated = (gate: number) => activate(0, clipped(add(sum(gate), fromCell(gate, cell)), limit));
    const admit = gated(0);
    const keep = isCoupled ? null : gated(2);
    const candidate = activate(1, clipped(sum(3), limit));
    for (let i = 0; i < cell.length; i++) {
      const share = admit[i] ?? 0;
      cell[i] = (keep === null ? 1 - share : (keep[i] ?? 0)) * (cell[i] ?? 0) + share * (candidate[i] ?? 0);
    }
    const emit = gated(1);
    hidden.set(scale(activate(2, cell.slice()), emit));
  };
  const layer = { gates: 4, activations: 3, step, lengths, hiddenInit, cellInit, peephole };
  const { sequence, hidden, cell } = run(operator, inputs, layer);
  writeAll(outputs, [sequence, hidden, cell]);
};

function largestOf(input: TensorView | null | undefined): number {
  return input?.dataType === 'float16' ? 65504 : 3.4028234663852886e38;
}

function run(operator: ResolvedOperator, inputs: readonly (TensorView | null)[], layer: Layer): Result {
  const { sizes: [, steps = 1, batch = 1] } = required(inputs, 0);
  const { sizes: [, directions = 1, , size = 1] } = required(inputs, 2);
  const stepOf = directionsOf(operator, inputs, layer);
  const lengths = layer.lengths === null ? null : readNumbers(layer.lengths);
  const count = directions * batch * size;
  const hiddens = initial(layer.hiddenInit, count);
  const cells = initial(layer.cellInit ?? null, count);
  const sequence = new Float64Array(steps * count);
  for (let direction = 0; direction < directions; direction++) {
    const isBackward = direction === 1 || operator.fields['direction'] === 'backward';
    for (let item = 0; item < batch; item++) {
      const start = (direction * batch + item) * size;
      const state = { hidden: hiddens.subarray(start, start + size), cell: cells.subarray(start, start + size) };
      const length = lengths?.[item] ?? steps;
      const taken = Math.min(length, steps);
      for (let i = 0; i < taken; i++) {
        const time = isBackward ? taken - 1 - i : i;
        layer.step(state, stepOf(direction, time * batch + item));
        sequence.set(state.hidden, time * count + start);
      }
      // DirectML reads the last state of a forward sequence from the step before its length, where there may be none.
      if (!isBackward && (length === 0 || length > steps)) state.hidden.fill(0);
    }
  }
  return { sequence, hidden: hiddens, cell: cells };
}

function initial(view: TensorView | null, count: number): Float64Array {
  return view === null ? new Float64Array(count) : readNumbers(view);
}

function writeAll(views: readonly (TensorView | null)[], results: readonly Float64Array[]): void {
  views.forEach((view, i) => {
    const result = results[i];
    if (view !== null && result !== undefined) writeNumbers(view, result);
  });
}

/** Of an LSTM's four gates. */
const PEEPHOLES = 3;

/** Gives a direction at a step of a sequence, numbered as the rows of the input are. */
function directionsOf(
  { fields }: ResolvedOperator,
  views: readonly (TensorView | null)[],
  { gates, activations: each, peephole = null }: Layer,
): (direction: number, row: number) => Direction {
  const input = readNumbers(required(views, 0));
  const weight = readNumbers(required(views, 1));
  const recurrence = readNumbers(required(views, 2));
  const { sizes: [, , , length = 1] } = required(views, 1);
  const { sizes: [, , , size = 1] } = required(views, 2);
  const biasView = views[3] ?? null;
  const bias = biasView === null ? null : readNumbers(biasView);
  const peepholes = peephole === null ? null : readNumbers(peephole);
  const activations = Array.isArray(fields['activationDescs']) ? fields['activationDescs'].filter(isOperator) : [];
  /** The first bias of a gate is for the inputs, the second for the recurrence. */
  const weigh = (weights: Float64Array, x: Float64Array, start: number, width: number, gate: number, block: number) => {
    const sums = new Float64Array(size);
    multiply(weights, gate * size * width, x, start, width, sums);
    return bias === null ? sums : add(sums, bias.subarray(block * size, (block + 1) * size));
  };
  return (direction, row) => ({
    fromInput: (gate) =>
      weigh(weight, input, row * length, length, direction * gates + gate, 2 * direction * gates + gate),
    fromState: (gate, state) =>
      weigh(recurrence, state, 0, size, direction * gates + gate, (2 * direction + 1) * gates + gate),
    fromCell: (gate, cell) => {
      if (peepholes === null) return new Float64Array(size);
      const first = (direction * PEEPHOLES + gate) * size;
      return scale(peepholes.slice(first, first + size), cell);
    },
    activate: (which, values) => {
      const activation = activations[direction * each + which];
      if (activation !== undefined) applyActivation(activation, values);
      return values;
    },
  });
}

/** Multiplies the rows of a matrix that begins at `first` by the vector that begins at `start`. */
function multiply(
  matrix: Float64Array,
  first: number,
  vector: Float64Array,
  start: number,
  length: number,
  target: Float64Array,
): void {
  for (let row = 0; row < target.length; row++) {
    let sum = 0;
    for (let k = 0; k < length; k++) sum += (matrix[first + row * length + k] ?? 0) * (vector[start + k] ?? 0);
    target[row] = sum;
  }
}

/** Adds `b` to `a` in place. */
function add(a: Float64Array, b: Float64Array): Float64Array {
  for (let i = 0; i < a.length; i++) a[i] = (a[i] ?? 0) + (b[i] ?? 0);
  return a;
}

/** Multiplies `a` by `b` in place. */
function scale(a: Float64Array, b: Float64Array): Float64Array {
  for (let i = 0; i < a.length; i++) a[i] = (a[i] ?? 0) * (b[i] ?? 0);
  return a;
}

/** Keeps the values from -limit to limit in place; what is no number becomes -limit. */
function clipped(values: Float64Array, limit: number): Float64Array {
  for (let i = 0; i < values.length; i++) values[i] = smaller(larger(values[i] ?? 0, -limit), limit);
  return values;
}

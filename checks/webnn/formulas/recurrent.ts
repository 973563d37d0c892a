/**
 * gru, lstm and their cells, from the specification's text and its emulations. Numbers are float64. The tensors of a cell lack the
 * leading dimensions for steps and directions that those of a network have; reading them ignores the coordinates in question.
 */
import type { MLGruCellOptions, MLLstmCellOptions, MLLstmOptions, MLRecurrentNetworkActivation } from 'node-directml/webnn';
import type { Formula, Plain } from '../operator.js';
import { makeTensor, numberAt, type PlainTensor, type Shape } from '../plain-tensor.js';
import { productOf, sumOf, termOf, type Term } from './term.js';

type Vector = readonly Term[];

/** Computes, for one element of the batch, the next states from the input `x` and the current states. The hidden one is first. */
type Step = (direction: number, x: Vector, states: readonly Vector[]) => readonly Vector[];

interface Weights {
  readonly weight: PlainTensor;
  readonly recurrentWeight: PlainTensor;
  readonly hiddenSize: number;
}

export const gruCell: Formula<'gruCell'> = (input, weight, recurrentWeight, hiddenState, hiddenSize, options = {}) => {
  const [hidden = input] = cell(input, [hiddenState], hiddenSize, gruStep({ weight, recurrentWeight, hiddenSize }, options));
  return hidden;
};

export const lstmCell: Formula<'lstmCell'> = (input, weight, recurrentWeight, hidden, state, hiddenSize, options = {}) => {
  return cell(input, [hidden, state], hiddenSize, lstmStep({ weight, recurrentWeight, hiddenSize }, options));
};

export const gru: Formula<'gru'> = (input, weight, recurrentWeight, _steps, hiddenSize, options = {}) => {
  const step = gruStep({ weight, recurrentWeight, hiddenSize }, options);
  return network(input, [options.initialHiddenState], hiddenSize, step, options);
};

export const lstm: Formula<'lstm'> = (input, weight, recurrentWeight, _steps, hiddenSize, options = {}) => {
  const step = lstmStep({ weight, recurrentWeight, hiddenSize }, options);
  return network(input, [options.initialHiddenState, options.initialCellState], hiddenSize, step, options);
};

function cell(input: PlainTensor, states: readonly PlainTensor[], hiddenSize: number, step: Step): readonly PlainTensor[] {
  const single = { ...input, shape: [1, ...input.shape] };
  return network(single, states, hiddenSize, step, {}).map((state) => ({ ...state, shape: state.shape.slice(1) }));
}

/** Returns the last value of each state and, if requested, the sequence of hidden states. */
function network(
  input: PlainTensor,
  initial: readonly (PlainTensor | undefined)[],
  hiddenSize: number,
  step: Step,
  { direction = 'forward', returnSequence = false }: Pick<MLLstmOptions, 'direction' | 'returnSequence'>,
): readonly PlainTensor[] {
  const { dataType, shape } = input;
  const [steps = 1, batch = 1, inputSize = 1] = shape;
  const directions = direction === 'both' ? [false, true] : [direction === 'backward'];
  const runs = directions.map((isBackward, d) => {
    return Array.from({ length: batch }, (_, row) => {
      const start = initial.map((state) => {
        return vector(hiddenSize, (unit) => termOf(state === undefined ? 0 : numberAt(state, [d, row, unit])));
      });
      const history: (readonly Vector[])[] = [start];
      for (let i = 0; i < steps; i++) {
        const place = isBackward ? steps - 1 - i : i;
        const x = vector(inputSize, (column) => termOf(numberAt(input, [place, row, column])));
        history.push(step(d, x, history[i] ?? start));
      }
      return history;
    });
  });
  /** One number of a state after `count` steps. */
  const after = (count: number, which: number, [d = 0, row = 0, unit = 0]: Shape) =>
    termAt(runs[d]?.[row]?.[count]?.[which], unit);
  const sizes = [directions.length, batch, hiddenSize];
  const last = initial.map((_, which) => makeTensor(dataType, sizes, (place) => after(steps, which, place)));
  if (!returnSequence) return last;
  const sequence = makeTensor(dataType, [steps, ...sizes], ([i = 0, ...place]) => {
    return after(directions[place[0] ?? 0] === true ? steps - i : i + 1, 0, place);
  });
  return [...last, sequence];
}

function gruStep(weights: Weights, options: Plain<MLGruCellOptions>): Step {
  const { resetAfter = true, layout = 'zrn', activations = [], bias, recurrentBias } = options;
  const { weight, recurrentWeight, hiddenSize } = weights;
  const [gate = applied('sigmoid'), candidate = applied('tanh')] = activations.map(applied);
  return (direction, x, [h = []]) => {
    const place = (name: string, unit: number) => [direction, layout.indexOf(name) * hiddenSize + unit];
    const [z = [], r = []] = ['z', 'r'].map((name) => {
      return vector(hiddenSize, (unit) => gate(sumOf(termsOf(weights, options, place(name, unit), x, h))));
    });
    const reset = h.map((number, unit) => productOf(number, termAt(r, unit)));
    const n = vector(hiddenSize, (unit) => {
      const row = place('n', unit);
      const own = [...weighted(weight, row, x), ...biasOf(bias, row)];
      const biases = biasOf(recurrentBias, row);
      if (!resetAfter) return candidate(sumOf([...own, ...weighted(recurrentWeight, row, reset), ...biases]));
      const recurrent = sumOf([...weighted(recurrentWeight, row, h), ...biases]);
      return candidate(sumOf([...own, productOf(termAt(r, unit), recurrent)]));
    });
    const next = vector(hiddenSize, (unit) => {
      const update = termAt(z, unit);
      const rest = sumOf([1, { ...update, value: -update.value }]);
      return sumOf([productOf(update, termAt(h, unit)), productOf(termAt(n, unit), rest)]);
    });
    return [next];
  };
}

function lstmStep(weights: Weights, options: Plain<MLLstmCellOptions>): Step {
  const { layout = 'iofg', peepholeWeight, activations = [] } = options;
  const { hiddenSize } = weights;
  const [gate = applied('sigmoid'), candidate = applied('tanh'), filter = applied('tanh')] = activations.map(applied);
  return (direction, x, [h = [], c = []]) => {
    const terms = (name: string, unit: number) => {
      return termsOf(weights, options, [direction, layout.indexOf(name) * hiddenSize + unit], x, h);
    };
    // The gates that see the cell, in the order of their peephole weights.
    const [i = [], o = [], f = []] = ['i', 'o', 'f'].map((name, order) => {
      return vector(hiddenSize, (unit) => {
        const peephole = biasOf(peepholeWeight, [direction, order * hiddenSize + unit]);
        return gate(sumOf([...terms(name, unit), ...peephole.map((weight) => productOf(weight, termAt(c, unit)))]));
      });
    });
    const g = vector(hiddenSize, (unit) => candidate(sumOf(terms('g', unit))));
    const next = vector(hiddenSize, (unit) => {
      return sumOf([productOf(termAt(f, unit), termAt(c, unit)), productOf(termAt(i, unit), termAt(g, unit))]);
    });
    return [vector(hiddenSize, (unit) => productOf(termAt(o, unit), filter(termAt(next, unit)))), next];
  };
}

/** The terms whose sum is a gate's argument: input and hidden state, weighted by a row of the weights, and both biases. */
function termsOf(
  { weight, recurrentWeight }: Weights,
  { bias, recurrentBias }: Plain<Pick<MLGruCellOptions, 'bias' | 'recurrentBias'>>,
  row: Shape,
  x: Vector,
  h: Vector,
): readonly Term[] {
  return [...weighted(weight, row, x), ...weighted(recurrentWeight, row, h), ...biasOf(bias, row), ...biasOf(recurrentBias, row)];
}

function weighted(weight: PlainTensor, row: Shape, numbers: Vector): readonly Term[] {
  return numbers.map((number, column) => productOf(number, termOf(numberAt(weight, [...row, column]))));
}

function biasOf(bias: PlainTensor | undefined, place: Shape): readonly Term[] {
  return bias === undefined ? [] : [termOf(numberAt(bias, place))];
}

function vector(length: number, number: (place: number) => Term): Vector {
  return Array.from({ length }, (_, place) => number(place));
}

function termAt(terms: Vector | undefined, unit: number): Term {
  return terms?.[unit] ?? termOf(NaN);
}

/**
 * No function is steeper than the identity anywhere, so the scale of the terms remains a bound. tanh is a difference of
 * exponentials, which are near 1 for small numbers, so the web platform tests allow it an absolute error.
 */
function applied(name: MLRecurrentNetworkActivation): (term: Term) => Term {
  return (term) => {
    const value = functions[name](term.value);
    return { value, scale: Math.max(Math.abs(value), term.scale, name === 'tanh' ? 1 : 0) };
  };
}

const functions: Readonly<Record<MLRecurrentNetworkActivation, (x: number) => number>> = {
  relu: (x) => Math.max(x, 0),
  sigmoid: (x) => 1 / (1 + Math.exp(-x)),
  tanh: Math.tanh,
};

/** gru, lstm and their cells, from the specification's text and its emulations. Numbers are float64. */
import { at, makeTensor, numberAt, type PlainTensor } from '../plain-tensor.js';
import { applied, productOf, sumOf, termOf, type Term } from './term.js';

export type Activation = 'relu' | 'sigmoid' | 'tanh';
export type Direction = 'forward' | 'backward' | 'both';

/** What a network and a cell may have. */
interface CellOptions {
  readonly bias?: PlainTensor;
  readonly recurrentBias?: PlainTensor;
  readonly activations?: readonly Activation[];
}

interface NetworkOptions {
  readonly initialHiddenState?: PlainTensor;
  readonly returnSequence?: boolean;
  readonly direction?: Direction;
}

export interface GruCellOptions extends CellOptions {
  readonly resetAfter?: boolean;
  readonly layout?: 'zrn' | 'rzn';
}

export interface LstmCellOptions extends CellOptions {
  readonly peepholeWeight?: PlainTensor;
  readonly layout?: 'iofg' | 'ifgo';
}

export type GruOptions = GruCellOptions & NetworkOptions;
export type LstmOptions = LstmCellOptions & NetworkOptions & { readonly initialCellState?: PlainTensor };

/** One row for each element of the batch. */
type Rows = readonly (readonly Term[])[];

interface Weights {
  readonly weight: PlainTensor;
  readonly recurrentWeight: PlainTensor;
  readonly hiddenSize: number;
}

export function gruCell(
  input: PlainTensor,
  weight: PlainTensor,
  recurrentWeight: PlainTensor,
  hiddenState: PlainTensor,
  hiddenSize: number,
  options: GruCellOptions = {},
): PlainTensor {
  return tensorOf(input, gruStep(rowsOf(input), rowsOf(hiddenState), { weight, recurrentWeight, hiddenSize }, options));
}

export function lstmCell(
  input: PlainTensor,
  weight: PlainTensor,
  recurrentWeight: PlainTensor,
  hiddenState: PlainTensor,
  cellState: PlainTensor,
  hiddenSize: number,
  options: LstmCellOptions = {},
): readonly PlainTensor[] {
  const state = [rowsOf(hiddenState), rowsOf(cellState)] as const;
  const next = lstmStep(rowsOf(input), state, { weight, recurrentWeight, hiddenSize }, options);
  return next.map((rows) => tensorOf(input, rows));
}

/** The last state and, if it is asked for, the sequence of states. */
export function gru(
  input: PlainTensor,
  weight: PlainTensor,
  recurrentWeight: PlainTensor,
  _steps: number,
  hiddenSize: number,
  options: GruOptions = {},
): readonly PlainTensor[] {
  const step: Step<GruOptions> = (x, [hidden = []], weights, own) => [gruStep(x, hidden, weights, own)];
  return network(input, { weight, recurrentWeight, hiddenSize }, options, [options.initialHiddenState], step);
}

/** The last hidden state, the last cell state and, if it is asked for, the sequence of hidden states. */
export function lstm(
  input: PlainTensor,
  weight: PlainTensor,
  recurrentWeight: PlainTensor,
  _steps: number,
  hiddenSize: number,
  options: LstmOptions = {},
): readonly PlainTensor[] {
  const initial = [options.initialHiddenState, options.initialCellState];
  const step: Step<LstmOptions> = (x, [hidden = [], cells = []], weights, own) => lstmStep(x, [hidden, cells], weights, own);
  return network(input, { weight, recurrentWeight, hiddenSize }, options, initial, step);
}

/** Makes the next states of a network of its states, the hidden one first. */
type Step<Options> = (x: Rows, states: readonly Rows[], weights: Weights, options: Options) => readonly Rows[];

/** The last of each state, and the sequence of hidden states if it is asked for. */
function network<Options extends NetworkOptions>(
  input: PlainTensor,
  { weight, recurrentWeight, hiddenSize }: Weights,
  options: Options,
  initial: readonly (PlainTensor | undefined)[],
  step: Step<Options>,
): readonly PlainTensor[] {
  const { direction = 'forward', returnSequence = false } = options;
  const runs = (direction === 'both' ? [false, true] : [direction === 'backward']).map((isBackward, i) => {
    const own = { weight: part(weight, i), recurrentWeight: part(recurrentWeight, i), hiddenSize };
    const start = initial.map((state) => stateOf(input, hiddenSize, state, i));
    return run(input, isBackward, start, (x, states) => step(x, states, own, withPart(options, i)));
  });
  const last = initial.map((_, which) => {
    return stacked(
      input,
      runs.map((result) => result.last[which] ?? []),
    );
  });
  return returnSequence ? [...last, sequenceOf(input, runs)] : last;
}

function gruStep(input: Rows, hidden: Rows, weights: Weights, options: GruCellOptions): Rows {
  const { resetAfter = true, layout = 'zrn', activations = ['sigmoid', 'tanh'] } = options;
  const [gate, candidate] = activations.map(functionOf);
  if (gate === undefined || candidate === undefined) throw new RangeError('a gru has two activations');
  return input.map((x, row) => {
    const h = hidden[row] ?? [];
    const place = (name: string, unit: number) => layout.indexOf(name) * weights.hiddenSize + unit;
    const sumFor = (name: string, unit: number) => sumOf(termsOf(weights, options, place(name, unit), x, h));
    const z = units(weights, (unit) => gate(sumFor('z', unit)));
    const r = units(weights, (unit) => gate(sumFor('r', unit)));
    const reset = h.map((number, unit) => productOf(number, termAt(r, unit)));
    const n = units(weights, (unit) => {
      const row = place('n', unit);
      const own = [...weighted(weights.weight, row, x), ...biasOf(options.bias, row)];
      const bias = biasOf(options.recurrentBias, row);
      if (!resetAfter) return candidate(sumOf([...own, ...weighted(weights.recurrentWeight, row, reset), ...bias]));
      const recurrent = sumOf([...weighted(weights.recurrentWeight, row, h), ...bias]);
      return candidate(sumOf([...own, productOf(termAt(r, unit), recurrent)]));
    });
    return units(weights, (unit) => {
      const [update, fresh] = [termAt(z, unit), termAt(n, unit)];
      const rest = sumOf([1, negative(update)]);
      return sumOf([productOf(update, termAt(h, unit)), productOf(fresh, rest)]);
    });
  });
}

function lstmStep(
  input: Rows,
  [hidden, cells]: readonly [Rows, Rows],
  weights: Weights,
  options: LstmCellOptions,
): readonly [Rows, Rows] {
  const { layout = 'iofg', peepholeWeight, activations = ['sigmoid', 'tanh', 'tanh'] } = options;
  const { hiddenSize } = weights;
  const [gate, candidate, filter] = activations.map(functionOf);
  if (gate === undefined || candidate === undefined || filter === undefined)
    throw new RangeError('an lstm has three activations');
  const results = input.map((x, row) => {
    const [h, c] = [hidden[row] ?? [], cells[row] ?? []];
    const terms = (name: string, unit: number) => {
      return termsOf(weights, options, layout.indexOf(name) * hiddenSize + unit, x, h);
    };
    // Those that see the cell, in the order of the peephole's weights.
    const [i = [], o = [], f = []] = ['i', 'o', 'f'].map((name, order) => {
      return units(weights, (unit) => {
        const peephole = biasOf(peepholeWeight, order * hiddenSize + unit).map((weight) => productOf(weight, termAt(c, unit)));
        return gate(sumOf([...terms(name, unit), ...peephole]));
      });
    });
    const g = units(weights, (unit) => candidate(sumOf(terms('g', unit))));
    const next = units(weights, (unit) => {
      return sumOf([productOf(termAt(f, unit), termAt(c, unit)), productOf(termAt(i, unit), termAt(g, unit))]);
    });
    return { next, output: units(weights, (unit) => productOf(termAt(o, unit), filter(termAt(next, unit)))) };
  });
  return [results.map(({ output }) => output), results.map(({ next }) => next)];
}

/** What a gate is applied to: input and state, weighted by a row of the weights, and both biases. */
function termsOf(weights: Weights, { bias, recurrentBias }: CellOptions, row: number, x: readonly Term[], h: readonly Term[]) {
  const { weight, recurrentWeight } = weights;
  return [...weighted(weight, row, x), ...weighted(recurrentWeight, row, h), ...biasOf(bias, row), ...biasOf(recurrentBias, row)];
}

function weighted(weight: PlainTensor, row: number, vector: readonly Term[]): readonly Term[] {
  return vector.map((number, column) => productOf(number, termOf(numberAt(weight, [row, column]))));
}

function biasOf(bias: PlainTensor | undefined, place: number): readonly Term[] {
  return bias === undefined ? [] : [termOf(numberAt(bias, [place]))];
}

function units({ hiddenSize }: Weights, number: (unit: number) => Term): readonly Term[] {
  return Array.from({ length: hiddenSize }, (_, unit) => number(unit));
}

function termAt(terms: readonly Term[], unit: number): Term {
  return terms[unit] ?? termOf(NaN);
}

function negative({ value, scale }: Term): Term {
  return { value: -value, scale };
}

/** tanh is a difference of exponentials, which are near 1 for small numbers: the tests allow it an absolute error. */
function functionOf(name: Activation): (term: Term) => Term {
  return ({ value, scale }) => applied(functions[name], { value, scale: name === 'tanh' ? Math.max(scale, 1) : scale });
}

const functions: Readonly<Record<Activation, (x: number) => number>> = {
  relu: (x) => Math.max(x, 0),
  sigmoid: (x) => 1 / (1 + Math.exp(-x)),
  tanh: Math.tanh,
};

interface Run {
  readonly last: readonly Rows[];
  /** The hidden states, in the order of the input. */
  readonly hidden: readonly Rows[];
}

/** All steps in one direction. */
function run(
  input: PlainTensor,
  isBackward: boolean,
  start: readonly Rows[],
  next: (x: Rows, states: readonly Rows[]) => readonly Rows[],
): Run {
  const steps = input.shape[0] ?? 1;
  const hidden: Rows[] = [];
  let last = start;
  for (let i = 0; i < steps; i++) {
    last = next(rowsOf(part(input, isBackward ? steps - 1 - i : i)), last);
    hidden.push(last[0] ?? []);
  }
  return { last, hidden: isBackward ? hidden.reverse() : hidden };
}

/** What a tensor has at an index of its first dimension. */
function part(tensor: PlainTensor, index: number): PlainTensor {
  return makeTensor(tensor.dataType, tensor.shape.slice(1), (place) => at(tensor, [index, ...place]));
}

/** The options of one direction. */
function withPart<Options extends NetworkOptions>(options: Options, index: number): Options {
  const parts = ['bias', 'recurrentBias', 'peepholeWeight'].map((name) => {
    const tensor = Object.entries(options).find(([own]) => own === name)?.[1] as PlainTensor | undefined;
    return tensor === undefined ? {} : { [name]: part(tensor, index) };
  });
  return Object.assign({}, options, ...parts) as Options;
}

function stateOf(input: PlainTensor, hiddenSize: number, state: PlainTensor | undefined, direction: number): Rows {
  if (state !== undefined) return rowsOf(part(state, direction));
  return Array.from({ length: input.shape[1] ?? 1 }, () => new Array<Term>(hiddenSize).fill(termOf(0)));
}

function rowsOf(tensor: PlainTensor): Rows {
  const [rows = 1, columns = 1] = tensor.shape;
  return Array.from({ length: rows }, (_, row) => {
    return Array.from({ length: columns }, (_, column) => termOf(numberAt(tensor, [row, column])));
  });
}

function tensorOf({ dataType }: PlainTensor, rows: Rows): PlainTensor {
  return makeTensor(dataType, [rows.length, rows[0]?.length ?? 0], ([row = 0, unit = 0]) => termAt(rows[row] ?? [], unit));
}

/** [directions, batch, hidden size] */
function stacked({ dataType }: PlainTensor, states: readonly Rows[]): PlainTensor {
  const shape = [states.length, states[0]?.length ?? 0, states[0]?.[0]?.length ?? 0];
  return makeTensor(dataType, shape, ([direction = 0, row = 0, unit = 0]) => termAt(states[direction]?.[row] ?? [], unit));
}

/** [steps, directions, batch, hidden size] */
function sequenceOf({ dataType, shape: [steps = 1] }: PlainTensor, runs: readonly Run[]) {
  const [first = []] = runs[0]?.hidden ?? [];
  const shape = [steps, runs.length, first.length, first[0]?.length ?? 0];
  return makeTensor(dataType, shape, ([step = 0, direction = 0, row = 0, unit = 0]) => {
    return termAt(runs[direction]?.hidden[step]?.[row] ?? [], unit);
  });
}

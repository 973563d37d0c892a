/** LSTM and GRU, step by step, so that gradients pass. The names of weights are those of PyTorch's `LSTM` and `GRU`. */
import { define } from '../array/define.js';
import { add, multiply, subtract } from '../array/elements.js';
import { matmul } from '../array/linear-algebra.js';
import { concat, flip, matrixTranspose, slice, stack } from '../array/shape.js';
import { constantIn, floatOf, packed } from '../array/values.js';
import { activationSigmoid, activationTanh, elementWiseIdentity } from '../functions/index.js';
import type { Input } from '../functions/types.js';
import { Value } from '../graph/value.js';
import { argumentObject, argumentError, booleanOption, readOptions } from '../values/arguments.js';
import { fieldError, list } from '../values/errors.js';
import type { Layered } from './layers.js';
import { weightsOf } from './weights.js';

type Float = Value<'float32'>;

/** The weights of all layers: `weight_ih_l0`, `weight_hh_l0`, `bias_ih_l0`, `bias_hh_l0`, those of `_l1`, `_l0_reverse` … */
export type RecurrentWeights = Readonly<Record<string, Input>>;

/** Options of `lstm` and `gru`. */
export interface RecurrentOptions {
  /** Whether the input has sizes `[batch, steps, inputs]` instead of `[steps, batch, inputs]`. Default: false. */
  readonly batchFirst?: boolean | undefined;
  /** The first state of each layer and direction, `[layers · directions, batch, size]`. Default: zeros. */
  readonly h0?: Input | undefined;
}

interface Step {
  readonly h: Float;
  /** Of an LSTM; a GRU has none and repeats h. */
  readonly c: Float;
}

/** One step: from what the input adds to the gates, and the last state. */
type Cell = (input: Float, state: Step, ofState: (h: Float) => Float) => Step;

const part = (gates: Float, index: number, count: number): Float => {
  const size = (gates.sizes[1] ?? 1) / count;
  return slice(gates, null, [index * size, (index + 1) * size]);
};

const lstmCell: Cell = (input, { h, c }, ofState) => {
  const gates = add(input, ofState(h));
  const gate = (index: number) => activationSigmoid(part(gates, index, 4));
  const next = add(multiply(gate(1), c), multiply(gate(0), activationTanh(part(gates, 2, 4))));
  return { h: multiply(gate(3), activationTanh(next)), c: next };
};

const gruCell: Cell = (input, { h }, ofState) => {
  const own = ofState(h);
  const gate = (index: number) => activationSigmoid(add(part(input, index, 3), part(own, index, 3)));
  const fresh = activationTanh(add(part(input, 2, 3), multiply(gate(0), part(own, 2, 3))));
  const next = add(fresh, multiply(gate(1), subtract(h, fresh)));
  return { h: next, c: next };
};

/** What `lstm` returns: the last layer's output of each step, and the last states. */
export interface LstmResult<T> {
  readonly output: T;
  readonly h: T;
  readonly c: T;
}
type Results<Result, R> =
  Result extends Promise<infer T> ? Promise<R & Readonly<Record<keyof R, T>>> : Readonly<Record<keyof R, Result>>;

/** A long short-term memory of one layer or several, in one direction or two. */
export const lstm = recurrent('lstm', lstmCell, true) as <A extends Input, W extends RecurrentWeights>(
  x: A,
  weights: W,
  options?: RecurrentOptions & { readonly c0?: Input | undefined },
) => Results<Layered<A, W>, LstmResult<unknown>>;

/** Gated recurrent units of one layer or several, in one direction or two. */
export const gru = recurrent('gru', gruCell, false) as <A extends Input, W extends RecurrentWeights>(
  x: A,
  weights: W,
  options?: RecurrentOptions,
) => Results<Layered<A, W>, Omit<LstmResult<unknown>, 'c'>>;

function recurrent(method: string, cell: Cell, hasCell: boolean) {
  return define(method, (x: unknown, weights: unknown, options: unknown) => {
    const read = readOptions(method, options, ['batchFirst', 'h0', ...(hasCell ? (['c0'] as const) : [])]);
    const isBatchFirst = booleanOption(method, 'batchFirst', read.get('batchFirst') ?? false);
    const given = floatOf(method, x) as Float;
    if (given.sizes.length !== 3) {
      const expected = isBatchFirst ? '[batch, steps, inputs]' : '[steps, batch, inputs]';
      throw fieldError('ERR_DIMENSION_COUNT', { operator: method, field: 'x.sizes' }, expected, list(given.sizes));
    }
    let value = isBatchFirst ? (packed(given.transpose([1, 0, 2])) as Float) : given;
    const layers = layersOf(method, weights);
    const [hs, cs]: [Float[], Float[]] = [[], []];
    for (const [layer, suffixes] of layers.entries()) {
      const outputs = suffixes.map((suffix, direction) => {
        const names = ['weight_ih', 'weight_hh', 'bias_ih', 'bias_hh'].map((name) => `${name}_${suffix}`);
        const own = Object.fromEntries(names.map((name) => [name, Reflect.get(weights as object, name)]));
        const found = weightsOf(method, own, names.slice(0, 2), names.slice(2));
        const [ih, hh, bih, bhh] = names.map((name) => found[name]);
        const size = hh?.sizes[1] ?? 1;
        const at = layer * suffixes.length + direction;
        const first = (name: 'h0' | 'c0') => firstState(method, read.get(name), value, at, size);
        const isReverse = direction === 1;
        const input = isReverse ? flip(value, { axis: 0 }) : value;
        const ofInput = biased(matmul(input, matrixTranspose(ih as Float)), bih);
        const ofState = (h: Float) => biased(matmul(h, matrixTranspose(hh as Float)), bhh);
        let state: Step = { h: first('h0'), c: first(hasCell ? 'c0' : 'h0') };
        const steps: Float[] = [];
        for (let step = 0; step < (value.sizes[0] ?? 1); step++) {
          state = cell(slice(ofInput, step), state, ofState);
          steps.push(state.h);
        }
        hs.push(state.h);
        cs.push(state.c);
        const all = stack(steps);
        return isReverse ? flip(all, { axis: 0 }) : all;
      });
      value = (outputs.length === 1 ? outputs[0] : concat(outputs, { axis: 2 })) as Float;
    }
    const output = isBatchFirst ? packed(value.transpose([1, 0, 2])) : elementWiseIdentity(value);
    return { output, h: stack(hs), ...(hasCell ? { c: stack(cs) } : {}) };
  });
}

/** The ends of the names of each layer's weights: one for each direction. */
function layersOf(method: string, weights: unknown): readonly (readonly string[])[] {
  const names = Object.keys(argumentObject(method, 'weights', weights));
  const layers: string[][] = [];
  for (let layer = 0; names.includes(`weight_ih_l${layer}`); layer++) {
    layers.push([`l${layer}`, ...(names.includes(`weight_ih_l${layer}_reverse`) ? [`l${layer}_reverse`] : [])]);
  }
  const known = layers.flat();
  const other = names.find((name) => !known.some((end) => new RegExp(`^(weight|bias)_(ih|hh)_${end}$`, 'u').test(name)));
  if (layers.length > 0 && other === undefined) return layers;
  throw argumentError(method, 'weights', 'weight_ih_l0, weight_hh_l0, bias_ih_l0, bias_hh_l0 and those of other layers', other);
}

function biased(product: Value, bias: Float | undefined): Float {
  return (bias === undefined ? product : add(product, bias)) as Float;
}

function firstState(method: string, given: unknown, x: Value, index: number, size: number): Float {
  if (given !== undefined) return slice(floatOf(method, given), index) as Float;
  return elementWiseIdentity(constantIn(x, x.dataType, [x.sizes[1] ?? 1, size], 0) as Float);
}

/**
 * Optimizers as pure functions of trees of weights, which work inside `jit`. Their steps are those of PyTorch's optimizers.
 *
 * `init(weights)` makes the first state; `update(weights, gradients, state)` returns the new weights and the new state.
 */
import { define } from '../array/define.js';
import { abs, add, divide, minimum, multiply, sqrt, square, subtract } from '../array/elements.js';
import { sum } from '../array/reductions.js';
import { as, constantIn, wideFloat } from '../array/values.js';
import type { Tensor } from '../api/memory/tensor.js';
import { mapTree } from '../api/graphs/jit-trees.js';
import { elementWiseCos, elementWiseExp, elementWiseIdentity } from '../functions/index.js';
import { Value } from '../graph/value.js';
import { isFloat } from '../tensors/data-types.js';
import { argumentError, booleanOption, readOptions } from '../values/arguments.js';
import { at, fieldError, list } from '../values/errors.js';

type Float = Value<'float32'>;
type Tree = unknown;
type Sizes = readonly number[];

const aTree = 'a tensor of floats, or a tree of them';

/** From the number of steps before this one, `[1]`, to a learning rate. */
export type Schedule = (step: Value<'float32'>) => Value;

/** Whether a tree has values of a graph, so that a function of it adds nodes instead of running them. */
type InGraph<W> = W extends Value
  ? true
  : W extends Tensor
    ? false
    : W extends object
      ? { [Name in keyof W]: InGraph<W[Name]> }[keyof W]
      : never;
type Made<W, Result> = true extends InGraph<W> ? Result : Promise<Result>;

/** A number beside the weights, `[1]`. */
type Single<W> = true extends InGraph<W> ? Value<'float32'> : Tensor<'float32'>;

/** The state of an optimizer: trees with the structure of the weights, and single numbers. */
export interface OptimizerState<W> {
  /** The number of steps so far. */
  readonly step: Single<W>;
  readonly [name: string]: W | Single<W>;
}

/**
 * An optimizer.
 *
 * @throws {DirectMLError} in both methods: ERR_INVALID_ARGUMENT, ERR_SIZES or ERR_DATA_TYPE for weights other than floats, and for
 * gradients and a state that do not fit the weights.
 */
export interface Optimizer {
  /** The state before the first step. */
  init<W>(weights: W): Made<W, OptimizerState<W>>;
  /** One step: the new weights and the new state. */
  update<W>(weights: W, gradients: W, state: OptimizerState<W>): Made<W, readonly [weights: W, state: OptimizerState<W>]>;
}

interface Options {
  /** A number, or a function of the step. */
  readonly learningRate: number | Schedule;
  /** How fast weights shrink. Default: 0. */
  readonly weightDecay?: number | undefined;
}
/** Options of `sgd`. */
export type SgdOptions = Options;
/** Options of `momentum`. */
export interface MomentumOptions extends Options {
  /** The part of the last step that is repeated. Default: 0.9. */
  readonly momentum?: number | undefined;
  /** Whether the gradient is that of a look ahead. Default: false. */
  readonly nesterov?: boolean | undefined;
}
/** Options of `adam` and `adamW`. */
export interface AdamOptions extends Options {
  /** How much remains of the mean of gradients. Default: 0.9. */
  readonly beta1?: number | undefined;
  /** How much remains of the mean of squares. Default: 0.999. */
  readonly beta2?: number | undefined;
  /** Default: 1e-8. */
  readonly eps?: number | undefined;
}
/** Options of `rmsProp`. */
export interface RmsPropOptions extends Options {
  /** How much remains of the mean of squares. Default: 0.99. */
  readonly alpha?: number | undefined;
  /** Default: 1e-8. */
  readonly eps?: number | undefined;
}

/** Steps along the gradient. */
export function sgd(options: SgdOptions): Optimizer {
  const { rate, number } = read('sgd', options, []);
  const decay = number('weightDecay', 0);
  return optimizer('sgd', rate, [], ({ weights, gradients, rate: by }) => ({
    weights: zip([weights, gradients], (w, g) => subtract(w, multiply(decayed(w, g, decay), by))),
    state: {},
  }));
}

/** Steps along a mean of gradients, as those of `SGD` with `momentum` in PyTorch. */
export function momentum(options: MomentumOptions): Optimizer {
  const { rate, number, given } = read('momentum', options, ['momentum', 'nesterov']);
  const [part, decay] = [number('momentum', 0.9), number('weightDecay', 0)];
  const nesterov = booleanOption('momentum', 'nesterov', given.get('nesterov') ?? false);
  return optimizer('momentum', rate, ['velocity'], ({ weights, gradients, state, rate: by }) => {
    const slope = zip([weights, gradients], (w, g) => decayed(w, g, decay));
    const velocity = zip([state['velocity'], slope], (v, g) => add(multiply(v, part), g));
    const moved = nesterov ? zip([slope, velocity], (g, v) => add(g, multiply(v, part))) : velocity;
    return { weights: zip([weights, moved], (w, v) => subtract(w, multiply(v, by))), state: { velocity } };
  });
}

/** Adam. Its weight decay is added to gradients. */
export function adam(options: AdamOptions): Optimizer {
  return adamLike('adam', options, false);
}

/** Adam with a weight decay of its own. Default of `weightDecay`: 0.01. */
export function adamW(options: AdamOptions): Optimizer {
  return adamLike('adamW', options, true);
}

function adamLike(name: string, options: AdamOptions, isDecoupled: boolean): Optimizer {
  const { rate, number } = read(name, options, ['beta1', 'beta2', 'eps']);
  const [beta1, beta2, eps] = [number('beta1', 0.9, 1), number('beta2', 0.999, 1), number('eps', 1e-8)];
  const decay = number('weightDecay', isDecoupled ? 0.01 : 0);
  // `correction1` is 1 - beta1^step, without the cancellation of that difference.
  return optimizer(name, rate, ['mean', 'square', '.correction1', '.correction2'], ({ weights, gradients, state, rate: by }) => {
    const slope = isDecoupled ? gradients : zip([weights, gradients], (w, g) => decayed(w, g, decay));
    const mean = zip([state['mean'], slope], (m, g) => towards(m, g, beta1));
    const squares = zip([state['square'], slope], (v, g) => towards(v, square(g), beta2));
    const [correction1, correction2] = [
      towards(state['correction1'] as Float, 1, beta1),
      towards(state['correction2'] as Float, 1, beta2),
    ];
    const [step, root] = [divide(by, correction1), sqrt(correction2)];
    const moved = zip([weights, mean, squares], (w, m, v) => {
      const kept = isDecoupled && decay !== 0 ? multiply(w, subtract(1, multiply(by, decay))) : w;
      return subtract(kept, multiply(step, divide(m, add(divide(sqrt(v), root), eps))));
    });
    return { weights: moved, state: { mean, square: squares, correction1, correction2 } };
  });
}

/** Divides gradients by the root of a mean of their squares. */
export function rmsProp(options: RmsPropOptions): Optimizer {
  const { rate, number } = read('rmsProp', options, ['alpha', 'eps']);
  const [alpha, eps, decay] = [number('alpha', 0.99), number('eps', 1e-8), number('weightDecay', 0)];
  return optimizer('rmsProp', rate, ['square'], ({ weights, gradients, state, rate: by }) => {
    const slope = zip([weights, gradients], (w, g) => decayed(w, g, decay));
    const squares = zip([state['square'], slope], (v, g) => towards(v, square(g), alpha));
    const moved = zip([weights, slope, squares], (w, g, v) => subtract(w, multiply(by, divide(g, add(sqrt(v), eps)))));
    return { weights: moved, state: { square: squares } };
  });
}

/** Gradients, all multiplied by one factor if the root of the sum of their squares exceeds `maxNorm`. */
export const clipByNorm = define(
  'clipByNorm',
  (gradients: unknown, maxNorm: unknown) => {
    if (typeof maxNorm !== 'number' || !(maxNorm > 0)) throw argumentError('clipByNorm', 'maxNorm', 'a number above 0', maxNorm);
    const leaves = [...leavesOf('clipByNorm', 'gradients', gradients).values()];
    const squares = leaves.map((each): Value => sum(square(wideFloat(each))));
    const total = sqrt(squares.reduce((a, b) => add(a, b)));
    const factor = minimum(divide(maxNorm, add(total, 1e-6)), 1);
    return zip([gradients], (g) => multiply(g, as(factor, g.dataType)));
  },
  { argument: 'gradients', expected: aTree },
) as <W>(gradients: W, maxNorm: number) => Made<W, W>;

/** A schedule that grows from 0 for `warmup` steps, and then falls along a cosine to `to` in step `steps`. */
export function cosineDecay(options: {
  readonly from: number;
  readonly to?: number | undefined;
  readonly steps: number;
  readonly warmup?: number | undefined;
}): Schedule {
  const given = readOptions('cosineDecay', options, ['from', 'to', 'steps', 'warmup']);
  const number = (name: string, otherwise?: number) => numberOf('cosineDecay', given, name, otherwise);
  const [from, to, steps, warmup] = [number('from'), number('to', 0), number('steps'), number('warmup', 0)];
  return (step) => {
    const part = minimum(divide(abs(subtract(step, warmup)), Math.max(1, steps - warmup)), 1);
    const falling = add(multiply(add(elementWiseCos(multiply(part, Math.PI)), 1), (from - to) / 2), to);
    // Before the end of the warm-up, the line is lower.
    return warmup === 0 ? falling : minimum(multiply(add(step, 1), from / warmup), falling);
  };
}

/** A schedule that is multiplied by `factor` in each step. */
export function exponentialDecay(options: { readonly from: number; readonly factor: number }): Schedule {
  const given = readOptions('exponentialDecay', options, ['from', 'factor']);
  const [from, factor] = [numberOf('exponentialDecay', given, 'from'), given.get('factor')];
  if (typeof factor !== 'number' || !(factor > 0)) throw argumentError('exponentialDecay', 'factor', 'a number above 0', factor);
  return (step) => multiply(elementWiseExp(multiply(step, Math.log(factor))), from);
}

interface Step {
  readonly weights: Tree;
  readonly gradients: Tree;
  readonly state: Readonly<Record<string, Tree>>;
  readonly rate: Value;
}

/** `names` are those of the state: trees like the weights, or single numbers behind a point. All begin with zeros. */
function optimizer(
  name: string,
  rateOf: number | Schedule,
  names: readonly string[],
  work: (step: Step) => { readonly weights: Tree; readonly state: Readonly<Record<string, Tree>> },
): Optimizer {
  const one = (tree: Tree, value: number): Value => numberIn(tree, value);
  const init = define(
    `${name}.init`,
    (weights: unknown) => {
      leavesOf(`${name}.init`, 'weights', weights);
      const zeros = () => zip([weights], (w) => numberIn(weights, 0, w.sizes));
      const entries = names.map((each) => (each.startsWith('.') ? [each.slice(1), one(weights, 0)] : [each, zeros()]));
      return { step: one(weights, 0), ...(Object.fromEntries(entries) as object) };
    },
    weightTree,
  );
  const update = define(
    `${name}.update`,
    (weights: unknown, gradients: unknown, state: unknown) => {
      const method = `${name}.update`;
      const like = leavesOf(method, 'weights', weights);
      requireAlike(method, 'gradients', gradients, like);
      if (typeof state !== 'object' || state === null) throw argumentError(method, 'state', `the result of ${name}.init`, state);
      const given = state as Readonly<Record<string, Tree>>;
      for (const each of ['.step', ...names]) {
        const field = each.replace('.', '');
        requireAlike(method, `state.${field}`, given[field], each.startsWith('.') ? single : like);
      }
      const step = given['step'] as Float;
      const rate = typeof rateOf === 'number' ? one(weights, rateOf) : rateOf(step);
      const made = work({ weights, gradients, state: given, rate });
      return [made.weights, { step: add(step, 1), ...made.state }];
    },
    weightTree,
  );
  return { init, update } as unknown as Optimizer;
}

/** The tensors of a tree by their paths below it, such as `.layer[0]`. */
type Leaves = ReadonlyMap<string, { readonly sizes: Sizes }>;

const weightTree = { argument: 'weights', expected: aTree };
const single: Leaves = new Map([['', { sizes: [1] }]]);

/** @throws {DirectMLError} ERR_INVALID_ARGUMENT for a tree without tensors and for other objects; ERR_DATA_TYPE for integers. */
function leavesOf(method: string, field: string, tree: Tree): ReadonlyMap<string, Float> {
  const leaves = new Map<string, Float>();
  const add = (leaf: object, path: string) => {
    if (!Value.is(leaf)) throw argumentError(method, path, 'a tensor of floats', leaf);
    const place = { operator: method, field: path };
    if (!isFloat(leaf.dataType)) throw fieldError('ERR_DATA_TYPE', place, 'floats', leaf.dataType);
    leaves.set(path.slice(field.length), leaf as Float);
  };
  mapTree(tree, field, add, method);
  if (leaves.size === 0) throw argumentError(method, field, aTree, tree);
  return leaves;
}

/** @throws {DirectMLError} ERR_INVALID_ARGUMENT for a tree with other leaves than the weights; ERR_SIZES for other sizes. */
function requireAlike(method: string, field: string, tree: Tree, like: Leaves): void {
  const leaves = leavesOf(method, field, tree);
  for (const [path, { sizes }] of like) {
    const own = leaves.get(path)?.sizes;
    if (own?.join() === sizes.join()) continue;
    const place = { operator: method, field: `${field}${path}` };
    if (own === undefined) throw fieldError('ERR_INVALID_ARGUMENT', place, `a tensor of the sizes ${list(sizes)}`, 'none');
    throw fieldError('ERR_SIZES', at(place, 'sizes'), list(sizes), list(own));
  }
  const other = [...leaves.keys()].find((path) => !like.has(path));
  if (other === undefined) return;
  const place = { operator: method, field: `${field}${other}` };
  throw fieldError('ERR_INVALID_ARGUMENT', place, 'no tensor, because the weights have none there', 'one');
}

/** A tree of what becomes of the leaves in the same places of several trees. */
function zip(trees: readonly Tree[], change: (...leaves: Float[]) => Value): Tree {
  const [first, ...others] = trees;
  const rest = others.map((tree) => {
    const leaves = new Map<string, object>();
    mapTree(tree, '', (leaf, path) => leaves.set(path, leaf));
    return leaves;
  });
  return mapTree(first, '', (leaf, path) => change(leaf as Float, ...rest.map((leaves) => leaves.get(path) as Float)));
}

/** The number in an array, in the graph of a tree. */
function numberIn(tree: Tree, value: number, sizes: readonly number[] = [1]): Float {
  return elementWiseIdentity(constantIn(tree, 'float32', sizes, value));
}

function towards(from: Float, to: Float | number, remains: number): Value {
  const added = typeof to === 'number' ? to * (1 - remains) : multiply(to, 1 - remains);
  return add(multiply(from, remains), added);
}

function decayed(weight: Float, gradient: Float, decay: number): Float {
  return decay === 0 ? gradient : add(gradient, multiply(weight, decay));
}

function read(method: string, options: unknown, more: readonly string[]) {
  const given = readOptions<string>(method, options, ['learningRate', 'weightDecay', ...more]);
  const rate = given.get('learningRate');
  if (typeof rate !== 'function') numberOf(method, given, 'learningRate');
  return {
    given,
    rate: rate as number | Schedule,
    number: (name: string, otherwise: number, below?: number) => numberOf(method, given, name, otherwise, below),
  };
}

/** Numbers of optimizers and schedules are not negative. */
function numberOf(
  method: string,
  given: ReadonlyMap<string, unknown>,
  name: string,
  otherwise?: number,
  below = Infinity,
): number {
  const value = given.get(name) ?? otherwise;
  if (typeof value === 'number' && value >= 0 && value < below) return value;
  throw argumentError(method, name, `a number from 0 ${below === Infinity ? 'on' : `to below ${below}`}`, value);
}

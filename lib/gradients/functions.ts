/** `grad`, `valueAndGrad`, `vjp`, `stopGradient`, `customGradient` and `checkpoint`. */
import { types } from 'node:util';
import { fromCallerNow } from '../api/call-site.js';
import type { Graph } from '../api/graphs/graph.js';
import type { JitParameter } from '../api/graphs/jit-types.js';
import { mapTree } from '../api/graphs/jit-trees.js';
import { graphOfTree, onTensorsToo, valuesIn } from '../api/graphs/on-tensors.js';
import { Tensor } from '../api/memory/tensor.js';
import { packed } from '../descriptors/gradient.js';
import { productOf } from '../tensors/tensor-size.js';
import { Value } from '../graph/value.js';
import { Alias } from '../graph/value-source.js';
import { isFloat } from '../tensors/data-types.js';
import { argumentError, readOptions, requireFunction } from '../values/arguments.js';
import { fieldError } from '../values/errors.js';
import { backward } from './backward.js';
import { Barrier, CallOutput, renamed } from './names.js';
import { asValue, operationsOn } from './operations.js';
import type { Differentiated, GradientOptions, GradientsOf, Loss, LossReturn, Pullback, ValueReturn } from './types.js';

type Fn = (...args: readonly unknown[]) => unknown;

/**
 * Returns a function that computes the gradient of `fn`: for each tensor of an argument, how much the loss grows as its elements
 * grow.
 *
 * Call it with values, as in `device.jit`, and it adds nodes to their graph; with tensors, and it runs such a graph.
 *
 * @param fn Returns one floating number, in any number of dimensions. Its arguments are tensors, and plain objects and arrays of
 * them.
 * @param options `argument` says with respect to which arguments. Default: the first one.
 * @returns A function with the arguments of `fn`. Its result has the structure of the argument.
 * @throws {DirectMLError} ERR_INVALID_ARGUMENT for wrong arguments. The function throws ERR_NO_GRADIENT if the loss depends on an
 * argument through an operator that has no gradient; ERR_SIZES for a loss with several elements; ERR_DATA_TYPE for a loss or an
 * argument of integers.
 */
export function grad<
  Args extends readonly unknown[] = readonly JitParameter[],
  Result = unknown,
  const Argument extends number | readonly number[] = 0,
>(
  fn: (...args: Args) => LossReturn<Result>,
  options?: GradientOptions<Argument, false>,
): Differentiated<Args, GradientsOf<Args, Argument>>;
export function grad<Args extends readonly unknown[], Aux, const Argument extends number | readonly number[] = 0>(
  fn: (...args: Args) => readonly [Loss, Aux],
  options: GradientOptions<Argument, true> & { readonly hasAux: true },
): Differentiated<Args, readonly [GradientsOf<Args, Argument>, Aux]>;
export function grad(fn: unknown, options?: unknown): unknown {
  return fromCallerNow(() => {
    const { compute, hasAux } = differentiable('grad', fn, options);
    return withTensorsToo('grad', fn as Fn, (args) =>
      after(compute(args), ({ aux, gradients }) => (hasAux ? [gradients, aux] : gradients)),
    );
  });
}

/**
 * As {@link grad}, but the function returns `[value, gradient]`: what `fn` returns, and its gradient. With `hasAux`, the value is
 * `[loss, others]`.
 *
 * @throws {DirectMLError} The errors of {@link grad}.
 */
export function valueAndGrad<
  Args extends readonly unknown[] = readonly JitParameter[],
  Result = unknown,
  const Argument extends number | readonly number[] = 0,
>(
  fn: (...args: Args) => ValueReturn<Result>,
  options?: GradientOptions<Argument>,
): Differentiated<Args, readonly [Awaited<Result>, GradientsOf<Args, Argument>]>;
export function valueAndGrad(fn: unknown, options?: unknown): unknown {
  return fromCallerNow(() => {
    const { compute } = differentiable('valueAndGrad', fn, options);
    return withTensorsToo('valueAndGrad', fn as Fn, (args) => after(compute(args), ({ value, gradients }) => [value, gradients]));
  });
}

/**
 * Calls `fn` with values of a graph, and returns its result with a function: from a gradient of the result it computes those of
 * all arguments.
 *
 * @throws {DirectMLError} ERR_INVALID_ARGUMENT without values of a graph among the arguments; the errors of {@link grad}.
 */
export function vjp<Args extends readonly unknown[], Result extends Value>(
  fn: (...args: Args) => Result,
  ...args: Args
): readonly [Result, Pullback<Args, Result>] {
  return fromCallerNow(() => {
    requireFunction('vjp', 'fn', fn);
    const graph = graphOfTree(args);
    if (graph === null) throw argumentError('vjp', 'args', 'values of a graph, as device.jit passes them', args[0]);
    const targets = new Targets('vjp', graph);
    const result = fn(...(targets.of(args, 'args') as Args));
    if (!Value.is(result)) throw argumentError('vjp', 'result', 'a value', result);
    const pullback = (gradient: Result) =>
      fromCallerNow(() => {
        if (!Value.is(gradient)) throw argumentError('vjp', 'gradient', 'a value', gradient);
        return targets.gradients(result, gradient)(args, 'args') as Args;
      });
    return [result, pullback];
  });
}

/** Returns values that no gradient passes: their gradients are 0. Tensors, which have none, are returned as they are. */
export function stopGradient<T>(values: T): T {
  const stopped = (leaf: object) => (Value.is(leaf) ? renamed(leaf, (source, layout) => new Barrier(source, layout)) : leaf);
  return fromCallerNow(() => mapTree(values, 'values', stopped, 'stopGradient') as T);
}

/**
 * Returns a function that computes what `fn` does, with a gradient of its own.
 *
 * @param fn Takes values and returns a value.
 * @param gradientOf Called with the gradient of the result, the result, and the arguments. Returns an array with the gradient of
 * each argument; undefined for 0.
 */
export function customGradient<Args extends readonly Value[], Result extends Value>(
  fn: (...args: Args) => Result,
  gradientOf: (gradient: Result, result: Result, ...args: Args) => readonly (Value | undefined)[],
): (...args: Args) => Result {
  return fromCallerNow(() => {
    requireFunction('customGradient', 'fn', fn);
    requireFunction('customGradient', 'gradientOf', gradientOf);
    return (...args: Args): Result => {
      const result: unknown = fn(...args);
      if (!Value.is(result)) throw argumentError('customGradient', 'result', 'a value of a graph', result);
      const backward = (gradient: Value) => gradientOf(gradient as Result, result as Result, ...args);
      return renamed(result, (source, layout) => new CallOutput(source, layout, { inputs: args, backward }, 0)) as Result;
    };
  });
}

/**
 * Returns a function that computes what `fn` does. A gradient does not keep what lies between the arguments and the results: it
 * computes that again, which takes time and saves memory. The numbers are the same.
 *
 * @param fn Takes and returns tensors, and plain objects and arrays of them. It is called again for each gradient.
 */
export function checkpoint<Args extends readonly unknown[], Result>(fn: (...args: Args) => Result): (...args: Args) => Result {
  return fromCallerNow(() => {
    requireFunction('checkpoint', 'fn', fn);
    return (...args: Args): Result => {
      const result = fn(...args);
      const graph = fromCallerNow(() => graphOfTree([result]));
      if (graph === null) return result;
      const inputs = valuesIn(result);
      const call = { inputs, again: () => graph.recompute(() => valuesIn(fn(...args))) };
      const named = (leaf: object) =>
        Value.is(leaf) ? renamed(leaf, (source, layout) => new CallOutput(source, layout, call, inputs.indexOf(leaf))) : leaf;
      return mapTree(result, 'result', named, 'checkpoint') as Result;
    };
  });
}

interface Computed {
  /** What the function returned. */
  readonly value: unknown;
  readonly aux: unknown;
  readonly gradients: unknown;
}

/** Reads the options, and returns what computes value and gradients of arguments with values. */
function differentiable(method: string, fn: unknown, options: unknown) {
  requireFunction(method, 'fn', fn);
  const read = readOptions(method, options, ['argument', 'hasAux']);
  const argument = read.get('argument') ?? 0;
  const hasAux = read.get('hasAux') ?? false;
  if (typeof hasAux !== 'boolean') throw argumentError(method, 'options.hasAux', 'true or false', hasAux);
  const chosen: readonly unknown[] = Array.isArray(argument) ? argument : [argument];
  if (chosen.length === 0 || !chosen.every(isIndex) || new Set(chosen).size !== chosen.length) {
    throw argumentError(method, 'options.argument', 'the number of an argument, or an array of different ones', argument);
  }
  const compute = (args: readonly unknown[]): Computed | Promise<Computed> => {
    const graph = graphOfTree(args);
    if (graph === null) throw argumentError(method, 'args', 'tensors', args[0]);
    const missing = chosen.find((index) => index >= args.length);
    if (missing !== undefined) throw argumentError(method, `args[${missing}]`, 'the argument of the gradient', undefined);
    const targets = new Targets(method, graph);
    const replaced = args.map((arg, i) => (chosen.includes(i) ? targets.of(arg, `args[${i}]`) : arg));
    return after((fn as Fn)(...replaced), (value): Computed => {
      const pair: readonly unknown[] = hasAux && Array.isArray(value) ? value : [value];
      const loss = requireLoss(method, graph, pair[0]);
      const one = graph.numberOf({ operator: method, field: 'loss' }, loss.dataType, 1, loss.sizes);
      const gradients = targets.gradients(loss, one);
      const all = chosen.map((i) => gradients(args[i], `args[${i}]`));
      return { value, aux: pair[1], gradients: Array.isArray(argument) ? all : all[0] };
    });
  };
  return { compute, hasAux };
}

/** The values with respect to which a function is differentiated. */
class Targets {
  readonly #method: string;
  readonly #graph: Graph;
  /** By their places in the arguments. */
  readonly #values = new Map<string, Value>();

  constructor(method: string, graph: Graph) {
    this.#method = method;
    this.#graph = graph;
  }

  /** An argument with names of their own for its values, so that other uses of the same values do not count. */
  of(tree: unknown, path: string): unknown {
    return mapTree(tree, path, (leaf, place) => this.#add(leaf, place), this.#method);
  }

  /** Returns what gives the gradients in the structure of an argument. */
  gradients(result: Value, gradient: Value): (tree: unknown, path: string) => unknown {
    const values = [...this.#values.values()];
    const made = new Map(backward(this.#graph, result, gradient, values).map((each, i) => [values[i], each]));
    const o = operationsOn(this.#graph);
    const gradientAt = (_: object, place: string) => {
      const value = this.#values.get(place);
      return value && packed(made.get(value) ?? o.zeros(value), o);
    };
    return (tree, path) => mapTree(tree, path, gradientAt, this.#method);
  }

  #add(leaf: object, place: string): Value {
    const given = Tensor.is(leaf) ? this.#graph.constantOf(leaf) : leaf;
    if (!Value.is(given)) throw argumentError(this.#method, place, 'a tensor', given);
    if (!isFloat(given.dataType)) {
      const why = 'integers have no gradient; the option argument chooses others';
      throw fieldError('ERR_DATA_TYPE', { operator: this.#method, field: place }, 'floats', given.dataType, { why });
    }
    // A view that has elements several times is not what its gradient belongs to.
    const own = given.strides?.includes(0) === true ? asValue(operationsOn(this.#graph).identity(given)) : given;
    const value = renamed(own, (source, layout) => new Alias(source, layout));
    this.#values.set(place, value);
    return value;
  }
}

function requireLoss(method: string, graph: Graph, loss: unknown): Value {
  const place = { operator: method, field: 'loss' };
  const given = Tensor.is(loss) ? graph.constantOf(loss) : loss;
  if (!Value.is(given)) throw argumentError(method, 'loss', 'a tensor with one floating number', loss);
  if (!isFloat(given.dataType)) throw fieldError('ERR_DATA_TYPE', place, 'a floating number', given.dataType);
  if (productOf(given.sizes) !== 1) {
    const why = 'a loss is one number; reduce, for example, sums up';
    throw fieldError('ERR_SIZES', place, 'one element', `the sizes ${given.sizes.join(', ')}`, { why });
  }
  return given;
}

/** The same work now, or after the promise of an async function. */
function after<T, R>(value: T | Promise<T>, work: (value: T) => R): R | Promise<R>;
function after(value: unknown, work: (value: never) => unknown): unknown {
  return types.isPromise(value) ? value.then(work as (value: unknown) => unknown) : work(value as never);
}

/** Calls with tensors run a graph, one for each set of layouts. */
function withTensorsToo(method: string, fn: Fn, work: (args: readonly unknown[]) => unknown): Fn {
  const words = { method, argument: 'args', expected: 'tensors' };
  return onTensorsToo(words, { label: `${method}(${describeName(fn)})` }, (...args) => work(args));
}

function describeName({ name }: Fn): string {
  return typeof name === 'string' && name !== '' ? name : 'fn';
}

function isIndex(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}

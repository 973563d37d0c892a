/** The types of gradients: the structure of an argument, with a gradient in the place of each tensor. */
import type { JitArguments, JitResult } from '../api/graphs/jit-types.js';
import type { Tensor } from '../api/memory/tensor.js';
import type { Value } from '../graph/value.js';

type Float = 'float32' | 'float16' | 'float64';

/** What a function with a gradient returns: one floating number, in any number of dimensions, or a promise of it. */
export type Loss = Value<Float> | Tensor<Float> | Promise<Value<Float> | Tensor<Float>>;

/** The type of a loss. If its data type is known and no floating one, a type that does not fit, which the compiler shows. */
export type LossReturn<R> = [FloatOf<Awaited<R>>] extends [never] ? Loss : R;
type FloatOf<R> = R extends Value<infer T> | Tensor<infer T> ? Extract<T, Float> : never;

/** The same for a loss, or a loss with others. */
export type ValueReturn<R> =
  Awaited<R> extends readonly [infer First, unknown]
    ? [FloatOf<First>] extends [never]
      ? readonly [Loss, unknown]
      : R
    : LossReturn<R>;

/** Options of {@link grad} and {@link valueAndGrad}. */
export interface GradientOptions<Argument = number | readonly number[], HasAux extends boolean = boolean> {
  /** The argument, or the arguments, with respect to which the function is differentiated. Default: 0, the first one. */
  readonly argument?: Argument | undefined;
  /** True if the function returns `[loss, others]`; the others are passed on. Default: false. */
  readonly hasAux?: HasAux | undefined;
}

/** The gradients of the chosen arguments, each with the structure of the argument. */
export type GradientsOf<Args extends readonly unknown[], Argument> = Argument extends number
  ? Args[Argument]
  : Argument extends readonly number[]
    ? { readonly [Index in keyof Argument]: Args[Argument[Index] & number] }
    : never;

/** A function that {@link grad} or {@link valueAndGrad} made. */
export interface Differentiated<Args extends readonly unknown[], Result> {
  /** With values of a graph, adds nodes to that graph. */
  (...args: Args): Result;
  /** With tensors, compiles one graph for each set of data types and sizes, as `device.jit` does, and runs it. */
  (...args: JitArguments<Args> & readonly unknown[]): Promise<JitResult<Result>>;
}

/** Computes the gradients of all arguments from that of the result. */
export type Pullback<Args extends readonly unknown[], Result> = (gradient: Result) => Args;

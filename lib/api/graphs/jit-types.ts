/** The types of traced functions: the same structure with tensors in the place of values. */
import type { Value } from '../../graph/value.js';
import type { TensorDesc } from '../../tensors/tensor-desc.js';
import type { Tensor } from '../memory/tensor.js';
import type { CompiledGraph } from './compiled-graph.js';

/**
 * A parameter to which the function gives no type: a value, or an object with any members. Arrays, numbers and strings need a type.
 */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- with another type, `noUncheckedIndexedAccess` would add undefined
export type JitParameter = Value & Readonly<Record<string, any>>;

/** The type of a result. If it has no tensor, a type that does not fit, which the compiler shows. */
export type JitReturn<T> = Results<Awaited<T>> extends Readonly<Record<string, 0>> ? JitOutput : T;

/** What a function returns for {@link Device.jit}; also deeper structures of tensors and values, or the promise of one. */
export type JitOutput = Tensor | Value | readonly (Tensor | Value)[] | Readonly<Record<string, Tensor | Value>>;

/** An object with a name if there may be a result, so that the compiler can tell even in generic functions. */
type Results<T> = { [Name in 'result' as [T] extends [never] ? Name : T extends NoResult ? never : Name]: 1 };
// eslint-disable-next-line @typescript-eslint/no-invalid-void-type -- what a function without `return` returns
type NoResult = number | bigint | string | boolean | symbol | ArrayBufferView | null | undefined | void;

/** What a call takes: tensors, or promises of them, where the function has tensors or values. */
export type JitArguments<T> =
  IsAny<T> extends true
    ? T
    : IsUntyped<T> extends true
      ? unknown
      : T extends Value<infer D>
        ? Tensor<D> | Promise<Tensor<D>>
        : T extends Tensor
          ? T | Promise<T>
          : T extends Promise<infer Settled>
            ? JitArguments<Settled>
            : { [Name in keyof T]: JitArguments<T[Name]> };

/** What a call gives: tensors where the function returns values. */
export type JitResult<T> =
  IsAny<T> extends true
    ? T
    : IsUntyped<T> extends true
      ? Tensor & Omit<T, keyof Value>
      : T extends Value<infer D>
        ? Tensor<D>
        : T extends Tensor
          ? T
          : T extends Promise<infer Settled>
            ? JitResult<Settled>
            : { [Name in keyof T]: JitResult<T[Name]> };

/** What `compile` takes: descriptions where the function has tensors or values. */
export type JitDescriptions<T> =
  IsAny<T> extends true
    ? T
    : IsUntyped<T> extends true
      ? unknown
      : T extends Value | Tensor
        ? TensorDesc
        : T extends Promise<infer Settled>
          ? JitDescriptions<Settled>
          : { [Name in keyof T]: JitDescriptions<T[Name]> };

/** A function that {@link Device.jit} made. */
export interface JitFunction<Args extends readonly unknown[], Result> extends Disposable {
  /**
   * Runs the graph for arguments like these. The first call with other data types, sizes, strides or values of other arguments
   * calls the function and compiles what it returns. Later calls record a dispatch before this returns.
   *
   * @returns What the function returned, with tensors in the place of values.
   * @throws {DirectMLError} (as a rejection) ERR_INVALID_ARGUMENT for other objects than tensors, arrays and plain objects;
   * the errors of {@link Graph.compile} and {@link CompiledGraph.run}; and whatever the function throws.
   */
  (...args: JitArguments<Args> & readonly unknown[]): Promise<JitResult<Result>>;
  /** With values of a graph among the arguments, calls the function itself: its nodes become part of that graph. */
  (...args: Args): Result;
  /**
   * Traces and compiles for such arguments now, unless that has been done. The graph is kept until {@link dispose}. Its inputs
   * and outputs have names such as `args[0]`, `args[1].scale` and `result`.
   *
   * @param args The arguments of a call, with `{ dataType, sizes }` or tensors in the place of tensors.
   */
  compile(...args: JitDescriptions<Args> & readonly unknown[]): Promise<CompiledGraph>;
  /** The compiled graphs, the one that ran last at the end. */
  readonly graphs: readonly CompiledGraph[];
  /** Disposes of the compiled graphs. The function cannot be called any more. May be called again. */
  dispose(): void;
}

/** True for {@link JitParameter}: no value that has a type has any names. */
type IsUntyped<T> = [T] extends [Value] ? (string extends keyof T ? true : false) : false;
type IsAny<T> = 0 extends 1 & T ? true : false;

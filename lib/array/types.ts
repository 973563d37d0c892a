/** The types of functions of arrays. */
import type { Input, InputOrNumber, Output, TypeOf } from '../functions/types.js';
import type { DataType } from '../tensors/generated/enums.js';
import type { Promoted } from './promotion.js';

export type { Input, InputOrNumber, Output, TypeOf };

/** A data type for the compiler, also where it knows none. */
type Known<T> = [T] extends [never] ? DataType : T extends DataType ? T : DataType;
/** The data types of integers become float32, as PyTorch computes functions of floats. */
export type Floating<T> = T extends 'float16' | 'float32' | 'float64' ? T : 'float32';
/** Sums of small integers have 32 bits. */
export type Sum<T> = T extends 'int8' | 'int16' ? 'int32' : T extends 'uint8' | 'uint16' ? 'uint32' : T;

export type Unary = <A extends Input>(x: A) => Output<[A], TypeOf<A>>;
export type UnaryFloat = <A extends Input>(x: A) => Output<[A], Floating<TypeOf<A>>>;
export type UnaryBoolean = <A extends Input>(x: A) => Output<[A], 'uint8'>;

/** One of both is a tensor. A number has the data type of the other. */
export type Binary = <A extends InputOrNumber, B extends InputOrNumber>(
  x: A,
  y: B,
) => Output<[A, B], Known<Promoted<TypeOf<A>, TypeOf<B>>>>;
export type BinaryFloat = <A extends InputOrNumber, B extends InputOrNumber>(
  x: A,
  y: B,
) => Output<[A, B], Floating<Known<Promoted<TypeOf<A>, TypeOf<B>>>>>;
export type BinaryBoolean = <A extends InputOrNumber, B extends InputOrNumber>(x: A, y: B) => Output<[A, B], 'uint8'>;

/** Options of reductions. */
export interface AxisOptions {
  /** One dimension or several, from the end if negative. Default: all. */
  readonly axis?: number | readonly number[] | undefined;
  /** Whether the result keeps the dimensions, with size 1. Without dimensions it has the sizes `[1]`. Default: false. */
  readonly keepDims?: boolean | undefined;
}

/** Options of `var` and `std`. */
export interface VarianceOptions extends AxisOptions {
  /** What is subtracted from the number of elements. Default: 0. */
  readonly correction?: number | undefined;
}

export type Reduction = <A extends Input>(x: A, options?: AxisOptions) => Output<[A], TypeOf<A>>;
export type SumReduction = <A extends Input>(x: A, options?: AxisOptions) => Output<[A], Sum<TypeOf<A>>>;
export type FloatReduction = <A extends Input>(x: A, options?: AxisOptions) => Output<[A], Floating<TypeOf<A>>>;
export type VarianceReduction = <A extends Input>(x: A, options?: VarianceOptions) => Output<[A], Floating<TypeOf<A>>>;
export type BooleanReduction = <A extends Input>(x: A, options?: AxisOptions) => Output<[A], 'uint8'>;
export type IndexReduction = <A extends Input>(
  x: A,
  options?: { readonly axis?: number | undefined; readonly keepDims?: boolean | undefined },
) => Output<[A], 'int32'>;

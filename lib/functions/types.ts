/** The types of the functions. */
import type { OutputTensors } from '../api/operators/typed-bindings.js';
import type { Tensor } from '../api/memory/tensor.js';
import type { GivenField, OutputValues } from '../graph/typed-values.js';
import type { Value } from '../graph/value.js';
import type { OperatorDescriptors, OperatorType } from '../descriptors/generated/descriptors.js';
import type { DataType } from '../tensors/generated/enums.js';
import type { OutputTensorDesc } from '../tensors/tensor-desc.js';

/** What a function takes for a tensor: a tensor, a promise of one, or a value of a graph. `T` are the data types it may have. */
export type Input<T extends DataType = DataType> = Tensor<T> | Promise<Tensor<T>> | Value<T>;

/** What a function that broadcasts takes for a tensor. A number stands for a tensor that has it everywhere. */
export type InputOrNumber<T extends DataType = DataType> = Input<T> | number | bigint;

/**
 * The type of a parameter: that of the argument itself if its data type may be one of `T`, so that a plain `Tensor` is taken too.
 * Else a type that does not fit, which the compiler shows. `Like` is the data type of an input that it must have too. `Absent` is
 * what may stand for no tensor; as a union with this type, it would let the compiler infer a part of the argument's type alone.
 */
export type Takes<A, T extends DataType, Like = never, Absent = never> =
  Common<T, TypeOf<A> & Known<Like>> extends None ? Expected<T & Known<Like>> | Absent : A | Absent;

/** TypeScript 5.4 does not see that `T` is a data type. */
type Expected<T> = [T] extends [DataType] ? Input<T> : never;

/** The same where a number may stand for a tensor. */
export type TakesOrNumber<A, T extends DataType, Like = never, Absent = never> = [A] extends [number | bigint]
  ? A | Absent
  : Common<T, TypeOf<A> & Known<Like>> extends None
    ? Expected<T & Known<Like>> | number | bigint | Absent
    : A | Absent;

/** The same for the last of several parameters if the others are `Others`: one of them must be a tensor. */
export type TakesBeside<A, Others, T extends DataType, Like = never, Absent = never> = [unknown] extends [Others]
  ? A | Absent
  : [Others] extends [number | bigint]
    ? Takes<A, T, Like, Absent>
    : TakesOrNumber<A, T, Like, Absent>;

/** The same for the elements of an array, which have one data type. */
export type TakesAlike<A, T extends DataType> =
  Common<T, TypeOf<A>> extends None ? Input<T> : CommonToAll<T, A> extends None ? InputsOfOneDataType : A;

/** The same for the data type of an output: `Given` is what the options give. If no input says which it is, it may be any. */
export type TakesType<Given, T> = Common<DataType, Given & Known<T>> extends None ? T : Given;

/** The data type of an input; never for a number. */
export type TypeOf<A> = A extends { readonly dataType: infer T extends DataType }
  ? T
  : A extends Promise<{ readonly dataType: infer T extends DataType }>
    ? T
    : never;

/** The data type of the first of two inputs that is no number. */
export type TypeOfEither<A, B> = [TypeOf<A>] extends [never] ? TypeOf<B> : TypeOf<A>;

/**
 * All fields but those that are given by position. `Inputs` has the types of input tensors among them, `Given` is the data type
 * of the output.
 */
export type Options<Type extends OperatorType, Positions extends string, Inputs, Given> = {
  readonly [Name in keyof OperatorDescriptors[Type] as Name extends 'type' | Positions ? never : Name]: Name extends keyof Inputs
    ? Inputs[Name]
    : Name extends GivenField<Type>
      ? OutputOf<Given> | Extract<OperatorDescriptors[Type][Name], null | undefined>
      : OperatorDescriptors[Type][Name];
};

/** The description of an output with one of these data types. */
interface OutputOf<T> extends Omit<OutputTensorDesc, 'dataType'> {
  readonly dataType?: T | undefined;
}

/** The only output of an operator: a value if one of the inputs is one, else the promise of a tensor. */
export type Output<Inputs extends readonly unknown[], T> = Made<Inputs, Tensor<Known<T>>, Value<Known<T>>>;

/** The same for an array of outputs. */
export type OutputArray<Inputs extends readonly unknown[], T> = Made<
  Inputs,
  readonly Tensor<Known<T>>[],
  readonly Value<Known<T>>[]
>;

/** The data type that the options give for the output, or else `T`. */
export type GivenOr<Given extends DataType, T> = [Given] extends [never] ? T : NotInferred<Given>;

/** The outputs of an operator with several, by field name. As `Made`, but nothing is computed before the function is called. */
export type Outputs<Type extends OperatorType, Inputs extends readonly unknown[], T, Given extends DataType> =
  true extends AnyValue<Inputs>
    ? OutputValues<Type, Known<T>, NotInferred<Given>>
    : [Extract<Inputs[number], Value>] extends [never]
      ? Promise<OutputTensors<Type, Known<T>, NotInferred<Given>>>
      : Promise<OutputTensors<Type, Known<T>, NotInferred<Given>>> | OutputValues<Type, Known<T>, NotInferred<Given>>;

/** If no input says which data type it is, any. */
type Known<T> = [T] extends [never] ? DataType : T extends DataType ? T : DataType;

/**
 * The type itself. Where a result has it, the compiler does not infer it from what the caller makes of the result: an annotation
 * would decide about it. TypeScript has its own `NoInfer` only since version 5.4.
 */
type NotInferred<T extends DataType> = [T][T extends unknown ? 0 : never];

/** Shows in an error why inputs do not fit. No input has this type. */
interface InputsOfOneDataType {
  readonly dataType: never;
}

/**
 * An object with a name for each of `T` that is also a `Type`. A union of them would do, if it were not for functions that are
 * generic in a data type: the compiler does not know whether that union is empty, but it knows that this object, with whatever
 * names, is no `None`.
 */
type Common<T extends DataType, Type> = { [Name in T as Name & Type]: 1 };
type None = Readonly<Record<string, 0>>;

/** An object with a name for each of `T` that each member of `A` may have. */
type CommonToAll<T extends DataType, A> = { [Name in T as [Lacking<Name, A>] extends [never] ? Name : never]: 1 };
type Lacking<Name extends DataType, A> = A extends unknown ? (Common<Name, TypeOf<A>> extends None ? A : never) : never;

type Made<Inputs extends readonly unknown[], Tensors, Values> =
  true extends AnyValue<Inputs>
    ? Values
    : [Extract<Inputs[number], Value>] extends [never]
      ? Promise<Tensors>
      : Promise<Tensors> | Values;

type AnyValue<Inputs extends readonly unknown[]> = { [Index in keyof Inputs]: IsValue<Inputs[Index]> }[number];
type IsValue<A> = [A] extends [never] ? false : [A] extends [Value] ? true : false;

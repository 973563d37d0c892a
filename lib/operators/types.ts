/** The types of the functions. */
import type { OutputTensors } from '../api/operators/typed-bindings.js';
import type { Tensor } from '../api/memory/tensor.js';
import type { GivenField, OutputValues } from '../graph/typed-values.js';
import type { Value } from '../graph/value.js';
import type { OperatorDescriptors, OperatorType } from '../schema/generated/descriptors.js';
import type { DataType } from '../schema/generated/enums.js';
import type { OutputTensorDesc } from '../schema/tensor-desc.js';

/** What a function takes for a tensor: a tensor, a promise of one, or a value of a graph. */
export type Input = Tensor | Promise<Tensor> | Value;

/** What a function that broadcasts takes for a tensor. A number stands for a tensor that has it everywhere. */
export type InputOrNumber = Input | number | bigint;

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
export type Options<Type extends OperatorType, Positions extends string, Inputs, Given extends DataType> = {
  readonly [Name in keyof OperatorDescriptors[Type] as Name extends 'type' | Positions ? never : Name]: Name extends keyof Inputs
    ? Inputs[Name] | null | undefined
    : Name extends GivenField<Type>
      ? | (OutputTensorDesc & { readonly dataType?: Given | undefined })
        | Extract<OperatorDescriptors[Type][Name], null | undefined>
      : OperatorDescriptors[Type][Name];
};

/** The only output of an operator: a value if one of the inputs is one, else the promise of a tensor. */
export type Output<Inputs extends readonly unknown[], T> = Made<Inputs, Tensor<Known<T>>, Value<Known<T>>>;

/** The same for an array of outputs. */
export type OutputArray<Inputs extends readonly unknown[], T> = Made<
  Inputs,
  readonly Tensor<Known<T>>[],
  readonly Value<Known<T>>[]
>;

/** The data type that the options give for the output, or else `T`. */
export type GivenOr<Given extends DataType, T> = [Given] extends [never] ? T : Given;

/** The outputs of an operator with several, by field name. As `Made`, but nothing is computed before the function is called. */
export type Outputs<Type extends OperatorType, Inputs extends readonly unknown[], T, Given extends DataType> =
  true extends AnyValue<Inputs>
    ? OutputValues<Type, Known<T>, Given>
    : [Extract<Inputs[number], Value>] extends [never]
      ? Promise<OutputTensors<Type, Known<T>, Given>>
      : Promise<OutputTensors<Type, Known<T>, Given>> | OutputValues<Type, Known<T>, Given>;

/** If no input says which data type it is, any. */
type Known<T> = [T] extends [never] ? DataType : T extends DataType ? T : DataType;

type Made<Inputs extends readonly unknown[], Tensors, Values> =
  true extends AnyValue<Inputs>
    ? Values
    : [Extract<Inputs[number], Value>] extends [never]
      ? Promise<Tensors>
      : Promise<Tensors> | Values;

type AnyValue<Inputs extends readonly unknown[]> = { [Index in keyof Inputs]: IsValue<Inputs[Index]> }[number];
type IsValue<A> = [A] extends [never] ? false : [A] extends [Value] ? true : false;

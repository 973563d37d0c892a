/**
 * The types of a node's descriptor and outputs, and the data types of the outputs of any operator. All are derived from the types
 * of descriptors. Types only, no code.
 */
import type { FieldsOf, OutputsOf, WithInputs } from '../descriptors/field-roles.js';
import type {
  OperatorDescriptor,
  OperatorDescriptors,
  OperatorType,
  OtherOutputs,
} from '../descriptors/generated/descriptors.js';
import type { DataType } from '../tensors/generated/enums.js';
import type { TensorDesc } from '../tensors/tensor-desc.js';
import type { Value } from './value.js';

/** What `graph.add` takes: the descriptor of an operator with a value in the field of each input. */
export type NodeDescriptor<Type extends OperatorType> = { [Name in Type]: WithInputs<OperatorDescriptor<Name>, Value> }[Type];

/**
 * The outputs of a node by field name. `Input` is the data type of its first input, `Given` that of the output if the
 * descriptor gives it.
 */
export type OutputValues<
  Type extends OperatorType,
  Input extends DataType = DataType,
  Given extends DataType = never,
> = OperatorType extends Type
  ? Readonly<Record<string, Value | readonly Value[]>>
  : {
      [Name in Type]: OutputsOf<
        OperatorDescriptor<Name>,
        { readonly [Field in OutputField<Name>]: Value<OutputDataType<Name, Field, Input, Given>> }
      >;
    }[Type];

/**
 * Lets TypeScript find the data types of the first input and of the output in a descriptor. It adds no condition: the
 * descriptor's own type has stricter ones.
 */
export type DataTypesIn<Type extends OperatorType, Input extends DataType, Given extends DataType> = InputIn<Type, Input> &
  GivenIn<Type, Given>;

/** The names of the outputs of an operator. */
export type OutputField<Type extends OperatorType> = FieldsOf<OperatorDescriptor<Type>, 'output'>;

/** The output whose data type a descriptor chooses: that of the indices if the other outputs follow the input. */
export type GivenField<Type> =
  Type extends OperatorWith<'outputIndexTensor'>
    ? 'outputIndexTensor'
    : Type extends OperatorWith<'outputIndicesTensor'>
      ? 'outputIndicesTensor'
      : 'outputTensor';

// The first condition of both ends the search if nothing is known, so that generic functions can pass any descriptor. With
// `unknown` in the place of `object`, TypeScript would take `{ dataType: 'float16' }` for one with any data type.
type InputIn<Type extends OperatorType, Input extends DataType> = [DataType] extends [Input]
  ? object
  : Type extends OperatorWith<'aTensor'>
    ? { readonly aTensor: Typed<Input> }
    : Type extends OperatorWith<'inputTensor'>
      ? { readonly inputTensor?: Typed<Input> | null | undefined }
      : Type extends OperatorWith<'inputTensors'>
        ? { readonly inputTensors: readonly (Typed<Input> & Partial<Omit<TensorDesc, 'dataType'>>)[] }
        : Type extends OperatorWith<'inputGradientTensor'>
          ? { readonly inputGradientTensor: Typed<Input> }
          : Type extends OperatorWith<'valuesTensor'>
            ? { readonly valuesTensor: Typed<Input> }
            : Type extends OperatorWith<'inputParametersTensor'>
              ? { readonly inputParametersTensor: Typed<Input> }
              : object;

type GivenIn<Type extends OperatorType, Given extends DataType> = [Given] extends [never]
  ? object
  : Type extends OperatorWith<'outputIndexTensor'>
    ? { readonly outputIndexTensor?: Chosen<Given> }
    : Type extends OperatorWith<'outputIndicesTensor'>
      ? { readonly outputIndicesTensor?: Chosen<Given> }
      : Type extends OperatorWith<'outputTensor'>
        ? { readonly outputTensor?: Chosen<Given> }
        : object;

type Chosen<Given extends DataType> = { readonly dataType?: Given | undefined } | null | undefined;

interface Typed<T extends DataType> {
  readonly dataType: T;
}

type OperatorWith<Field extends string> = {
  [Name in OperatorType]: Field extends keyof OperatorDescriptors[Name] ? Name : never;
}[OperatorType];

/**
 * The data type of an output of an operator. `infer` tells TypeScript that it is one; otherwise it would compute that of every
 * output of every operator to prove it.
 */
export type OutputDataType<Type extends OperatorType, Name, Input extends DataType, Given extends DataType> =
  ChosenDataType<Type, Name, Input, Given> extends infer T extends DataType ? T : never;

type ChosenDataType<Type extends OperatorType, Name, Input extends DataType, Given extends DataType> =
  Name extends GivenField<Type> ? ([Given] extends [never] ? Followed<Type, Name, Input> : Given) : Followed<Type, Name, Input>;

/** `Input` if the output always has the data type of the first input. */
type Followed<Type, Name, Input extends DataType> = Type extends keyof OtherOutputs
  ? Name extends keyof OtherOutputs[Type]
    ? OtherOutputs[Type][Name] extends DataType
      ? OtherOutputs[Type][Name]
      : DataType
    : Input
  : Input;

/** The types of the bindings of an operator, derived from the types of descriptors. Types only, no code. */
import type { OperatorDescriptor, OperatorType } from '../../descriptors/generated/descriptors.js';
import type { DataType } from '../../tensors/generated/enums.js';
import type { OutputDataType, OutputField } from '../../graph/typed-values.js';
import type { FieldsOf, NullableOf, OutputsOf, Whole, WithInputs } from '../../descriptors/field-roles.js';
import type { Binding, Bindings } from './bindings.js';
import type { Tensor } from '../memory/tensor.js';

/**
 * What `dispatch` takes for operators of these types: a binding for each tensor of the descriptor by field name, an array of
 * them for an array of tensors. One that the descriptor may lack may be left out, and so may those that are named by `Owned`,
 * which DirectML owns. For an operator whose type is not known, any bindings.
 */
export type DispatchBindings<Type extends OperatorType, Owned extends string = never> = OperatorType extends Type
  ? Bindings
  : { [Name in Type]: BindingsOf<OperatorDescriptor<Name>, Owned> }[Type];

/** The names of inputs, each of which DirectML may own. */
export type InputName<Type extends OperatorType> = OperatorType extends Type
  ? string
  : { [Name in Type]: FieldsOf<OperatorDescriptor<Name>, 'input'> & string }[Type];

/** What `compile` takes as `initializationInputs`: a binding for each of the inputs that are named. */
export type InitializationInputs<Type extends OperatorType, Names extends string> = {
  readonly [Name in Names]?: WeightOf<OperatorDescriptor<Type>, Name> | null | undefined;
};

/**
 * The outputs of operators of these types, by field name, as new tensors or those that were given. `Input` is the data type of
 * the first input, `Given` that of the output if the descriptor gives it.
 */
export type OutputTensors<
  Type extends OperatorType,
  Input extends DataType = DataType,
  Given extends DataType = never,
> = OperatorType extends Type
  ? Readonly<Record<string, Tensor | readonly Tensor[]>>
  : {
      [Name in Type]: OutputsOf<
        OperatorDescriptor<Name>,
        { readonly [Field in OutputField<Name>]: Tensor<OutputDataType<Name, Field, Input, Given>> }
      >;
    }[Type];

/**
 * What `run` takes: the descriptor with tensors in the fields of its inputs. An output is left out, described, or given as a
 * tensor to write into.
 */
export type RunDescriptor<Type extends OperatorType> = { [Name in Type]: WithInputs<OperatorDescriptor<Name>, Tensor> }[Type];

/** `Optional` names those that need no binding: tensors that may be null, and inputs that DirectML owns. */
type BindingsOf<
  Descriptor,
  Owned extends string,
  Names extends keyof Descriptor = FieldsOf<Descriptor, 'input' | 'output'>,
  Optional extends keyof Descriptor = NullableOf<Descriptor, Names> | Extract<FieldsOf<Descriptor, 'input'>, Owned>,
> = Whole<
  {
    readonly [Name in keyof Descriptor as Name extends Exclude<Names, Optional> ? Name : never]-?: BindingOf<Descriptor[Name]>;
  } & {
    readonly [Name in Optional]?: BindingOf<Descriptor[Name]> | null | undefined;
  }
>;

type BindingOf<Field> = NonNullable<Field> extends readonly unknown[] ? readonly (Binding | null)[] : Binding;

/** Any binding for a field that not all of the descriptors have. */
type WeightOf<Descriptor, Name extends string> = Name extends keyof Descriptor
  ? BindingOf<Descriptor[Name]>
  : Binding | readonly (Binding | null)[];

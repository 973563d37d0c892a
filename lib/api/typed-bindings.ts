/** The types of what is bound to an operator's tensors, made from the types of descriptors. Nothing here runs. */
import type { OperatorDescriptor, OperatorType } from '../schema/generated/descriptors.js';
import type { OutputTensorDesc } from '../schema/tensor-desc.js';
import type { Binding, Bindings } from './bindings.js';
import type { Tensor } from './tensor.js';

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

/** The outputs of operators of these types, by field name, as new tensors or those that were given. */
export type OutputTensors<Type extends OperatorType> = OperatorType extends Type
  ? Readonly<Record<string, Tensor | readonly Tensor[]>>
  : { [Name in Type]: OutputsOf<OperatorDescriptor<Name>> }[Type];

/**
 * What `run` takes: the descriptor with tensors in the fields of its inputs. An output is left out, described, or given as a
 * tensor to write into.
 */
export type RunDescriptor<Type extends OperatorType> = { [Name in Type]: WithTensors<OperatorDescriptor<Name>> }[Type];

/** `input` or `output` for the field of a tensor or an array of tensors, else never. */
type RoleOf<Field> =
  NonNullable<Field> extends readonly (infer Element)[] ? RoleOfTensor<Element> : RoleOfTensor<NonNullable<Field>>;

/** An output has nothing that must be given; activations are no tensors. */
type RoleOfTensor<Tensor> = Tensor extends { readonly type: string }
  ? never
  : Tensor extends OutputTensorDesc
    ? 'dataType' extends keyof Tensor
      ? OutputTensorDesc extends Tensor
        ? 'output'
        : 'input'
      : never
    : never;

type FieldsOf<Descriptor, Role> = {
  [Name in keyof Descriptor]-?: [RoleOf<Descriptor[Name]>] extends [never]
    ? never
    : RoleOf<Descriptor[Name]> extends Role
      ? Name
      : never;
}[keyof Descriptor];

/** The fields that may be null: tensors that the operator can do without. */
type NullableOf<Descriptor, Names extends keyof Descriptor> = {
  [Name in Names]-?: null extends Descriptor[Name] ? Name : never;
}[Names];

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

type OutputsOf<Descriptor, Names extends keyof Descriptor = FieldsOf<Descriptor, 'output'>> = Whole<
  { readonly [Name in Exclude<Names, NullableOf<Descriptor, Names>>]: TensorOf<Descriptor[Name]> } & {
    readonly [Name in NullableOf<Descriptor, Names>]?: TensorOf<Descriptor[Name]>;
  }
>;

/** An intersection as one object type, which editors and errors show with its fields. */
type Whole<Members> = Members extends infer All ? { [Name in keyof All]: All[Name] } : never;

type TensorOf<Field> = NonNullable<Field> extends readonly unknown[] ? readonly Tensor[] : Tensor;

type WithTensors<Descriptor> = {
  readonly [Name in keyof Descriptor]: [RoleOf<Descriptor[Name]>] extends [never]
    ? Descriptor[Name]
    : RoleOf<Descriptor[Name]> extends 'input'
      ? TensorOf<Descriptor[Name]> | Extract<Descriptor[Name], null | undefined>
      : Descriptor[Name];
};

/**
 * Types made from the types of descriptors: which fields are tensors, and the same fields with something else in the place of
 * the tensors. Nothing here runs.
 */
import type { OutputTensorDesc } from '../tensors/tensor-desc.js';

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

/** The names of the fields that are inputs, or outputs, or both. */
export type FieldsOf<Descriptor, Role> = {
  [Name in keyof Descriptor]-?: [RoleOf<Descriptor[Name]>] extends [never]
    ? never
    : RoleOf<Descriptor[Name]> extends Role
      ? Name
      : never;
}[keyof Descriptor];

/** The fields that may be null: tensors that the operator can do without. */
export type NullableOf<Descriptor, Names extends keyof Descriptor> = {
  [Name in Names]-?: null extends Descriptor[Name] ? Name : never;
}[Names];

/** The outputs by field name, each of its type in `Things`, or an array of them. */
export type OutputsOf<
  Descriptor,
  Things extends Readonly<Record<Names, unknown>>,
  Names extends keyof Descriptor = FieldsOf<Descriptor, 'output'>,
> = Whole<
  { readonly [Name in Exclude<Names, NullableOf<Descriptor, Names>>]: EachOf<Descriptor[Name], Things[Name]> } & {
    readonly [Name in NullableOf<Descriptor, Names>]?: EachOf<Descriptor[Name], Things[Name]>;
  }
>;

/** The descriptor with a `Thing` in the place of each input. */
export type WithInputs<Descriptor, Thing> = {
  readonly [Name in keyof Descriptor]: [RoleOf<Descriptor[Name]>] extends [never]
    ? Descriptor[Name]
    : RoleOf<Descriptor[Name]> extends 'input'
      ? EachOf<Descriptor[Name], Thing> | Extract<Descriptor[Name], null | undefined>
      : Descriptor[Name];
};

/** An intersection as one object type, which editors and errors show with its fields. */
export type Whole<Members> = Members extends infer All ? { [Name in keyof All]: All[Name] } : never;

type EachOf<Field, Thing> = NonNullable<Field> extends readonly unknown[] ? readonly Thing[] : Thing;

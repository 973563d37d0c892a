/**
 * A descriptor after validation: every field is present, counts are filled in, tensors know their size in bytes, and
 * all of it is frozen. Rules, kernels and backends read this form, so none of them meets a missing or a changing
 * field.
 */
import type { GemmFusedActivation, OperatorDescriptors, OperatorType } from './generated/descriptors.js';
import type { OutputTensorDesc, ResolvedTensorDesc, TensorDesc } from '../tensors/tensor-desc.js';

export type ResolvedTensor = ResolvedTensorDesc;

/**
 * The descriptor of any operator, or of the named ones, with every field present. An optional field that was not
 * given is null.
 */
export type Resolved<Type extends OperatorType = OperatorType> = OperatorOf<Type, ResolvedTensor>;

/** The descriptor of one of these operators, whose output tensors are of type `Output`. */
export type OperatorOf<Type extends OperatorType, Output> = {
  readonly [Name in Type]: ResolvedFields<OperatorDescriptors[Name], Output>;
}[Type];

type ResolvedFields<Descriptor, Output> = {
  readonly [Name in keyof Descriptor]-?: ResolvedField<Exclude<Descriptor[Name], undefined>, Output>;
};

type ResolvedField<Field, Output> = Field extends { readonly type: OperatorType }
  ? ResolvedFields<Field, Output>
  : Field extends readonly (infer Element)[]
    ? readonly ResolvedField<Element, Output>[]
    : Field extends TensorDesc
      ? ResolvedTensor
      : Field extends OutputTensorDesc
        ? 'dataType' extends keyof Field
          ? Output
          : Field
        : Field;

/** One tensor of a descriptor. */
export interface TensorSlot {
  readonly field: string;
  /** True if the field is an array of tensors, each of which has its own slot. */
  readonly isArray: boolean;
  /** `inputTensor`, or `inputTensors[1]` for an element of an array. */
  readonly path: string;
  readonly role: 'input' | 'output';
  /** The binding index: its number among the inputs, or among the outputs, of the operator. */
  readonly position: number;
  /** Null if the descriptor does not have this tensor. */
  readonly tensor: ResolvedTensor | null;
}

/** A resolved descriptor and the list of its tensors. */
export interface ResolvedOperator {
  readonly descriptor: Resolved;
  readonly slots: readonly TensorSlot[];
}

/** An activation in a field of another operator: any one that can be fused. Its tensors are null. */
export type ResolvedActivation = ResolvedField<GemmFusedActivation, never>;

/**
 * The descriptor with these values, which must include every field of the operator in the operator table. The types
 * of descriptors are generated from the same table by the kind of each field, so values that were read by kind have
 * these types.
 */
export function resolvedFrom(values: Readonly<Record<string, unknown>>): Resolved {
  return values as Resolved;
}

/** The fields by name, for code that walks the operator table. */
export function valuesOf(operator: { readonly type: OperatorType }): Readonly<Record<string, unknown>> {
  return operator;
}

/** True if the value of a field is a tensor. */
export function isTensor(value: unknown): value is ResolvedTensor {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'totalTensorSizeInBytes');
}

/** True if the value of a field is an activation. */
export function isActivation(value: unknown): value is ResolvedActivation {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'type');
}

/**
 * A descriptor after validation: every field present, counts filled in, tensors with their size in bytes, all of it
 * frozen. It is what rules, kernels and backends read, so that none of them meets a missing or a changed field.
 */
import type { GemmFusedActivation, OperatorDescriptors, OperatorType } from '../schema/generated/descriptors.js';
import type { OutputTensorDesc, ResolvedTensorDesc } from '../schema/tensor-desc.js';

export type ResolvedTensor = ResolvedTensorDesc;

/**
 * The descriptor of any operator, or of those that are named, with nothing left out: a field that is optional and was not
 * given is null.
 */
export type Resolved<Type extends OperatorType = OperatorType> = {
  readonly [Name in Type]: ResolvedFields<OperatorDescriptors[Name]>;
}[Type];

type ResolvedFields<Descriptor> = { readonly [Name in keyof Descriptor]-?: ResolvedField<Exclude<Descriptor[Name], undefined>> };

type ResolvedField<Field> = Field extends { readonly type: OperatorType }
  ? ResolvedFields<Field>
  : Field extends readonly (infer Element)[]
    ? readonly ResolvedField<Element>[]
    : Field extends OutputTensorDesc
      ? 'dataType' extends keyof Field
        ? ResolvedTensor
        : Field
      : Field;

/** One tensor of a descriptor. */
export interface TensorSlot {
  readonly field: string;
  /** Whether the field holds an array of tensors, each of which has a slot of its own. */
  readonly isArray: boolean;
  /** `inputTensor`, `inputTensors[1]` */
  readonly path: string;
  readonly role: 'input' | 'output';
  /** Its number among the operator's inputs, or among its outputs: where DirectML binds it. */
  readonly position: number;
  /** Null for one that the descriptor lacks. */
  readonly tensor: ResolvedTensor | null;
}

/** A descriptor, and the list of its tensors. */
export interface ResolvedOperator {
  readonly descriptor: Resolved;
  readonly slots: readonly TensorSlot[];
}

/** An activation in a field of another operator: any that can be fused into one. Its tensors are null. */
export type ResolvedActivation = ResolvedField<GemmFusedActivation>;

/** The value of one field, by its kind in the table. */
export type ResolvedValue =
  | null
  | number
  | bigint
  | boolean
  | string
  | ResolvedTensor
  | readonly ResolvedTensor[]
  | readonly number[]
  | { readonly width: number; readonly height: number }
  | { readonly scale: number; readonly bias: number }
  | ResolvedValues
  | readonly ResolvedValues[];

/** The type of an operator, and its fields by name in memory order. */
export interface ResolvedValues {
  readonly [field: string]: ResolvedValue;
}

/**
 * The descriptor with these values, one for every field of the operator's table. Types of descriptors are generated from
 * the same table, by the kind of each field: what was read by kind has these types.
 */
export function resolvedFrom(values: Readonly<Record<string, unknown>>): Resolved {
  return values as Resolved;
}

/** For those who walk the operator table. */
export function valuesOf(operator: Resolved | ResolvedActivation): Readonly<Record<string, unknown>> {
  return operator;
}

export function isTensor(value: unknown): value is ResolvedTensor {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'dataType') && Object.hasOwn(value, 'sizes');
}

/** Of the value of a field. */
export function isActivation(value: unknown): value is ResolvedActivation {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'type');
}

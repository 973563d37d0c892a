/**
 * A descriptor after validation: every field present, counts filled in, tensors with their size in bytes, all of it
 * frozen. It is what rules, kernels and backends read, so that none of them meets a missing or a changed field.
 */
import type { DataType } from '../schema/generated/enums.js';
import type { OperatorType } from '../schema/generated/descriptors.js';

export interface ResolvedTensor {
  readonly dataType: DataType;
  /** `'none'` or `'ownedByDml'`. */
  readonly flags: 'none' | 'ownedByDml';
  readonly sizes: readonly number[];
  /** In elements, one per dimension; null for a packed tensor. */
  readonly strides: readonly number[] | null;
  readonly totalTensorSizeInBytes: number;
  readonly guaranteedBaseOffsetAlignment: number;
}

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
  | ResolvedOperator
  | readonly ResolvedOperator[];

export interface ResolvedOperator {
  readonly type: OperatorType;
  /** By field name, in memory order. */
  readonly fields: Readonly<Record<string, ResolvedValue>>;
}

export function isTensor(value: unknown): value is ResolvedTensor {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'dataType') && Object.hasOwn(value, 'sizes');
}

export function isOperator(value: unknown): value is ResolvedOperator {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'type') && Object.hasOwn(value, 'fields');
}

export function numbersField(operator: ResolvedOperator, name: string): readonly number[] {
  const value = operator.fields[name];
  if (Array.isArray(value) && value.every((element: unknown) => typeof element === 'number')) return value;
  throw new TypeError(`${operator.type}.${name} is no array of numbers`);
}

/** A descriptor whose verdict is asked of both sides. It may be wrong in any way, so its types promise little. */
import type { OperatorType } from 'node-directml';
import type { DataType } from '../conformance/case.js';
import type { Random } from '../random.js';

export interface LooseTensor {
  dataType: DataType;
  sizes: number[];
  strides?: readonly number[] | null | undefined;
  totalTensorSizeInBytes?: number | undefined;
  guaranteedBaseOffsetAlignment?: number | undefined;
  flags?: 'none' | 'ownedByDml' | undefined;
}

export interface LooseDescriptor {
  type: OperatorType;
  [field: string]: unknown;
}

export interface Candidate {
  /** What was broken, or `valid`. */
  readonly rule: string;
  readonly descriptor: LooseDescriptor;
}

export type Mutation<T> = readonly [rule: string, mutate: (random: Random, descriptor: T) => void];

export function isTensor(value: unknown): value is LooseTensor {
  return typeof value === 'object' && value !== null && 'dataType' in value && 'sizes' in value;
}

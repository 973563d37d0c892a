/** How a user describes a tensor: `DML_BUFFER_TENSOR_DESC` with its fields in camelCase. */
import type { DataType, TensorFlags } from './generated/enums.js';

export interface TensorDesc {
  /** Type of each element. */
  readonly dataType: DataType;
  /** Size of each dimension, 1 to 8 of them (4 or 5 on older feature levels), the innermost last. */
  readonly sizes: readonly number[];
  /**
   * Distance in elements from one index to the next, for each dimension; 0 broadcasts a dimension of an input.
   * Null or absent for a packed tensor.
   */
  readonly strides?: readonly number[] | null | undefined;
  /** `'ownedByDml'` for a weight that the operator takes over while it is initialized. Default: `'none'`. */
  readonly flags?: TensorFlags | undefined;
  /** At least what sizes and strides need, which is the default; see `minimumTensorSizeInBytes`. */
  readonly totalTensorSizeInBytes?: number | undefined;
  /** 0 (default), or a power of two from 16 on that every bound offset is a multiple of. */
  readonly guaranteedBaseOffsetAlignment?: number | undefined;
  /** May be given, and then has to equal `sizes.length`. */
  readonly dimensionCount?: number | undefined;
}

/**
 * An output in a descriptor. What is left out follows from the other fields: the data type, the sizes, or the output as a
 * whole. Where they do not tell it, it must be given.
 */
export type OutputTensorDesc = { readonly [Name in keyof TensorDesc]?: TensorDesc[Name] | undefined };

/** A tensor in a descriptor that was resolved: nothing is left out. Its strides are null where it is packed. */
export interface ResolvedTensorDesc extends TensorDesc {
  readonly strides: readonly number[] | null;
  readonly flags: TensorFlags;
  readonly totalTensorSizeInBytes: number;
  readonly guaranteedBaseOffsetAlignment: number;
}

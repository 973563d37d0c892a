/** Types of the tensors in descriptors. */
import type { DataType, TensorFlags } from './generated/enums.js';

/** A tensor in a descriptor: `DML_BUFFER_TENSOR_DESC` with its fields in camelCase. */
export interface TensorDesc {
  /** Data type of each element. */
  readonly dataType: DataType;
  /**
   * Size of each dimension in elements, the innermost dimension last; each is at least 1. There are 1 to 8 dimensions. The
   * operator and the feature level limit their number, on older feature levels to 4 or 5.
   */
  readonly sizes: readonly number[];
  /**
   * For each dimension, the distance in elements between neighbours. A stride of 0 broadcasts a dimension of an input. Null
   * or absent for a packed tensor, whose elements are contiguous in row-major order.
   */
  readonly strides?: readonly number[] | null | undefined;
  /** `'ownedByDml'` for a weight that DirectML reads once, while `compile` initializes the operator. Default: `'none'`. */
  readonly flags?: TensorFlags | undefined;
  /** Size in bytes. Default, and minimum: the size that sizes and strides need; see {@link minimumTensorSizeInBytes}. */
  readonly totalTensorSizeInBytes?: number | undefined;
  /** 0 (default) or a power of two, at least 16. Each offset in bytes at which the tensor is bound must be a multiple of it. */
  readonly guaranteedBaseOffsetAlignment?: number | undefined;
  /** Default: `sizes.length`. If it is given, it must equal `sizes.length`. */
  readonly dimensionCount?: number | undefined;
}

/**
 * An output in a descriptor. The data type, the sizes, or the output as a whole may be left out if they follow from
 * the other fields. A part that does not follow must be given.
 */
export type OutputTensorDesc = { readonly [Name in keyof TensorDesc]?: TensorDesc[Name] | undefined };

/** A tensor in a complete descriptor. Every field is present. */
export interface ResolvedTensorDesc extends TensorDesc {
  /** Strides in elements, one per dimension; null for a packed tensor. */
  readonly strides: readonly number[] | null;
  readonly flags: TensorFlags;
  readonly totalTensorSizeInBytes: number;
  readonly guaranteedBaseOffsetAlignment: number;
}

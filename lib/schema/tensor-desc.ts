/** A tensor in a descriptor: `DML_BUFFER_TENSOR_DESC` with its fields in camelCase. */
import type { DataType, TensorFlags } from './generated/enums.js';

export interface TensorDesc {
  /** Data type of each element. */
  readonly dataType: DataType;
  /**
   * Size of each dimension, the innermost last: 1 to 8 dimensions, or up to 4 or 5 on older feature levels. Each is
   * at least 1.
   */
  readonly sizes: readonly number[];
  /**
   * Distance in elements between neighbours along each dimension. A stride of 0 broadcasts a dimension of an input.
   * Null or absent for a packed tensor.
   */
  readonly strides?: readonly number[] | null | undefined;
  /** `'ownedByDml'` for a weight that DirectML takes over while the operator is initialized. Default: `'none'`. */
  readonly flags?: TensorFlags | undefined;
  /** At least the size that sizes and strides need, which is the default; see `minimumTensorSizeInBytes`. */
  readonly totalTensorSizeInBytes?: number | undefined;
  /** 0 (default), or a power of two, at least 16, that divides every offset at which the tensor is bound. */
  readonly guaranteedBaseOffsetAlignment?: number | undefined;
  /** Optional. If it is given, it must equal `sizes.length`. */
  readonly dimensionCount?: number | undefined;
}

/**
 * An output in a descriptor. The data type, the sizes, or the output as a whole may be left out if they follow from
 * the other fields. A part that does not follow must be given.
 */
export type OutputTensorDesc = { readonly [Name in keyof TensorDesc]?: TensorDesc[Name] | undefined };

/** A tensor in a resolved descriptor, with every field present. `strides` is null if it is packed. */
export interface ResolvedTensorDesc extends TensorDesc {
  readonly strides: readonly number[] | null;
  readonly flags: TensorFlags;
  readonly totalTensorSizeInBytes: number;
  readonly guaranteedBaseOffsetAlignment: number;
}

/**
 * The types of the operator table. Its rows are in `generated/table.ts`; validation, native marshalling, documentation and
 * tests all read them.
 */
import type { OperatorType } from './generated/descriptors.js';
import type { DataType, Enums, FeatureLevel } from '../tensors/generated/enums.js';

export type FieldKind =
  | 'tensor'
  | 'tensorArray'
  | 'uint'
  | 'int'
  | 'float'
  | 'bool'
  | 'enum'
  | 'uintArray'
  | 'intArray'
  | 'floatArray'
  | 'size2d'
  | 'scaleBias'
  | 'scalar'
  | 'operator'
  | 'operatorArray';

/** The data types and dimension counts that a tensor field supports from a feature level on. */
export interface TensorSupport {
  readonly since: FeatureLevel;
  readonly dataTypes: readonly DataType[];
  /** Inclusive range of dimension counts. */
  readonly minDimensionCount: number;
  readonly maxDimensionCount: number;
}

/** The default value of a field. `of`, `to`, `perDimensionOf` and the like name other fields of the same descriptor. */
export type DefaultSchema =
  | { readonly value: number | boolean | string }
  /** An array of `fill`: one per dimension of a tensor, per spatial dimension of a tensor, or per element of another array. */
  | { readonly fill: number; readonly perDimensionOf: string }
  | { readonly fill: number; readonly perSpatialDimensionOf: string }
  | { readonly fill: number; readonly perElementOf: string }
  | { readonly rule: DefaultRule; readonly of: string }
  /** Only while another field has a value: null for a tensor that is not there. */
  | { readonly rule: 'while'; readonly of: string; readonly is: string | null; readonly then: number | string }
  /** The sizes of tensor `of` divided by those of tensor `to`. */
  | { readonly rule: 'ratio of sizes'; readonly of: string; readonly to: string }
  | { readonly rule: 'activations per direction'; readonly activations: readonly string[] }
  | { readonly rule: 'attention scale' };

/** Rules for a default that follows from one other field. */
type DefaultRule =
  | 'last axis'
  | 'all axes'
  | 'dimension count'
  | 'data type'
  | 'lowest value'
  | 'highest value'
  | 'spatial size'
  | 'quantization type'
  | 'same value'
  | 'one diagonal';

/** What limits the indices in a tensor. The values name other fields; `along` and `last` are about inputTensor. */
export type IndexedSchema =
  /** The size of the dimension with this number. */
  | { readonly along: string }
  /** For each coordinate of a tuple, the size of one of the last dimensions: so many, `but` for those of another field. */
  | { readonly last: string; readonly but?: string }
  | { readonly elementsOf: string }
  /** The first size of this tensor, `or` of another one if it is null. */
  | { readonly batchesOf: string; readonly or?: string };

export interface FieldSchema {
  /** DirectML's field name in camelCase. */
  readonly name: string;
  readonly kind: FieldKind;
  /** Tensors only: bound as an input or as an output. */
  readonly role?: 'input' | 'output';
  /** True if the field may be null or absent, from feature level `optionalSince` on if that is given. */
  readonly optional?: boolean;
  readonly optionalSince?: FeatureLevel;
  /** Arrays only: the field that holds the number of elements. */
  readonly countField?: string;
  /** Count fields only: the arrays whose length it holds. The user may leave it out. */
  readonly counts?: readonly string[];
  /** Count fields only: the tensor whose dimension count is the length of the arrays. */
  readonly perDimensionOf?: string;
  /** Count fields only: the first dimension of `perDimensionOf` that counts. Default: 0. */
  readonly fromDimension?: number;
  /** Enums only: the enum's name in `generated/enums.ts`. */
  readonly enumName?: keyof Enums;
  /** Outputs only: the inputs that the output may overwrite if both have the same layout. */
  readonly inPlace?: readonly string[];
  /** Outputs only: the data type that an output of several possible ones has if the descriptor gives none. */
  readonly defaultDataType?: DataType;
  /**
   * Inputs only: it has one element per channel, so that a vector is meant for that. The channels are those of the `whole` tensor
   * or of its `output`; `repeated` if the operator requires the sizes of the whole tensor, so that strides of 0 repeat the vector.
   */
  readonly perChannel?: 'whole' | 'repeated' | 'output';
  /** Inputs only: the operator skips leading dimensions of size 1, if one heeds what a text says. */
  readonly skipsOnes?: true | string;
  /** Inputs only: it has indices, which these limit. */
  readonly indexes?: IndexedSchema;
  /** The value of the field if the descriptor leaves it out. */
  readonly default?: DefaultSchema;
  /** Tensors only: the support by feature level, highest level first. */
  readonly support?: readonly TensorSupport[];
}

/** From which feature level, and into which operators, an activation can be fused. */
export interface FusionSchema {
  readonly since: FeatureLevel;
  /** The operators that it can be fused into. Absent: every operator with a field for an activation. */
  readonly into?: readonly OperatorType[];
}

/** How its function is called, where that does not follow from its fields. */
export interface CallSchema {
  /** The device or the graph comes first, because the operator needs no input tensor. */
  readonly takesPlace?: true;
  /** The inputs that are broadcast, and take a number. By default all of an element-wise operator with several. */
  readonly broadcast?: readonly string[];
}

export interface OperatorSchema {
  /** The value of DML_OPERATOR_TYPE. */
  readonly value: number;
  /** The feature level that introduced the operator. */
  readonly since: FeatureLevel;
  /** Only for activations that can be fused into other operators. */
  readonly fusion?: FusionSchema;
  readonly call?: CallSchema;
  /**
   * What DirectML does with it in graphs: an output is `part` of the memory of its input, or inputs are `joined` in that of its
   * output. A `recurrent` operator copies its last step out of the sequence, and refuses tensors that DirectML owns.
   */
  readonly inGraphs?: 'part' | 'joined' | 'recurrent';
  /** Fields in memory order. */
  readonly fields: readonly FieldSchema[];
}

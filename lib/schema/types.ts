/**
 * The types of the operator table. `generated/table.ts` holds its rows; validation, native marshalling, documentation
 * and tests all walk them.
 */
import type { OperatorType } from './generated/descriptors.js';
import type { DataType, Enums, FeatureLevel } from './generated/enums.js';

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

/** The value of a field that a descriptor leaves out. `of` and the like name fields of the same descriptor. */
export type DefaultSchema =
  | { readonly value: number | boolean | string }
  /** An array that has `fill` once per dimension of a tensor, per spatial dimension, or per element of another array. */
  | { readonly fill: number; readonly perDimensionOf: string }
  | { readonly fill: number; readonly perSpatialDimensionOf: string }
  | { readonly fill: number; readonly perElementOf: string }
  | { readonly rule: DefaultRule; readonly of: string }
  /** Sizes of tensor `of` divided by those of tensor `to`. */
  | { readonly rule: 'ratio of sizes'; readonly of: string; readonly to: string }
  | { readonly rule: 'activations per direction'; readonly activations: readonly string[] }
  | { readonly rule: 'attention scale' };

/** Rules that need one other field. */
export type DefaultRule =
  | 'last axis'
  | 'all axes'
  | 'dimension count'
  | 'data type'
  | 'lowest value'
  | 'highest value'
  | 'spatial size'
  | 'quantization type'
  | 'none without';

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
  /**
   * Counts only: the tensor that has a dimension for each element of the arrays; its dimensions from `fromDimension` on,
   * where not all.
   */
  readonly perDimensionOf?: string;
  readonly fromDimension?: number;
  /** Enums only: the enum's name in `generated/enums.ts`. */
  readonly enumName?: keyof Enums;
  /** Outputs only: the inputs whose bytes the output may be bound to, where both have the same layout. */
  readonly inPlace?: readonly string[];
  /** The value where the descriptor leaves the field out. */
  readonly default?: DefaultSchema;
  /** Tensors only: highest feature level first. */
  readonly support?: readonly TensorSupport[];
}

/** How other operators can apply this one to their result. */
export interface FusionSchema {
  readonly since: FeatureLevel;
  /** The operators that it can be fused into. Absent: every operator with a field for an activation. */
  readonly into?: readonly OperatorType[];
}

export interface OperatorSchema {
  /** DML_OPERATOR_TYPE value. */
  readonly value: number;
  /** Feature level that introduced it. */
  readonly since: FeatureLevel;
  /** Only for operators that can be fused into others. */
  readonly fusion?: FusionSchema;
  /** Fields in memory order. */
  readonly fields: readonly FieldSchema[];
}

export interface EnumSchema<Member extends string = string> {
  /** The number of each member in DirectML. */
  readonly values: Readonly<Record<Member, number>>;
  /** The feature level of each member that a later feature level added. */
  readonly since: Readonly<Partial<Record<Member, FeatureLevel>>>;
  /** What members are called elsewhere. */
  readonly otherNames?: Readonly<Partial<Record<Member, readonly string[]>>>;
}

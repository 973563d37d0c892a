/**
 * The shape of the operator table. `generated/table.ts` holds the rows; types, validation, native marshalling,
 * documentation and tests all walk them.
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

/** What a tensor field may be, starting with a feature level. */
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
  /** Tensors only: whether it is bound as an input or an output. */
  readonly role?: 'input' | 'output';
  /** May be null or absent, where it says so from a feature level of its own on. */
  readonly optional?: boolean;
  readonly optionalSince?: FeatureLevel;
  /** Arrays only: the field that counts this one's elements. */
  readonly countField?: string;
  /** Counts only: the arrays it counts; the user may leave it out. */
  readonly counts?: readonly string[];
  /** Enums only: the enum's name in `generated/enums.ts`. */
  readonly enumName?: keyof Enums;
  /** The value where the descriptor leaves the field out. */
  readonly default?: DefaultSchema;
  /** Tensors only, highest feature level first. */
  readonly support?: readonly TensorSupport[];
}

/** How other operators can apply an operator to their result. */
export interface FusionSchema {
  readonly since: FeatureLevel;
  /** Absent: into every operator that has a field for it. */
  readonly into?: readonly OperatorType[];
}

export interface OperatorSchema {
  /** DML_OPERATOR_TYPE value. */
  readonly value: number;
  /** Feature level that introduced it. */
  readonly since: FeatureLevel;
  /** Only for what can be fused into others. */
  readonly fusion?: FusionSchema;
  /** Fields in memory order. */
  readonly fields: readonly FieldSchema[];
}

export interface EnumSchema<Member extends string = string> {
  /** The number that DirectML knows a member by. */
  readonly values: Readonly<Record<Member, number>>;
  /** Feature level of the members that came after the first one. */
  readonly since: Readonly<Partial<Record<Member, FeatureLevel>>>;
}

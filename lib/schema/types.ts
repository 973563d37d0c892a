/**
 * The shape of the operator table. `generated/table.ts` holds the rows; types, validation, native marshalling,
 * documentation and tests all walk them.
 */
import type { DataType, FeatureLevel } from './generated/enums.js';

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

export interface FieldSchema {
  /** DirectML's field name in camelCase. */
  readonly name: string;
  readonly kind: FieldKind;
  /** Tensors only: whether it is bound as an input or an output. */
  readonly role?: 'input' | 'output';
  /** May be null or absent. */
  readonly optional?: boolean;
  /** Arrays only: the field that counts this one's elements. */
  readonly countField?: string;
  /** Counts only: the arrays it counts; the user may leave it out. */
  readonly counts?: readonly string[];
  /** Enums only: the enum's name in `generated/enums.ts`. */
  readonly enumName?: string;
  /** Tensors only, highest feature level first. */
  readonly support?: readonly TensorSupport[];
}

export interface OperatorSchema {
  /** DML_OPERATOR_TYPE value. */
  readonly value: number;
  /** `DML_SCATTER_ND_OPERATOR_DESC`. */
  readonly descName: string;
  /** Feature level that introduced it. */
  readonly since: FeatureLevel;
  /** Fields in memory order. */
  readonly fields: readonly FieldSchema[];
  /** The public reference page. */
  readonly url: string;
}

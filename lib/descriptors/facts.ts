/**
 * The form of the facts about operators and enums in this folder: read from DirectML's header and Microsoft's pages, and compared
 * with DirectML.dll 1.15.4. `npm run generate` makes the types, the tables and the pages of them. Nothing here is in the package.
 */
import type { DataType, Enums, FeatureLevel } from '../tensors/generated/enums.js';
import type { CallSchema, DefaultSchema, FieldKind, FieldSchema, FusionSchema, IndexedSchema, OperatorSchema } from './types.js';

/** The operators whose rules, kernels and cases lie in files of the same name, in the order of the index. */
export interface Family {
  /** What a field means, by its name, in all operators of the family that do not say it themselves. */
  readonly meanings?: Readonly<Record<string, string>>;
  readonly operators: Readonly<Record<string, OperatorFacts>>;
}

/** An operator, by its name: `scatterNd` is DML_OPERATOR_SCATTER_ND. */
export interface OperatorFacts {
  /** The value of DML_OPERATOR_TYPE. */
  readonly value: number;
  /** The feature level that introduced it. */
  readonly since: FeatureLevel;
  /** DirectML's name without DML_OPERATOR_, if it does not follow from the operator's. */
  readonly native?: string;
  /** The name of the C struct, if it does not follow from DirectML's name. */
  readonly struct?: string;
  /** The name of Microsoft's page, if it does not follow from DirectML's name. */
  readonly page?: string;
  /** Of activations that other operators can apply to their results. */
  readonly fusion?: FusionSchema;
  readonly call?: CallSchema;
  readonly inGraphs?: OperatorSchema['inGraphs'];
  /**
   * Its place in the index, docs/operators/README.md: first under a heading, or after an operator of another family. If absent, it
   * comes after the operator above it in the file.
   */
  readonly listed?: { readonly under: string } | { readonly after: string };
  /** One sentence: what it computes. */
  readonly summary: string;
  /**
   * What it computes, where the summary and the meanings of fields do not say it: formulas, layouts, and what is not plain. An
   * example is written `input` gives `output`; test/operators/stated-examples.test.ts computes it.
   */
  readonly explanation?: readonly string[];
  /**
   * What a version such as resample1 has that the one before it lacks, as the object of "it adds …". By default, its page names the
   * fields that only it has.
   */
  readonly adds?: string;
  readonly otherNames?: OtherNames;
  /** Data types that its rule always refuses, though Microsoft's page lists them. */
  readonly refusedDataTypes?: readonly DataType[];
  /** Another operator of the family, such as the version before: it has the fields of that one, but for what its own say. */
  readonly like?: string;
  /** Its fields in memory order. `inputTensor` is InputTensor. */
  readonly fields?: Readonly<Record<string, FieldFacts>>;
}

/**
 * Names under which people look for an operator. ONNX: operators of onnx/onnx, of ONNX Runtime's contrib domain and of its training
 * build, and experimental ones that were removed. WebNN: methods of MLGraphBuilder. PyTorch and others: from general knowledge.
 */
export interface OtherNames {
  readonly ONNX?: readonly string[];
  readonly WebNN?: readonly string[];
  readonly PyTorch?: readonly string[];
  readonly others?: readonly string[];
  /** For a search of the index alone. Errors do not suggest them. */
  readonly words?: readonly string[];
}

export interface FieldFacts {
  /** The field that it follows, if that is not the last of those that the operator has from another one. */
  readonly after?: string;
  /** Only a field that the operator has from another one can do without it: it changes what is given. */
  readonly kind?: 'input' | 'output' | 'inputs' | 'outputs' | Exclude<FieldKind, 'tensor' | 'tensorArray'>;
  /** DirectML's name, if it does not follow from the field's. */
  readonly native?: string;
  /** The enum of an enum field. */
  readonly enumName?: keyof Enums;
  /** The members of the enum that the operator's rule takes. By default all. */
  readonly taken?: readonly string[];
  /** True if the field may be null. */
  readonly optional?: true;
  /** The feature level from which on the field may be null, if it is higher than the operator's. */
  readonly optionalSince?: FeatureLevel;
  /** The field that counts the elements of an array. */
  readonly countField?: string;
  /** Of a field that counts: the tensor that has a dimension for each of the elements, */
  readonly perDimensionOf?: string;
  /** and the first dimension that counts. By default 0. */
  readonly fromDimension?: number;
  /**
   * The inputs whose bytes an output may overwrite. Microsoft's page documents each pair, and DirectML gave the same bytes in place
   * as with separate buffers in every dispatch that was tried: gaps, permuted layouts and up to 1,048,576 elements included. Both
   * tensors need the same element width, sizes and strides. Pairs that no page documents are left out, also where they looked
   * right.
   */
  readonly inPlace?: readonly string[];
  /** One sentence: what the field holds or changes. The sentence of a count is generated. */
  readonly meaning?: string;
  /** The sizes of a tensor by name, as Microsoft's page writes them. */
  readonly shape?: string;
  /** What DirectML takes and is nearly always a mistake. */
  readonly note?: string;
  /** Of an input: the properties of {@link FieldSchema} by which errors say how a tensor would fit, and which indices it has. */
  readonly perChannel?: FieldSchema['perChannel'];
  readonly skipsOnes?: FieldSchema['skipsOnes'];
  readonly indexes?: IndexedSchema;
  /** A field without one has to be given: its sources disagree, or any value would be a guess. */
  readonly default?: DefaultFacts;
  /** Of an output that supports several data types: the one that it has if the descriptor gives none, where it is supported. */
  readonly defaultDataType?: DataType;
  /**
   * True if it may have another data type than the operator's first input: for an output, and for an input that supports the same
   * data types. All others have that of the first input.
   */
  readonly ownDataType?: true;
  /** The data types and dimension counts of a tensor by feature level, highest first; or the tensor that has the same. */
  readonly support?: SupportFacts | string;
}

export type DefaultFacts = DefaultSchema & {
  /** Who has the same default. */
  readonly source: readonly string[];
  readonly note?: string;
};

export type SupportFacts = Readonly<Partial<Record<FeatureLevel, readonly [dimensionCounts: string, readonly DataType[]]>>>;

export interface EnumFacts {
  /** DirectML's name, if it does not follow from the enum's. */
  readonly native?: string;
  readonly members: Readonly<Record<string, MemberFacts>>;
}

export interface MemberFacts {
  readonly value: number;
  /** The feature level that introduced it. By default 1.0. */
  readonly since?: FeatureLevel;
  /** Names that it has elsewhere. */
  readonly otherNames?: readonly string[];
  /** One sentence. That of a feature level is generated. */
  readonly meaning?: string;
}

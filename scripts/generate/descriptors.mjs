// Writes generated/descriptors.ts: a documented interface per operator, their union, and the types of fused activations.
import { textOfDefault } from './defaults.mjs';
import { banner } from './banner.mjs';
import { literal } from './literal.mjs';
import { membersOf, valueLines } from './enums.mjs';
import { ownDataTypeOf, pascalCase } from './facts.mjs';

/** @typedef {import('./facts.mjs').Field} Field */
/** @typedef {import('./facts.mjs').Operator} Operator */
/** @typedef {import('./facts.mjs').Enum} Enum */

/** @returns {string} */
export function descriptorsFile(/** @type {import('./facts.mjs').Facts} */ { operators, enums }) {
  const whole = operators.flatMap(({ fields }) => fields.filter(({ taken }) => taken === undefined));
  const used = new Set(whole.flatMap(({ enumName }) => enumName ?? []));
  return `${banner}
import type {
${[...used]
  .sort()
  .map((name) => `  ${name},\n`)
  .join('')}} from '../../tensors/generated/enums.js';
import type { OutputTensorDesc, TensorDesc } from '../../tensors/tensor-desc.js';

${operators.map((operator) => interfaceOf(operator, operators, enums)).join('\n')}
/** The descriptor of each operator, by the operator's type. */
export interface OperatorDescriptors {
${operators.map((operator) => `  readonly ${operator.name}: ${interfaceName(operator)};\n`).join('')}}

/** The name of an operator: \`'scatterNd'\`. */
export type OperatorType = keyof OperatorDescriptors;

/** The descriptor of any operator, or only of the named ones: \`OperatorDescriptor<'gather'>\`. */
export type OperatorDescriptor<Type extends OperatorType = OperatorType> = OperatorDescriptors[Type];
${fusedTypes(operators)}${otherOutputs(operators)}`;
}

function otherOutputs(/** @type {readonly Operator[]} */ operators) {
  const rows = operators.flatMap(({ name, fields }) => {
    const own = fields.filter(({ role, ownDataType }) => role === 'output' && ownDataType);
    const types = own.map((field) => `readonly ${field.name}: ${literal(ownDataTypeOf(field))}`);
    return types.length === 0 ? [] : `  readonly ${name}: { ${types.join('; ')} };\n`;
  });
  return `
/**
 * The outputs that may have another data type than the operator's first input, each with the data type that it has if the
 * descriptor gives none; null if that does not follow from the operator alone. The outputs of all other operators with a first
 * input always have its data type.
 */
export interface OtherOutputs {
${rows.join('')}}
`;
}

function fusedTypes(/** @type {readonly Operator[]} */ operators) {
  const common = operators.filter(({ fusion }) => fusion !== undefined && fusion.into === undefined);
  const own = operators
    .map((host) => ({ host, activations: ownActivations(host, operators) }))
    .filter(({ activations }) => activations.length > 0)
    .map(
      ({ host, activations }) => `
/** An activation that {@link ${interfaceName(host)}} can apply to its result. */
export type ${fusedName(host)} =
  | FusedActivation
${activations.map(fusedMember).join('\n')};
`,
    );
  return `
/** The descriptor of a fused activation: it has neither tensors nor \`scaleBias\`. */
type Fused<Descriptor> = Omit<Descriptor, 'inputTensor' | 'outputTensor' | 'scaleBias'> & {
  readonly inputTensor?: null | undefined;
  readonly outputTensor?: null | undefined;
};

/** An activation that another operator applies to its result. */
export type FusedActivation =
${common.map(fusedMember).join('\n')};
${own.join('')}`;
}

function fusedMember(/** @type {Operator} */ operator) {
  return `  | Fused<${interfaceName(operator)}>`;
}

/** Returns the activations that can be fused only into certain operators, including `host`. */
function ownActivations(/** @type {Operator} */ host, /** @type {readonly Operator[]} */ operators) {
  return operators.filter(({ fusion }) => fusion?.into?.some((name) => name === host.name));
}

function fusedName(/** @type {Operator} */ host) {
  return `${pascalCase(host.name)}FusedActivation`;
}

function interfaceName(/** @type {Operator} */ operator) {
  return `${pascalCase(operator.name)}Descriptor`;
}

function interfaceOf(
  /** @type {Operator} */ operator,
  /** @type {readonly Operator[]} */ operators,
  /** @type {readonly Enum[]} */ enums,
) {
  const fused = ownActivations(operator, operators).length > 0 ? fusedName(operator) : 'FusedActivation';
  const fields = operator.fields.map((field) => fieldOf(operator, field, fused, enums)).join('');
  return `/**
 * ${operator.summary}
 *
 * DML_OPERATOR_${operator.nativeName}, feature level ${operator.since}.
 * @see ${operator.url}
 */
export interface ${interfaceName(operator)} {
  /** ${operator.summary} */
  readonly type: '${operator.name}';
${fields}}
`;
}

function fieldOf(
  /** @type {Operator} */ operator,
  /** @type {Field} */ field,
  /** @type {string} */ fused,
  /** @type {readonly Enum[]} */ enums,
) {
  const optional = field.optional || field.counts !== undefined || field.default !== undefined || isInferred(field);
  const nullable = field.optional ? ' | null' : '';
  const absent = optional ? ' | undefined' : '';
  const doc = docOf(operator, field, enums);
  return `${doc}  readonly ${field.name}${optional ? '?' : ''}: ${typeOf(operator, field, fused)}${nullable}${absent};\n`;
}

/** True for a required output. It can be left out, because it follows from the other fields. */
export function isInferred(/** @type {Field} */ field) {
  return field.kind === 'tensor' && field.role === 'output' && !field.optional;
}

export function typeOf(/** @type {Operator} */ operator, /** @type {Field} */ field, /** @type {string} */ fused) {
  switch (field.kind) {
    case 'tensor':
      return field.role === 'output' ? 'OutputTensorDesc' : 'TensorDesc';
    case 'tensorArray':
      return field.role === 'output' ? 'readonly OutputTensorDesc[]' : 'readonly TensorDesc[]';
    case 'uint':
    case 'int':
    case 'float':
      return 'number';
    case 'bool':
      return 'boolean';
    case 'uintArray':
    case 'intArray':
    case 'floatArray':
      return 'readonly number[]';
    case 'size2d':
      return '{ readonly width: number; readonly height: number }';
    case 'scaleBias':
      return '{ readonly scale: number; readonly bias: number }';
    case 'scalar':
      return 'number | bigint';
    case 'operator':
      return fused;
    case 'operatorArray':
      return `readonly ${fused}[]`;
    case 'enum':
      if (field.taken !== undefined) return field.taken.map((member) => `'${member}'`).join(' | ');
      if (field.enumName !== undefined) return field.enumName;
  }
  throw new Error(`${operator.name}.${field.name}: no type for ${field.kind}`);
}

function docOf(/** @type {Operator} */ operator, /** @type {Field} */ field, /** @type {readonly Enum[]} */ enums) {
  const lines = [];
  if (field.counts !== undefined) {
    lines.push(`Number of elements of ${field.counts.join(', ')}${dimensionsOf(field)}. Filled in if it is left out.`);
  }
  if (field.meaning !== undefined) lines.push(field.meaning);
  if (field.shape !== undefined) lines.push(`Sizes: \`${field.shape}\`.`);
  if (field.default !== undefined) lines.push(`Default: ${textOfDefault(field)}.`);
  if (field.defaultDataType !== undefined) lines.push(`Default data type: ${field.defaultDataType}.`);
  if (field.kind === 'scalar') lines.push('int64 and uint64 values beyond ±(2^53 - 1) must be a bigint.');
  if (field.optionalSince !== undefined) lines.push(`Required below feature level ${field.optionalSince}.`);
  if (field.note !== undefined) lines.push(field.note);
  lines.push(...supportLines(operator, field), ...valuesOf(operator, field, enums));
  if (lines.length === 0) return '';
  if (lines.length === 1) return `  /** ${lines[0]} */\n`;
  return `  /**\n${lines.map((line) => `   * ${line}`.trimEnd().concat('\n')).join('')}   */\n`;
}

/** Describes what each value of an enum field does. Data types need no description. */
function valuesOf(/** @type {Operator} */ { since }, /** @type {Field} */ field, /** @type {readonly Enum[]} */ enums) {
  const { enumName = '' } = field;
  if (enumName === '' || enumName === 'DataType') return [];
  return ['', ...valueLines(enumName, membersOf(field, enums), since)];
}

/** Says for which dimensions the counted arrays have elements: `: one per dimension of inputTensor`; '' for other counts. */
export function dimensionsOf(/** @type {Field} */ { perDimensionOf, fromDimension }) {
  if (perDimensionOf === undefined) return '';
  return `: one per dimension of ${perDimensionOf}${fromDimension === undefined ? '' : ' after batch and channels'}`;
}

/** Data types and dimension counts by feature level. A field with the same support as an earlier field refers to it. */
function supportLines(/** @type {Operator} */ { fields }, /** @type {Field} */ field) {
  const supports = (/** @type {Field} */ other) => JSON.stringify(other.support) === JSON.stringify(field.support);
  const first = fields.find(supports);
  if (field.support === undefined || first === undefined) return [];
  if (first !== field) return [`Supports the same data types and dimension counts as \`${first.name}\`.`];
  return field.support.map(({ since, min, max, taken }) => {
    const range = min === max ? `${min}` : `${min} to ${max}`;
    return `Feature level ${since}: ${range} dimensions; ${taken.join(', ')}.`;
  });
}

// generated/descriptors.ts: one documented interface per operator and their union.
import { banner, pascalCase } from './facts.mjs';

/** @typedef {import('./facts.mjs').Field} Field */
/** @typedef {import('./facts.mjs').Operator} Operator */

/** @returns {string} */
export function descriptorsFile(/** @type {import('./facts.mjs').Facts} */ { operators }) {
  const enums = new Set(operators.flatMap((operator) => operator.fields.flatMap((field) => field.enumName ?? [])));
  const activations = operators.filter(isFusable);
  const usesOperators = operators.some(({ fields }) => fields.some(({ kind }) => kind.startsWith('operator')));
  const enumImport = enums.size === 0 ? '' : `import type { ${[...enums].sort().join(', ')} } from './enums.js';\n`;
  return `${banner}
${enumImport}import type { TensorDesc } from '../tensor-desc.js';

${operators.map(interfaceOf).join('\n')}
/** The descriptor of any operator. */
export type OperatorDescriptor =
${operators.map((operator) => `  | ${interfaceName(operator)}`).join('\n')};

/** \`'scatterNd'\` and its kin. */
export type OperatorType = OperatorDescriptor['type'];
${usesOperators ? fusedType(activations) : ''}`;
}

function fusedType(/** @type {Operator[]} */ activations) {
  return `
/** An activation that another operator applies to its result: its descriptor without the tensors. */
export type FusedActivation =
${activations.map((operator) => `  | Omit<${interfaceName(operator)}, 'inputTensor' | 'outputTensor'>`).join('\n')};
`;
}

/** An activation of one tensor, element by element, with nothing but numbers to set it. */
function isFusable(/** @type {Operator} */ { nativeName, fields }) {
  return (
    /^ACTIVATION_(?!.*(MAX|GRAD))/.test(nativeName) &&
    fields.every(({ name, kind }) => name === 'inputTensor' || name === 'outputTensor' || kind === 'float')
  );
}

function interfaceName(/** @type {Operator} */ operator) {
  return `${pascalCase(operator.name)}Descriptor`;
}

function interfaceOf(/** @type {Operator} */ operator) {
  const fields = operator.fields.map((field) => fieldOf(operator, field)).join('');
  return `/**
 * DML_OPERATOR_${operator.nativeName}, feature level ${operator.since}.
 * @see ${operator.url}
 */
export interface ${interfaceName(operator)} {
  readonly type: '${operator.name}';
${fields}}
`;
}

function fieldOf(/** @type {Operator} */ operator, /** @type {Field} */ field) {
  const optional = field.optional || field.counts !== undefined;
  const nullable = field.optional ? ' | null' : '';
  const absent = optional ? ' | undefined' : '';
  const doc = docOf(field);
  return `${doc}  readonly ${field.name}${optional ? '?' : ''}: ${typeOf(operator, field)}${nullable}${absent};\n`;
}

export function typeOf(/** @type {Operator} */ operator, /** @type {Field} */ field) {
  switch (field.kind) {
    case 'tensor':
      return 'TensorDesc';
    case 'tensorArray':
      return 'readonly TensorDesc[]';
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
      return 'FusedActivation';
    case 'operatorArray':
      return 'readonly FusedActivation[]';
    case 'enum':
      if (field.enumName !== undefined) return field.enumName;
  }
  throw new Error(`${operator.name}.${field.name}: no type for ${field.kind}`);
}

function docOf(/** @type {Field} */ field) {
  const lines = [];
  if (field.counts !== undefined) lines.push(`Number of elements of ${field.counts.join(', ')}, which already tell it.`);
  if (field.shape !== undefined) lines.push(`Sizes: \`${field.shape}\`.`);
  if (field.kind === 'scalar') lines.push('A bigint where the data type is int64 or uint64 and the value needs it.');
  for (const row of field.support ?? []) {
    const range = row.min === row.max ? `${row.min}` : `${row.min} to ${row.max}`;
    lines.push(`Feature level ${row.since}: ${range} dimensions;`, `  ${row.dataTypes.join(', ')}.`);
  }
  if (lines.length === 0) return '';
  if (lines.length === 1) return `  /** ${lines[0]} */\n`;
  return `  /**\n${lines.map((line) => `   * ${line}\n`).join('')}   */\n`;
}

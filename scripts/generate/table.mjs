// Writes generated/table.ts: the operator table that validation, marshalling and tests use. Lists of data types and rows of tensor
// support are constants, because many fields share them.
import { banner } from './banner.mjs';
import { literal } from './literal.mjs';

/** @typedef {import('./facts.mjs').Field} Field */
/** @typedef {import('./facts.mjs').Operator} Operator */
/** @typedef {import('./facts.mjs').Support} Support */

/** @returns {string} */
export function tableFile(/** @type {import('./facts.mjs').Facts} */ { operators }) {
  const types = new Constants('types');
  const supports = new Constants('support');
  const rows = operators.map((operator) => operatorRow(operator, types, supports));
  const listed = types.write((text) => `readonly DataType[] = [${text}]`);
  const supported = supports.write((text) => `readonly TensorSupport[] = [\n${text}]`);
  return `${banner}
import { withoutPrototypes } from '../without-prototypes.js';
import type { OperatorSchema, TensorSupport } from '../types.js';
import type { OperatorType } from './descriptors.js';
import type { DataType } from './enums.js';

${listed}
${supported}
export const operatorTable: Readonly<Record<OperatorType, OperatorSchema>> = withoutPrototypes({
${rows.join('')}});
`;
}

/** Collects texts, and gives each distinct text the name of a constant. */
class Constants {
  #prefix;
  /** @type {Map<string, string>} */
  #names = new Map();

  constructor(/** @type {string} */ prefix) {
    this.#prefix = prefix;
  }

  /** @returns {string} */
  nameOf(/** @type {string} */ text) {
    const name = this.#names.get(text) ?? `${this.#prefix}${this.#names.size}`;
    this.#names.set(text, name);
    return name;
  }

  write(/** @type {(text: string) => string} */ declaration) {
    return [...this.#names].map(([text, name]) => `const ${name}: ${declaration(text)};\n`).join('');
  }
}

function operatorRow(/** @type {Operator} */ operator, /** @type {Constants} */ types, /** @type {Constants} */ supports) {
  const { fusion } = operator;
  const into = fusion?.into === undefined ? '' : `, into: [${fusion.into.map(quote).join(', ')}]`;
  const fused = fusion === undefined ? '' : `    fusion: { since: '${fusion.since}'${into} },\n`;
  return `  ${operator.name}: {
    value: ${operator.value},
    since: '${operator.since}',
${fused}    fields: [
${operator.fields.map((field) => fieldRow(field, types, supports)).join('')}    ],
  },
`;
}

function fieldRow(/** @type {Field} */ field, /** @type {Constants} */ types, /** @type {Constants} */ supports) {
  const parts = [`name: '${field.name}'`, `kind: '${field.kind}'`];
  if (field.role !== undefined) parts.push(`role: '${field.role}'`);
  if (field.optional) parts.push('optional: true');
  if (field.optionalSince !== undefined) parts.push(`optionalSince: '${field.optionalSince}'`);
  if (field.countField !== undefined) parts.push(`countField: '${field.countField}'`);
  if (field.counts !== undefined) parts.push(`counts: [${field.counts.map(quote).join(', ')}]`);
  if (field.perDimensionOf !== undefined) parts.push(`perDimensionOf: '${field.perDimensionOf}'`);
  if (field.fromDimension !== undefined) parts.push(`fromDimension: ${field.fromDimension}`);
  if (field.enumName !== undefined) parts.push(`enumName: '${field.enumName}'`);
  if (field.inPlace !== undefined) parts.push(`inPlace: [${field.inPlace.map(quote).join(', ')}]`);
  if (field.defaultDataType !== undefined) parts.push(`defaultDataType: '${field.defaultDataType}'`);
  if (field.default !== undefined) parts.push(`default: ${literal(field.default)}`);
  if (field.support !== undefined) {
    const rows = field.support.map((row) => supportRow(row, types)).join('');
    parts.push(`support: ${supports.nameOf(rows)}`);
  }
  return `      { ${parts.join(', ')} },\n`;
}

function supportRow(/** @type {Support} */ { since, dataTypes, min, max }, /** @type {Constants} */ types) {
  const list = types.nameOf(dataTypes.map(quote).join(', '));
  return `  { since: '${since}', dataTypes: ${list}, minDimensionCount: ${min}, maxDimensionCount: ${max} },\n`;
}

function quote(/** @type {string} */ text) {
  return `'${text}'`;
}

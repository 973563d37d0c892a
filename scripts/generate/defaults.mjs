// Default values of fields: reads them from lib/schema/defaults.json, and describes them for pages and hover texts.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { banner } from './banner.mjs';

/**
 * @typedef {{ value?: unknown, fill?: number, perDimensionOf?: string, perSpatialDimensionOf?: string,
 *   perElementOf?: string, rule?: string, of?: string, to?: string, activations?: string[] }} Default
 * @typedef {import('./facts.mjs').Field} Field
 * @typedef {import('./facts.mjs').Operator} Operator
 */

/** The properties that name another field of the operator. */
const references = /** @type {const} */ (['perDimensionOf', 'perSpatialDimensionOf', 'perElementOf', 'of', 'to']);

/** Sets the default of each field. Leaves out `source` and `note`, which are for readers of the file. */
export function readDefaults(/** @type {string} */ folder, /** @type {Operator[]} */ operators) {
  /** @type {Record<string, Record<string, Default & { source: string[], note?: string }>>} */
  const defaults = JSON.parse(readFileSync(join(folder, 'defaults.json'), 'utf8')).operators;
  for (const [name, byField] of Object.entries(defaults)) {
    const operator = operators.find((each) => each.name === name);
    for (const [fieldName, { source: _source, note: _note, ...value }] of Object.entries(byField)) {
      const field = operator?.fields.find((each) => each.name === fieldName);
      if (operator === undefined || field === undefined) throw new Error(`defaults.json: there is no ${name}.${fieldName}`);
      for (const reference of references) {
        const other = value[reference];
        if (other === undefined || operator.fields.some((each) => each.name === other)) continue;
        throw new Error(`defaults.json: ${name}.${fieldName}: there is no ${other}`);
      }
      field.default = value;
    }
  }
}

/** Writes generated/defaulted-fields.ts of the tests: the names of the fields that have a default. @returns {string} */
export function defaultedFieldsFile(/** @type {import('./facts.mjs').Facts} */ { operators }) {
  const rows = operators.map(({ name, fields }) => {
    const names = fields.filter((field) => field.default !== undefined).map((field) => `'${field.name}'`);
    return `  readonly ${name}: ${names.length === 0 ? 'never' : names.join(' | ')};\n`;
  });
  return `${banner}
/** By operator, the fields that a descriptor may leave out because they have a default. */
export interface DefaultedFields {
${rows.join('')}}
`;
}

/** The default in Markdown: `` 0 per element of `windowSize` ``; '' for a field without one. */
export function textOfDefault(/** @type {Field} */ field) {
  const { default: given } = field;
  if (given === undefined) return '';
  const [of, to] = [given.of, given.to].map((name) => `\`${name}\``);
  if (given.value !== undefined) return typeof given.value === 'string' ? `\`'${given.value}'\`` : `${given.value}`;
  if (given.perDimensionOf !== undefined) return `${given.fill} per dimension of \`${given.perDimensionOf}\``;
  if (given.perSpatialDimensionOf !== undefined) {
    return `${given.fill} per spatial dimension of \`${given.perSpatialDimensionOf}\``;
  }
  if (given.perElementOf !== undefined) return `${given.fill} per element of \`${given.perElementOf}\``;
  switch (given.rule) {
    case 'last axis':
      return `the last dimension of ${of}`;
    case 'all axes':
      return `all dimensions of ${of}`;
    case 'dimension count':
      return `the dimension count of ${of}`;
    case 'data type':
      return `the data type of ${of}`;
    case 'lowest value':
      return `the lowest value of the data type of ${of}, -Infinity for floats`;
    case 'highest value':
      return `the highest value of the data type of ${of}, Infinity for floats`;
    case 'spatial size':
      return `height and width of ${of}`;
    case 'quantization type':
      return `\`'scale'\` for one of ${of}, \`'scaleZeroPoint'\` for two`;
    case 'none without':
      return `\`'none'\` if there is no ${of}`;
    case 'ratio of sizes':
      return `the sizes of ${of} divided by those of ${to}`;
    case 'activations per direction':
      return `${(given.activations ?? []).map((name) => `\`${name}\``).join(', ')}, once per direction`;
    case 'attention scale':
      return '1 / √(size of a head of the queries)';
    default:
      throw new Error(`${field.name}: no text for the default ${given.rule}`);
  }
}

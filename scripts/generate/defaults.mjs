// Default values of fields: describes them for pages and hover texts.
import { banner } from './banner.mjs';

/** @typedef {import('./facts.mjs').Field} Field */

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

/** Returns the default in Markdown, such as `` 0 per element of `windowSize` ``; '' for a field without a default. */
export function textOfDefault(/** @type {Field} */ { default: given }) {
  if (given === undefined) return '';
  if ('value' in given) return typeof given.value === 'string' ? `\`'${given.value}'\`` : `${given.value}`;
  if ('perDimensionOf' in given) return `${given.fill} per dimension of \`${given.perDimensionOf}\``;
  if ('perSpatialDimensionOf' in given) return `${given.fill} per spatial dimension of \`${given.perSpatialDimensionOf}\``;
  if ('perElementOf' in given) return `${given.fill} per element of \`${given.perElementOf}\``;
  const of = 'of' in given ? `\`${given.of}\`` : '';
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
    case 'while':
      return `${typeof given.then === 'string' ? `\`'${given.then}'\`` : given.then} if ${given.is === null ? `there is no ${of}` : `${of} is \`'${given.is}'\``}`;
    case 'same value':
      return `that of ${of}`;
    case 'one diagonal':
      return `${of} + 1 if there is no \`inputTensor\``;
    case 'ratio of sizes':
      return `the sizes of ${of} divided by those of \`${given.to}\``;
    case 'activations per direction':
      return `${given.activations.map((name) => `\`${name}\``).join(', ')}, once per direction`;
    case 'attention scale':
      return '1 / √(size of a head of the queries)';
  }
}

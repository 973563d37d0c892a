// Writes the tables of a reference page: the fields of the descriptor, and the data types and dimension counts of its tensors.
import { textOfDefault } from './defaults.mjs';
import { dimensionsOf, isInferred, typeOf } from './descriptors.mjs';

/** @typedef {import('./facts.mjs').Field} Field */
/** @typedef {import('./facts.mjs').Operator} Operator */
/** @typedef {import('./facts.mjs').Enum} Enum */

/** @returns {string} */
export function fieldsTable(/** @type {Operator} */ operator, /** @type {Enum[]} */ enums) {
  const rows = operator.fields.map((field) => {
    const type = typeOf(operator, field, 'FusedActivation').replaceAll('readonly ', '').replaceAll('|', '\\|');
    return `| \`${field.name}\` | \`${type}\` | ${needOf(field)} | ${meaningOf(operator, field, enums)} |\n`;
  });
  return `| field | type | needed | meaning |\n| --- | --- | --- | --- |\n${rows.join('')}`;
}

/** Text such as `` `outputTensor` may be written over `aTensor` ``; null if the operator has no such pair. */
export function inPlaceSentence(/** @type {Operator} */ { fields }) {
  const parts = fields
    .filter(({ inPlace }) => inPlace !== undefined)
    .map(({ name, inPlace = [] }, i) => {
      const inputs = inPlace.map((input) => `\`${input}\``).join(' or ');
      return `\`${name}\` ${i === 0 ? 'may be written over' : 'over'} ${inputs}`;
    });
  return parts.length === 0 ? null : parts.join(', ');
}

/** One row for each feature level that changed the support. Tensors with the same support share their rows. */
export function tensorsTable(/** @type {Operator} */ { fields }) {
  /** @type {Map<string, Field[]>} */
  const groups = new Map();
  for (const field of fields) {
    if (field.support === undefined) continue;
    const key = JSON.stringify(field.support);
    groups.set(key, [...(groups.get(key) ?? []), field]);
  }
  const rows = [...groups.values()].flatMap((tensors) => {
    const names = tensors.map(({ name }) => `\`${name}\``).join(', ');
    return changes(tensors[0]?.support ?? []).map(({ since, min, max, dataTypes }, i) => {
      const range = min === max ? `${min}` : `${min} to ${max}`;
      return `| ${i === 0 ? names : ''} | ${since} | ${range} | ${dataTypes.toSorted(byName).join(', ')} |\n`;
    });
  });
  return `| tensors | from level | dimensions | data types |\n| --- | --- | --- | --- |\n${rows.join('')}`;
}

/** The rows that differ from the next lower level, highest first. The other rows exist because another tensor changed there. */
function changes(/** @type {import('./facts.mjs').Support[]} */ support) {
  const content = (/** @type {import('./facts.mjs').Support | undefined} */ row) => JSON.stringify({ ...row, since: null });
  return support.filter((row, i) => i === support.length - 1 || content(row) !== content(support[i + 1]));
}

function needOf(/** @type {Field} */ field) {
  if (field.counts !== undefined) return 'filled in';
  if (field.optionalSince !== undefined) return `optional from level ${field.optionalSince} on`;
  if (isInferred(field)) return 'filled in if it [follows](README.md#outputs)';
  if (field.default !== undefined) return `default: ${textOfDefault(field)}`;
  return field.optional ? 'optional' : 'required';
}

function meaningOf(/** @type {Operator} */ operator, /** @type {Field} */ field, /** @type {Enum[]} */ enums) {
  if (field.counts !== undefined) return `the length of ${listOf(field.counts)}${dimensionsOf(field)}`;
  /** @type {(string | undefined)[]} */
  const parts = [];
  if (field.role !== undefined) parts.push(field.role);
  if (field.shape !== undefined) parts.push(`sizes \`${field.shape}\``);
  if (field.kind in MEANINGS) parts.push(MEANINGS[field.kind]);
  if (field.countField !== undefined) parts.push(...alongside(operator, field));
  if (field.kind === 'scalar') parts.push(`a number of the data type in ${scalarTypeOf(operator)}`);
  if (field.kind.startsWith('operator'))
    parts.push('see [activations that can be fused](README.md#activations-that-can-be-fused)');
  if (field.enumName === 'DataType') parts.push('a data type');
  else if (field.enumName !== undefined) parts.push(membersOf(operator, field.enumName, enums));
  if (field.note !== undefined) parts.push(`**Note:** ${field.note}`);
  return parts.join('; ');
}

/** @type {Record<string, string>} */
const MEANINGS = {
  float: 'a 32-bit float',
  floatArray: '32-bit floats',
  scaleBias: 'if it is given, the operator is applied to `input * scale + bias`',
  uint: 'a whole number, 0 to 2³² - 1',
  int: 'a whole number, -2³¹ to 2³¹ - 1',
  uintArray: 'whole numbers, 0 to 2³² - 1',
  intArray: 'whole numbers, -2³¹ to 2³¹ - 1',
};

/** Names the arrays that have the same count field, so must have the same length. */
function alongside(/** @type {Operator} */ { fields }, /** @type {Field} */ { name, countField }) {
  const others = fields.filter((other) => other.countField === countField && other.name !== name);
  return others.length === 0 ? [] : [`as many elements as ${listOf(others.map((other) => other.name))}`];
}

function scalarTypeOf(/** @type {Operator} */ { fields }) {
  const field = fields.find(({ enumName }) => enumName === 'DataType');
  return field === undefined ? 'another field' : `\`${field.name}\``;
}

function membersOf(/** @type {Operator} */ operator, /** @type {string} */ enumName, /** @type {Enum[]} */ enums) {
  const members = enums.find(({ name }) => name === enumName)?.members ?? [];
  return members
    .map(({ name, since }) => (Number(since) > Number(operator.since) ? `\`'${name}'\` (level ${since})` : `\`'${name}'\``))
    .join(', ');
}

export function listOf(/** @type {string[]} */ names) {
  return names.map((name) => `\`${name}\``).join(', ');
}

/** Compares numerically: float16, float32, float64, int4, int8, … */
function byName(/** @type {string} */ a, /** @type {string} */ b) {
  return a.localeCompare(b, 'en', { numeric: true });
}

// Writes the tables of a reference page: the fields of the descriptor, and the data types and dimension counts of its tensors.
import { textOfDefault } from './defaults.mjs';
import { membersOf } from './enums.mjs';
import { dimensionsOf, isInferred, typeOf } from './descriptors.mjs';

/** @typedef {import('./facts.mjs').Field} Field */
/** @typedef {import('./facts.mjs').Operator} Operator */
/** @typedef {import('./facts.mjs').Enum} Enum */

/** @returns {string} */
export function fieldsTable(/** @type {Operator} */ operator, /** @type {readonly Enum[]} */ enums) {
  const rows = operator.fields.map((field) => {
    const type = typeOf(operator, field, 'FusedActivation').replaceAll('readonly ', '').replaceAll('|', '\\|');
    return `| \`${field.name}\` | \`${type}\` | ${needOf(field)} | ${meaningOf(operator, field, enums)} |\n`;
  });
  return `| field | type | needed | meaning |\n| --- | --- | --- | --- |\n${rows.join('')}`;
}

/** Returns a text such as `` `outputTensor` may be written over `aTensor` ``; null if the operator has no such pair. */
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
    return changes(tensors[0]?.support ?? []).map(({ since, min, max, taken }, i) => {
      const range = min === max ? `${min}` : `${min} to ${max}`;
      return `| ${i === 0 ? names : ''} | ${since} | ${range} | ${taken.toSorted(byName).join(', ')} |\n`;
    });
  });
  return `| tensors | from level | dimensions | data types |\n| --- | --- | --- | --- |\n${rows.join('')}`;
}

/** Returns the rows that differ from the next lower level, highest first. In other rows, only another tensor changed. */
function changes(/** @type {readonly import('./facts.mjs').Support[]} */ support) {
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

/** Returns the field's meaning, then the facts that follow from its type, then its note. */
function meaningOf(/** @type {Operator} */ operator, /** @type {Field} */ field, /** @type {readonly Enum[]} */ enums) {
  if (field.counts !== undefined) return `The length of ${listOf(field.counts)}${dimensionsOf(field)}.`;
  const facts = factsOf(operator, field, enums).join('; ');
  const parts = [
    field.role === undefined ? '' : `${capital(field.role)}.`,
    field.meaning ?? '',
    facts === '' ? '' : `${capital(facts)}.`,
    field.note === undefined ? '' : `**Note:** ${field.note}`,
  ];
  return cell(parts.filter((part) => part !== '').join(' '));
}

/** @returns {string[]} */
function factsOf(/** @type {Operator} */ operator, /** @type {Field} */ field, /** @type {readonly Enum[]} */ enums) {
  const parts = [];
  if (field.shape !== undefined) parts.push(`sizes \`${field.shape}\``);
  if (field.defaultDataType !== undefined) parts.push(`default data type: ${field.defaultDataType}`);
  const range = RANGES[field.kind];
  if (range !== undefined) parts.push(range);
  if (field.countField !== undefined) parts.push(...alongside(operator, field));
  if (field.kind === 'scalar') parts.push(`a number of the data type in ${scalarTypeOf(operator)}`);
  if (field.kind.startsWith('operator')) {
    parts.push('see [activations that can be fused](README.md#activations-that-can-be-fused)');
  }
  const values = valuesOf(field, enums).map(({ name }) => `\`'${name}'\``);
  if (values.length > 0) parts.push(`one of the [values](#values) ${values.join(', ')}`);
  return parts;
}

/** Escapes a text for a cell of a Markdown table. */
export function cell(/** @type {string} */ text) {
  return text.replaceAll('|', '\\|');
}

function capital(/** @type {string} */ text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** @type {Record<string, string>} */
const RANGES = {
  float: 'a 32-bit float',
  floatArray: '32-bit floats',
  uint: 'a whole number, 0 to 2³² - 1',
  int: 'a whole number, -2³¹ to 2³¹ - 1',
  uintArray: 'whole numbers, 0 to 2³² - 1',
  intArray: 'whole numbers, -2³¹ to 2³¹ - 1',
};

/** Names the arrays that have the same count field and so must have the same length. */
function alongside(/** @type {Operator} */ { fields }, /** @type {Field} */ { name, countField }) {
  const others = fields.filter((other) => other.countField === countField && other.name !== name);
  return others.length === 0 ? [] : [`as many elements as ${listOf(others.map((other) => other.name))}`];
}

function scalarTypeOf(/** @type {Operator} */ { fields }) {
  const field = fields.find(({ enumName }) => enumName === 'DataType');
  return field === undefined ? 'another field' : `\`${field.name}\``;
}

/** Returns the values of an enum field; none for data types, which the index page lists. */
function valuesOf(/** @type {Field} */ field, /** @type {readonly Enum[]} */ enums) {
  return field.enumName === 'DataType' ? [] : membersOf(field, enums);
}

/** Returns the meanings of the enum fields' values; '' without such fields. Fields of the same enum share their rows. */
export function valuesSection(/** @type {Operator} */ operator, /** @type {readonly Enum[]} */ enums) {
  const withValues = operator.fields.filter((field) => valuesOf(field, enums).length > 0);
  const enumNames = new Set(withValues.map(({ enumName }) => enumName));
  const rows = [...enumNames].flatMap((enumName) => {
    const fields = withValues.filter((field) => field.enumName === enumName);
    const [first] = fields;
    return (first === undefined ? [] : valuesOf(first, enums)).map(({ name, since, meaning = '' }, i) => {
      const level = Number(since) > Number(operator.since) ? ` (level ${since})` : '';
      const owners = i === 0 ? listOf(fields.map((field) => field.name)) : '';
      return `| ${owners} | \`'${name}'\`${level} | ${cell(meaning)} |\n`;
    });
  });
  return rows.length === 0 ? '' : `## Values\n\n| field | value | meaning |\n| --- | --- | --- |\n${rows.join('')}`;
}

function listOf(/** @type {readonly string[]} */ names) {
  return names.map((name) => `\`${name}\``).join(', ');
}

/** Compares numerically: float16, float32, float64, int4, int8, … */
function byName(/** @type {string} */ a, /** @type {string} */ b) {
  return a.localeCompare(b, 'en', { numeric: true });
}

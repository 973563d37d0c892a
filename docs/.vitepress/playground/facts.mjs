// @ts-check
// What the editor completes: the operators with their fields and values, from the operator table.
import { textOfDefault } from '../../../scripts/generate/defaults.mjs';
import { membersOf } from '../../../scripts/generate/enums.mjs';
import { readFacts } from '../../../scripts/generate/facts.mjs';

/**
 * @typedef {object} ValueCompletion
 * @property {string} name
 * @property {string} meaning
 *
 * @typedef {object} FieldCompletion
 * @property {string} name
 * @property {string} need such as `required` or `default: 1`
 * @property {string} meaning
 * @property {boolean} isArgument true if the operator's function takes it before its options
 * @property {boolean} isTensor
 * @property {boolean} isActivation
 * @property {ValueCompletion[]} values what a text can be; empty for other fields
 *
 * @typedef {object} OperatorCompletion
 * @property {string} name
 * @property {string} meaning
 * @property {FieldCompletion[]} fields
 */

/** @returns {OperatorCompletion[]} */
export function completions() {
  const { operators, enums } = readFacts();
  return operators.map(({ name, summary, fields }) => ({
    name,
    meaning: summary,
    fields: fields
      .filter(({ counts }) => counts === undefined)
      .map((field) => ({
        name: field.name,
        need: needOf(field),
        meaning: field.meaning ?? '',
        isArgument: field.role === 'input' && field.optional !== true,
        isTensor: field.role !== undefined,
        isActivation: field.kind.startsWith('operator'),
        values:
          field.enumName === undefined
            ? []
            : membersOf(field, enums).map((value) => ({ name: value.name, meaning: value.meaning })),
      })),
  }));
}

function needOf(/** @type {import('../../../scripts/generate/facts.mjs').Field} */ field) {
  if (field.default !== undefined) return `default: ${textOfDefault(field)}`;
  return field.optional === true ? 'optional' : '';
}

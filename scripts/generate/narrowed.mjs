// Enums and data types of which an operator's rule refuses a part: reads lib/schema/narrowed.json.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @typedef {import('./facts.mjs').Field} Field */
/** @typedef {import('./facts.mjs').Enum} Enum */
/** @typedef {import('./facts.mjs').Operator} Operator */

/** Sets the members that an enum field takes, and the support that a tensor has in the end, where the rule refuses the others. */
export function readNarrowed(/** @type {string} */ folder, /** @type {readonly Operator[]} */ operators) {
  const json = JSON.parse(readFileSync(join(folder, 'narrowed.json'), 'utf8'));
  /** @type {[string, Record<string, string[]>][]} */
  const members = Object.entries(json.members);
  for (const [names, byField] of members) {
    for (const operator of named(names, operators)) {
      for (const [name, taken] of Object.entries(byField)) {
        const field = operator.fields.find((each) => each.name === name);
        if (field === undefined) throw new Error(`narrowed.json: there is no ${operator.name}.${name}`);
        field.taken = taken;
      }
    }
  }
  /** @type {[string, string[]][]} */
  const refused = Object.entries(json.refusedDataTypes);
  for (const [names, types] of refused) {
    for (const { support = [] } of named(names, operators).flatMap(({ fields }) => fields)) {
      for (const row of support) row.taken = row.dataTypes.filter((type) => !types.includes(type));
    }
  }
}

/** The members of an enum that a field takes. */
export function membersOf(/** @type {Field} */ { enumName, taken }, /** @type {readonly Enum[]} */ enums) {
  const members = enums.find(({ name }) => name === enumName)?.members ?? [];
  return taken === undefined ? members : members.filter(({ name }) => taken.includes(name));
}

function named(/** @type {string} */ names, /** @type {readonly Operator[]} */ operators) {
  return names.split(', ').map((name) => {
    const operator = operators.find((each) => each.name === name);
    if (operator === undefined) throw new Error(`narrowed.json: there is no operator ${name}`);
    return operator;
  });
}

// What fields and members of enums mean: reads the sentences in lib/schema/meanings.json for pages and hover texts.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The sentence of a field: for all operators, for some (by their names, separated by ", "), or for all and others for some.
 * @typedef {{ meaning?: string, in?: Record<string, string> }} FieldMeaning
 * @typedef {{ fields: Record<string, FieldMeaning>, enums: Record<string, Record<string, string>> }} Meanings
 * @typedef {{ name: string, fields: { name: string, counts?: readonly string[], meaning?: string }[] }} Operator
 * @typedef {{ name: string, members: { name: string, meaning?: string }[] }} Enum
 */

/** Sets the meaning of each field and of each member. */
export function readMeanings(
  /** @type {string} */ folder,
  /** @type {readonly Operator[]} */ operators,
  /** @type {readonly Enum[]} */ enums,
) {
  /** @type {Meanings} */
  const meanings = JSON.parse(readFileSync(join(folder, 'meanings.json'), 'utf8'));
  const problems = addMeanings(meanings, operators, enums);
  if (problems.length > 0) throw new Error(`meanings.json:\n  ${problems.join('\n  ')}`);
}

/**
 * Sets the meaning of each field and of each member. Returns what has no sentence, and the sentences that nothing uses.
 * @returns {string[]}
 */
export function addMeanings(
  /** @type {Meanings} */ { fields, enums: sentences },
  /** @type {readonly Operator[]} */ operators,
  /** @type {readonly Enum[]} */ enums,
) {
  const texts = new Texts(fields, sentences);
  for (const operator of operators) {
    for (const field of operator.fields) {
      // The sentence of a count follows from what it counts.
      if (field.counts !== undefined) continue;
      texts.give(field, `${operator.name}.${field.name}`, field.name);
    }
  }
  for (const { name, members } of enums) {
    for (const member of members) {
      texts.give(member, `${name}: ${member.name}`);
    }
  }
  return [...texts.problems, ...texts.unused()];
}

/** All sentences by what they are about. Knows which ones nobody has taken. */
class Texts {
  /** @type {string[]} */
  problems = [];
  /** @type {Map<string, string>} */
  #texts = new Map();
  /** @type {Set<string>} */
  #taken = new Set();

  constructor(/** @type {Meanings['fields']} */ fields, /** @type {Meanings['enums']} */ enums) {
    for (const [name, { meaning, in: byOperators = {} }] of Object.entries(fields)) {
      if (meaning !== undefined) this.#set(name, meaning);
      for (const [operators, text] of Object.entries(byOperators)) {
        for (const operator of operators.split(', ')) this.#set(`${operator}.${name}`, text);
      }
    }
    for (const [name, members] of Object.entries(enums)) {
      for (const [member, text] of Object.entries(members)) this.#set(`${name}: ${member}`, text);
    }
  }

  /** Sets the meaning of a field or a member to the sentence under the first key that has one. */
  give(/** @type {{ meaning?: string }} */ target, /** @type {string[]} */ ...keys) {
    const key = keys.find((candidate) => this.#texts.has(candidate));
    const text = key === undefined ? undefined : this.#texts.get(key);
    if (key === undefined || text === undefined) {
      this.problems.push(`${keys[0]} has no meaning`);
      return;
    }
    this.#taken.add(key);
    target.meaning = text;
  }

  unused() {
    return [...this.#texts.keys()].filter((key) => !this.#taken.has(key)).map((key) => `nothing uses the meaning of ${key}`);
  }

  #set(/** @type {string} */ key, /** @type {string} */ text) {
    if (this.#texts.has(key)) this.problems.push(`${key} has two meanings`);
    if (!/^\S.*\.$/.test(text)) this.problems.push(`the meaning of ${key} is no sentence: ${text}`);
    this.#texts.set(key, text);
  }
}

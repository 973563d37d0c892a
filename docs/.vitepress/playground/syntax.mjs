// @ts-check
// Says where the engine's refusal of a program lies: engines tell neither the line of a syntax error nor of a wrong import.
import { parse } from 'acorn';
import { didYouMean } from '../../../lib/values/near-names.js';

/** @typedef {import('./imports.mjs').Library} Library */

/**
 * The error of a program that no engine runs: at its first syntax error, or at the first name that the library does not have.
 * @param {string} code without types
 * @param {Library} library
 * @param {Error} refusal what the engine said, for a program in which nothing is found
 * @returns {Promise<Error>}
 */
export async function explained(code, library, refusal) {
  /** @type {import('acorn').Program} */
  let program;
  try {
    program = parse(code, { ecmaVersion: 'latest', sourceType: 'module', locations: true });
  } catch (error) {
    if (!(error instanceof SyntaxError) || !('loc' in error)) return refusal;
    return placed(error.message.replace(/ \(\d+:\d+\)$/, ''), /** @type {Place} */ (error.loc));
  }
  for (const statement of program.body) {
    if (statement.type !== 'ImportDeclaration') continue;
    const from = String(statement.source.value);
    const entry = Object.hasOwn(library, from) ? await library[from]?.() : undefined;
    for (const specifier of statement.specifiers) {
      if (entry === undefined || specifier.type !== 'ImportSpecifier') continue;
      const { imported, loc } = specifier;
      const name = imported.type === 'Identifier' ? imported.name : String(imported.value);
      if (name in entry || loc == null) continue;
      return placed(`'${from}' has no export '${name}'${await hintOf(name, from, library)}`, loc.start);
    }
  }
  return refusal;
}

/** The nearest name in the entry, or the entry that has the name. */
async function hintOf(/** @type {string} */ name, /** @type {string} */ from, /** @type {Library} */ library) {
  for (const [other, load] of Object.entries(library)) {
    if (other !== from && name in (await load())) return `; '${other}' has it`;
  }
  const question = didYouMean(name, Object.keys((await library[from]?.()) ?? {}));
  return question === undefined ? '' : ` (${question})`;
}

/** @typedef {{ readonly line: number, readonly column: number }} Place from line 1 and column 0 on */

/** The stack is one that `describeError` reads. */
function placed(/** @type {string} */ message, /** @type {Place} */ { line, column }) {
  const error = new SyntaxError(message);
  error.stack = `SyntaxError: ${message}\n    at blob:program:${line}:${column + 1}`;
  return error;
}

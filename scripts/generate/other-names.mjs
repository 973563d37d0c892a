// Writes generated/other-names.ts and a line of the reference pages: the names that operators have elsewhere.
import { banner } from './banner.mjs';

/** @typedef {import('./facts.mjs').Operator} Operator */

/** @returns {string} */
export function otherNamesFile(/** @type {import('./facts.mjs').Facts} */ { operators }) {
  const rows = operators.flatMap(({ name, otherNames: { words: _words, ...sources } = {} }) => {
    const names = [...new Set(Object.values(sources).flat())];
    return names.length === 0 ? [] : `    ${name}: [${names.map((other) => `'${other}'`).join(', ')}],\n`;
  });
  return `${banner}
import { withoutPrototypes } from '../../values/without-prototypes.js';
import type { OperatorType } from './descriptors.js';

/** Names of operators in ONNX, WebNN, PyTorch and elsewhere. A function, so that the table is made only if an error needs it. */
export function otherOperatorNames(): Readonly<Partial<Record<OperatorType, readonly string[]>>> {
  return withoutPrototypes({
${rows.join('')}  });
}
`;
}

/**
 * Returns the line `Also known as: ONNX \`Gemm\`, \`MatMul\`; WebNN \`gemm\`.`; '' for an operator without other names.
 * @returns {string}
 */
export function alsoKnownAs(/** @type {Operator} */ { otherNames: { words = [], ...named } = {} }) {
  const sources = Object.entries(named).map(([source, names]) =>
    source === 'others' ? listOf(names) : `${source} ${listOf(names)}`,
  );
  const lines = [
    sources.length === 0 ? '' : `Also known as: ${sources.join('; ')}.`,
    words.length === 0 ? '' : `Search words: ${words.join(', ')}.`,
  ];
  const text = lines.filter((line) => line !== '').join('\n\n');
  return text === '' ? '' : `${text}\n`;
}

/** Returns all names and search words, so that a search of the index page finds the operator. */
export function searchedAs(/** @type {Operator} */ { otherNames: { words = [], ...named } = {} }) {
  return [...new Set([...Object.values(named).flat(), ...words])].join(', ');
}

function listOf(/** @type {readonly string[]} */ names) {
  return names.map((other) => `\`${other}\``).join(', ');
}

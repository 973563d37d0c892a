// What each operator computes, in one sentence, and the family that it belongs to: reads lib/schema/summaries.json.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @typedef {import('./facts.mjs').Operator} Operator */

/**
 * Sets the family and the summary of each operator. Returns the operators by family, in the file's order.
 * @returns {Map<string, Operator[]>}
 */
export function readSummaries(/** @type {string} */ folder, /** @type {readonly Operator[]} */ operators) {
  /** @type {Record<string, Record<string, string>>} */
  const json = JSON.parse(readFileSync(join(folder, 'summaries.json'), 'utf8'));
  const byNativeName = new Map(operators.map((operator) => [operator.nativeName, operator]));
  const families = Object.entries(json).map(([family, summaries]) => {
    const members = Object.entries(summaries).map(([nativeName, summary]) => {
      const operator = byNativeName.get(nativeName);
      if (operator === undefined) throw new Error(`summaries.json: there is no operator ${nativeName}`);
      return Object.assign(operator, { family, summary });
    });
    return /** @type {const} */ ([family, members]);
  });
  const missing = operators.filter(({ summary }) => summary === '').map(({ nativeName }) => nativeName);
  if (missing.length > 0) throw new Error(`summaries.json: no summary of ${missing.join(', ')}`);
  return new Map(families);
}

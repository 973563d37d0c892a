// What operators compute, beyond their summary: reads the lines in lib/schema/explanations.json for the pages.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @typedef {import('./facts.mjs').Operator} Operator */

/** Sets the explanation of each operator that has one. */
export function readExplanations(/** @type {string} */ folder, /** @type {readonly Operator[]} */ operators) {
  /** @type {Record<string, string[]>} */
  const explanations = JSON.parse(readFileSync(join(folder, 'explanations.json'), 'utf8')).explanations;
  for (const [names, lines] of Object.entries(explanations)) {
    for (const name of names.split(', ')) {
      const operator = operators.find((each) => each.name === name);
      if (operator === undefined) throw new Error(`explanations.json: there is no operator ${name}`);
      if (operator.explanation !== undefined) throw new Error(`explanations.json: ${name} has two explanations`);
      operator.explanation = lines;
    }
  }
}

/** The section of the operator's page; '' for an operator whose summary says it all. */
export function explanationOf(/** @type {Operator} */ { explanation }) {
  if (explanation === undefined) return '';
  return `## Computation\n\n${explanation.map((line) => `- ${line}\n`).join('')}`;
}

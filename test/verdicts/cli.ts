/**
 * `npm run verdicts [-- operator…]`: updates the stored verdicts of validation after an intended change of a rule, or of the
 * words that a descriptor of `own.ts` gets. `git diff` shows what changes for users. `-- --collect` selects new descriptors
 * after a change of the generators or of `own.ts`.
 */
import { parseArgs } from 'node:util';
import { isOperatorType } from '#lib/validation/index.js';
import { operatorTypes } from '../operators/cases.js';
import { collect } from './collect.js';
import { readVerdicts, verdictOf, writeVerdicts } from './verdict.js';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { collect: { type: 'boolean', default: false } } });
const unknown = positionals.filter((name) => !isOperatorType(name));
if (unknown.length > 0) throw new RangeError(`no operator: ${unknown.join(', ')}`);
const operators = positionals.length === 0 ? operatorTypes : positionals.filter(isOperatorType);
const collected = values.collect ? collect(operators) : undefined;
let count = 0;
for (const operator of operators) {
  const verdicts = collected?.get(operator) ?? readVerdicts(operator).map(({ descriptor }) => verdictOf(descriptor));
  writeVerdicts(operator, verdicts);
  count += verdicts.length;
}
console.log(`${count} verdicts written`);

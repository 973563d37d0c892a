/**
 * `npm run verdicts:write`: rewrites the stored verdicts of validation after an intended change of a rule, or of an error message
 * for a descriptor of `own.ts`.
 */
import { isOperatorType } from '#lib/operators/resolve.js';
import { runTool, type Mode } from '../harness/tool.js';
import { operatorTypes } from '../operators/cases.js';
import { collect } from '../verdicts/collect.js';
import { readVerdicts, verdictOf, writeVerdicts } from '../verdicts/verdict.js';

const verdicts: Mode = {
  summary:
    'Writes the stored verdicts again, after an intended change of a rule or of its words. `git diff` shows what changes for users.',
  names: operatorTypes,
  options: { collect: 'selects the descriptors anew, after a change of the generators or of own.ts' },
  async run(given) {
    const operators = given.names.filter(isOperatorType);
    const collected = given.has('collect') ? collect(operators) : undefined;
    let count = 0;
    for (const operator of operators) {
      const written = collected?.get(operator) ?? readVerdicts(operator).map(({ descriptor }) => verdictOf(descriptor));
      writeVerdicts(operator, written);
      count += written.length;
    }
    console.log(`${count} verdicts written`);
    return 0;
  },
};

runTool({ name: 'verdicts:write', modes: [verdicts] });

/**
 * `npm run verdicts:write`: rewrites the stored verdicts of validation after an intended change of a rule or of an error message.
 */
import { isOperatorType } from '#lib/operators/resolve.js';
import { runTool, type Mode } from '../harness/tool.js';
import { operatorTypes } from '../operators/cases.js';
import { collect } from '../verdicts/collect.js';
import { readVerdicts, verdictOf, withOwn, writeVerdicts } from '../verdicts/verdict.js';

const verdicts: Mode = {
  summary:
    'Writes the stored verdicts again, after an intended change of a rule or of its words, or with what own.ts has now. `git diff` shows what changes for users.',
  names: operatorTypes,
  options: { collect: 'selects the descriptors anew, after a change of the generators' },
  async run(given) {
    const operators = given.names.filter(isOperatorType);
    const collected = given.has('collect') ? collect(operators) : undefined;
    let count = 0;
    for (const operator of operators) {
      const chosen = collected?.get(operator) ?? readVerdicts(operator).map(({ descriptor }) => descriptor);
      const written = withOwn(operator, chosen).map(verdictOf);
      writeVerdicts(operator, written);
      count += written.length;
    }
    console.log(`${count} verdicts written`);
    return 0;
  },
};

runTool({ name: 'verdicts:write', modes: [verdicts] });

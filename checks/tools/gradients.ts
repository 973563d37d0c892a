/** `npm run gradients`: the gradients of operators against differences of what they compute. */
import { createDevice, type OperatorType } from 'node-directml';
import { isOperatorType } from '#lib/operators/resolve.js';
import { gradientRuleOf } from '#lib/gradients/rule-of.js';
import { showProgress } from '../harness/report.js';
import { runTool, type Mode } from '../harness/tool.js';
import { operatorTypes } from '../operators/cases.js';
import { checkGradient } from '../gradients/check.js';

export const differentiable: readonly OperatorType[] = operatorTypes.filter((type) => typeof gradientRuleOf(type) !== 'string');

const gradients: Mode = {
  summary:
    'Compares the gradients of the named operators (of all that have one, if none is named) with differences of their outputs. ' +
    'Descriptors are those of the conformance cases; elements are drawn where the operator is smooth.',
  names: operatorTypes,
  options: {
    seed: '',
    cases: 'how many cases of each operator (default: 200)',
    from: '',
    backend: 'directml or reference (default: directml)',
  },
  async run(given) {
    const seed = given.seed();
    const backend = given.choiceOf('backend', ['directml', 'reference']);
    const chosen = given.names.filter(isOperatorType).filter((type) => differentiable.includes(type));
    const device = await createDevice({ backend });
    const from = given.numberOf('from', 0);
    const count = given.numberOf('cases', 200);
    let failures = 0;
    for (const operator of chosen) {
      const counts = { passed: 0, failed: 0, unsuitable: 0, refused: 0, kink: 0 };
      // Cases of other data types do not count.
      for (let number = from; counts.passed + counts.failed < count && number < from + 12 * count; number++) {
        const outcome = await checkGradient(device, { operator, seed, number });
        counts[outcome.kind]++;
        if (outcome.kind !== 'failed') continue;
        if (++failures <= 20) console.log(`${operator} --seed ${seed} --from ${number} --cases 1: ${outcome.why}`);
        showProgress(`${operator}: ${counts.passed} passed `);
      }
      showProgress('');
      console.log(
        `${operator}: ${counts.passed} passed, ${counts.failed} failed, ${counts.kink} not smooth, ${counts.refused} refused`,
      );
    }
    device.dispose();
    console.log(`\n${chosen.length} operators, ${failures} failures`);
    return failures;
  },
};

runTool({ name: 'npm run gradients --', modes: [gradients] });

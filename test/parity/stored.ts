/** `npm run parity -- --stored`: our validation and the real DirectML judge the stored descriptors. */
import type { Mode } from '../harness/tool.js';
import { operatorTypes } from '../operators/cases.js';
import { readVerdicts } from '../verdicts/verdict.js';
import { judge } from './judge.js';
import { describe, isFailure, printTotal } from './report.js';

export const stored: Mode = {
  option: 'stored',
  summary: 'Our validation and DirectML judge the descriptors in test/verdicts/stored.',
  options: {},
  async run() {
    const verdicts = operatorTypes.flatMap(readVerdicts);
    const judged = await judge(verdicts.map(({ descriptor, verdict }) => ({ rule: `open: ${verdict}`, descriptor })));
    const failures = judged.filter(isFailure);
    for (const one of failures) console.log(`\n${describe(one)}`);
    printTotal(operatorTypes.length, judged);
    return failures.length;
  },
};

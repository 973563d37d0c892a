/** Validation gives the stored verdict on every stored descriptor. */
import { expect, test } from 'vitest';
import { writeJson } from '../../../checks/cases/case.js';
import { operatorTypes } from '../../../checks/operators/cases.js';
import { ownDescriptors } from '../../../checks/verdicts/own.js';
import { readVerdicts, verdictOf } from '../../../checks/verdicts/verdict.js';

test.each(operatorTypes)('%s has its stored verdicts (`npm run verdicts:write` stores intended changes)', (operator) => {
  const stored = readVerdicts(operator);
  expect(stored.map(({ descriptor }) => verdictOf(descriptor))).toEqual(stored);
});

test('each descriptor of own.ts is stored', () => {
  const stored = new Set(operatorTypes.flatMap(readVerdicts).map(({ descriptor }) => writeJson(descriptor)));
  expect(ownDescriptors.map(writeJson).filter((json) => !stored.has(json))).toEqual([]);
});

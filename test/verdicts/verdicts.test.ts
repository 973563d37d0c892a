/** Validation gives the stored verdict on every stored descriptor, word for word. */
import { expect, test } from 'vitest';
import { operatorTypes } from '../operators/cases.js';
import { readVerdicts, verdictOf } from './verdict.js';

test.each(operatorTypes)('%s: `npm run verdicts` writes what a meant change makes of them', (operator) => {
  const stored = readVerdicts(operator);
  expect(stored.map(({ descriptor }) => verdictOf(descriptor))).toEqual(stored);
});

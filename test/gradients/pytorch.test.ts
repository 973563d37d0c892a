/** Gradients against those that PyTorch computed: of operators, and of random programs with views. */
import { describe, expect, test } from 'vitest';
import { backends, deviceOn } from '../support/devices.js';
import { drawn } from '../support/level.js';
import { attempt } from '../../checks/gradients/check.js';
import { differenceFrom, drawForPyTorch, readStored } from '../../checks/gradients/oracle.js';

const stored = readStored();
const programs = stored.filter(({ operator }) => operator === 'programs');
const operators = [...new Set(stored.map(({ operator }) => operator))].filter((operator) => operator !== 'programs');
const count = drawn({ quick: 2, all: 4 });

test('at least 60 operators, and 300 programs', () => {
  expect(operators.length).toBeGreaterThanOrEqual(60);
  expect(programs).toHaveLength(300);
});

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);

  async function check(expectations: typeof stored): Promise<void> {
    for (const expectation of expectations) {
      const { operator, seed, number } = expectation;
      const drawnCase = drawForPyTorch(expectation);
      if ('kind' in drawnCase) throw new Error(`${operator} ${number}: ${drawnCase.why}`);
      const outcome = await attempt(device(), drawnCase, async (program) => {
        const why = await differenceFrom(expectation, program);
        return { kind: why === '' ? 'passed' : 'failed', why };
      });
      expect(outcome, `npm run gradients -- ${operator} --pytorch --seed ${seed} --from ${number} --cases 1`).toEqual({
        kind: 'passed',
        why: '',
      });
    }
  }

  test.each(operators)('%s', (operator) => check(stored.filter((each) => each.operator === operator).slice(-count)));

  test.each([0, 1, 2, 3, 4, 5])('fifty programs, part %i', (part) => check(programs.slice(50 * part, 50 * part + 50)));
});

/**
 * The conformance cases that `npm test` runs, which are always the same. They have three parts, one per test file, so that two
 * files can run at once; together these cover all operators. They need the real DirectML: Windows, or the sandbox.
 */
import type { OperatorType } from 'node-directml';
import { describe, expect, it } from 'vitest';
import { bothDevices } from '../../support/devices.js';
import { drawn } from '../../support/level.js';
import { fixedCases, operatorTypes } from '../../../checks/operators/cases.js';
import { families, type Family } from '../../../checks/operators/families.js';
import { casesOf, conform } from '../../../checks/conformance/runner.js';

/** How an output element is computed: from the elements at its position, from one element anywhere, or from many. */
type Part = 'element-wise' | 'moving' | 'summing';

const SEED = 20260101;
/**
 * The number of random cases per operator, after the fixed ones. Of 85 small mistakes in kernels that 300 cases revealed, the first
 * 22 cases revealed 79, the first 30 revealed 81, and the first 60 revealed 82.
 */
const COUNT = drawn({ quick: 30, all: 300 });
/** ScatterND: once through the 11 value types × 4 index types × 8 dimension counts. */
const SCATTER_ND_COUNT = 352;

/** The families of operators that move, fill or sort elements. */
const MOVING: readonly Family[] = [
  'along-axis',
  'depth-space',
  'fill-join',
  'padding',
  'scatter-gather',
  'sequence',
  'slice',
  'top-k',
];

function partOf(operator: OperatorType): Part {
  if (MOVING.some((family) => operator in families[family].cases)) return 'moving';
  return /^(elementWise|activation)/.test(operator) ? 'element-wise' : 'summing';
}

export function testPart(part: Part): void {
  describe(`every ${part} operator computes what the reference computes`, () => {
    const devices = bothDevices();
    const operators = operatorTypes.filter((operator) => partOf(operator) === part);

    it.each(operators)('%s', async (operator) => {
      const fixed = fixedCases[operator]?.().length ?? 0;
      const count = operator === 'scatterNd' ? SCATTER_ND_COUNT : fixed + COUNT;
      const report = await conform(devices(), operator, casesOf(operator, SEED, count));
      expect(report.failures).toEqual([]);
      expect(report.cases).toBe(count);
    });
  });
}

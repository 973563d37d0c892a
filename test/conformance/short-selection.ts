/**
 * The selection of conformance cases that `npm test` runs: seeded, always the same ones. Two of its three families can
 * run at once; together they are all operators. It needs the real DirectML: Windows, or the sandbox.
 */
import type { OperatorType } from 'node-directml';
import { describe, expect, it } from 'vitest';
import { bothDevices } from '../support/devices.js';
import { operatorTypes } from '../operators/cases.js';
import { casesOf, conform } from './runner.js';
import { movementTolerances } from './tolerance/movement.js';

/** Of what each output element is computed: the elements in its place, one element from anywhere, or many. */
export type Family = 'element-wise' | 'moving' | 'summing';

const SEED = 20260101;
/** Of small wrong changes to the kernels, 22 cases noticed fewer than 95 of 100. */
const COUNT = 300;
/** ScatterND: once through the 11 value types × 4 index types × 8 dimension counts. */
const SCATTER_ND_COUNT = 352;

export function familyOf(operator: OperatorType): Family {
  if (operator in movementTolerances) return 'moving';
  return /^(elementWise|activation)/.test(operator) ? 'element-wise' : 'summing';
}

export function testFamily(family: Family): void {
  describe.runIf(process.platform === 'win32')(`every ${family} operator computes what the reference computes`, () => {
    const devices = bothDevices();
    const operators = operatorTypes.filter((operator) => familyOf(operator) === family);

    it.each(operators)('%s', { timeout: 300_000 }, async (operator) => {
      const count = operator === 'scatterNd' ? SCATTER_ND_COUNT : COUNT;
      const report = await conform(devices(), operator, casesOf(operator, SEED, count));
      expect(report.failures).toEqual([]);
      expect(report.cases).toBe(count);
    });
  });
}

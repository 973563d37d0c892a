/**
 * The selection of conformance cases that `npm test` runs: seeded, always the same ones. Two of its three parts can run
 * at once; together they are all operators. It needs the real DirectML: Windows, or the sandbox.
 */
import type { OperatorType } from 'node-directml';
import { describe, expect, it } from 'vitest';
import { bothDevices } from '../support/devices.js';
import { operatorTypes } from '../operators/cases.js';
import { families, type Family } from '../operators/families.js';
import { casesOf, conform } from './runner.js';

/** Of what each output element is computed: the elements in its place, one element from anywhere, or many. */
export type Part = 'element-wise' | 'moving' | 'summing';

const SEED = 20260101;
/** Of small wrong changes to the kernels, 22 cases noticed fewer than 95 of 100. */
const COUNT = 300;
/** ScatterND: once through the 11 value types × 4 index types × 8 dimension counts. */
const SCATTER_ND_COUNT = 352;

/** They move, fill and sort. */
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
  describe.runIf(process.platform === 'win32')(`every ${part} operator computes what the reference computes`, () => {
    const devices = bothDevices();
    const operators = operatorTypes.filter((operator) => partOf(operator) === part);

    it.each(operators)('%s', { timeout: 300_000 }, async (operator) => {
      const count = operator === 'scatterNd' ? SCATTER_ND_COUNT : COUNT;
      const report = await conform(devices(), operator, casesOf(operator, SEED, count));
      expect(report.failures).toEqual([]);
      expect(report.cases).toBe(count);
    });
  });
}

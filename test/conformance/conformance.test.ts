/** A shorter, seeded selection of the conformance cases. It needs the real DirectML: Windows, or the sandbox. */
import { describe, expect, it } from 'vitest';
import { bothDevices } from '../support/devices.js';
import { operatorTypes } from './cases/index.js';
import { casesOf, conform } from './runner.js';

const SEED = 20260101;

describe.runIf(process.platform === 'win32')('every operator computes what the reference computes', () => {
  const devices = bothDevices();

  it.each(operatorTypes)('%s', { timeout: 120_000 }, async (operator) => {
    const count = operator === 'scatterNd' ? 352 : 22;
    const report = await conform(devices(), operator, casesOf(operator, SEED, count));
    expect(report.failures).toEqual([]);
    expect(report.cases).toBe(count);
  });
});

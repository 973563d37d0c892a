/** A short run of `npm run conformance -- --webnn`: on DirectML where it is, otherwise on the reference backend. */
import { ml } from 'node-directml/webnn';
import { describe, expect, test } from 'vitest';
import { deviceOn } from '../support/devices.js';
import { operatorNames, operators } from '../../checks/webnn/operators.js';
import { casesOf, commandOf, conform } from '../../checks/webnn/runner.js';

const backend = process.platform === 'win32' ? 'directml' : 'reference';

describe(`formulas and ${backend}`, () => {
  const device = deviceOn(backend);

  test.each(operatorNames)('%s', async (name) => {
    const operator = operators[name];
    if (operator === undefined) throw new RangeError(`no cases for ${name}`);
    const context = await ml.createContext(device());
    const backends = [{ name: backend, context } as const];
    const cases = casesOf(backends, name, operator, { seed: 20260102, cases: 1 });
    const report = await conform(backends, name, operator, cases);
    expect(report.failures.map((failure) => `${failure.message}\n${commandOf(failure)}`)).toEqual([]);
    expect(report.cases).toBeGreaterThan(0);
    context.destroy();
  });
});

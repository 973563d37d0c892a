/** A short run of `npm run conformance -- --webnn`: on DirectML where it is, otherwise on the reference backend. */
import { ml } from 'node-directml/webnn';
import { describe, expect, test } from 'vitest';
import { deviceOn } from '../../support/devices.js';
import { operatorNames, operators } from './operators.js';
import { commandOf, conformOperator } from './runner.js';

const backend = process.platform === 'win32' ? 'directml' : 'reference';

describe(`formulas and ${backend}`, () => {
  const device = deviceOn(backend);

  test.each(operatorNames)('%s', async (name) => {
    const operator = operators[name];
    if (operator === undefined) throw new RangeError(`no cases for ${name}`);
    const context = await ml.createContext(device());
    const report = await conformOperator([{ name: backend, context }], name, operator, { seed: 20260102, cases: 1 });
    expect(report.failures.map((failure) => `${failure.message}\n${commandOf(failure)}`)).toEqual([]);
    expect(report.missing).toEqual([]);
    expect(report.cases).toBeGreaterThan(0);
    context.destroy();
  });
});

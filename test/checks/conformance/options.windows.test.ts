/** Every operator computes the same with each execution flag, and with inputs that DirectML owns. */
import type { OperatorType } from 'node-directml';
import { describe, expect, it } from 'vitest';
import { bothDevices } from '../../support/devices.js';
import { drawn } from '../../support/level.js';
import type { ConformanceCase } from '../../../checks/cases/case.js';
import { operatorTypes } from '../../../checks/operators/cases.js';
import { IN_SANDBOX } from '../../../checks/conformance/exceptions.js';
import { runCase } from '../../../checks/cases/run-case.js';
import { casesOf, conform } from '../../../checks/conformance/runner.js';
import { toleranceOf } from '../../../checks/operators/tolerances.js';
import { isExact } from '../../../checks/tolerance/row.js';

const SEED = 20260102;
const CASES = drawn({ quick: 1, all: 2 });
/** Operators whose tensors DirectML never owns; validation refuses such a case. */
const OWNED_NEVER: readonly string[] = ['rnn', 'gru', 'lstm'];

describe('options of compile()', () => {
  const devices = bothDevices();

  const failures = async (operator: OperatorType, change: (test: ConformanceCase) => ConformanceCase) => {
    const cases = [...casesOf(operator, SEED, CASES)].map(change);
    return (await conform(devices(), operator, cases)).failures;
  };

  it.each(operatorTypes)('%s computes the same', async (operator) => {
    expect(await failures(operator, (test) => ({ ...test, flags: { disableMetacommands: true } }))).toEqual([]);
    const owned = await failures(operator, withOwnedInputs);
    if (OWNED_NEVER.includes(operator)) {
      expect(owned).toHaveLength(CASES);
      for (const { message } of owned) expect(message).toContain('DirectML owns no tensor of it');
    } else {
      expect(owned).toEqual([]);
    }
    const halves = [...casesOf(operator, SEED, CASES)].map((test) => ({
      ...test,
      flags: { allowHalfPrecisionComputation: true },
    }));
    // The driver decides how half precision changes a result; only exact operators must stay equal. The sandbox's driver
    // does not compute in half precision, so there all operators must.
    const known = halves.filter((test) => IN_SANDBOX || outputsOf(test).every((name) => isExact(toleranceOf(test, name))));
    expect((await conform(devices(), operator, known)).failures).toEqual([]);
    for (const test of halves.filter((test) => !known.includes(test))) await runCase(devices().directml, test);
  });
});

/** The case with all inputs owned by DirectML, and with separate buffers. The inputs are the tensors that have data in the case. */
function withOwnedInputs({ inPlace: _inPlace, enlargedTo: _enlargedTo, ...test }: ConformanceCase): ConformanceCase {
  const descriptor: ConformanceCase['descriptor'] = { ...test.descriptor };
  for (const name of Object.keys(test.data)) {
    const value: unknown = Reflect.get(descriptor, name);
    Reflect.set(descriptor, name, Array.isArray(value) ? value.map(owned) : owned(value));
  }
  return { ...test, descriptor };
}

/** The outputs: the tensors that the case has no data for. */
function outputsOf({ descriptor, data }: ConformanceCase): string[] {
  return Object.keys(descriptor).filter((name) => /tensors?$/i.test(name) && !(name in data));
}

function owned(tensor: unknown): unknown {
  return typeof tensor !== 'object' ? tensor : { ...tensor, flags: 'ownedByDml' };
}

/** Compares the reference with onnxruntime's independent CPU provider, on the generated cases that ONNX can express. */
import { createDevice, type Device } from 'node-directml';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isOperatorType } from '#lib/operators/resolve.js';
import { counterparts } from '../../checks/operators/onnxruntime.js';
import { casesOf, conform } from '../../checks/conformance/runner.js';

const SEED = 20260103;
/** The number of cases per operator: enough for cast to go once through all 11 × 11 pairs of data types. */
const CASES = 121;

let reference: Device;

beforeAll(async () => {
  reference = await createDevice({ backend: 'reference' });
});

afterAll(() => reference.dispose());

it.each(Object.keys(counterparts).filter(isOperatorType))('%s', async (operator) => {
  const cases = casesOf(operator, SEED, CASES);
  const report = await conform({ directml: reference, reference }, operator, cases, { onnxruntime: true });
  expect(report.failures).toEqual([]);
  expect(report.equalToOnnx).toBeGreaterThan(CASES / 10);
});

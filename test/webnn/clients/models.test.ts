/**
 * onnxruntime-web computes models with its WebNN provider as with its wasm provider, on each backend. The whole model becomes one
 * graph: no node runs on the CPU, and one dispatch computes everything.
 */
import { InferenceSession } from 'onnxruntime-web/webgpu';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createML, install } from 'node-directml/webnn';
import { backends } from '../../support/devices.js';
import { models } from '../../../checks/networks/models/index.js';
import { counting, distance, expectedOf, onWebnn, read } from '../../../checks/networks/sessions.js';

describe.each(backends)('on %s', (backend) => {
  // Sessions are released only at the end: while one exists, onnxruntime-web uses its context for the next session too.
  const sessions: InferenceSession[] = [];

  beforeAll(() => {
    install(createML({ backend }));
  });

  afterAll(async () => {
    for (const session of sessions) await session.release();
  });

  test.each(Object.entries(models))('%s', async (_name, make) => {
    const model = make();
    const made = await counting(() => InferenceSession.create(model.bytes, onWebnn(model)));
    sessions.push(made.result);
    const ran = await counting(() => made.result.run(model.feeds));
    expect([made.builds, made.dispatches, ran.builds, ran.dispatches]).toEqual([1, 0, 0, 1]);
    const expected = await expectedOf(model);
    for (const numbers of Object.values(expected)) expect(new Set(numbers).size).toBeGreaterThan(1);
    expect(distance(await read(ran.result), expected)).toBeLessThanOrEqual(model.tolerance);
  });
});

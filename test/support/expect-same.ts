/** Runs of sessions that are compared with onnxruntime's wasm. */
import { createDevice } from 'node-directml';
import type { InferenceSession } from 'node-directml/onnxruntime';
import { expect, vi } from 'vitest';
import { distance, expectedOf, read } from '../../checks/networks/sessions.js';
import type { Model } from '../../checks/networks/small-models.js';

/** Runs a session, and compares with onnxruntime's wasm. */
export async function expectSame(session: InferenceSession, model: Model): Promise<void> {
  expect(distance(await read(await session.run(model.feeds)), await expectedOf(model))).toBeLessThanOrEqual(model.tolerance);
}

/** Counts the graphs that are compiled while `work` runs. */
export async function counting<T>(work: () => Promise<T>): Promise<{ result: T; builds: number }> {
  using device = await createDevice({ backend: 'reference' });
  const compile = vi.spyOn(Object.getPrototypeOf(device.createGraph()) as ReturnType<typeof device.createGraph>, 'compile');
  try {
    return { result: await work(), builds: compile.mock.calls.length };
  } finally {
    compile.mockRestore();
  }
}

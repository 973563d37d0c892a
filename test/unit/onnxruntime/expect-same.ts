/** Runs of sessions that are compared with onnxruntime's wasm. */
import type { InferenceSession } from 'node-directml/onnxruntime';
import { expect } from 'vitest';
import { distance, expectedOf, read } from '../../webnn/clients/onnxruntime.js';
import type { Model } from './models.js';

/** Runs a session, and compares with onnxruntime's wasm. */
export async function expectSame(session: InferenceSession, model: Model): Promise<void> {
  expect(distance(await read(await session.run(model.feeds)), await expectedOf(model))).toBeLessThanOrEqual(model.tolerance);
}

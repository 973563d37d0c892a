/** Worker threads with sessions are terminated at any moment. Sessions of the main thread go on. */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { InferenceSession } from 'node-directml/onnxruntime';
import { describe, expect, test } from 'vitest';
import { backends } from '../../support/devices.js';
import { expectSame, unnamedDimensions } from './models.js';

const program = new URL('worker.mjs', import.meta.url);

describe.each(backends)('on %s', (backend) => {
  test('workers that are terminated while they create, run and release sessions leave others alone', async () => {
    const model = unnamedDimensions(2, 3);
    const session = await InferenceSession.create(model.bytes, { backend });
    // In milliseconds, from the start of the worker or from its first run.
    for (const [ran, life] of [
      [false, 0],
      [false, 700],
      [true, 0],
      [true, 7],
      [true, 23],
    ] as const) {
      const worker = new Worker(program, { workerData: { backend, bytes: model.bytes } });
      const failed = once(worker, 'error').then(([error]: unknown[]) => Promise.reject(error as Error));
      failed.catch(() => undefined);
      if (ran) await Promise.race([once(worker, 'message'), failed]);
      await Promise.race([sleep(life), failed]);
      const run = expectSame(session, model);
      await worker.terminate();
      await run;
    }
    expect(session.placement?.backend).toBe(backend);
    await session.release();
  });
});

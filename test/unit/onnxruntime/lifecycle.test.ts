/** Sessions in random order: created, run, released and disposed under the hands of each other, with nothing awaited between. */
import { createDevice, DirectMLError, type Device } from 'node-directml';
import { InferenceSession } from 'node-directml/onnxruntime';
import { describe, expect, test } from 'vitest';
import { Random } from '../../random.js';
import { backends } from '../../support/devices.js';
import { distance, expectedOf, read } from '../../webnn/clients/onnxruntime.js';
import { sharedDimensions, unnamedDimensions, type Model } from './models.js';

const kinds = [sharedDimensions, unnamedDimensions];

/** The errors that a session may give when its device is disposed of, or when it was released. */
function isExpected(error: unknown): boolean {
  if (error instanceof DirectMLError) return ['ERR_DISPOSED', 'ERR_MISSING_BINDING'].includes(error.code);
  return error instanceof Error && /context is lost|disposed/i.test(error.message);
}

describe.each(backends)('on %s', (backend) => {
  test.each([1, 2, 3])('seed %i', async (seed) => {
    const random = Random.of('lifecycle', seed);
    const devices: Device[] = [];
    const sessions: { readonly kind: (typeof kinds)[number]; readonly session: Promise<InferenceSession> }[] = [];
    const work: Promise<unknown>[] = [];
    const runs: { readonly model: Model; readonly result: Promise<InferenceSession.ReturnType> }[] = [];
    const begin = <T>(promise: Promise<T>): Promise<T> => {
      work.push(promise);
      // The errors are looked at in the end.
      promise.catch(() => undefined);
      return promise;
    };
    for (let step = 0; step < 60; step++) {
      const known = sessions[random.int(0, Math.max(0, sessions.length - 1))];
      const choice = random.int(0, 9);
      if (known === undefined || choice === 0) {
        const kind = random.pick(kinds);
        const device = random.chance(0.5) ? await createDevice({ backend }) : undefined;
        if (device !== undefined) devices.push(device);
        const options = { maxGraphs: random.int(1, 3), ...(device === undefined ? { backend } : { device }) };
        sessions.push({ kind, session: begin(InferenceSession.create(kind(1, 1).bytes, options)) });
      } else if (choice === 1) {
        void begin(known.session.then((session) => session.release()));
      } else if (choice === 2 && random.chance(0.3)) {
        devices.pop()?.dispose();
      } else if (choice === 3) {
        void begin(known.session.then((session) => session.run({})));
      } else {
        const model = known.kind(random.int(1, 3), random.int(1, 3));
        runs.push({ model, result: begin(known.session.then((session) => session.run(model.feeds))) });
      }
      if (random.chance(0.1)) await new Promise(setImmediate);
    }
    const settled = await Promise.allSettled(work);
    const errors: unknown[] = settled.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    expect(errors.filter((error) => !isExpected(error))).toEqual([]);
    let computed = 0;
    for (const { model, result } of runs) {
      const outputs = await result.catch(() => undefined);
      if (outputs === undefined) continue;
      computed++;
      expect(distance(await read(outputs), await expectedOf(model))).toBeLessThanOrEqual(model.tolerance);
    }
    expect(computed).toBeGreaterThan(5);
    for (const { session } of sessions) await (await session.catch(() => undefined))?.release();
    for (const device of devices) device.dispose();
  });
});

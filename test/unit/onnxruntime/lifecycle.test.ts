/**
 * Sessions in random order: created, run and released, while their devices are disposed of or lost and their contexts destroyed,
 * with nothing awaited between. Only errors with a code may come, and nothing may be left.
 */
import { createDevice, DirectMLError, type Device } from 'node-directml';
import { InferenceSession } from 'node-directml/onnxruntime';
import { ml, type MLContext } from 'node-directml/webnn';
import { describe, expect, test } from 'vitest';
import { Random } from '../../random.js';
import { backends } from '../../support/devices.js';
import { distance, expectedOf, read } from '../../webnn/clients/onnxruntime.js';
import { sharedDimensions, unnamedDimensions, type Model } from './models.js';

const kinds = [sharedDimensions, unnamedDimensions];
const codes = ['ERR_DISPOSED', 'ERR_DEVICE_LOST', 'ERR_MISSING_BINDING'];

interface Known {
  readonly kind: (typeof kinds)[number];
  readonly session: Promise<InferenceSession>;
}

interface Run {
  readonly model: Model;
  readonly outputs: Promise<Awaited<ReturnType<typeof read>>>;
}

class World {
  readonly devices: Device[] = [];
  readonly ended = new Set<Device>();
  readonly contexts: MLContext[] = [];
  readonly sessions: Known[] = [];
  readonly runs: Run[] = [];
  readonly work: Promise<unknown>[] = [];
  readonly #backend: (typeof backends)[number];
  readonly #random: Random;

  constructor(backend: (typeof backends)[number], random: Random) {
    this.#backend = backend;
    this.#random = random;
  }

  async step(): Promise<void> {
    const { sessions, devices, contexts } = this;
    const known = sessions.length === 0 ? undefined : this.#random.pick(sessions);
    const choice = this.#random.int(0, 9);
    if (known === undefined || choice === 0) {
      const kind = this.#random.pick(kinds);
      const options = { maxGraphs: this.#random.int(1, 3), ...(await this.#place()) };
      if (this.#random.chance(0.3)) Object.assign(options, { preferredOutputLocation: 'ml-tensor' });
      sessions.push({ kind, session: this.#begin(InferenceSession.create(kind(1, 1).bytes, options)) });
    } else if (choice === 1) {
      void this.#begin(known.session.then((session) => session.release()));
    } else if (choice === 2 && this.#random.chance(0.4)) {
      const device = devices.length === 0 ? undefined : this.#random.pick(devices);
      const isLost = this.#random.chance(0.5);
      if (device !== undefined && !this.ended.has(device)) {
        this.ended.add(device);
        if (isLost) device.simulateLoss();
        else device.dispose();
      }
      if (this.#random.chance(0.2)) contexts.pop()?.destroy();
    } else if (choice === 3) {
      void this.#begin(known.session.then((session) => session.run({})));
    } else {
      const model = known.kind(this.#random.int(1, 3), this.#random.int(1, 3));
      this.runs.push({ model, outputs: this.#begin(this.#run(known, model)) });
    }
  }

  /** A new device or context of the program, or none. */
  async #place(): Promise<InferenceSession.SessionOptions> {
    if (this.#random.chance(0.4)) return { backend: this.#backend };
    const device = await createDevice({ backend: this.#backend });
    this.devices.push(device);
    void device.lost.then(() => this.ended.add(device));
    if (this.#random.chance(0.6)) return { device };
    const context = await ml.createContext(device);
    this.contexts.push(context);
    return { context };
  }

  async #run({ session }: Known, model: Model): ReturnType<typeof read> {
    const outputs = await (await session).run(model.feeds);
    try {
      return await read(outputs);
    } catch (error) {
      // The output was on the device.
      if (error instanceof DOMException) throw new DirectMLError('ERR_DISPOSED', 'the output is gone', { cause: error });
      throw error;
    } finally {
      if (this.#random.chance(0.5)) for (const output of Object.values(outputs)) output.dispose();
    }
  }

  #begin<T>(promise: Promise<T>): Promise<T> {
    this.work.push(promise);
    // The errors are looked at in the end.
    promise.catch(() => undefined);
    return promise;
  }
}

describe.each(backends)('on %s', (backend) => {
  test.each([1, 2, Math.floor(Math.random() * 2 ** 31)])('seed %i', async (seed) => {
    const random = Random.of('lifecycle', seed);
    const world = new World(backend, random);
    for (let step = 0; step < 80; step++) {
      await world.step();
      if (random.chance(0.1)) await new Promise(setImmediate);
    }
    const settled = await Promise.allSettled(world.work);
    const errors: unknown[] = settled.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    expect(errors.filter((error) => !(error instanceof DirectMLError && codes.includes(error.code)))).toEqual([]);
    let computed = 0;
    for (const { model, outputs } of world.runs) {
      const given = await outputs.catch(() => undefined);
      if (given === undefined) continue;
      computed++;
      expect(distance(given, await expectedOf(model))).toBeLessThanOrEqual(model.tolerance);
    }
    expect(computed).toBeGreaterThan(0);
    for (const { session } of world.sessions) await (await session.catch(() => undefined))?.release();
    for (const context of world.contexts) context.destroy();
    const left = world.devices.filter((device) => !world.ended.has(device)).map((device) => device.memory().buffers);
    for (const device of world.devices) device.dispose();
    expect(left).toEqual(left.map(() => 0));
  });
});

/** Models that packages of others ship compute what onnxruntime's CPU computes. `npm run test:all` downloads them. */
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Tensor, type Device } from 'node-directml';
import { loadOnnx } from 'node-directml/onnx';
import { describe, expect, test, vi } from 'vitest';
import { LoadedModel } from '#lib/onnx/model.js';
import type { Placement } from '#lib/onnx/plan.js';
import { Random } from '../../../checks/harness/random.js';
import { deviceOn, ownBackend } from '../../support/devices.js';
import { onnxruntime } from '../../../checks/networks/onnxruntime.js';
import type { Weight } from '../../../checks/networks/small-model.js';
import { feedOf, inputOf, options, read, readOrt, type Computed } from '../../../checks/onnx/computed.js';
import { models } from './models.js';

type Named<T> = Readonly<Record<string, T>>;

/** The largest difference, relative to the largest magnitude of an output. */
const byDefault = 1e-4;
/** The magnitude that differences are relative to at least: onnxruntime's sigmoids have few right digits near 0. */
const least = 1e-3;

const table = readFileSync(join(import.meta.dirname, 'packages.json'), 'utf8');
const packages = Object.entries(JSON.parse(table) as Named<{ readonly version: string; readonly files: readonly string[] }>);

describe.each(ownBackend)('on %s', (backend) => {
  const device = deviceOn(backend);

  test.each(packages.flatMap(([name, { version, files }]) => files.map((file) => `${name}@${version}/${file}`)))(
    '%s',
    async (file) => {
      const path = join('build', 'models', file);
      if (!existsSync(path)) throw new Error(`there is no ${path}: npm test -- test/onnx/models downloads it`);
      const model = models[basename(file)];
      if (model === undefined) throw new Error('models.ts does not say how to run it');
      const runs = model.runs.map((run, number) =>
        mapped(run, (input, name) => input(Random.of('model', basename(file), number, name))),
      );
      const expected = await expectedOf(path, runs);
      const { outputs, onHost } = await computedOn(device(), path, runs);
      for (const [number, right] of expected.entries()) {
        const differences = differencesOf(outputs[number] ?? {}, right, model.tolerance ?? byDefault);
        expect(differences, `run ${number}`).toEqual([]);
      }
      expect(onHost).toEqual(model.onHost ?? {});
    },
  );
});

function mapped<From, To>(values: Named<From>, map: (value: From, name: string) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value, name)]));
}

async function expectedOf(path: string, runs: readonly Named<Weight>[]): Promise<readonly Named<Computed>[]> {
  const session = await onnxruntime().InferenceSession.create(path, options);
  try {
    const all: Named<Computed>[] = [];
    for (const inputs of runs) all.push(mapped(await session.run(mapped(inputs, feedOf)), readOrt));
    return all;
  } finally {
    await session.release();
  }
}

/** The outputs of each run, and the nodes that JavaScript computed, with the cause. */
async function computedOn(device: Device, path: string, runs: readonly Named<Weight>[]) {
  const placements: Placement[] = [];
  const { compute } = LoadedModel.prototype;
  const noted = vi.spyOn(LoadedModel.prototype, 'compute').mockImplementation(function (
    this: LoadedModel,
    place,
    inputs,
    use,
    roomy,
  ) {
    const note: typeof use = (outputs, placement) => {
      placements.push(placement);
      return use(outputs, placement);
    };
    return compute.call(this, place, inputs, note, roomy);
  });
  const model = await loadOnnx(device, path);
  try {
    const all: Named<Computed>[] = [];
    for (const run of runs) {
      const inputs = mapped(run, (weight) => inputOf(device, weight));
      const outputs: Record<string, Computed> = {};
      for (const [name, result] of Object.entries(await model.run(inputs))) outputs[name] = await read(result);
      for (const input of Object.values(inputs)) if (input instanceof Tensor) input.dispose();
      all.push(outputs);
    }
    const nodes = placements.flatMap(({ nodes }) => nodes).filter(({ isOnHost }) => isOnHost);
    return { outputs: all, onHost: Object.fromEntries(nodes.map(({ name, why }) => [name, why])) };
  } finally {
    model.dispose();
    noted.mockRestore();
  }
}

/** Says where outputs differ by more than the tolerance. */
function differencesOf(given: Named<Computed>, expected: Named<Computed>, tolerance: number): readonly string[] {
  return Object.entries(expected).flatMap(([name, { type, sizes, elements }]) => {
    const own = given[name];
    if (own?.type !== type || own.sizes.join() !== sizes.join()) {
      return [`${name} is ${own?.type} [${own?.sizes.join()}] instead of ${type} [${sizes.join()}]`];
    }
    const most = elements.reduce((largest: number, element) => Math.max(largest, Math.abs(Number(element))), least);
    const isNear = (place: number) => Math.abs(Number(elements[place]) - Number(own.elements[place])) <= tolerance * most;
    const place = elements.findIndex((_, i) => !isNear(i));
    return place < 0 ? [] : [`${name}[${place}] is ${own.elements[place]} instead of ${elements[place]}, of at most ${most}`];
  });
}

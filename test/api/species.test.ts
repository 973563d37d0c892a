/** The species of typed arrays and of ArrayBuffer, which a program can replace, gets no memory of the package. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadNpy, loadSafetensors, saveNpy, saveSafetensors } from 'node-directml/files';
import { createML, MLGraphBuilder } from 'node-directml/webnn';
import { describe, expect, test } from 'vitest';
import { createDevice, type Device } from 'node-directml';
import { backends, deviceOn } from '../support/devices.js';

const desc = { dataType: 'float32', sizes: [3] } as const;
const secret = [12.5, -7.25, 24.5];
/** V8 does not notice a change of the species that they all inherit. */
const owners = [ArrayBuffer, Uint8Array, Uint16Array, Int32Array, Float32Array, Float64Array];

/** Runs the work while species keep what they are given and what they make. Expects that they saw no memory with the secret. */
async function withSpecies<T>(run: () => Promise<T>): Promise<T> {
  const seen = new Set<unknown>();
  const undo = owners.map((owner) => {
    const before = Reflect.getOwnPropertyDescriptor(owner, Symbol.species);
    const species = function (...given: readonly unknown[]) {
      const made: unknown = Reflect.construct(owner, given);
      for (const each of [...given, made]) seen.add(ArrayBuffer.isView(each) ? each.buffer : each);
      return made;
    };
    Object.defineProperty(owner, Symbol.species, { value: species, configurable: true });
    return () => {
      Reflect.deleteProperty(owner, Symbol.species);
      if (before !== undefined) Object.defineProperty(owner, Symbol.species, before);
    };
  });
  try {
    return await run();
  } finally {
    for (const each of undo) each();
    const bytes = Buffer.from(Float32Array.from(secret).buffer);
    const has = (memory: unknown) =>
      (memory instanceof ArrayBuffer || memory instanceof SharedArrayBuffer) && Buffer.from(memory).includes(bytes);
    expect([...seen].filter(has)).toEqual([]);
  }
}

async function netOf(device: Device, constants?: Readonly<Record<string, Float32Array>>) {
  const graph = device.createGraph();
  const constant = graph.constant(desc, Float32Array.from(secret), { name: 'w' });
  const { outputTensor: y } = graph.add({ type: 'elementWiseAbs', inputTensor: constant });
  const net = await graph.compile({ y });
  if (constants !== undefined) net.initialize(constants);
  return net;
}

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);
  const magnitudes = secret.map(Math.abs);

  test('constants of graphs are copied without it', async () => {
    const given = Float32Array.from(secret, (number) => number * 2);
    const nets = await withSpecies(async () => {
      const graph = device().createGraph();
      const { outputTensor: y } = graph.add({
        type: 'elementWiseAbs',
        inputTensor: graph.constant(desc, Float32Array.from(secret)),
      });
      const descriptor = graph.toDescriptor({ y });
      const [name = ''] = Object.keys(descriptor.constants ?? {});
      const constants = { [name]: Float32Array.from(secret) };
      return Promise.all([
        netOf(device()),
        netOf(device(), { w: given }),
        device().compileGraph(descriptor),
        device().compileGraph(descriptor, { constants }),
      ]);
    });
    const results = await Promise.all(nets.map(async (net) => Array.from(await (await net.run({})).y.read(), Number)));
    expect(results).toEqual([magnitudes, magnitudes.map((number) => number * 2), magnitudes, magnitudes]);
  });

  test('tensors are written and read without it', async () => {
    const result = await withSpecies(async () => {
      const tensor = device().createTensor(desc, Float32Array.from(secret));
      const into = new Float32Array(3);
      await tensor.readInto(into);
      return [await tensor.read(), into];
    });
    expect(result.map((numbers) => Array.from(numbers))).toEqual([secret, secret]);
  });

  test('files are written and read without it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'species-'));
    const [npy, safetensors] = [join(folder, 'x.npy'), join(folder, 'x.safetensors')];
    const tensor = device().createTensor(desc, Float32Array.from(secret));
    try {
      const loaded = await withSpecies(async () => {
        await Promise.all([saveNpy(npy, tensor), saveSafetensors(safetensors, { x: tensor })]);
        const { x } = await loadSafetensors(device(), safetensors);
        const half = await loadSafetensors(device(), safetensors, { dataType: 'float16' });
        return [await loadNpy(device(), npy), x, half['x']];
      });
      const numbers = await Promise.all(loaded.map(async (each) => each?.toArray()));
      expect(numbers).toEqual([secret, secret, secret]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  test('WebNN copies constants without it, and finds their numbers', async () => {
    const context = await createML({ backend }).createContext();
    const shape = { dataType: 'float32', shape: [3] } as const;
    const [graph, constant, output] = await withSpecies(async () => {
      const builder = new MLGraphBuilder(context);
      const made = await context.createConstantTensor(shape, Float32Array.from(secret));
      const sum = builder.add(builder.constant(shape, Float32Array.from(secret)), builder.constant(made));
      const y = builder.pow(sum, builder.constant({ dataType: 'float32', shape: [] }, Float32Array.of(2)));
      const to = await context.createTensor({ ...shape, readable: true });
      return [await builder.build({ y }), made, to] as const;
    });
    context.dispatch(graph, {}, { y: output });
    // DirectML's pow(5, 2) is 24.999998.
    const numbers = Array.from(new Float32Array(await context.readTensor(output)), (number) => Math.round(number * 100) / 100);
    expect(numbers).toEqual(secret.map((number) => (2 * number) ** 2));
    constant.destroy();
    context.destroy();
  });
});

test('the reference on the thread of the caller reads without it', async () => {
  using device = await createDevice({ backend: 'reference', thread: 'caller' });
  const tensor = device.createTensor(desc, Float32Array.from(secret));
  const result = await withSpecies(async () => {
    const into = new Float32Array(3);
    await tensor.readInto(into);
    return [await tensor.read(), into];
  });
  expect(result.map((numbers) => Array.from(numbers))).toEqual([secret, secret]);
});

/** Batch normalizations that convolutions compute: which, with the same results, whatever place the filters have. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onnx } from 'onnx-proto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Device } from 'node-directml';
import { loadOnnx, type OnnxOptions } from 'node-directml/onnx';
import { ownBackend, deviceOn } from '../support/devices.js';
import { rejected } from '../support/errors.js';
import { operatorsOf } from './one-node.js';
import { smallModel, type NodeLine, type SmallGraph, type Weight } from '../../checks/networks/small-model.js';

const channels = 64;
const wave = (dims: readonly number[], low: number): Weight => {
  const count = dims.reduce((product, size) => product * size, 1);
  return ['float32', dims, Array.from({ length: count }, (_, i) => low + Math.sin(1 + 1.7 * i + low))];
};
const parameters = { s: wave([channels], 0.5), b: wave([channels], 0), m: wave([channels], 0.2), v: wave([channels], 1.5) };
const filters = wave([channels, channels, 3, 3], 0);

function graphWith(change: Partial<SmallGraph> = {}, normalization: Partial<Record<number, unknown>> = {}): SmallGraph {
  const line = ['BatchNormalization', 'c s b m v', 'y', ...Object.values(normalization)] as unknown as NodeLine;
  return {
    inputs: `float32 x [1,${channels},4,4]`,
    outputs: '? y',
    nodes: [['Conv', 'x w', 'c'], line],
    weights: { w: filters, ...parameters },
    ...change,
  };
}

describe.each(ownBackend)('on %s', (backend) => {
  const device = deviceOn(backend);
  let folder = '';
  beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'node-directml-'))));
  afterAll(() => rm(folder, { recursive: true }));

  test('the results are the same, and the graph has fewer nodes', async () => {
    const bytes = smallModel(graphWith());
    expect(await nodesOf(device(), bytes)).toEqual(['convolution']);
    expect(await nodesOf(device(), bytes, { optimize: 'exact' })).toEqual(['convolution', 'batchNormalization']);
    await expectSame(bytes, bytes);
  });

  test('a bias stays, also one that others read', async () => {
    const biased = graphWith({ nodes: [['Conv', 'x w s', 'c'], ...graphWith().nodes.slice(1)] });
    await expectSame(smallModel(biased), smallModel(biased));
  });

  test.each<[string, SmallGraph]>([
    ['has another reader', graphWith({ outputs: '? y; ? c' })],
    ['normalizes by its batch', graphWith({}, { 3: { training_mode: 1 } })],
    ['has filters that others read', graphWith({ nodes: [...graphWith().nodes, ['ReduceSum', 'w', 'z']], outputs: '? y; ? z' })],
    [
      'has parameters that are computed',
      graphWith({ inputs: `float32 x [1,${channels},4,4]; float32 s [${channels}]`, weights: { w: filters, ...parameters } }),
    ],
    ['has a variance below 0', graphWith({ weights: { w: filters, ...parameters, v: wave([channels], 0) } })],
  ])('a convolution stays as it is that %s', async (_why, graph) => {
    const weights = Object.fromEntries(
      Object.entries(graph.weights ?? {}).filter(([name]) => !(graph.inputs ?? '').includes(` ${name} `)),
    );
    const nodes = await nodesOf(device(), smallModel({ ...graph, weights }));
    expect(nodes.some((type) => type.startsWith('batchNormalization'))).toBe(true);
  });

  test.each([
    ['that are normalized', graphWith()],
    ['as they are', graphWith({ nodes: [['Conv', 'x w', 'y']] })],
  ])('large filters come from the file of the model, and from another, %s', async (_, graph) => {
    const bytes = smallModel(graph);
    const inside = join(folder, 'inside.onnx');
    await writeFile(inside, bytes);
    await expectSame(inside, bytes);
    const model = onnx.ModelProto.decode(bytes);
    const filter = model.graph?.initializer?.find(({ name }) => name === 'w');
    const raw = new Uint8Array(Float32Array.from(filters[2]).buffer);
    await writeFile(join(folder, 'filters.bin'), Buffer.concat([Buffer.alloc(16), raw]));
    const entries = { location: 'filters.bin', offset: '16', length: `${raw.length}` };
    Object.assign(filter ?? {}, {
      ...{ rawData: new Uint8Array(), floatData: [], dataLocation: onnx.TensorProto.DataLocation.EXTERNAL },
      externalData: Object.entries(entries).map(([key, value]) => ({ key, value })),
    });
    const outside = join(folder, 'outside.onnx');
    await writeFile(outside, onnx.ModelProto.encode(model).finish());
    await expectSame(outside, bytes);
  });

  test('a normalization without its parameters is an error', async () => {
    const graph = graphWith({ nodes: [['Conv', 'x w', 'c'] as const, ['BatchNormalization', 'c', 'y'] as const] });
    using model = await loadOnnx(device(), smallModel(graph));
    const x = device().createTensor({ dataType: 'float32', sizes: [1, channels, 4, 4] });
    expect(await rejected(model.run({ x }))).toMatchObject({ code: 'ERR_INVALID_FILE' });
  });

  test('parameters that have too few elements are an error', async () => {
    const damaged = smallModel(graphWith({ weights: { w: filters, ...parameters, m: ['float32', [channels], [1, 2]] } }));
    const error = await rejected(loadOnnx(device(), damaged));
    expect(error).toMatchObject({ code: 'ERR_INVALID_FILE', message: expect.stringMatching(/'m'/) as string });
  });

  /** Compares the results with those of the other source without improvements. */
  async function expectSame(source: string | Uint8Array, other: Uint8Array): Promise<void> {
    const sizes = [1, channels, 4, 4];
    const x = device().createTensor({ dataType: 'float32', sizes }, wave(sizes, 0)[2]);
    using folded = await loadOnnx<'y'>(device(), source);
    using written = await loadOnnx<'y'>(device(), other, { optimize: false });
    const [given, expected] = [(await folded.run({ x })).y, (await written.run({ x })).y];
    const elements = Array.from(await given.read(), Number);
    expect(folded.graphs).toHaveLength(1);
    for (const [i, value] of Array.from(await expected.read(), Number).entries()) expect(elements[i]).toBeCloseTo(value, 3);
  }
});

/** The operators of the graph in their order, without copies. */
async function nodesOf(device: Device, bytes: Uint8Array, options?: OnnxOptions): Promise<readonly string[]> {
  using model = await loadOnnx(device, bytes, options);
  return operatorsOf(device, model).filter((type) => type !== 'elementWiseIdentity');
}

/** Constants and weights that DirectML owns keep the contents at the time of the call of `compile`, whatever is recorded later. */
import { expect, test, describe } from 'vitest';
import type { CompiledGraph, Device, Tensor } from 'node-directml';
import { backends, deviceOn } from '../support/devices.js';

const float4 = { dataType: 'float32', sizes: [4] } as const;
const old = [1, 2, 3, 4];
const nines = [9, 9, 9, 9];

/** A graph that adds a constant to its input, so that an input of zeros shows the constant. */
function plusConstant(device: Device, weights: Tensor<'float32'>) {
  const graph = device.createGraph();
  const x = graph.input('x', float4);
  const { outputTensor: y } = graph.add({
    type: 'elementWiseAdd',
    aTensor: x,
    bTensor: graph.constant(weights, { ownership: 'directml' }),
  });
  return { graph, y };
}

async function told(device: Device, net: CompiledGraph): Promise<number[]> {
  const y = device.createTensor(float4);
  net.dispatch({ x: device.createTensor(float4), y });
  return [...(await y.read())];
}

/** Ways to overwrite a tensor by a command. */
const overwrites: readonly (readonly [name: string, prepare: (device: Device, weights: Tensor) => Promise<() => void>])[] = [
  ['a write', (_, weights) => Promise.resolve(() => weights.buffer.write(Float32Array.from(nines)))],
  ['a write of a part', (_, weights) => Promise.resolve(() => weights.buffer.write(Float32Array.of(9), 8))],
  [
    'a dispatch',
    async (device, outputTensor) => {
      const copy = await device.compile({ type: 'elementWiseIdentity', inputTensor: float4 });
      const inputTensor = device.createTensor(float4, nines);
      return () => copy.dispatch({ inputTensor, outputTensor });
    },
  ],
  [
    'a replay',
    async (device, outputTensor) => {
      const copy = await device.compile({ type: 'elementWiseIdentity', inputTensor: float4 });
      const inputTensor = device.createTensor(float4, nines);
      const recording = device.record(() => copy.dispatch({ inputTensor, outputTensor }));
      return () => recording.replay();
    },
  ],
  [
    'the first run of an operator',
    async (device, outputTensor) => {
      const inputTensor = device.createTensor(float4, nines);
      await device.run({ type: 'elementWiseIdentity', inputTensor, outputTensor: device.createTensor(float4) });
      return () => void device.run({ type: 'elementWiseIdentity', inputTensor, outputTensor });
    },
  ],
  [
    'two writes and dispose',
    (_, weights) =>
      Promise.resolve(() => {
        weights.buffer.write(Float32Array.from(nines));
        weights.buffer.write(Float32Array.from(nines));
        weights.buffer.dispose();
      }),
  ],
];

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);

  test.each(overwrites)('%s during graph.compile does not change a constant', async (_, prepare) => {
    const weights = device().createTensor(float4, old);
    const overwrite = await prepare(device(), weights);
    const { graph, y } = plusConstant(device(), weights);
    const compiling = graph.compile({ y });
    overwrite();
    expect(await told(device(), await compiling)).toEqual(old);
  });

  test('a dispatch that is profiled by itself during graph.compile does not change a constant', async () => {
    const weights = device().createTensor(float4, old);
    const copy = await device().compile({ type: 'elementWiseIdentity', inputTensor: float4 });
    const inputTensor = device().createTensor(float4, nines);
    const { graph, y } = plusConstant(device(), weights);
    const nets: CompiledGraph[] = [];
    const { dispatches } = await device().profile(
      async () => {
        const compiling = graph.compile({ y });
        copy.dispatch({ inputTensor, outputTensor: weights });
        nets.push(await compiling);
      },
      { perDispatch: true },
    );
    expect(dispatches.map(({ operator }) => operator)).toEqual(['elementWiseIdentity']);
    for (const net of nets) expect(await told(device(), net)).toEqual(old);
    expect([...(await weights.read())]).toEqual(nines);
  });

  test('a write before graph.compile does change a constant', async () => {
    const weights = device().createTensor(float4, old);
    const { graph, y } = plusConstant(device(), weights);
    weights.write(nines);
    expect(await told(device(), await graph.compile({ y }))).toEqual(nines);
  });

  test('each graph gets the contents at the time of its own call, and other bytes of the buffer change nothing', async () => {
    const buffer = device().createBuffer(32);
    const weights = device().createTensor(float4, { buffer, offset: 16 });
    weights.write(old);
    const { graph, y } = plusConstant(device(), weights);
    const first = graph.compile({ y });
    buffer.write(new Uint8Array(16), 0);
    const second = graph.compile({ y });
    weights.write(nines);
    const third = graph.compile({ y });
    weights.write([7, 7, 7, 7]);
    const results = [];
    for (const net of await Promise.all([first, second, third])) results.push(await told(device(), net));
    expect(results).toEqual([old, old, nines]);
    expect([...(await weights.read())]).toEqual([7, 7, 7, 7]);
  });

  test('a write during graph.compile changes neither a constant beside a sequence nor constants that dispatches bind', async () => {
    const weights = device().createTensor(float4, old);
    const graph = device().createGraph();
    const x = graph.input('x', float4);
    const { outputTensor: sequence } = graph.add({
      type: 'fillValueSequence',
      valueDataType: 'float32',
      valueStart: 0,
      valueDelta: 10,
      outputTensor: float4,
    });
    const constant = graph.constant(weights, { ownership: 'directml' });
    const { outputTensor: sum } = graph.add({ type: 'elementWiseAdd', aTensor: sequence, bTensor: constant });
    const { outputTensor: y } = graph.add({ type: 'elementWiseAdd', aTensor: x, bTensor: sum });
    const compiling = graph.compile({ y });
    weights.write(nines);
    expect(await told(device(), await compiling)).toEqual([1, 12, 23, 34]);
  });

  test('a write during compile does not change the contents of initializationInputs', async () => {
    const bTensor = device().createTensor(float4, old);
    const owned = { ...float4, flags: 'ownedByDml' } as const;
    const compiling = device().compile(
      { type: 'elementWiseAdd', aTensor: float4, bTensor: owned },
      { initializationInputs: { bTensor } },
    );
    bTensor.write(nines);
    const add = await compiling;
    const outputTensor = device().createTensor(float4);
    add.dispatch({ aTensor: device().createTensor(float4), outputTensor });
    expect([...(await outputTensor.read())]).toEqual(old);
  });

  test('a write after initialize does not change the constant of the graph', async () => {
    const weights = device().createTensor(float4, nines);
    const { graph, y } = plusConstant(device(), weights);
    const net = await graph.compile({ y });
    weights.write(old);
    net.initialize({ constant_0: weights });
    weights.write(nines);
    expect(await told(device(), net)).toEqual(old);
  });
});

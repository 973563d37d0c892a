/** Contexts, tensors and graphs over time: the order of work, failures, and that no promise stays pending. On each backend. */
import { describe, expect, test } from 'vitest';
import { createDevice } from 'node-directml';
import { createML, ml, MLContext, MLGraphBuilder, tensorOf, type MLGraph } from 'node-directml/webnn';
import { backends, deviceOn } from '../support/devices.js';

const desc = { dataType: 'float32', shape: [2, 3] } as const;
const numbers = Float32Array.of(-1, 2, -3, 4, -5, 6);
const state = { name: 'InvalidStateError' };

/** y = relu(x) + 1 */
function buildGraph(context: MLContext): Promise<MLGraph> {
  const builder = new MLGraphBuilder(context);
  const y = builder.add(builder.relu(builder.input('x', desc)), builder.constant('float32', 1));
  return builder.build({ y });
}

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);

  test('write, dispatch and read run in the order of the calls, without awaiting in between', async () => {
    const context = await ml.createContext(device());
    const graph = await buildGraph(context);
    const x = await context.createTensor({ ...desc, writable: true });
    const [first, second] = await Promise.all([0, 1].map(() => context.createTensor({ ...desc, readable: true })));
    if (first === undefined || second === undefined) throw new Error('there are two tensors');
    context.writeTensor(x, numbers);
    context.dispatch(graph, { x }, { y: first });
    context.writeTensor(x, new Float32Array(6));
    context.dispatch(graph, { x }, { y: second });
    const into = new Float32Array(new SharedArrayBuffer(24));
    const [bytes] = await Promise.all([context.readTensor(first), context.readTensor(second, into)]);
    expect([...new Float32Array(bytes)]).toEqual([1, 3, 1, 5, 1, 7]);
    expect([...into]).toEqual([1, 1, 1, 1, 1, 1]);
    context.destroy();
  });

  test('an MLTensor shares the memory of a tensor of this package', async () => {
    const context = await ml.createContext(device());
    const tensor = await context.createTensor({ ...desc, writable: true });
    context.writeTensor(tensor, numbers);
    expect(Array.from(await tensorOf(tensor).read(), Number)).toEqual([...numbers]);
    const { outputTensor } = await device().run({ type: 'elementWiseNegate', inputTensor: tensorOf(tensor) });
    expect(Array.from(await outputTensor.read(), Number)).toEqual([...numbers].map((x) => -x));
    tensor.destroy();
    expect(() => tensorOf(tensor)).toThrow(TypeError);
  });

  test('a constant tensor may be destroyed as soon as a build that uses it has begun', async () => {
    const context = await ml.createContext(device());
    const weights = await context.createConstantTensor(desc, numbers);
    expect([weights.constant, weights.readable, weights.writable]).toEqual([true, false, false]);
    const builder = new MLGraphBuilder(context);
    const building = builder.build({ y: builder.mul(builder.constant(weights), builder.input('x', desc)) });
    weights.destroy();
    const graph = await building;
    const x = await context.createTensor({ ...desc, writable: true });
    const y = await context.createTensor({ ...desc, readable: true });
    context.writeTensor(x, numbers);
    context.dispatch(graph, { x }, { y });
    expect([...new Float32Array(await context.readTensor(y))]).toEqual([1, 4, 9, 16, 25, 36]);
    expect(() => context.dispatch(graph, { x: y }, { y })).toThrow(TypeError);
    expect(() => context.dispatch(graph, { z: x }, { y })).toThrow(TypeError);
    expect(() => context.dispatch(graph, { x }, {})).toThrow(TypeError);
    graph.destroy();
    expect(() => context.dispatch(graph, { x }, { y })).toThrow(expect.objectContaining(state));
  });

  test('a constant tensor lives as long as the last of its graphs, however often the others are destroyed', async () => {
    const context = await ml.createContext(device());
    const weights = await context.createConstantTensor(desc, numbers);
    const build = () => {
      const builder = new MLGraphBuilder(context);
      return builder.build({ y: builder.mul(builder.constant(weights), builder.input('x', desc)) });
    };
    const [first, second, third] = [await build(), await build(), await build()];
    const memory = tensorOf(weights);
    const x = await context.createTensor({ ...desc, writable: true });
    const y = await context.createTensor({ ...desc, readable: true });
    context.writeTensor(x, numbers);
    const run = async (graph: MLGraph) => {
      context.dispatch(graph, { x }, { y });
      return [...new Float32Array(await context.readTensor(y))];
    };
    const squares = [1, 4, 9, 16, 25, 36];
    first.destroy();
    first.destroy();
    first.destroy();
    expect(await run(second)).toEqual(squares);
    weights.destroy();
    weights.destroy();
    expect(await run(third)).toEqual(squares);
    second.destroy();
    second.destroy();
    expect(await run(third)).toEqual(squares);
    expect(Array.from(await memory.read(), Number)).toEqual([...numbers]);
    third.destroy();
    await expect(memory.read()).rejects.toMatchObject({ code: 'ERR_DISPOSED' });
    context.destroy();
    context.destroy();
  });

  test('a constant tensor outlives its graphs until it is destroyed', async () => {
    const context = await ml.createContext(device());
    const weights = await context.createConstantTensor(desc, numbers);
    for (let i = 0; i < 2; i++) {
      const builder = new MLGraphBuilder(context);
      const graph = await builder.build({ y: builder.mul(builder.constant(weights), builder.input('x', desc)) });
      graph.destroy();
      graph.destroy();
      expect(Array.from(await tensorOf(weights).read(), Number)).toEqual([...numbers]);
    }
    const memory = tensorOf(weights);
    weights.destroy();
    await expect(memory.read()).rejects.toMatchObject({ code: 'ERR_DISPOSED' });
    context.destroy();
  });

  test('destroying a context rejects all pending promises', async () => {
    const context = await createML({ backend }).createContext({ powerPreference: 'low-power' });
    const y = await context.createTensor({ ...desc, readable: true });
    const open = [
      buildGraph(context),
      context.readTensor(y),
      context.createTensor(desc),
      context.createConstantTensor(desc, numbers),
    ];
    context.destroy();
    expect(await context.lost).toEqual({ message: 'The context was destroyed.' });
    await Promise.all(open.map((promise) => expect(promise).rejects.toMatchObject(state)));
    await expect(context.createTensor(desc)).rejects.toMatchObject(state);
    await expect(context.readTensor(y)).rejects.toMatchObject(state);
    expect(() => new MLGraphBuilder(context)).toThrow(expect.objectContaining(state));
    context.destroy();
  });

  test('destroying a tensor rejects its pending reads', async () => {
    const context = await ml.createContext(device());
    const y = await context.createTensor({ ...desc, readable: true });
    const reads = [context.readTensor(y), context.readTensor(y, new Float32Array(6))];
    y.destroy();
    y.destroy();
    await Promise.all(reads.map((promise) => expect(promise).rejects.toMatchObject(state)));
  });

  test('a destroyed tensor is neither read nor written, nor given to a graph', async () => {
    const context = await ml.createContext(device());
    const [graph, x] = [await buildGraph(context), await context.createTensor({ ...desc, readable: true, writable: true })];
    const y = await context.createTensor(desc);
    x.destroy();
    const errorOf = (name: string, method: string) =>
      expect.objectContaining({ name, message: `${method}: a tensor was destroyed.` });
    await expect(context.readTensor(x)).rejects.toEqual(errorOf(state.name, 'readTensor'));
    expect(() => context.writeTensor(x, numbers)).toThrow(errorOf(state.name, 'writeTensor'));
    expect(() => context.dispatch(graph, { x }, { y })).toThrow(errorOf('TypeError', 'dispatch'));
  });

  test('a context is lost with its device, but destroying it keeps a device that was given', async () => {
    const own = await createDevice({ backend });
    const context = await ml.createContext(own);
    const other = await ml.createContext(own);
    other.destroy();
    await expect(buildGraph(context)).resolves.toBeInstanceOf(Object);
    own.dispose();
    expect((await context.lost).message).toContain('disposed');
    await expect(context.createTensor(desc)).rejects.toMatchObject(state);
  });

  test('a device of too low a feature level is refused', async () => {
    await using old = await createDevice({ backend, featureLevel: '6.2' });
    await expect(ml.createContext(old)).rejects.toMatchObject({ name: 'NotSupportedError' });
    await expect(createML({ backend, featureLevel: '5.0' }).createContext()).rejects.toMatchObject({ name: 'NotSupportedError' });
  });
});

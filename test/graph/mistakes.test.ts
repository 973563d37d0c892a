/** Mistakes in graphs are typed errors that name the node and the field; on each backend. */
import { describe, expect, test } from 'vitest';
import { createDevice, type GraphDescriptor, type NodeDescriptor, type OperatorType, type Value } from 'node-directml';
import { backends, deviceOn } from '../support/devices.js';
import { caught, gist, rejected } from '../support/errors.js';
import { untyped } from '../../checks/malformed/objects.js';

const float32 = (...sizes: number[]) => ({ dataType: 'float32', sizes }) as const;

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);

  function begin() {
    const graph = device().createGraph();
    const x = graph.input('x', float32(2));
    const { outputTensor: y } = graph.add({ type: 'elementWiseNegate', inputTensor: x });
    return { graph, x, y };
  }

  test('refuses wrong inputs and constants', () => {
    const { graph } = begin();
    expect(gist(caught(() => graph.input('x', float32(3))))).toEqual(['ERR_INVALID_GRAPH', 'name']);
    expect(gist(caught(() => graph.input('', float32(3))))).toEqual(['ERR_INVALID_GRAPH', 'name']);
    expect(gist(caught(() => graph.input('z', float32(0))))).toEqual(['ERR_SIZES', 'sizes[0]']);
    expect(gist(caught(() => graph.input('z', { ...float32(1), flags: 'ownedByDml' })))).toEqual([
      'ERR_FIELD_COMBINATION',
      'flags',
    ]);
    expect(gist(caught(() => graph.constant(float32(2), [1])))).toEqual(['ERR_SIZES', 'data']);
    expect(gist(caught(() => graph.constant(float32(1), [1], { name: 'x' })))).toEqual(['ERR_INVALID_GRAPH', 'options.name']);
    expect(gist(caught(() => graph.constant(float32(1), untyped(undefined))))).toEqual(['ERR_INVALID_ARGUMENT', 'data']);
  });

  test('refuses wrong nodes', () => {
    const { graph, x } = begin();
    const other = begin();
    const refused = (descriptor: object) => gist(caught(() => graph.add(untyped<NodeDescriptor<OperatorType>>(descriptor))));
    const add = { type: 'elementWiseAdd', aTensor: x };
    expect(refused({ ...add, bTensor: float32(2) })).toEqual(['ERR_INVALID_GRAPH', 'bTensor']);
    expect(refused({ ...add, bTensor: other.x })).toEqual(['ERR_INVALID_GRAPH', 'bTensor']);
    expect(refused({ ...add, bTensor: device().createTensor(float32(2)) })).toEqual(['ERR_INVALID_GRAPH', 'bTensor']);
    expect(refused({ ...add, bTensor: x, outputTensor: x })).toEqual(['ERR_INVALID_GRAPH', 'outputTensor']);
    expect(refused(add)).toEqual(['ERR_MISSING_FIELD', 'bTensor']);
    expect(refused({ ...add, bTensor: x.broadcastTo([3, 2]) })).toEqual(['ERR_DIMENSION_COUNT', 'bTensor.sizes']);
    expect(refused({ ...add, bTensor: x, outputTensor: { totalTensorSizeInBytes: 64 } })[1]).toBe(
      'outputTensor.totalTensorSizeInBytes',
    );
    const aligned = { guaranteedBaseOffsetAlignment: 64 };
    expect(refused({ ...add, bTensor: x, outputTensor: aligned })[1]).toBe('outputTensor.guaranteedBaseOffsetAlignment');
    expect(refused({ type: 'elementWiseNegate', inputTensor: x, inputTensr: x })).toEqual(['ERR_UNKNOWN_FIELD', 'inputTensr']);
    expect(gist(caught(() => graph.add({ type: 'elementWiseNegate', inputTensor: x }, { name: 'x' })))[1]).toBe('options.name');
    expect(gist(caught(() => graph.constant(float32(1), [1], untyped({ nmae: 'a' }))))).toEqual([
      'ERR_INVALID_ARGUMENT',
      'options.nmae',
    ]);
  });

  test('refuses a name with which an output of the node would collide', () => {
    const { graph, x } = begin();
    graph.constant(float32(2), [1, 2], { name: 'n.outputTensor' });
    const add = () => graph.add({ type: 'elementWiseNegate', inputTensor: x }, { name: 'n' });
    expect(gist(caught(add))).toEqual(['ERR_INVALID_GRAPH', 'options.name']);
    expect(gist(caught(add))).toEqual(['ERR_INVALID_GRAPH', 'options.name']);
  });

  test('says how to make a value from a tensor if a node is given the tensor itself', () => {
    const { graph } = begin();
    const descriptor = { type: 'elementWiseNegate', inputTensor: device().createTensor(float32(2)) };
    const { message } = caught(() => graph.add(untyped<NodeDescriptor<OperatorType>>(descriptor)));
    expect(message).toContain('graph.constant(tensor) makes a value of a tensor');
  });

  test('refuses data beside a tensor, and says that the tensor has its own', () => {
    const { graph } = begin();
    const tensor = device().createTensor(float32(2));
    const constant = (...rest: readonly unknown[]) => {
      const call: unknown = Reflect.apply(untyped<(...args: readonly unknown[]) => unknown>(graph.constant), graph, [
        tensor,
        ...rest,
      ]);
      return call;
    };
    const two = Float32Array.of(1, 2);
    for (const data of [two, two.buffer, new SharedArrayBuffer(8), new DataView(two.buffer), [1, 2], tensor]) {
      for (const rest of [[data], [data, { name: 'weight' }]]) {
        const error = caught(() => constant(...rest));
        expect(gist(error)).toEqual(['ERR_INVALID_ARGUMENT', 'data']);
        expect(error.message).toContain('a tensor brings its data');
      }
    }
    expect(gist(caught(() => constant(undefined, { name: 'weight' })))).toEqual(['ERR_INVALID_ARGUMENT', 'data']);
    expect(gist(caught(() => constant('weight')))).toEqual(['ERR_INVALID_ARGUMENT', 'options']);
    expect(graph.constant(tensor, { name: 'weight' }).name).toBe('weight');
  });

  test('refuses wrong views', () => {
    const { x } = begin();
    expect(gist(caught(() => x.view({ sizes: [1] })))).toEqual(['ERR_TENSOR_SIZE', 'layout.sizes']);
    expect(gist(caught(() => x.reshape([3])))).toEqual(['ERR_SIZES', 'sizes']);
    expect(gist(caught(() => x.transpose([1])))).toEqual(['ERR_SIZES', 'axes']);
    expect(gist(caught(() => x.view(untyped(null))))).toEqual(['ERR_INVALID_ARGUMENT', 'layout']);
  });

  test('refuses wrong outputs', async () => {
    const { graph, x, y } = begin();
    const refused = async (outputs: object) => gist(await rejected(graph.compile(untyped<Record<string, Value>>(outputs))));
    expect(await refused({})).toEqual(['ERR_INVALID_GRAPH', 'outputs']);
    expect(await refused(y)).toEqual(['ERR_INVALID_ARGUMENT', 'outputs']);
    expect(await refused({ x: y })).toEqual(['ERR_INVALID_GRAPH', 'outputs.x']);
    expect(await refused({ y: 'y' })).toEqual(['ERR_INVALID_GRAPH', 'outputs.y']);
    expect(await refused({ y: begin().y })).toEqual(['ERR_INVALID_GRAPH', 'outputs.y']);
    graph.input('spare', float32(1));
    expect(await refused({ y })).toEqual(['ERR_INVALID_GRAPH', 'inputs.spare']);
    expect(await refused({ y, x2: x })).toEqual(['ERR_INVALID_GRAPH', 'inputs.spare']);
  });

  test('refuses wrong bindings', async () => {
    const { graph, y } = begin();
    const net = await graph.compile({ y });
    const [x, out] = [device().createTensor(float32(2)), device().createTensor(float32(2))];
    const refused = (bindings: object) => gist(caught(() => net.dispatch(untyped(bindings))));
    expect(refused({ x })).toEqual(['ERR_MISSING_BINDING', 'y']);
    expect(refused({ x, y: out, z: out })).toEqual(['ERR_UNKNOWN_BINDING', 'z']);
    expect(refused({ x, y: x })).toEqual(['ERR_ALIASED_BINDING', 'y']);
    expect(refused({ x, y: device().createTensor(float32(3)) })).toEqual(['ERR_SIZES', 'y.sizes']);
    expect(refused({ x: device().createTensor({ dataType: 'int32', sizes: [2] }), y: out })).toEqual([
      'ERR_DATA_TYPE',
      'x.dataType',
    ]);
    expect(gist(await rejected(net.run({ x, y: out })))).toEqual(['ERR_UNKNOWN_BINDING', 'y']);
    out.dispose();
    expect(refused({ x, y: out })).toEqual(['ERR_DISPOSED', 'y']);
    net.dispose();
    expect(caught(() => net.dispatch({ x, y: x })).message).toBe('graph: dispatch: the graph is disposed');
  });

  test('refuses wrong values of constants', async () => {
    const { graph, x } = begin();
    const weight = device().createTensor(float32(2));
    const constant = graph.constant(weight, { name: 'weight' });
    const y = graph.add({ type: 'elementWiseAdd', aTensor: x, bTensor: constant }).outputTensor;
    const net = await graph.compile({ y });
    const refused = (constants: object) => gist(caught(() => net.initialize(untyped(constants))));
    expect(refused({})).toEqual(['ERR_MISSING_BINDING', 'constants.weight']);
    expect(refused({ weight: [1] })).toEqual(['ERR_SIZES', 'constants.weight']);
    expect(refused({ weight: [1, 2], bias: [1] })).toEqual(['ERR_UNKNOWN_BINDING', 'constants.bias']);
    expect(refused({ weight: [1, 2], bias: undefined })).toEqual(['ERR_UNKNOWN_BINDING', 'constants.bias']);
    expect(refused({ weight: undefined })).toEqual(['ERR_MISSING_BINDING', 'constants.weight']);
    expect(refused({ weight: device().createTensor(float32(3)) })).toEqual(['ERR_SIZES', 'weight.sizes']);
    weight.dispose();
    expect(refused({ weight })).toEqual(['ERR_DISPOSED', 'weight']);
    expect(gist(await rejected(graph.compile({ y })))).toEqual(['ERR_DISPOSED', 'weight']);
  });

  test('refuses indices out of range', async () => {
    const graph = device().createGraph();
    const table = graph.input('table', float32(3));
    const ids = graph.input('ids', { dataType: 'uint32', sizes: [2] });
    const fixed = graph.constant({ dataType: 'uint32', sizes: [2] }, [0, 9]);
    const gather = (indicesTensor: typeof ids, name: string) =>
      graph.add({ type: 'gather', inputTensor: table, indicesTensor, indexDimensions: 1 }, { name }).outputTensor;
    const net = await graph.compile({ a: gather(ids, 'first'), b: gather(fixed, 'second') });
    expect(net.uncheckedIndices).toEqual(['second.indicesTensor']);
    const bindings = {
      table: device().createTensor(float32(3), [5, 6, 7]),
      ids: device().createTensor({ dataType: 'uint32', sizes: [2] }, [2, 3]),
      ...net.createOutputs(),
    };
    expect(gist(await rejected(net.dispatchChecked(bindings)))).toEqual(['ERR_INDEX_OUT_OF_RANGE', 'first.indicesTensor[1]']);
    bindings.ids.write([2, 1]);
    await net.dispatchChecked(bindings);
    expect(Array.from(await bindings.a.read(), Number)).toEqual([7, 6]);
  });

  test('refuses wrong descriptors, and names the field by its path in the descriptor', async () => {
    const good: GraphDescriptor = {
      inputs: { x: float32(2) },
      nodes: { minus: { type: 'elementWiseNegate', inputTensor: 'x' } },
      outputs: { y: 'minus.outputTensor' },
    };
    const refused = async (change: object, options?: object) =>
      gist(await rejected(device().compileGraph(untyped<GraphDescriptor>({ ...good, ...change }), untyped(options))));
    const minus = { type: 'elementWiseNegate', inputTensor: 'x' };
    await expect(device().compileGraph(good)).resolves.toBeDefined();
    const operatorOf = async (change: object) =>
      (await rejected(device().compileGraph(untyped<GraphDescriptor>({ ...good, ...change })))).operator;
    expect(await operatorOf({ nodes: { gemm: { type: 'gemm', aTensor: 'x' } } })).toBe('gemm');
    expect(await operatorOf({ nodes: { neither: { type: 'neither' } } })).toBe('compileGraph');
    expect(await operatorOf({ inputs: { x: float32(0) } })).toBe('compileGraph');
    expect(await operatorOf({ constants: { c: { ...float32(2), strides: [1, 1] } } })).toBe('compileGraph');
    expect(await refused({ nodes: { minus: { ...minus, inputTensor: 'z' } } })).toEqual([
      'ERR_INVALID_GRAPH',
      'nodes.minus.inputTensor',
    ]);
    expect(await refused({ nodes: { minus: { ...minus, inputTensor: 'minus.outputTensor' } } })).toEqual([
      'ERR_INVALID_GRAPH',
      'nodes.minus.inputTensor',
    ]);
    expect(await refused({ nodes: { minus: { ...minus, inputTensor: float32(2) } } })).toEqual([
      'ERR_UNKNOWN_FIELD',
      'nodes.minus.inputTensor.dataType',
    ]);
    expect(await refused({ nodes: { minus: { ...minus, inputTensor: { value: 'x', dataType: 'int32' } } } })).toEqual([
      'ERR_UNKNOWN_FIELD',
      'nodes.minus.inputTensor.dataType',
    ]);
    expect(await refused({ nodes: { minus: { ...minus, axis: 1 } } })).toEqual(['ERR_UNKNOWN_FIELD', 'nodes.minus.axis']);
    expect(await refused({ nodes: { minus: { type: 'elementWiseNegat', inputTensor: 'x' } } })).toEqual([
      'ERR_UNKNOWN_OPERATOR',
      'nodes.minus.type',
    ]);
    expect(await refused({ nodes: { x: minus } })).toEqual(['ERR_INVALID_GRAPH', 'nodes.x']);
    expect(await refused({ inputs: { x: float32(2, 0) } })).toEqual(['ERR_SIZES', 'inputs.x.sizes[1]']);
    expect(await refused({ outputs: { y: 'minus.output' } })).toEqual(['ERR_INVALID_GRAPH', 'outputs.y']);
    expect(await refused({ outputs: { y: { value: 'minus.outputTensor', sizes: [3] } } })).toEqual([
      'ERR_TENSOR_SIZE',
      'outputs.y.sizes',
    ]);
    expect(await refused({ inputs: { x: float32(2), q: { dataType: 'int4', sizes: [2] } }, outputs: { y: 'q' } })).toEqual([
      'ERR_DATA_TYPE',
      'outputs.y',
    ]);
    expect(await refused({ constants: { w: float32(1) } })).toEqual(['ERR_MISSING_BINDING', 'constants.w.data']);
    expect(await refused({ constants: { w: { ...float32(1), data: 'AA' } } })).toEqual(['ERR_SIZES', 'constants.w.data']);
    expect(await refused({ edges: [] })).toEqual(['ERR_UNKNOWN_FIELD', 'edges']);
    expect(await refused({}, { constants: { w: [1] } })).toEqual(['ERR_UNKNOWN_BINDING', 'options.constants.w']);
    expect(await refused({}, { constants: { w: undefined } })).toEqual(['ERR_UNKNOWN_BINDING', 'options.constants.w']);
  });
});

test('refuses graphs below feature level 2.1', async () => {
  await using device = await createDevice({ backend: 'reference', featureLevel: '2.0' });
  expect(caught(() => device.createGraph()).code).toBe('ERR_FEATURE_LEVEL');
});

test('refuses a graph of a disposed device', async () => {
  const device = await createDevice({ backend: 'reference' });
  const graph = device.createGraph();
  const x = graph.input('x', float32(2));
  device.dispose();
  expect((await rejected(graph.compile({ x2: x }))).code).toBe('ERR_DISPOSED');
  expect(caught(() => device.createGraph()).code).toBe('ERR_DISPOSED');
});

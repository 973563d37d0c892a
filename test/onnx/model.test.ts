/** ONNX models as functions: runs, sizes, graphs, steps that depend on data, and errors that name the node. */
import { onnx } from 'onnx-proto';
import { describe, expect, test } from 'vitest';
import { Tensor, type Device, type Value } from 'node-directml';
import { loadOnnx, type OnnxModel, type OnnxResult } from 'node-directml/onnx';
import { elementWiseAbs as abs } from 'node-directml/operators';
import { backends, deviceOn } from '../support/devices.js';
import { caught, rejected } from '../support/errors.js';
import { nodeOf, smallModel, type SmallGraph, type Weight } from '../../checks/networks/small-model.js';

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);
  const load = (graph: SmallGraph, opset?: number) => loadOnnx(device(), smallModel(graph, opset));
  const floats = (...elements: readonly number[]) =>
    device().createTensor({ dataType: 'float32', sizes: [elements.length] }, elements);
  const long = (...elements: readonly number[]) =>
    device().createTensor({ dataType: 'int64', sizes: [elements.length] }, elements.map(BigInt));

  const affine: SmallGraph = {
    inputs: 'float32 x [n]',
    outputs: 'float32 y [n]; float32 z [n]',
    nodes: [
      ['Mul', 'x two', 'y'],
      ['Add', 'y one', 'z'],
    ],
    weights: { two: ['float32', [], [2]], one: ['float32', [1], [1]] },
  };

  test('a run computes the outputs, for any sizes', async () => {
    using model = await load(affine);
    expect(model.inputs).toEqual([{ name: 'x', type: 'float32', dims: ['n'] }]);
    expect(await numbersOf((await model.run({ x: floats(1, 2, 3) })).z)).toEqual([3, 5, 7]);
    expect(await numbersOf((await model.run({ x: floats(4) })).y)).toEqual([8]);
    expect(model.graphs).toHaveLength(2);
    expect(await numbersOf((await model.run({ x: floats(5, 6, 7) })).z)).toEqual([11, 13, 15]);
    expect(model.graphs).toHaveLength(2);
  });

  test('64-bit floats that an operator converts need no 64-bit shaders', async () => {
    using model = await load({
      inputs: 'float32 x [3]; float64 exponents [3]',
      outputs: 'float32 powers',
      nodes: [['Pow', 'x exponents', 'powers']],
    });
    const exponents = device().createTensor({ dataType: 'float64', sizes: [3] }, [-1, 0.5, 0]);
    expect(await numbersOf((await model.run({ x: floats(2, 4, 3), exponents })).powers)).toEqual([0.5, 2, 1]);
  });

  test('a model is a part of jit and of graphs', async () => {
    using model = await loadOnnx<'y' | 'z'>(device(), smallModel(affine));
    using jitted = device().jit((x: Tensor<'float32'>) => abs(model({ x: abs(x) }).z));
    expect(await numbersOf(await jitted(floats(-2, 1)))).toEqual([5, 3]);
    expect(await numbersOf(await abs(model({ x: abs(floats(-2, 1)) }).z))).toEqual([5, 3]);
    const graph = device().createGraph();
    const { z } = model({ x: graph.input('x', { dataType: 'float32', sizes: [2] }) });
    const net = await graph.compile({ z });
    expect(await numbersOf((await net.run({ x: floats(1, 2) })).z)).toEqual([3, 5]);
  });

  test('beside values of a graph, a model takes tensors without elements', async () => {
    using model = await load({
      inputs: 'float32 x [n]; float32 z [m]',
      outputs: 'float32 y',
      nodes: [['Concat', 'x z', 'y', { axis: 0 }]],
    });
    const call = model as (inputs: unknown) => Readonly<Record<string, Value>>;
    const graph = device().createGraph();
    const x = graph.input('x', { dataType: 'float32', sizes: [2] });
    const net = await graph.compile(call({ x, z: { dataType: 'float32', sizes: [0] } }));
    expect(await numbersOf((await net.run({ x: floats(1, 2) })).y)).toEqual([1, 2]);
    const wrong = caught(() => call({ x, z: { dataType: 'float32', sizes: [1] } }));
    expect(wrong).toMatchObject({ code: 'ERR_INVALID_ARGUMENT', field: 'inputs["z"]' });
  });

  test('an input may be a sequence of any length', async () => {
    using model = await load({
      inputs: '? list',
      outputs: 'float32 y',
      nodes: [['ConcatFromSequence', 'list', 'y', { axis: 0 }]],
    });
    const run = async (...list: readonly Tensor[]) => numbersOf((await model.run({ list })).y);
    expect(await run(floats(1), floats(2, 3))).toEqual([1, 2, 3]);
    expect(await run(floats(4), floats(5))).toEqual([4, 5]);
    expect(await run(floats(6))).toEqual([6]);
  });

  test('normalizations and softmax of float16 have sums of float32, unless the program wants others', async () => {
    const bytes = smallModel({
      inputs: 'float16 x [1,4]; float16 scores [100000]',
      outputs: 'float16 normal; float16 shares',
      nodes: [
        ['LayerNormalization', 'x scale', 'normal'],
        ['Softmax', 'scores', 'shares', { axis: 0 }],
      ],
      weights: { scale: ['float16', [4], [0x3c00, 0x3c00, 0x3c00, 0x3c00]] },
    });
    const run = async (model: OnnxModel) => {
      const x = device().createTensor({ dataType: 'float16', sizes: [1, 4] }, [-1000, 1000, -1000, 1000]);
      const scores = device().createTensor({ dataType: 'float16', sizes: [100_000] }, new Uint16Array(100_000));
      const { normal, shares } = await model.run({ x, scores });
      if (normal === undefined || shares === undefined) throw new Error('the model has two outputs');
      return { normal: await normal.toArray(), sum: Number((await shares.toArray())[0]) * 100_000 };
    };
    using model = await loadOnnx(device(), bytes);
    const { normal, sum } = await run(model);
    expect(normal).toEqual([[-1, 1, -1, 1]]);
    expect(sum).toBeCloseTo(1, 2);
    using wide = await loadOnnx(device(), bytes, { sums: 'float32' });
    expect(await run(wide)).toEqual({ normal, sum });
    using narrow = await loadOnnx(device(), bytes, { sums: 'float16' });
    const limited = await run(narrow);
    // The reference sums wider.
    if (backend === 'directml') expect(limited.sum).toBeGreaterThan(1.5);
    if (backend === 'directml') expect(limited.normal).not.toEqual(normal);
    const wrong = await rejected(loadOnnx(device(), bytes, { sums: 'float64' as never }));
    expect(wrong).toMatchObject({ code: 'ERR_INVALID_ARGUMENT', field: 'options.sums' });
  });

  test('sizes can be compiled before a run', async () => {
    const model = await load(affine);
    const compile = (sizes: readonly number[], dataType: 'float32' | 'int32' = 'float32') =>
      model.compile({ x: { dataType, sizes } });
    await compile([3]);
    expect(model.graphs).toHaveLength(1);
    const { z } = await model.run({ x: floats(1, 2, 3) });
    expect(await z?.toArray()).toEqual([3, 5, 7]);
    expect(model.graphs).toHaveLength(1);
    await compile([4]);
    expect(model.graphs).toHaveLength(2);
    const place = { operator: 'model.compile', field: 'inputs["x"]' };
    expect(await rejected(compile([4], 'int32'))).toMatchObject({ code: 'ERR_DATA_TYPE', ...place });
    model.dispose();
    expect(await rejected(compile([3]))).toMatchObject({ code: 'ERR_DISPOSED', operator: 'model.compile' });
  });

  test('doubles in their own field', async () => {
    const graph = {
      outputs: 'float64 y [2]',
      nodes: [['Identity', 'c', 'y']],
      weights: { c: ['float64', [2], [0, 0]] },
    } as const;
    const proto = onnx.ModelProto.decode(smallModel(graph));
    const [tensor] = proto.graph?.initializer ?? [];
    if (!tensor) throw new Error('there is no constant');
    Object.assign(tensor, { rawData: undefined, doubleData: [0.1, -3] });
    using model = await loadOnnx(device(), onnx.ModelProto.encode(proto).finish());
    expect(await (await model.run({}))['y']?.toArray()).toEqual([0.1, -3]);
  });

  test('a Dropout that trains is refused by name', async () => {
    const weights: Readonly<Record<string, Weight>> = { half: ['float32', [], [0.5]], yes: ['bool', [], [1]] };
    const graph = {
      inputs: 'float32 x [n]',
      outputs: 'float32 y [n]',
      nodes: [['Dropout', 'x half yes', 'y']],
      weights,
    } as const;
    const run = async () => (await load(graph)).run({ x: floats(1, 2) });
    expect((await rejected(run())).message).toMatch(/training_mode.*'?true/);
  });

  test('a size that depends on data cuts the graph, and steps are kept', async () => {
    using model = await load({
      inputs: 'float32 x [n]',
      outputs: 'float32 y; int64 count []',
      nodes: [
        ['Mul', 'x x', 'square'],
        ['Greater', 'square four', 'mask'],
        ['Compress', 'square mask', 'y'],
        ['NonZero', 'mask', 'places'],
        ['Size', 'places', 'count'],
      ],
      weights: { four: ['float32', [], [4]] },
    });
    const run = async (...x: readonly number[]) => {
      const { y, count } = await model.run({ x: floats(...x) });
      return [await numbersOf(y), await numbersOf(count)];
    };
    expect(await run(1, 3, -5)).toEqual([[9, 25], [2]]);
    expect(await run(4, 1, 1)).toEqual([[16], [1]]);
    const graphs = model.graphs.length;
    expect(await run(0, -3, 6)).toEqual([[9, 36], [2]]);
    expect(model.graphs).toHaveLength(graphs);
    const [none] = await run(1, 1, 1);
    expect(none).toEqual([]);
    // Of many sizes, only the last ones are kept.
    for (let i = 1; i <= 70; i++) {
      const [, count] = await run(...Array.from({ length: 70 }, (_, k) => (k < i ? 3 : 0)));
      expect(count).toEqual([i]);
    }
    expect(model.graphs.length).toBeLessThan(70);
  });

  test('branches and loops follow the data', async () => {
    const branch = (nodes: SmallGraph['nodes']): SmallGraph => ({ outputs: 'float32 r', nodes });
    using model = await load({
      inputs: 'float32 x [2]; int64 n []',
      outputs: 'float32 last [2]; float32 all; float32 chosen [2]',
      nodes: [
        ['ReduceSum', 'x', 'sum', { keepdims: 0 }],
        ['Less', 'sum zero', 'negative'],
        ['If', 'negative', 'chosen', { then_branch: branch([['Neg', 'x', 'r']]), else_branch: branch([['Identity', 'x', 'r']]) }],
        [
          'Loop',
          'n - x',
          'last all',
          {
            body: {
              inputs: 'int64 i []; bool go []; float32 before [2]',
              outputs: 'bool again []; float32 after [2]; float32 scanned [2]',
              nodes: [
                ['Add', 'before before', 'after'],
                ['Identity', 'after', 'scanned'],
                ['ReduceMax', 'after', 'most', { keepdims: 0 }],
                ['Less', 'most limit', 'again'],
              ],
            },
          },
        ],
      ],
      weights: { zero: ['float32', [], [0]], limit: ['float32', [], [10]] },
    });
    const run = async (x: readonly number[], n: number) => {
      const { last, all, chosen } = await model.run({ x: floats(...x), n: long(n) });
      return { last: await numbersOf(last), all: await numbersOf(all), chosen: await numbersOf(chosen) };
    };
    expect(await run([1, 2], 2)).toEqual({ last: [4, 8], all: [2, 4, 4, 8], chosen: [1, 2] });
    expect(await run([-3, 2], 9)).toEqual({ last: [-24, 16], all: [-6, 4, -12, 8, -24, 16], chosen: [3, -2] });
  });

  test('a loop may depend on data hundreds of times', async () => {
    using model = await load({
      inputs: 'float32 x [1]',
      outputs: 'float32 last [1]',
      nodes: [
        [
          'Loop',
          ' - x',
          'last',
          {
            body: {
              inputs: 'int64 i []; bool go []; float32 before [1]',
              outputs: 'bool again []; float32 after [1]',
              nodes: [
                ['Add', 'before one', 'after'],
                ['Squeeze', 'after', 'most'],
                ['Less', 'most limit', 'again'],
              ],
            },
          },
        ],
      ],
      weights: { one: ['float32', [], [1]], limit: ['float32', [], [300]] },
    });
    expect(await numbersOf((await model.run({ x: floats(0) })).last)).toEqual([300]);
  });

  test('functions of the model are called, with their attributes or the defaults of these', async () => {
    const scaled = {
      name: 'Scaled',
      domain: 'own',
      input: ['a'],
      output: ['b'],
      opsetImport: [{ domain: '', version: 21 }],
      node: [{ ...nodeOf(['LeakyRelu', 'a', 'b']), attribute: [{ name: 'alpha', refAttrName: 'slope', type: 1 }] }],
    };
    const graph: SmallGraph = {
      inputs: 'float32 x [2]',
      outputs: 'float32 y [2]; float32 z [2]',
      nodes: [
        ['own:Scaled', 'x', 'y', { slope: { float: 0.5 } }],
        ['own:Scaled', 'x', 'z'],
      ],
    };
    // onnx-proto knows no defaults: field 11 of a function, which is field 25 of a model.
    const slope = onnx.AttributeProto.encode({ name: 'slope', f: 0.25, type: onnx.AttributeProto.AttributeType.FLOAT }).finish();
    const withDefault = onnx.FunctionProto.encode(scaled)
      .uint32(8 * 11 + 2)
      .bytes(slope)
      .finish();
    const bytes = onnx.ModelProto.encode(onnx.ModelProto.decode(smallModel(graph)))
      .uint32(8 * 25 + 2)
      .bytes(withDefault)
      .finish();
    using model = await loadOnnx(device(), bytes);
    const { y, z } = await model.run({ x: floats(-4, 4) });
    expect([await numbersOf(y), await numbersOf(z)]).toEqual([
      [-2, 4],
      [-1, 4],
    ]);
  });

  test('integers of 64 bits in fields of their own are exact', async () => {
    const numbers = [300, -1, 2 ** 62, -(2 ** 63)];
    const model = onnx.ModelProto.decode(smallModel({ outputs: '? y', nodes: [['Identity', 'w', 'y']] }));
    model.graph?.initializer?.push(onnx.TensorProto.create({ name: 'w', dataType: 7, dims: [4], int64Data: numbers }));
    using loaded = await loadOnnx<'y'>(device(), onnx.ModelProto.encode(model).finish());
    expect(Array.from(await (await loaded.run({})).y.read(), BigInt)).toEqual(numbers.map(BigInt));
  });

  test('errors name the node, and what is wrong with inputs', async () => {
    const unknown = await load({ inputs: 'float32 x [2]', outputs: 'float32 y', nodes: [['Foo', 'x', 'y']] });
    expect(await rejected(unknown.run({ x: floats(1, 2) }))).toMatchObject({
      code: 'ERR_INVALID_FILE',
      message: "node 'Foo of y' (Foo): model: the operator: expected one that is supported, given Foo of opset 21",
    });
    const wrong = await load({ inputs: 'float32 x [2]; float32 z [3]', outputs: 'float32 y', nodes: [['Add', 'x z', 'y']] });
    expect(await rejected(wrong.run({ x: floats(1, 2), z: floats(1, 2, 3) }))).toMatchObject({
      message: "node 'Add of y' (Add): [2] and [3] do not broadcast",
    });
    using model = await load(affine);
    const run = model.run as (inputs: unknown) => Promise<unknown>;
    expect(await rejected(run({}))).toMatchObject({ code: 'ERR_MISSING_BINDING', field: 'inputs["x"]' });
    expect(await rejected(run({ x: floats(1), w: floats(1) }))).toMatchObject({ code: 'ERR_UNKNOWN_BINDING' });
    expect(await rejected(run({ x: long(1) }))).toMatchObject({ code: 'ERR_DATA_TYPE' });
    expect(await rejected(run({ x: floats(1, 2).reshape([1, 2]) }))).toMatchObject({ code: 'ERR_DIMENSION_COUNT' });
    expect(await rejected(run({ x: 1 }))).toMatchObject({ code: 'ERR_INVALID_ARGUMENT' });
    expect(await rejected(wrong.run({ x: floats(1), z: floats(1, 2, 3) }))).toMatchObject({ code: 'ERR_SIZES' });
  });

  // The engine ends the process for an array of 100 million elements.
  const many = { many: ['int64', [], [1e8]], shape: ['int64', [1], [1e8]] } as const;
  test.each<[string, SmallGraph['nodes'], Readonly<Record<string, Weight>>]>([
    ['a range', [['Range', 'zero many one', 'y']], { zero: ['int64', [], [0]], one: ['int64', [], [1]] }],
    [
      'a range of floats',
      [['Range', 'zero far one', 'y']],
      { zero: ['float32', [], [0]], far: ['float32', [], [1e8]], one: ['float32', [], [1]] },
    ],
    [
      'the indices of a constant',
      [
        ['ConstantOfShape', 'shape', 'all'],
        ['NonZero', 'all', 'y'],
      ],
      {},
    ],
    [
      'elements of a constant',
      [
        ['ConstantOfShape', 'shape', 'all'],
        ['Unique', 'all', 'y'],
      ],
      {},
    ],
    ['a window', [['HannWindow', 'many', 'y']], {}],
  ])('%s that is too long for memory is an error', async (_, nodes, weights) => {
    using model = await load({ outputs: '? y', nodes, weights: { ...many, ...weights } });
    expect(await rejected(model.run({}))).toMatchObject({ code: 'ERR_INVALID_FILE' });
  });

  test('a product without terms is zero', async () => {
    const nodes: SmallGraph['nodes'] = [
      ['MatMul', 'a b', 'product'],
      ['Add', 'product x', 'y'],
    ];
    const weights: Readonly<Record<string, Weight>> = { a: ['float32', [2, 0], []], b: ['float32', [0, 3], []] };
    using model = await load({ inputs: 'float32 x [1]', outputs: 'float32 y', nodes, weights });
    const { y } = await model.run({ x: floats(5) });
    expect(await numbersOf(y)).toEqual([5, 5, 5, 5, 5, 5]);
  });

  test('what depends on data cannot be a part of a graph', async () => {
    using model = await load({ inputs: 'float32 x [2]', outputs: 'int64 y', nodes: [['NonZero', 'x', 'y']] });
    const x = device()
      .createGraph()
      .input('x', { dataType: 'float32', sizes: [2] });
    expect(caught(() => model({ x }))).toMatchObject({ code: 'ERR_INVALID_GRAPH' });
  });

  test('runs may overlap, and a disposed model refuses', async () => {
    const model = await load(affine);
    const runs = await Promise.all([1, 2, 3, 4].map((k) => model.run({ x: floats(k) })));
    expect(await Promise.all(runs.map(({ z }) => numbersOf(z)))).toEqual([[3], [5], [7], [9]]);
    model.dispose();
    expect(await rejected(model.run({ x: floats(1) }))).toMatchObject({ code: 'ERR_DISPOSED' });
  });

  test('runs leave nothing but their outputs', async () => {
    using model = await load(affine);
    await disposeAll(await model.run({ x: floats(1, 2) }));
    const before = heldBy(device());
    const x = floats(1, 2);
    for (let i = 0; i < 20; i++) await disposeAll(await model.run({ x }));
    x.dispose();
    expect(heldBy(device())).toBe(before);
  });
});

async function disposeAll(results: Awaited<ReturnType<OnnxModel['run']>>): Promise<void> {
  for (const result of Object.values(results)) if (result instanceof Tensor) result.dispose();
  return Promise.resolve();
}

function heldBy(device: Device): number {
  return device.memory().buffers;
}

/** The elements; none of a tensor without elements. */
async function numbersOf(result: OnnxResult | undefined): Promise<number[]> {
  if (result instanceof Tensor) return Array.from(await result.read(), Number);
  if (result !== undefined && result !== null && 'sizes' in result && result.sizes.includes(0)) return [];
  throw new Error('no tensor');
}

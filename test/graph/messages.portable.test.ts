/** What graphs, their values and their descriptors refuse: the code and the whole message of each error. */
import { createDevice, type Device, type Graph, type GraphDescriptor, type Tensor, type Value } from 'node-directml';
import { beforeAll, describe, expect, test } from 'vitest';
import { GraphBuilder } from '#lib/graph/graph-builder.js';
import { refusalOf } from '../support/refusals.js';

const float32 = (...sizes: number[]) => ({ dataType: 'float32', sizes }) as const;
const long = 'n'.repeat(1001);
const cut = `${'n'.repeat(57)}...`;

/** A graph with y = -x, whose node is `minus`. */
interface Scene {
  readonly d: Device;
  readonly g: Loose<Graph>;
  readonly x: Loose<Value>;
  readonly y: Value;
  /** Of another graph. */
  readonly other: Value;
  readonly tensor: Tensor;
}

/** Methods with arguments of any type. */
type Loose<T> = { readonly [K in keyof T]: T[K] extends (...args: never[]) => unknown ? (...args: unknown[]) => unknown : T[K] };
type Program = (scene: Scene) => unknown;

let d: Device;

beforeAll(async () => {
  d = await createDevice({ backend: 'reference' });
});

function newScene(): Scene {
  const [g, others] = [d.createGraph(), d.createGraph()];
  const x = g.input('x', float32(2));
  const { outputTensor: y } = g.add({ type: 'elementWiseNegate', inputTensor: x }, { name: 'minus' });
  const other = others.input('x', float32(2));
  // methods are given wrong arguments
  return { d, g: g as unknown as Scene['g'], x: x as unknown as Scene['x'], y, other, tensor: d.createTensor(float32(2)) };
}

/** Adds a node with other fields than those of a right one. */
const negate =
  (fields: (scene: Scene) => object, options?: object): Program =>
  (scene) =>
    scene.g.add({ type: 'elementWiseNegate', inputTensor: scene.x, ...fields(scene) }, options);

/** Compiles a descriptor with other parts than those of a right one. */
const compiled =
  (parts: object): Program =>
  ({ d: device }) => {
    const good = {
      inputs: { x: float32(2) },
      nodes: { minus: { type: 'elementWiseNegate', inputTensor: 'x' } },
      outputs: { y: 'minus.outputTensor' },
    };
    return device.compileGraph({ ...good, ...parts } as unknown as GraphDescriptor);
  };

const withInput = (inputTensor: unknown) => compiled({ nodes: { minus: { type: 'elementWiseNegate', inputTensor } } });

const refusals: Readonly<Record<string, Readonly<Record<string, Program>>>> = {
  'graph.input': {
    'ERR_INVALID_GRAPH graph.input: name: expected a name, given 3 (graph.input(name, { dataType, sizes }))': ({ g }) =>
      g.input(3, float32(2)),
    'ERR_INVALID_GRAPH graph.input: name: expected a name, given an object (graph.input(name, { dataType, sizes }))': ({ g }) =>
      g.input(float32(2)),
    "ERR_INVALID_GRAPH graph.input: name: expected a name of 1 to 1000 characters, given ''": ({ g }) => g.input('', float32(2)),
    [`ERR_INVALID_GRAPH graph.input: name: expected a name of 1 to 1000 characters, given '${cut}'`]: ({ g }) =>
      g.input(long, float32(2)),
    "ERR_INVALID_GRAPH graph.input: name: expected a name that the graph does not have yet, given 'x'": ({ g }) =>
      g.input('x', float32(1)),
    "ERR_INVALID_GRAPH graph.input: name: expected a name that the graph does not have yet, given 'minus'": ({ g }) =>
      g.input('minus', float32(1)),
    "ERR_INVALID_GRAPH graph.input: name: expected a name that the graph does not have yet, given 'minus.outputTensor'": ({
      g,
    }) => g.input('minus.outputTensor', float32(1)),
    'ERR_INVALID_DESCRIPTOR graph.input: descriptor: expected a tensor description { dataType, sizes }, given nothing \
(graph.input(name, { dataType, sizes }))': ({ g }) => g.input('z'),
    "ERR_FIELD_COMBINATION graph.input: flags: expected 'none', given 'ownedByDml' (graph.constant makes a tensor that is given \
once)": ({ g }) => g.input('z', { ...float32(1), flags: 'ownedByDml' }),
  },
  'graph.constant': {
    'ERR_INVALID_ARGUMENT graph.constant: data: expected an array of numbers, a typed array, a DataView or an ArrayBuffer, given \
nothing (graph.constant(desc, data, options), or graph.constant(tensor, options))': ({ g }) => g.constant(float32(2)),
    'ERR_INVALID_DESCRIPTOR graph.constant: descriptor: expected a tensor description { dataType, sizes }, given an array of 2 \
numbers (graph.constant({ dataType, sizes }, data), or graph.constant(tensor))': ({ g }) => g.constant([1, 2]),
    "ERR_INVALID_GRAPH graph.constant: options.name: expected a name that the graph does not have yet, given 'x'": ({ g }) =>
      g.constant(float32(2), [1, 2], { name: 'x' }),
    'ERR_INVALID_GRAPH graph.constant: options.name: expected a name of 1 to 1000 characters, given 5': ({ g }) =>
      g.constant(float32(2), [1, 2], { name: 5 }),
  },
  'graph.add': {
    'ERR_INVALID_DESCRIPTOR graph.add: descriptor: expected an operator descriptor, given 5': ({ g }) => g.add(5),
    'ERR_INVALID_GRAPH elementWiseNegate: inputTensor: expected a value of this graph, given a tensor (graph.constant(tensor) \
makes a value of a tensor)': negate(({ tensor }) => ({ inputTensor: tensor })),
    'ERR_INVALID_GRAPH elementWiseNegate: inputTensor: expected a value of this graph, given an object': negate(() => ({
      inputTensor: float32(2),
    })),
    "ERR_INVALID_GRAPH elementWiseNegate: inputTensor: expected a value of this graph, given another graph's": negate(
      ({ other }) => ({ inputTensor: other }),
    ),
    'ERR_INVALID_GRAPH elementWiseNegate: outputTensor: expected a description: add makes the values of outputs, given a value':
      negate(({ x }) => ({ outputTensor: x })),
    'ERR_TENSOR_SIZE elementWiseNegate: outputTensor.totalTensorSizeInBytes: expected 8, given 64 (a tensor inside a graph has \
no padding)': negate(() => ({ outputTensor: { totalTensorSizeInBytes: 64 } })),
    'ERR_FIELD_COMBINATION elementWiseNegate: outputTensor.guaranteedBaseOffsetAlignment: expected 0, given 64 (DirectML places \
the tensors inside a graph)': negate(() => ({ outputTensor: { guaranteedBaseOffsetAlignment: 64 } })),
    'ERR_MISSING_FIELD elementWiseNegate: inputTensor: expected a value of this graph, given nothing': negate(() => ({
      inputTensor: undefined,
    })),
    'ERR_INVALID_DESCRIPTOR elementWiseNegate: inputTensor: expected a value of this graph, given an array of 2 numbers \
(graph.constant({ dataType, sizes }, data) makes a value of numbers)': negate(() => ({ inputTensor: [1, 2] })),
    "ERR_INVALID_GRAPH elementWiseNegate: options.name: expected a name that the graph does not have yet, given 'minus'": negate(
      () => ({}),
      { name: 'minus' },
    ),
    "ERR_INVALID_GRAPH elementWiseNegate: options.name: expected a name of 1 to 1000 characters, given ''": negate(() => ({}), {
      name: '',
    }),
    'ERR_INVALID_DESCRIPTOR join: inputTensors: expected an array of values of this graph, given a value of a graph': ({
      g,
      x,
    }) => g.add({ type: 'join', inputTensors: x, axis: 0 }),
    'ERR_INVALID_DESCRIPTOR join: inputTensors[1]: expected a value of this graph, given 5 (graph.constant({ dataType, sizes }, \
data) makes a value of numbers)': ({ g, x }) => g.add({ type: 'join', inputTensors: [x, 5], axis: 0 }),
    'ERR_STRIDES dequantize: inputTensor.strides: expected those of a packed tensor, given [1, 4] (DirectML takes few other \
4-bit tensors inside a graph)': ({ g }) => {
      const q = g.input('q', { dataType: 'int4', sizes: [2, 4] }) as Value;
      const inputTensor = q.view({ sizes: [4, 2], strides: [1, 4] });
      return g.add({ type: 'dequantize', inputTensor, quantizationTensors: [g.constant(float32(1, 1), [1])] });
    },
  },
  'the outputs of a graph': {
    'ERR_INVALID_GRAPH graph.compile: outputs: expected at least one output, given none': ({ g }) => g.compile({}),
    'ERR_INVALID_GRAPH graph.toDescriptor: outputs: expected at least one output, given none': ({ g }) => g.toDescriptor({}),
    'ERR_INVALID_ARGUMENT graph.toMermaid: outputs: expected an object with a value per output, such as { y: value }, given 5': ({
      g,
    }) => g.toMermaid(5),
    'ERR_INVALID_ARGUMENT graph.compile: outputs: expected an object with a value per output, such as { y: value }, given a \
value of a graph': ({ g, y }) => g.compile(y),
    'ERR_INVALID_GRAPH graph.compile: outputs.x: expected a name of its own, given the name of an input': ({ g, y }) =>
      g.compile({ x: y }),
    'ERR_INVALID_GRAPH graph.compile: outputs.y: expected a value of this graph, given 5 (graph.constant({ dataType, sizes }, \
data) makes a value of numbers)': ({ g }) => g.compile({ y: 5 }),
    "ERR_INVALID_GRAPH graph.compile: outputs.y: expected a value of this graph, given another graph's": ({ g, other }) =>
      g.compile({ y: other }),
    'ERR_INVALID_GRAPH graph.compile: outputs.y: expected a value of this graph, given a tensor (graph.constant(tensor) makes a \
value of a tensor)': ({ g, tensor }) => g.compile({ y: tensor }),
    [`ERR_INVALID_GRAPH graph.compile: outputs.${cut}: expected a name of 1 to 1000 characters, given '${cut}'`]: ({ g, y }) =>
      g.compile({ [long]: y }),
    'ERR_INVALID_GRAPH graph.compile: inputs.spare: expected an input that a node reads, given one that nothing uses': ({
      g,
      y,
    }) => {
      g.input('spare', float32(1));
      return g.compile({ y });
    },
    "ERR_DATA_TYPE graph.compile: outputs.z: expected the output of a node, given 'q', of which the output is a copy (no \
operator copies int4)": ({ g, y }) => g.compile({ y, z: g.input('q', { dataType: 'int4', sizes: [2] }) }),
  },
  values: {
    ...Object.fromEntries(
      (['toArray', 'read', 'readInto', 'write'] as const).map((method) => [
        `ERR_INVALID_GRAPH value.${method}: values have no data while tracing or building a graph; return the value, and read \
the result`,
        ({ x }: Scene) => (x as unknown as Readonly<Record<string, () => unknown>>)[method]?.(),
      ]),
    ),
    'ERR_TENSOR_SIZE value.view: layout.sizes: expected a view of all 8 bytes of the value, given 12 bytes (a node such as slice \
takes a part of a value)': ({ x }) => x.view({ sizes: [3] }),
    'ERR_TENSOR_SIZE value.view: layout.sizes: expected a view of all 8 bytes of the value, given 4 bytes (a node such as slice \
takes a part of a value)': ({ x }) => x.view({ strides: [0] }),
    'ERR_INVALID_ARGUMENT value.view: layout: expected an object, given 5': ({ x }) => x.view(5),
    "ERR_INVALID_ARGUMENT value.view: layout.size: expected one of sizes, strides, given 'size' (did you mean 'sizes'?)": ({
      x,
    }) => x.view({ size: [2] }),
    'ERR_SIZES value.reshape: sizes: expected 2 elements, as [2] has, given [3], which has 3': ({ x }) => x.reshape([3]),
    'ERR_SIZES value.transpose: axes: expected each of the dimensions 0 to 0 once, given [1]': ({ x }) => x.transpose([1]),
    'ERR_SIZES value.broadcastTo: sizes: expected sizes that [2] can be repeated to, given [3]': ({ x }) => x.broadcastTo([3]),
  },
  'the parts of a descriptor': {
    'ERR_INVALID_DESCRIPTOR compileGraph: inputs: expected an object with a property per name, given 5': compiled({ inputs: 5 }),
    'ERR_INVALID_DESCRIPTOR compileGraph: inputs: expected an object with a property per name, given an array of 1 number':
      compiled({ inputs: [1] }),
    'ERR_INVALID_DESCRIPTOR compileGraph: nodes: expected an object with a property per name, given nothing': compiled({
      nodes: undefined,
    }),
    'ERR_INVALID_DESCRIPTOR compileGraph: outputs: expected an object with a property per name, given null': compiled({
      outputs: null,
    }),
    'ERR_INVALID_GRAPH compileGraph: outputs: expected at least one output, given none': compiled({ outputs: {} }),
    "ERR_UNKNOWN_FIELD compileGraph: edges: expected one of inputs, constants, nodes, outputs, given 'edges'": compiled({
      edges: 1,
    }),
    'ERR_INVALID_DESCRIPTOR compileGraph: nodes.minus: expected the descriptor of an operator, given 5': compiled({
      nodes: { minus: 5 },
    }),
    "ERR_UNKNOWN_OPERATOR compileGraph: nodes.minus.type: expected an operator's type, such as 'scatterNd', given 'nope'":
      compiled({ nodes: { minus: { type: 'nope' } } }),
    'ERR_MISSING_BINDING compileGraph: constants.w.data: expected the elements as base64, given nothing (the options of \
compileGraph take it too)': compiled({ constants: { w: float32(2) } }),
    "ERR_INVALID_ARGUMENT compileGraph: constants.w.ownership: expected 'shared' or 'directml', given 'mine'": compiled({
      constants: { w: { ...float32(1), data: 'AACAPw==', ownership: 'mine' } },
    }),
    'ERR_SIZES compileGraph: constants.w.data: expected 4 bytes, given 1': compiled({
      constants: { w: { ...float32(1), data: 'AA' } },
    }),
    "ERR_INVALID_GRAPH elementWiseNegate: nodes.minus: expected a name that the graph does not have yet, given 'minus' (the \
graph has 'minus.outputTensor')": compiled({ inputs: { x: float32(2), 'minus.outputTensor': float32(2) } }),
    'ERR_INVALID_GRAPH compileGraph: outputs.x: expected a name of its own, given the name of an input': compiled({
      outputs: { x: 'minus.outputTensor' },
    }),
    'ERR_INVALID_GRAPH compileGraph: inputs.z: expected an input that a node reads, given one that nothing uses': compiled({
      inputs: { x: float32(2), z: float32(2) },
    }),
    "ERR_INVALID_DESCRIPTOR elementWiseClip: nodes.c.min: expected a number, given '1'": compiled({
      nodes: { c: { type: 'elementWiseClip', inputTensor: 'x', min: '1', max: 2 } },
    }),
    "ERR_INVALID_GRAPH compileGraph: nodes.b.inputTensor: expected a value that does not depend on this node, given \
'a.outputTensor' (the nodes form a cycle)": compiled({
      nodes: {
        a: { type: 'elementWiseNegate', inputTensor: 'b.outputTensor' },
        b: { type: 'elementWiseNegate', inputTensor: 'a.outputTensor' },
      },
    }),
  },
  'references to values': {
    "ERR_INVALID_GRAPH compileGraph: nodes.minus.inputTensor: expected the name of a value: one of x, given 'z'": withInput('z'),
    "ERR_INVALID_GRAPH compileGraph: nodes.minus.inputTensor: expected the name of a value: one of x, given 'X' (did you mean \
'x'?)": withInput('X'),
    "ERR_INVALID_GRAPH compileGraph: nodes.minus.inputTensor: expected the name of a value, given 'z'": compiled({
      inputs: {},
      nodes: { minus: { type: 'elementWiseNegate', inputTensor: 'z' } },
    }),
    "ERR_INVALID_GRAPH compileGraph: nodes.minus.inputTensor: expected a value that does not depend on this node, given \
'minus.outputTensor' (the nodes form a cycle)": withInput('minus.outputTensor'),
    'ERR_INVALID_GRAPH compileGraph: nodes.minus.inputTensor: expected the name of a value, or { value, sizes, strides }, given 5':
      withInput(5),
    'ERR_INVALID_GRAPH compileGraph: nodes.minus.inputTensor: expected the name of a value, or { value, sizes, strides }, given \
an array of 1 number': withInput([1]),
    'ERR_INVALID_GRAPH compileGraph: nodes.minus.inputTensor.value: expected the name of a value, given 5': withInput({
      value: 5,
    }),
    'ERR_TENSOR_SIZE compileGraph: nodes.minus.inputTensor.sizes: expected a view of all 8 bytes of the value, given 12 bytes (a \
node such as slice takes a part of a value)': withInput({ value: 'x', sizes: [3] }),
    ...Object.fromEntries(
      [
        ['dataType', 'a node such as cast changes the data type'],
        ['totalTensorSizeInBytes', 'a view has the size of its value'],
        ['guaranteedBaseOffsetAlignment', 'a view has the alignment of its value'],
        ['flags', 'constants of the graph are owned by DirectML where it takes them'],
      ].map(([field = '', why]) => [
        `ERR_UNKNOWN_FIELD compileGraph: nodes.minus.inputTensor.${field}: expected one of value, sizes, strides, given \
'${field}' (${why})`,
        withInput({ value: 'x', [field]: 8 }),
      ]),
    ),
    "ERR_INVALID_DESCRIPTOR compileGraph: nodes.j.inputTensors: expected an array of names of values, given 'x'": compiled({
      nodes: { j: { type: 'join', inputTensors: 'x', axis: 0 } },
    }),
    'ERR_INVALID_GRAPH compileGraph: nodes.j.inputTensors[1]: expected the name of a value, or { value, sizes, strides }, given 5':
      compiled({ nodes: { j: { type: 'join', inputTensors: ['x', 5], axis: 0 } } }),
    "ERR_INVALID_GRAPH compileGraph: outputs.y: expected the name of a value: one of x, minus.outputTensor, given 'minus' (did \
you mean 'minus.outputTensor'?)": compiled({ outputs: { y: 'minus' } }),
  },
};

describe.each(Object.entries(refusals))('%s', (_name, programs) => {
  test.each(Object.entries(programs))('%s', async (message, program) => {
    expect(await refusalOf(() => program(newScene()))).toBe(message);
  });
});

test('a value prints its name, data type and layout', () => {
  const { x, y } = newScene();
  const texts = [x, y, x.view({ strides: [1] }), x.view({ sizes: [1, 2] }), x.broadcastTo([3, 2])].map(String);
  expect(texts).toEqual([
    "Value 'x' float32 [2]",
    "Value 'minus.outputTensor' float32 [2]",
    "Value 'x' float32 [2], strides [1]",
    "Value 'x' float32 [1, 2]",
    "Value 'x' float32 [3, 2], strides [0, 1]",
  ]);
});

test('a name of 1000 characters is taken', () => {
  const { g } = newScene();
  expect((g.input(long.slice(1), float32(1)) as Value).name).toHaveLength(1000);
});

test('a builder of its own has no advice, and knows its contents', () => {
  expect(() => new GraphBuilder('2.0')).toThrow(
    expect.objectContaining({
      code: 'ERR_FEATURE_LEVEL',
      message: 'createGraph: featureLevel: expected feature level 2.1 for graphs, given 2.0',
    }),
  );
  expect(() => new GraphBuilder('2.1')).not.toThrow();
  const builder = new GraphBuilder('6.4');
  const x = builder.input('x', float32(2));
  builder.constant(undefined, float32(1), () => ({ data: undefined, ownership: undefined, isShared: false }));
  const { outputTensor: y } = builder.add({ type: 'elementWiseNegate', inputTensor: x });
  builder.add({ type: 'elementWiseNegate', inputTensor: y });
  const { inputs, constants, nodes } = builder.contents;
  expect([inputs.map(({ name }) => name), constants, nodes]).toEqual([['x'], 1, 2]);
  expect([builder.has('x'), builder.has('constant_0'), builder.has('elementWiseNegate_1.outputTensor')]).toEqual([
    true,
    true,
    true,
  ]);
  expect([builder.has('y'), builder.has('elementWiseNegate_2.outputTensor'), builder.has('x.outputTensor')]).toEqual([
    false,
    false,
    false,
  ]);
  expect(() => builder.add({ type: 'elementWiseNegate', inputTensor: 5 })).toThrow(
    expect.objectContaining({
      code: 'ERR_INVALID_DESCRIPTOR',
      message: 'elementWiseNegate: inputTensor: expected a value of this graph, given 5',
    }),
  );
});

/** Mistakes that beginners make. The messages say what was given, what was expected, and how to correct it. */
import { beforeAll, expect, test } from 'vitest';
import type { CompiledGraph, CompiledOperator, Graph, Tensor, Value } from 'node-directml';
import { deviceOn } from '../support/devices.js';
import { rejected } from '../support/errors.js';
import { untyped } from '../../checks/malformed/objects.js';

const desc = { dataType: 'float32', sizes: [2, 2] } as const;
const device = deviceOn('reference');
const sum = (aTensor: unknown, bTensor: unknown) => ({ type: 'elementWiseAdd', aTensor, bTensor });
const image = (...sizes: number[]) => ({ dataType: 'float32', sizes });
const channels = (count: number) => image(count);

/** The objects with which the mistakes are made. */
interface Things {
  readonly x: Tensor;
  readonly result: { readonly outputTensor: Tensor };
  readonly promise: Promise<unknown>;
  readonly operator: CompiledOperator;
  readonly graph: Graph;
  readonly value: Value;
  readonly added: { readonly outputTensor: Value };
  readonly net: CompiledGraph;
}

let things: Things;

beforeAll(async () => {
  const x = device().createTensor(desc);
  const graph = device().createGraph();
  const value = graph.input('x', desc);
  const added = graph.add({ type: 'elementWiseAdd', aTensor: value, bTensor: value });
  const promise = device().run({ type: 'elementWiseAdd', aTensor: x, bTensor: x });
  things = {
    x,
    promise,
    result: await promise,
    operator: untyped(await device().compile({ type: 'elementWiseAdd', aTensor: desc, bTensor: desc })),
    graph,
    value,
    added,
    net: untyped(await graph.compile({ y: added.outputTensor })),
  };
});

/** Calls a method with arguments that its types do not allow. */
async function call(object: object, method: string, ...args: readonly unknown[]): Promise<unknown> {
  const given: unknown = Reflect.apply(untyped<() => unknown>(Reflect.get(object, method)), object, args);
  return given;
}

const run = (descriptor: unknown, ...rest: unknown[]) => call(device(), 'run', descriptor, ...rest);
const compile = (descriptor: unknown, ...rest: unknown[]) => call(device(), 'compile', descriptor, ...rest);
const createTensor = (...args: unknown[]) => call(device(), 'createTensor', ...args);
const add = ({ graph }: Things, ...args: unknown[]) => call(graph, 'add', ...args);
const dispatch = ({ operator }: Things, ...args: unknown[]) => call(operator, 'dispatch', ...args);

const makesTensor = '(device.createTensor({ dataType, sizes }, data) makes a tensor of numbers)';
const makesConstant = '(graph.constant({ dataType, sizes }, data) makes a value of numbers)';
const binding = 'expected a tensor, a buffer or { buffer, offset, size }';
const bindings = 'expected an object with a binding per tensor: { aTensor, bTensor, outputTensor }';
const description = 'expected a tensor description { dataType, sizes }';
const operatorType = `expected an operator's type, such as 'scatterNd'`;
const data = 'expected an array of numbers, a typed array, a DataView or an ArrayBuffer';

// One line per mistake, however long.
// prettier-ignore
const mistakes: readonly [title: string, mistake: (things: Things) => Promise<unknown>, message: string][] = [
  // Arguments of run.
  ['a forgotten await', ({ promise, x }) => run(sum(promise, x)), 'elementWiseAdd: aTensor: expected a tensor, given a promise that was not awaited'],
  [`run's result as a tensor`, ({ result, x }) => run(sum(result, x)), 'elementWiseAdd: aTensor: expected a tensor, given an object whose outputTensor is a tensor (pass its outputTensor)'],
  [`run's result among tensors`, ({ result, x }) => run({ type: 'join', inputTensors: [x, result], axis: 0 }), 'join: inputTensors[1]: expected a tensor, given an object whose outputTensor is a tensor (pass its outputTensor)'],
  ['a typed array as a tensor', ({ x }) => run(sum(new Float32Array(4), x)), `elementWiseAdd: aTensor: expected a tensor, given a Float32Array ${makesTensor}`],
  ['a number as a tensor', ({ x }) => run(sum(x, 2)), `elementWiseAdd: bTensor: expected a tensor, given 2 ${makesTensor}`],
  ['a nested array as a tensor', ({ x }) => run(sum([[1, 2], [3, 4]], x)), `elementWiseAdd: aTensor: expected a tensor, given an array of 2 arrays ${makesTensor}`],
  ['an array in itself as a tensor', ({ x }) => run(sum(endless(), x)), 'elementWiseAdd: aTensor: expected a tensor, given an array of 1 array'],
  ['a value of a graph in run', ({ x, value }) => run(sum(value, x)), 'elementWiseAdd: aTensor: expected a tensor, given a value of a graph (it gets its elements when its graph is compiled and runs)'],
  ['a buffer in run', ({ x }) => run(sum(x.buffer, x)), 'elementWiseAdd: aTensor: expected a tensor, given a buffer (device.createTensor({ dataType, sizes }, { buffer }) makes a tensor in a buffer)'],
  ['a description in run', ({ x }) => run(sum(desc, x)), 'elementWiseAdd: aTensor: expected a tensor, given a description (run computes with tensors; compile takes descriptions)'],
  ['a missing tensor', ({ x }) => run({ type: 'elementWiseAdd', aTensor: x }), 'elementWiseAdd: bTensor: expected a tensor, given nothing'],
  ['one tensor for several', ({ x }) => run({ type: 'join', inputTensors: x, axis: 0 }), 'join: inputTensors: expected an array of tensors, given a tensor'],
  ['run(type, fields)', ({ x }) => run('gemm', { aTensor: x, bTensor: x }), `run: descriptor: expected an operator descriptor, given 'gemm' (write { type: 'gemm' } with its fields)`],
  ['run of a promise', ({ promise }) => run(promise), 'run: descriptor: expected an operator descriptor, given a promise that was not awaited'],
  ['run of a compiled operator', ({ operator }) => run(operator), 'run: descriptor: expected an operator descriptor, given a compiled operator'],
  ['compile(type, fields)', () => compile('gemm', { aTensor: desc, bTensor: desc }), `compile: descriptor: expected an operator descriptor, given 'gemm' (write { type: 'gemm' } with its fields)`],

  // Fields of descriptors.
  ['a string as fused activation', () => compile({ type: 'gemm', aTensor: desc, bTensor: desc, fusedActivation: 'relu' }), `gemm: fusedActivation: expected an activation, given 'relu' (write { type: 'activationRelu' } with its fields)`],
  ['a number as scale and bias', () => compile({ type: 'elementWiseIdentity', inputTensor: desc, scaleBias: 2 }), 'elementWiseIdentity: scaleBias: expected an object { scale, bias }, given 2'],
  ['a list as width and height', () => compile({ type: 'upsample2d', inputTensor: image(1, 1, 2, 2), scaleSize: [2, 2], interpolationMode: 'linear' }), 'upsample2d: scaleSize: expected an object { width, height }, given an array of 2 numbers'],
  ['reshape as an operator', ({ x }) => run({ type: 'reshape', inputTensor: x, sizes: [4] }), `run: type: ${operatorType}, given 'reshape' (tensor.reshape(sizes) does it without an operator)`],
  ['flatten as an operator', ({ x }) => run({ type: 'Flatten', inputTensor: x }), `run: type: ${operatorType}, given 'Flatten' (tensor.reshape(sizes) does it without an operator)`],
  ['squeeze as an operator', ({ x }) => run({ type: 'torch.squeeze', inputTensor: x }), `run: type: ${operatorType}, given 'torch.squeeze' (tensor.reshape(sizes) does it without an operator)`],
  ['transpose as an operator', ({ x }) => run({ type: 'transpose', inputTensor: x }), `run: type: ${operatorType}, given 'transpose' (tensor.transpose(axes) does it without an operator)`],
  ['broadcastTo as an operator', ({ x }) => run({ type: 'broadcast_to', inputTensor: x }), `run: type: ${operatorType}, given 'broadcast_to' (tensor.broadcastTo(sizes) does it without an operator)`],
  ['reshape as a node', (all) => add(all, { type: 'reshape', inputTensor: all.value }), `graph.add: type: ${operatorType}, given 'reshape' (value.reshape(sizes) does it without an operator)`],
  ['reshape in a graph descriptor', () => call(device(), 'compileGraph', { inputs: { x: desc }, nodes: { n: { type: 'reshape', inputTensor: 'x' } }, outputs: { y: 'n' } }), `compileGraph: nodes.n.type: ${operatorType}, given 'reshape' (a reference { value, sizes, strides } does it without an operator)`],
  ['the data type of a cast', ({ x }) => run({ type: 'cast', inputTensor: x, dataType: 'int32' }), `cast: dataType: expected one of type, inputTensor, outputTensor, given 'dataType' (outputTensor: { dataType } says it)`],
  ['a data type as the output of a cast', ({ x }) => run({ type: 'cast', inputTensor: x, outputTensor: 'int32' }), `cast: outputTensor: expected a tensor or a tensor description { dataType, sizes }, given 'int32' (write { dataType: 'int32' })`],
  ['axis for axes', () => compile({ type: 'reduce', function: 'sum', inputTensor: desc, axis: 1 }), `reduce: axis: expected one of type, function, inputTensor, outputTensor, axisCount, axes, given 'axis' (did you mean 'axes'?)`],
  ['axes for axis', () => compile({ type: 'join', inputTensors: [desc, desc], axes: [1] }), `join: axes: expected one of type, inputCount, inputTensors, outputTensor, axis, given 'axes' (did you mean 'axis'?)`],
  ['an axis from the end', () => compile({ type: 'join', inputTensors: [desc, desc], axis: -1 }), 'join: axis: expected 0 to 1, given -1 (the last dimension is 1)'],
  ['axes from the end', () => compile({ type: 'reduce', function: 'sum', inputTensor: image(1, 2, 3), axes: [0, -1] }), 'reduce: axes[1]: expected 0 to 2, given -1 (the last dimension is 2)'],
  ['a number for axes', () => compile({ type: 'reduce', function: 'sum', inputTensor: desc, axes: 0 }), 'reduce: axes: expected an array of whole numbers, given 0'],
  ['axes of a transpose from the end', ({ x }) => call(x, 'transpose', [0, -1]), 'tensor.transpose: axes: expected each of the dimensions 0 to 1 once, given [0, -1]'],

  // Tensors and their data.
  ['createTensor(array, sizes)', () => createTensor([1, 2, 3, 4], [2, 2]), `createTensor: descriptor: ${description}, given an array of 4 numbers (createTensor({ dataType, sizes }, data) takes it first)`],
  ['createTensor(typed array, sizes)', () => createTensor(new Float32Array(4), [2, 2]), `createTensor: descriptor: ${description}, given a Float32Array (createTensor({ dataType, sizes }, data) takes it first)`],
  ['createTensor(dataType, sizes)', () => createTensor('float32', [2, 2]), `createTensor: descriptor: ${description}, given 'float32' (createTensor({ dataType, sizes }, data) takes it first)`],
  ['the data in the description', () => createTensor({ ...desc, data: [1, 2, 3, 4] }), `createTensor: data: expected one of dataType, sizes, strides, flags, totalTensorSizeInBytes, guaranteedBaseOffsetAlignment, dimensionCount, given 'data' (createTensor({ dataType, sizes }, data) takes it as its second argument)`],
  ['nested data', () => createTensor(desc, [[1, 2], [3, 4]]), 'createTensor: data: expected 4 elements, given an array of 2 arrays (all elements in one array, without inner ones)'],
  ['a promise of data', ({ x }) => createTensor(desc, x.read()), `createTensor: data: ${data}, given a promise that was not awaited`],
  ['a tensor written to a tensor', ({ x }) => call(x, 'write', x), `tensor.write: data: ${data}, given a tensor`],

  // Bindings.
  ['dispatch(a, b)', (all) => dispatch(all, all.x, all.x), `elementWiseAdd: bindings: ${bindings}, given a tensor`],
  ['dispatch([a, b])', (all) => dispatch(all, [all.x, all.x]), `elementWiseAdd: bindings: ${bindings}, given an array of 2 tensors`],
  ['dispatch of a promise', (all) => dispatch(all, all.promise), `elementWiseAdd: bindings: ${bindings}, given a promise that was not awaited`],
  ['a promise as a binding', (all) => dispatch(all, { aTensor: all.promise, bTensor: all.x, outputTensor: all.x }), `elementWiseAdd: aTensor: ${binding}, given a promise that was not awaited`],
  [`run's result as a binding`, (all) => dispatch(all, { aTensor: all.result, bTensor: all.x, outputTensor: all.x }), `elementWiseAdd: aTensor: ${binding}, given an object whose outputTensor is a tensor (pass its outputTensor)`],
  ['a typed array as a binding', ({ net }) => call(net, 'run', { x: new Float32Array(4) }), `graph: x: ${binding}, given a Float32Array ${makesTensor}`],
  ['a tensor in the place of bindings', ({ net, x }) => call(net, 'run', x), 'graph: bindings: expected an object with a binding per tensor: { x }, given a tensor'],

  // Graphs.
  ['graph.add(type, fields)', (all) => add(all, 'gemm', { aTensor: all.value, bTensor: all.value }), `graph.add: descriptor: expected an operator descriptor, given 'gemm' (write { type: 'gemm' } with its fields)`],
  ['what add returned as a value', (all) => add(all, sum(all.added, all.value)), 'elementWiseAdd: aTensor: expected a value of this graph, given an object whose outputTensor is a value of a graph (pass its outputTensor)'],
  [`run's result in a graph`, (all) => add(all, sum(all.result, all.value)), 'elementWiseAdd: aTensor: expected a value of this graph, given an object whose outputTensor is a tensor (pass its outputTensor to graph.constant)'],
  ['a promise in a graph', (all) => add(all, sum(all.promise, all.value)), 'elementWiseAdd: aTensor: expected a value of this graph, given a promise that was not awaited'],
  ['a number in a graph', (all) => add(all, sum(all.value, 2)), `elementWiseAdd: bTensor: expected a value of this graph, given 2 ${makesConstant}`],
  ['a tensor in a graph', (all) => add(all, sum(all.value, all.x)), 'elementWiseAdd: bTensor: expected a value of this graph, given a tensor (graph.constant(tensor) makes a value of a tensor)'],
  ['graph.input(desc)', ({ graph }) => call(graph, 'input', desc), 'graph.input: name: expected a name, given an object (graph.input(name, { dataType, sizes }))'],
  ['graph.input(name, sizes)', ({ graph }) => call(graph, 'input', 'z', [2, 2]), `graph.input: descriptor: ${description}, given an array of 2 numbers (graph.input(name, { dataType, sizes }))`],
  ['graph.compile(value)', ({ graph, value }) => call(graph, 'compile', value), 'graph.compile: outputs: expected an object with a value per output, such as { y: value }, given a value of a graph'],
  ['what add returned as an output', ({ graph, added }) => call(graph, 'compile', { y: added }), 'graph.compile: outputs.y: expected a value of this graph, given an object whose outputTensor is a value of a graph (pass its outputTensor)'],
  ['graph.constant(desc) without data', ({ graph }) => call(graph, 'constant', desc), `graph.constant: data: ${data}, given nothing (graph.constant(desc, data, options), or graph.constant(tensor, options))`],
  ['graph.constant(desc, options)', ({ graph }) => call(graph, 'constant', desc, { name: 'w' }), `graph.constant: data: ${data}, given an object (graph.constant(desc, data, options), or graph.constant(tensor, options))`],
  ['graph.constant(typed array)', ({ graph }) => call(graph, 'constant', new Float32Array(4)), `graph.constant: descriptor: ${description}, given a Float32Array (graph.constant({ dataType, sizes }, data), or graph.constant(tensor))`],

  // One element per channel, as other frameworks have it.
  ['a mean per channel', () => compile(batchNormalization(image(1, 8, 8, 8), 8)), 'batchNormalization: meanTensor.sizes: expected 4 dimensions, as inputTensor has, given 1 (meanTensor.reshape([1, 8, 1, 1]) would fit: one per channel)'],
  ['a mean per channel of volumes', () => compile(batchNormalization(image(1, 3, 4, 8, 8), 3)), 'batchNormalization: meanTensor.sizes: expected 5 dimensions, as inputTensor has, given 1 (meanTensor.reshape([1, 3, 1, 1, 1]) would fit: one per channel)'],
  ['a scale per channel', () => compile({ type: 'meanVarianceNormalization1', inputTensor: image(1, 3, 8, 8), scaleTensor: channels(3), axes: [2, 3], normalizeVariance: true, epsilon: 1e-5 }), 'meanVarianceNormalization1: scaleTensor.sizes: expected 4 dimensions, as inputTensor has, given 1 (scaleTensor.reshape([1, 3, 1, 1]) would fit: one per channel)'],
  ['a scale per column', () => compile({ type: 'meanVarianceNormalization1', inputTensor: image(1, 5, 8), scaleTensor: channels(8), axes: [2], normalizeVariance: true, epsilon: 1e-5 }), 'meanVarianceNormalization1: scaleTensor.sizes: expected 3 dimensions, as inputTensor has, given 1 (scaleTensor.broadcastTo([1, 5, 8]) would fit)'],
  ['a quantization scale per channel', () => compile({ type: 'elementWiseDequantizeLinear', inputTensor: { dataType: 'uint8', sizes: [1, 8, 8, 8] }, scaleTensor: channels(8) }), 'elementWiseDequantizeLinear: scaleTensor.sizes: expected 4 dimensions, as inputTensor has, given 1 (scaleTensor.reshape([1, 8, 1, 1]).broadcastTo([1, 8, 8, 8]) would fit: one per channel)'],
  ['a bias per output channel', () => compile({ type: 'convolution', inputTensor: image(1, 3, 8, 8), filterTensor: image(4, 3, 3, 3), biasTensor: channels(4) }), 'convolution: biasTensor.sizes: expected 3 to 5 dimensions, given 1 (biasTensor.reshape([1, 4, 1, 1]) would fit: one per channel)'],
];

function endless(): unknown {
  const list: unknown[] = [];
  list.push(list);
  return list;
}

function batchNormalization(inputTensor: object, count: number): object {
  const [meanTensor, varianceTensor, scaleTensor, biasTensor] = [1, 2, 3, 4].map(() => channels(count));
  return {
    type: 'batchNormalization',
    inputTensor,
    meanTensor,
    varianceTensor,
    scaleTensor,
    biasTensor,
    spatial: true,
    epsilon: 1e-5,
  };
}

test.each(mistakes.map(([title, mistake, message]) => ({ title, mistake, message })))('$title', async ({ mistake, message }) => {
  expect((await rejected((async () => mistake(things))())).message).toBe(message);
});

test('the sizes that the messages advise are accepted', async () => {
  const [input, mean] = [device().createTensor(untyped(image(1, 8, 8, 8))), device().createTensor(untyped(channels(8)))];
  const each = mean.reshape([1, 8, 1, 1]);
  const [meanTensor, varianceTensor, scaleTensor, biasTensor] = [each, each, each, each];
  const normalized = batchNormalization(input, 8);
  await run({ ...normalized, meanTensor, varianceTensor, scaleTensor, biasTensor });
  await run({
    type: 'elementWiseDequantizeLinear',
    inputTensor: device().createTensor({ dataType: 'uint8', sizes: [1, 8, 8, 8] }),
    scaleTensor: each.broadcastTo([1, 8, 8, 8]),
  });
});

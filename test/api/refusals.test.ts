/** What graphs, their constants, traced functions, views, bindings and recordings refuse: the code and the whole message. */
import { beforeAll, describe, expect, test } from 'vitest';
import { createDevice, toFloat16Bits, type CompiledOperator, type Device, type GraphOptions, type Tensor } from 'node-directml';
import { backends, deviceOn } from '../support/devices.js';
import { givenOn, refusalOf, type Given } from '../support/refusals.js';
import { untyped } from '../../checks/malformed/objects.js';

const vector = { dataType: 'float32', sizes: [3] } as const;
const matrix = { dataType: 'float32', sizes: [2, 3] } as const;
const abs = (inputTensor: string) => ({ type: 'elementWiseAbs', inputTensor }) as const;
const base64 = Buffer.from(new Float32Array(3).buffer).toString('base64');

interface AllGiven extends Given {
  /** Of another device. */
  readonly foreign: Tensor<'float32'>;
  /** Adds two matrices of [2, 3]. */
  readonly add: CompiledOperator<'elementWiseAdd'>;
}

/** A graph with the constant `weights`, whose elements may be among what is given. */
function weighted(d: Device, constant: object, options?: object) {
  const constants = { weights: { ...vector, ...constant } };
  const nodes = { n: { type: 'elementWiseAdd', aTensor: 'x', bTensor: 'weights' } } as const;
  return d.compileGraph(
    { inputs: { x: vector }, constants, nodes, outputs: { y: 'n.outputTensor' } },
    untyped<GraphOptions>(options),
  );
}

function bound({ add, x }: AllGiven, aTensor: Tensor): void {
  add.dispatch({ aTensor, bTensor: x, outputTensor: x });
}

describe.each(backends)('on %s', (backend) => {
  const [device, other] = [deviceOn(backend), deviceOn(backend)];
  let add: CompiledOperator<'elementWiseAdd'>;
  beforeAll(async () => void (add = await device().compile({ type: 'elementWiseAdd', aTensor: matrix, bTensor: matrix })));

  test.each<[string, (given: AllGiven) => unknown]>([
    [
      'ERR_UNKNOWN_BINDING compileGraph: options.constants.w: expected no name, because the graph has no constants, ' +
        "given 'w'",
      ({ d, v }) =>
        d.compileGraph(
          { inputs: { x: vector }, nodes: { n: abs('x') }, outputs: { y: 'n.outputTensor' } },
          { constants: { w: v } },
        ),
    ],
    [
      "ERR_UNKNOWN_BINDING compileGraph: options.constants.weigths: expected one of weights, given 'weigths' (did you mean 'weights'?)",
      ({ d, v }) => weighted(d, { data: base64 }, { constants: { weigths: v } }),
    ],
    [
      'ERR_MISSING_BINDING compileGraph: constants.weights.data: expected the elements as base64, given nothing ' +
        '(the options of compileGraph take it too)',
      ({ d }) => weighted(d, {}),
    ],
    [
      "ERR_INVALID_ARGUMENT compileGraph: constants.weights.data: expected the elements as base64, given '!!!!'",
      ({ d }) => weighted(d, { data: '!!!!' }),
    ],
    [
      'ERR_INVALID_ARGUMENT compileGraph: constants.weights.data: expected the elements as base64, given 5',
      ({ d }) => weighted(d, { data: 5 }),
    ],
    ['ERR_SIZES compileGraph: constants.weights.data: expected 12 bytes, given 3', ({ d }) => weighted(d, { data: 'AAAA' })],
    [
      'ERR_SIZES graph: weights.sizes: expected [3], as the graph says, given [2, 3] (bind a tensor or a view of these sizes, or ' +
        'compile the graph for those of the tensor)',
      ({ d, x }) => weighted(d, {}, { constants: { weights: x } }),
    ],
    [
      "ERR_WRONG_DEVICE graph: weights: expected a tensor or buffer of the device that compiled the graph, given another device's",
      ({ d, foreign }) => weighted(d, {}, { constants: { weights: foreign } }),
    ],
    [
      'ERR_INVALID_ARGUMENT compileGraph: options.constants: expected an object, given 5',
      ({ d }) => weighted(d, {}, { constants: 5 }),
    ],
    [
      "ERR_INVALID_ARGUMENT compileGraph: options.optimize: expected 'exact', 'fast' or false, given 'slow'",
      ({ d }) => weighted(d, { data: base64 }, { optimize: 'slow' }),
    ],
    [
      "ERR_INVALID_ARGUMENT device.jit: options.optimize: expected 'exact', 'fast' or false, given true",
      ({ d }) => d.jit((y: Tensor) => y, { optimize: untyped<'fast'>(true) }),
    ],
    [
      'ERR_INVALID_ARGUMENT graph.constant: data: expected no data with a tensor, given an array of 3 numbers ' +
        '(a tensor brings its data; the argument after it has the options)',
      ({ d, v }) => d.createGraph().constant(untyped<typeof vector>(v), [1, 2, 3]),
    ],
    [
      'ERR_SIZES graph.constant: data: expected 3 elements, given an array of 1 number',
      ({ d }) => d.createGraph().constant(vector, [1]),
    ],
    [
      "ERR_INVALID_GRAPH graph.input: name: expected a name of 1 to 1000 characters, given ''",
      ({ d }) => d.createGraph().input('', vector),
    ],
    [
      'ERR_INVALID_GRAPH graph.input: name: expected a name, given 5 (graph.input(name, { dataType, sizes }))',
      ({ d }) => d.createGraph().input(untyped<string>(5), vector),
    ],
    [
      "ERR_INVALID_GRAPH graph.compile: outputs.y: expected a value of this graph, given another graph's",
      ({ d }) => d.createGraph().compile({ y: d.createGraph().input('x', vector) }),
    ],
    [
      'ERR_INVALID_ARGUMENT jit: args[0]: expected tensors: descriptions are for compile, given an object',
      ({ d }) => d.jit((y: unknown) => untyped<Tensor>(y))(vector),
    ],
    [
      'ERR_INVALID_ARGUMENT jit: args[1]: expected tensors, numbers, strings, and plain objects and arrays of them, given a date',
      ({ d, x }) => d.jit((y: Tensor, _: unknown) => y)(x, new Date(0)),
    ],
    [
      "ERR_WRONG_DEVICE createTensor: data: expected a tensor of this device, given another device's",
      ({ d, foreign }) => d.createTensor(vector, foreign),
    ],
    [
      'ERR_DIMENSION_COUNT device.tensor: data: expected arrays in at most 8 levels, given more',
      ({ d }) => d.tensor(untyped<number[]>([[[[[[[[[1]]]]]]]]])),
    ],
    [
      'ERR_SIZES device.tensor: data[1]: expected 2 elements, as the first array of its level has, given an array of 1 number',
      ({ d }) => d.tensor([[1, 2], [3]]),
    ],
    [
      'ERR_SIZES device.tensor: data: expected at least one element, given [] (DirectML has no empty tensors)',
      ({ d }) => d.tensor([]),
    ],
    [
      'ERR_SIZES device.tensor: options.sizes: expected sizes of 3 elements, as data has, given [2]',
      ({ d }) => d.tensor([1, 2, 3], { sizes: [2] }),
    ],
    [
      'ERR_INVALID_ARGUMENT toFloat16Bits: values: expected an array or typed array of numbers, given 5',
      () => toFloat16Bits(untyped<number[]>(5)),
    ],
    [
      "ERR_INVALID_ARGUMENT toFloat16Bits: values[1]: expected a number, given 'a'",
      () => toFloat16Bits([1, untyped<number>('a')]),
    ],
    [
      'ERR_OUT_OF_RANGE tensor.read: options.offset: expected a multiple of 2 for uint4, given 1',
      ({ d }) => d.createTensor({ dataType: 'uint4', sizes: [6] }).read({ offset: 1, length: 2 }),
    ],
    [
      'ERR_OUT_OF_RANGE tensor.write: options.offset: expected a multiple of 2 for int4, given 3',
      ({ d }) => d.createTensor({ dataType: 'int4', sizes: [6] }).write([1, 2], { offset: 3 }),
    ],
    [
      'ERR_STRIDES elementWiseAdd: aTensor.strides: expected [3, 1], as the descriptor says, given [1, 2] ' +
        '(bind a tensor or a view that lies in memory so, or describe the strides that this one has)',
      (given) => bound(given, given.x.reshape([3, 2]).transpose()),
    ],
    [
      'ERR_SIZES elementWiseAdd: aTensor.sizes: expected [2, 3], as the descriptor says, given [3] ' +
        '(bind tensor.broadcastTo([2, 3]), with these strides in the descriptor)',
      (given) => bound(given, given.v),
    ],
    [
      'ERR_SIZES elementWiseAdd: aTensor.sizes: expected [2, 3], as the descriptor says, given [3, 2] (bind tensor.reshape([2, 3]))',
      (given) => bound(given, given.x.reshape([3, 2])),
    ],
    [
      "ERR_SIZES elementWiseAdd: aTensor.sizes: expected [2, 3], as the descriptor says, given [2] of tensor 'w' " +
        '(bind a tensor or a view of these sizes, or compile the operator for those of the tensor)',
      (given) => bound(given, given.d.tensor([1, 2], { label: 'w' })),
    ],
    [
      "ERR_DATA_TYPE elementWiseAdd: aTensor.dataType: expected 'float32', as the descriptor says, given 'int32'",
      (given) => bound(given, given.n),
    ],
    [
      'ERR_INVALID_ARGUMENT record: work: expected a function that is not async: nothing after an await would be recorded, ' +
        'given a function',
      ({ d }) => d.record(untyped<() => void>(async () => Promise.resolve())),
    ],
    ['ERR_INVALID_ARGUMENT profile: work: expected a function, given 5', ({ d }) => d.profile(untyped<() => void>(5))],
    [
      'ERR_INVALID_ARGUMENT profile: options.perDispatch: expected true or false, given 1',
      ({ d }) => d.profile(() => undefined, { perDispatch: untyped<true>(1) }),
    ],
    [
      'ERR_SIZES tensor.broadcastTo: sizes: expected sizes that [3] can be repeated to, given [2, 2]',
      ({ v }) => v.broadcastTo([2, 2]),
    ],
    [
      'ERR_INVALID_DESCRIPTOR tensor.broadcastTo: sizes: expected an array of sizes, given 5',
      ({ v }) => v.broadcastTo(untyped<number[]>(5)),
    ],
    ['ERR_SIZES tensor.reshape: sizes: expected 6 elements, as [2, 3] has, given [4], which has 4', ({ x }) => x.reshape([4])],
    [
      'ERR_STRIDES tensor.reshape: strides: expected a packed tensor, given [1, 3] ' +
        '(its elements do not lie in row-major order; copy it with elementWiseIdentity first)',
      ({ x }) => x.transpose().reshape([6]),
    ],
    [
      'ERR_SIZES tensor.transpose: axes: expected each of the dimensions 0 to 1 once, given [0, 0]',
      ({ x }) => x.transpose([0, 0]),
    ],
    [
      'ERR_SIZES tensor.transpose: axes: expected each of the dimensions 0 to 1 once, given [1, 2]',
      ({ x }) => x.transpose([1, 2]),
    ],
    ['ERR_SIZES tensor.transpose: axes: expected each of the dimensions 0 to 1 once, given [0]', ({ x }) => x.transpose([0])],
  ])('%s', async (expected, run) => {
    const given = { ...givenOn(device()), foreign: other().tensor([1, 2, 3]), add };
    expect(await refusalOf(() => run(given))).toBe(expected);
  });

  test('a recording of more than 65,536 dispatches', async () => {
    using step = await device().prepare({ type: 'elementWiseAbs', inputTensor: device().tensor([1, 2]) });
    const recorded = (count: number) =>
      device().record(() => {
        for (let i = 0; i < count; i++) step.dispatch();
      });
    recorded(65_536).dispose();
    expect(await refusalOf(() => recorded(65_537))).toBe('ERR_OUT_OF_RANGE record: a recording has at most 65,536 dispatches');
  });

  test('a profile while another one runs', async () => {
    const first = device().profile(() => new Promise((resolve) => setTimeout(resolve, 10)));
    expect(await refusalOf(() => device().profile(() => undefined))).toBe(
      'ERR_PROFILE_RUNNING profile: a profile of this device is running; await it first',
    );
    await first;
    await device().profile(() => undefined);
  });

  test('a view without sizes keeps its strides; one with sizes is packed', () => {
    const turned = device()
      .tensor([1, 2, 3, 4, 5, 6], { sizes: [2, 3] })
      .transpose();
    expect(turned.view({ offset: 0 }).strides).toEqual([1, 3]);
    expect(turned.view({ sizes: [6] }).strides).toBeNull();
    expect(turned.view({ sizes: [2, 2], strides: [3, 2] }).strides).toEqual([3, 2]);
  });
});

test.each<[string, object]>([
  ["options.thread: expected 'worker' or 'caller', given 'own'", { backend: 'reference', thread: 'own' }],
  ["options.thread: expected nothing with the DirectML backend, given 'caller'", { backend: 'directml', thread: 'caller' }],
  [
    'options.external: expected an external of a native addon, given an object (include/node_directml.h makes externals)',
    { external: {} },
  ],
  ['options.gpuTimeout: expected true or false, given 1', { gpuTimeout: 1 }],
  ["options.powerPreference: expected 'high-performance' or 'low-power', given 'fast'", { powerPreference: 'fast' }],
  ['options.memoryLimit: expected a whole number from 1 on, given 0', { memoryLimit: 0 }],
])('createDevice: %s', async (expected, options) => {
  expect(await refusalOf(() => createDevice(options))).toBe(`ERR_INVALID_ARGUMENT createDevice: ${expected}`);
});

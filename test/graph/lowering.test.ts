/** A graph in the form for DirectML: hidden inputs, hidden outputs, and one operator for equal nodes. */
import { describe, expect, test } from 'vitest';
import { GraphBuilder } from '#lib/graph/graph-builder.js';
import { operatorTable } from '#lib/descriptors/generated/table.js';
import type { Value } from '#lib/graph/value.js';
import { lowerGraph, type LoweredGraph } from '#lib/backends/directml/lower-graph.js';
import { fromNativeGraph, summaryOf } from '#lib/backends/directml/native-error.js';
import { caught, gist } from '../support/errors.js';

const float32 = (...sizes: number[]) => ({ dataType: 'float32', sizes }) as const;
const large = 64 * 1024;

class Building {
  readonly builder = new GraphBuilder('6.4');

  one(descriptor: object, name?: string): Value {
    const { outputTensor } = this.builder.add(descriptor, name);
    if (outputTensor === undefined || Array.isArray(outputTensor)) throw new Error('one output is expected');
    return outputTensor as Value;
  }

  add(aTensor: Value, bTensor: Value): Value {
    return this.one({ type: 'elementWiseAdd', aTensor, bTensor });
  }

  constant(...sizes: number[]): Value {
    const data = { data: new Uint8Array(), ownership: undefined, isShared: false };
    return this.builder.constant(undefined, float32(...sizes), () => data);
  }

  lowered(outputs: Readonly<Record<string, Value>>): LoweredGraph {
    return lowerGraph(this.builder.resolve(outputs));
  }
}

test('throws no error of its own if a script takes its memory away', () => {
  const graph = new Building();
  const x = graph.builder.input('x', float32(4));
  const resolved = graph.builder.resolve({ y: graph.add(x, x) });
  const original = Uint32Array;
  const construct = (type: typeof Uint32Array, given: unknown[]): object => {
    const made: Uint32Array<ArrayBuffer> = Reflect.construct(type, given);
    structuredClone(made.buffer, { transfer: [made.buffer] });
    return made;
  };
  globalThis.Uint32Array = new Proxy(original, { construct });
  try {
    expect(lowerGraph(resolved).native.nodes).toHaveLength(0);
  } finally {
    globalThis.Uint32Array = original;
  }
});

const rows = (numbers: Uint32Array, width: number) =>
  Array.from({ length: numbers.length / width }, (_, row) => [...numbers.subarray(row * width, (row + 1) * width)]);

describe('constants', () => {
  test('are inputs that DirectML owns, after the inputs of the graph', () => {
    const graph = new Building();
    const weight = graph.constant(large);
    const x = graph.builder.input('x', float32(large));
    const { native, hiddenInputs } = graph.lowered({ y: graph.add(x, weight) });
    expect(native.inputs).toEqual(['x', 'constant_0']);
    expect(rows(native.inputEdges, 3)).toEqual([
      [0, 0, 0],
      [1, 0, 1],
    ]);
    expect(hiddenInputs).toEqual([{ constant: 0, sequence: null, isOwned: true, isShared: false, sizeInBytes: 4 * large }]);
    expect(native.operators[0]).toMatchObject({ aTensor: { flags: 0 }, bTensor: { flags: 1 } });
  });

  test('stay bound if they are large and have several readers, and are owned if they are small', () => {
    const graph = new Building();
    const [big, small] = [graph.constant(large), graph.constant(1)];
    const x = graph.builder.input('x', float32(large));
    const wide = small.broadcastTo([large]);
    const y = graph.add(graph.add(graph.add(graph.add(x, big), big), wide), wide);
    expect(graph.lowered({ y }).hiddenInputs.map(({ isOwned }) => isOwned)).toEqual([false, true]);
  });

  test('stay bound for recurrent operators, whose tensors DirectML does not own', () => {
    const graph = new Building();
    const descriptor = {
      type: 'rnn',
      inputTensor: graph.builder.input('x', float32(1, 2, 1, 1)),
      weightTensor: graph.constant(1, 1, 1, 1),
      recurrenceTensor: graph.constant(1, 1, 1, 1),
      outputSingleTensor: {},
      activationDescs: [{ type: 'activationTanh' }],
      direction: 'forward',
    };
    const y = graph.builder.add(descriptor)['outputSingleTensor'] as Value;
    expect(graph.lowered({ y }).hiddenInputs.map(({ isOwned }) => isOwned)).toEqual([false, false]);
  });
});

test('nodes with equal descriptors share an operator, unless DirectML owns a tensor of one', () => {
  const graph = new Building();
  const x = graph.builder.input('x', float32(4));
  const y = graph.add(graph.add(graph.add(x, x), x), graph.constant(4));
  const { native, operatorNames } = graph.lowered({ y });
  expect([...native.nodes]).toEqual([0, 0, 1]);
  expect(operatorNames).toEqual(['elementWiseAdd_0', 'elementWiseAdd_2']);
  expect(rows(native.intermediateEdges, 4)).toEqual([
    [0, 0, 1, 0],
    [1, 0, 2, 0],
  ]);
  expect(rows(native.outputEdges, 3)).toEqual([[2, 0, 0]]);
});

describe('quantization in a graph', () => {
  const sizes = [4, 4, 1];
  const layoutOf = (desc: unknown) => desc as { sizes: readonly number[]; strides: readonly number[] | null };
  const eight = { sizes: [4, 4, 1, 1, 1, 1, 1, 1] };

  /** The tensors of the one operator: its input, its output and those of the quantization. */
  function tensorsOf(type: string, from: string, to: string, zero?: string) {
    const graph = new Building();
    const tensor = (name: string, dataType: string) => graph.builder.input(name, { dataType, sizes });
    const scale = tensor('scale', type === 'quantize' ? from : to);
    const quantizationTensors = [scale, ...(zero === undefined ? [] : [tensor('zero', zero)])];
    const quantizationType = zero === undefined ? 'scale' : 'scaleZeroPoint';
    const inputTensor = tensor('x', from);
    const y = graph.one({ type, inputTensor, quantizationType, quantizationTensors, outputTensor: { dataType: to } });
    const { native } = graph.lowered({ y });
    expect(native.operators).toHaveLength(1);
    const { inputTensor: input, outputTensor, quantizationTensors: others } = native.operators[0] ?? { type: 0 };
    return [input, outputTensor, ...(others as unknown[])].map(layoutOf);
  }

  test.each([
    ['the output alone has 4 bits', 'quantize', 'float32', 'int4', undefined, 3],
    ['the output and the zero point have 4 bits', 'quantize', 'float32', 'uint4', 'uint4', 4],
    ['the input alone has 4 bits', 'dequantize', 'int4', 'float32', undefined, 3],
    ['the input and the zero point have 4 bits', 'dequantize', 'uint4', 'float32', 'uint4', 4],
  ] as const)('has eight dimensions if %s', (_what, type, from, to, zero, count) => {
    expect(tensorsOf(type, from, to, zero)).toMatchObject(Array.from({ length: count }, () => eight));
  });

  test.each([
    ['quantize', 'float32', 'int8', undefined],
    ['dequantize', 'uint8', 'float32', 'uint8'],
  ] as const)('keeps its dimensions without 4-bit tensors: %s', (type, from, to, zero) => {
    for (const tensor of tensorsOf(type, from, to, zero)) expect(tensor.sizes).toEqual(sizes);
  });
});

test('a sequence is computed beforehand and stays bound, and a node of its own copies it to an output', () => {
  const graph = new Building();
  const sequence = graph.one({
    type: 'fillValueSequence',
    valueDataType: 'float32',
    outputTensor: float32(4),
    valueStart: 0,
    valueDelta: 1,
  });
  const { native, hiddenInputs } = graph.lowered({ sequence, twice: graph.add(sequence, sequence) });
  expect(native.nodes).toHaveLength(2);
  expect(hiddenInputs).toMatchObject([{ constant: null, isOwned: false, sizeInBytes: 16 }]);
  expect(rows(native.outputEdges, 3)).toEqual([
    [1, 0, 0],
    [0, 0, 1],
  ]);
});

test.each([
  [true, [32]],
  [false, []],
])('the sequence of a recurrent operator has a hidden output if a node reads it: %s', (isRead, scratch) => {
  const graph = new Building();
  const layer = graph.builder.add({
    type: 'gru',
    inputTensor: graph.builder.input('x', float32(1, 2, 1, 4)),
    weightTensor: graph.constant(1, 1, 12, 4),
    recurrenceTensor: graph.constant(1, 1, 12, 4),
    outputSequenceTensor: {},
    outputSingleTensor: {},
    activationDescs: [{ type: 'activationSigmoid' }, { type: 'activationTanh' }],
    direction: 'forward',
    linearBeforeReset: false,
  });
  const { outputSequenceTensor: sequence, outputSingleTensor: single } = layer as Record<string, Value>;
  if (sequence === undefined || single === undefined) throw new Error('both were asked for');
  const outputs = isRead ? { y: graph.one({ type: 'elementWiseNegate', inputTensor: sequence }), single } : { sequence, single };
  const { scratchOutputs, native } = graph.lowered(outputs);
  expect(scratchOutputs).toEqual(scratch);
  expect(native.outputs).toHaveLength(2 + scratch.length);
});

test.each<[string, number, readonly number[], number[]]>([
  ['has a hidden output too if there is one step, and it has gaps', 1, [8, 8, 8, 2], [16, 28]],
  ['has none if there are more steps', 2, [8, 8, 8, 2], [32]],
  ['has none without gaps', 1, [4, 4, 4, 1], [16]],
])('the single output of a recurrent operator %s', (_when, steps, strides, scratch) => {
  const graph = new Building();
  const layer = graph.builder.add({
    type: 'rnn',
    inputTensor: graph.builder.input('x', float32(1, steps, 1, 4)),
    weightTensor: graph.constant(1, 1, 4, 4),
    recurrenceTensor: graph.constant(1, 1, 4, 4),
    outputSequenceTensor: {},
    outputSingleTensor: { strides },
    activationDescs: [{ type: 'activationTanh' }],
    direction: 'forward',
  });
  const { outputSequenceTensor: sequence, outputSingleTensor: single } = layer as Record<string, Value>;
  if (sequence === undefined || single === undefined) throw new Error('both were asked for');
  const negated = [sequence, single].map((inputTensor) => graph.one({ type: 'elementWiseNegate', inputTensor }));
  const { scratchOutputs } = graph.lowered(Object.fromEntries(negated.map((value, i) => [`y${i}`, value])));
  expect(scratchOutputs).toEqual(scratch);
});

describe('a value has a hidden output', () => {
  const relu = (graph: Building, inputTensor: Value) => graph.one({ type: 'activationRelu', inputTensor });
  const join = (graph: Building, ...inputTensors: Value[]) => graph.one({ type: 'join', inputTensors, axis: 0 });
  const part = (graph: Building, inputTensor: Value) =>
    graph.one({ type: 'slice', inputTensor, offsets: [4], sizes: [4], strides: [1] });
  const split = (graph: Building, inputTensor: Value, ...sizes: readonly [number, number]) => {
    const outputTensors = sizes.map((size) => float32(size));
    const parts = graph.builder.add({ type: 'split', axis: 0, inputTensor, outputTensors })['outputTensors'];
    return parts as unknown as readonly [Value, Value];
  };
  const total = (graph: Building, inputTensor: Value) => graph.one({ type: 'reduce', function: 'sum', inputTensor, axes: [0] });

  test.each<[string, (graph: Building, x: Value) => Record<string, Value>, number[]]>([
    [
      'if it is a join whose parts others read, and a node may overwrite it',
      (graph, x) => {
        const value = relu(graph, x);
        return { y: relu(graph, join(graph, value, x)), value };
      },
      [64],
    ],
    [
      'if the parts are read behind an identity or another join',
      (graph, x) => {
        const value = relu(graph, x);
        const same = graph.one({ type: 'elementWiseIdentity', inputTensor: value });
        return { y: relu(graph, join(graph, join(graph, same, x), x)), z: total(graph, value) };
      },
      [64, 96],
    ],
    [
      'if it is a part of a value, and a node may overwrite it',
      (graph, x) => ({ y: relu(graph, part(graph, relu(graph, x))) }),
      [16],
    ],
    [
      'if others read that value too, which DirectML may do first',
      (graph, x) => {
        const value = relu(graph, x);
        return { y: relu(graph, part(graph, value)), z: total(graph, value) };
      },
      [16],
    ],
    [
      'but not if it is a join of values that nothing else reads',
      (graph, x) => ({ y: relu(graph, join(graph, relu(graph, x), x)) }),
      [],
    ],
    [
      'but not if its reader writes elsewhere',
      (graph, x) => {
        const value = relu(graph, x);
        return { y: total(graph, join(graph, value, x)), z: total(graph, part(graph, relu(graph, x))), value };
      },
      [],
    ],
    [
      'but not if there is another reader, or it is an output',
      (graph, x) => {
        const [value, whole] = [relu(graph, x), relu(graph, x)];
        const joined = join(graph, value, x);
        const taken = part(graph, whole);
        return { value, a: relu(graph, joined), b: total(graph, joined), taken, c: relu(graph, taken) };
      },
      [],
    ],
    [
      'if it is the only part of a split that is used, whichever it is',
      (graph, x) => ({
        y: relu(graph, split(graph, relu(graph, x), 4, 4)[1]),
        z: relu(graph, split(graph, relu(graph, x), 2, 6)[0]),
      }),
      [8, 16],
    ],
    [
      'but not if another part of the split is used too',
      (graph, x) => {
        const [first, second] = split(graph, relu(graph, x), 4, 4);
        const [other, last] = split(graph, relu(graph, x), 4, 4);
        return { y: relu(graph, first), z: relu(graph, second), other, last: relu(graph, last) };
      },
      [],
    ],
    ['but not if it is a part of an input', (graph, x) => ({ y: relu(graph, part(graph, x)) }), []],
    [
      'unless the input is read with the dimensions in another order',
      (graph, x) => {
        const inputTensor = x.view({ sizes: [4, 2], strides: [1, 4] });
        const taken = graph.one({ type: 'slice1', inputTensor, inputWindowOffsets: [0, 0], inputWindowSizes: [2, 2] });
        return { y: relu(graph, taken) };
      },
      [16],
    ],
  ])('%s', (_when, build, scratch) => {
    const graph = new Building();
    const { scratchOutputs, native } = graph.lowered(build(graph, graph.builder.input('x', float32(8))));
    expect([...scratchOutputs].sort((a, b) => a - b)).toEqual(scratch);
    expect(new Set(rows(native.outputEdges, 3).map(([, , output]) => output)).size).toBe(native.outputs.length);
  });
});

describe('an identity is a tile', () => {
  const types = ({ native }: LoweredGraph) => [...native.nodes].map((operator) => native.operators[operator]?.type);
  const tile = operatorTable.tile.value;

  test('if it copies an input of which a node reads only a part', () => {
    const graph = new Building();
    const x = graph.builder.input('x', float32(8));
    const ends = graph.one({ type: 'elementWiseNegate', inputTensor: x.view({ sizes: [2], strides: [7] }) });
    expect(types(graph.lowered({ copy: x, ends }))).toContain(tile);
    const all = graph.one({ type: 'elementWiseNegate', inputTensor: x });
    expect(types(graph.lowered({ copy: x, all }))).not.toContain(tile);
  });

  test('if it writes into a tensor with gaps', () => {
    const graph = new Building();
    const x = graph.builder.input('x', float32(8));
    const spread = (strides: readonly number[]) =>
      graph.one({ type: 'elementWiseIdentity', inputTensor: x.reshape([4, 2]), outputTensor: { strides } });
    expect(types(graph.lowered({ y: spread([3, 1]) }))).toEqual([tile]);
    expect(types(graph.lowered({ y: spread([1, 4]) }))).not.toContain(tile);
    // A dimension of 1 makes no gap, whatever its stride.
    const inputTensor = x.reshape([4, 1, 2]);
    const flat = graph.one({ type: 'elementWiseIdentity', inputTensor, outputTensor: { strides: [2, 8, 1] } });
    expect(types(graph.lowered({ y: flat }))).not.toContain(tile);
  });

  test('if it changes the order before another identity, also with a scale of 1 and a bias of 0', () => {
    const graph = new Building();
    const x = graph.one({ type: 'elementWiseNegate', inputTensor: graph.builder.input('x', float32(8)) });
    const twice = (scale: number) => {
      const [inputTensor, strides] = [x.reshape([4, 2]), [1, 4]];
      const turned = {
        type: 'elementWiseIdentity',
        scaleBias: { scale, bias: 0 },
        inputTensor,
        outputTensor: { strides },
      } as const;
      return graph.one({ type: 'elementWiseIdentity', inputTensor: graph.one(turned), outputTensor: {} });
    };
    expect(types(graph.lowered({ y: twice(1) }))).toContain(tile);
    expect(types(graph.lowered({ y: twice(2) }))).not.toContain(tile);
  });
});

test('a graph with more outputs than DirectML takes, counting hidden ones, is refused', () => {
  const graph = new Building();
  const x = graph.builder.input('x', float32(2, 4));
  // The part gets a hidden output, because a single node reads it.
  const tile = graph.one({ type: 'tile', inputTensor: x, repeats: [1, 2] });
  const part = graph.one({ type: 'slice', inputTensor: tile, offsets: [0, 0], sizes: [1, 8], strides: [1, 1] });
  const joined = graph.one({ type: 'join', inputTensors: [part], axis: 0 });
  const outputs = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`y${i}`, joined]));
  expect(graph.lowered(outputs(65_535)).scratchOutputs).toHaveLength(1);
  const error = caught(() => graph.lowered(outputs(65_536)));
  expect(error).toMatchObject({ operator: 'graph', expected: 'at most 65536', given: '65537' });
  expect(gist(error)).toEqual(['ERR_INVALID_GRAPH', 'outputs']);
});

test('an error of DirectML names the node, or else describes the graph', () => {
  const graph = new Building();
  const x = graph.builder.input('x', float32(4));
  const resolved = graph.builder.resolve({ y: graph.add(graph.one({ type: 'activationRelu', inputTensor: x }), x) });
  const error = (field?: string) =>
    Object.assign(new Error('failed'), { code: 'ERR_NATIVE_CALL', ...(field === undefined ? {} : { field }) });
  expect(fromNativeGraph(error('operators[1]'), summaryOf(resolved), ['relu', 'sum']).message).toBe('graph, node sum: failed');
  expect(fromNativeGraph(error(), summaryOf(resolved), []).message).toBe(
    'graph of 2 nodes (activationRelu, elementWiseAdd), 1 input, 1 output: failed',
  );
});

/** The known mistakes of onnxruntime-web's WebNN provider, each with the smallest models that show it. */
import { onnx } from 'onnx-proto';
import { Tensor } from 'onnxruntime-web/webgpu';
import type { InferenceSession } from 'node-directml/onnxruntime';
import { ModelNodes, type Attribute, type Value } from '../../support/onnx-nodes.js';

export interface SmallModel {
  readonly bytes: Uint8Array;
  readonly feeds: Readonly<Record<string, Tensor>>;
}

export interface Mistake {
  /** The cells of its row in docs/guides/run-an-onnx-model.md. */
  readonly operators: string;
  readonly when: string;
  readonly result: string;
  /** How it shows: wrong numbers or sizes, an error of `create` or `run`, or operators that need not be on the CPU. */
  readonly shows: 'numbers' | { readonly error: 'create' | 'run'; readonly message: string } | { readonly onCpu: string };
  readonly models: () => readonly SmallModel[];
  /** How else right numbers are known, if onnxruntime's wasm cannot run the model. */
  readonly isRight?: (numbers: readonly number[]) => boolean;
  readonly options?: InferenceSession.SessionOptions;
}

export const mistakes: readonly Mistake[] = [
  {
    operators: '`ArgMax`, `ArgMin`',
    when: '`select_last_index` is 1',
    result: 'the first of equal positions',
    shows: 'numbers',
    models: () =>
      ['ArgMax', 'ArgMin'].map((opType) =>
        one(opType, [floats([2, 3], [1, 1, 1, 0, 0, 0])], { axis: 1, select_last_index: 1 }, 'INT64'),
      ),
  },
  {
    operators: '`Clip`',
    when: 'the minimum is above the maximum',
    result: '`create` fails',
    shows: { error: 'create', message: 'minValue 1 is greater than maxValue -1' },
    models: () => [one('Clip', [floats([3], [-2, 0, 2]), constant('float32', [], [1]), constant('float32', [], [-1])])],
  },
  {
    operators: '`ConvInteger`',
    when: 'the filter has a zero point for each channel',
    result: '`create` fails',
    shows: { error: 'create', message: '_dequantized_w]: scale of the shape [1, 2, 1, 1] does not divide' },
    models: () => [
      one(
        'ConvInteger',
        [
          bytes([1, 1, 2, 2]),
          constant('uint8', [2, 1, 1, 1], [3, 4]),
          constant('uint8', [], [1]),
          constant('uint8', [2], [1, 2]),
        ],
        {},
        'INT32',
      ),
    ],
    // onnxruntime's wasm has no such ConvInteger.
    isRight: (numbers) => numbers.join() === '0,2,4,6,0,2,4,6',
  },
  {
    operators: '`DequantizeLinear`',
    when: 'one dimension, a scalar scale and no zero point',
    result: '`create` fails',
    shows: { error: 'create', message: 'zeroPoint has the shape [], not [1]' },
    models: () => [one('DequantizeLinear', [bytes([4]), constant('float32', [], [0.5])])],
  },
  {
    operators: '`Dropout`',
    when: '`training_mode` is true',
    result: 'the input',
    shows: 'numbers',
    models: () => [
      one('Dropout', [floats([64], new Array(64).fill(1)), constant('float32', [], [0.5]), constant('bool', [], [1])]),
    ],
    // onnxruntime's wasm cannot train.
    isRight: (numbers) => numbers.every((number) => number === 0 || number === 2),
  },
  {
    operators: '`Gelu`',
    when: '`approximate` is `tanh`',
    result: 'the exact function; the difference is below 0.001',
    shows: 'numbers',
    models: () => [one('Gelu', [floats([4], [-2, -1, 1, 2])], { approximate: { text: 'tanh' } })],
  },
  {
    operators: '`GRU`',
    when: '`linear_before_reset` is 1',
    result: 'as with 0',
    shows: 'numbers',
    models: () => [
      one(
        'GRU',
        [floats([2, 1, 2]), constant('float32', [1, 6, 2]), constant('float32', [1, 6, 2]), constant('float32', [1, 12])],
        { hidden_size: 2, linear_before_reset: 1 },
      ),
    ],
  },
  {
    operators: '`If`',
    when: 'the condition depends on more than [inputs with one element](#what-runs-where), and a branch reads weights from outside',
    result: '`create` fails',
    shows: { error: 'create', message: 'raw_hash_map' },
    models: () => [conditional('weights')],
  },
  {
    operators: '`If`',
    when: 'the condition depends on more than inputs with one element',
    result: 'the choice is on the CPU, and each branch is a graph',
    shows: { onCpu: 'If' },
    models: () => [conditional('none')],
  },
  {
    operators: '`MaxPool`',
    when: '`ceil_mode` is 1, and the last window begins in the padding or behind it',
    result: 'the output has a row and a column too many',
    shows: 'numbers',
    models: () =>
      [1, 2, 3].map((size) =>
        one('MaxPool', [floats([1, 1, 2, 2])], {
          kernel_shape: [size, size],
          strides: [size === 1 ? 2 : 3, size === 1 ? 2 : 3],
          pads: new Array<number>(4).fill(size === 1 ? 0 : 1),
          ceil_mode: 1,
        }),
      ),
  },
  {
    operators: '`Resize`',
    when: 'the coordinates are `align_corners`, `asymmetric` or `tf_crop_and_resize`',
    result: 'as with `half_pixel`, of the whole input',
    shows: 'numbers',
    models: () =>
      ['align_corners', 'asymmetric', 'tf_crop_and_resize'].map((mode) =>
        resized(5, { mode: { text: 'linear' }, coordinate_transformation_mode: { text: mode } }),
      ),
  },
  {
    operators: '`Resize`',
    when: '`nearest_mode` is `floor`, `ceil` or `round_prefer_ceil`',
    result: 'as with `round_prefer_floor`',
    shows: 'numbers',
    models: () =>
      ['floor', 'ceil', 'round_prefer_ceil'].map((mode) =>
        resized(mode === 'round_prefer_ceil' ? 2 : 8, { mode: { text: 'nearest' }, nearest_mode: { text: mode } }),
      ),
  },
  {
    operators: '`RotaryEmbedding` of opset 23',
    when: 'there are no `position_ids`',
    result: '`create` fails',
    shows: { error: 'create', message: 'starts has 2 elements, not 3' },
    models: () => [
      one('RotaryEmbedding', [floats([1, 2, 3, 4]), floats([1, 3, 2]), floats([1, 3, 2])], {}, 'FLOAT', { version: 23 }),
    ],
  },
  {
    operators: '`Shape`',
    when: '`graphOptimizationLevel` is `disabled`',
    result: '`run` fails',
    shows: { error: 'run', message: 'the graph has 0 inputs, but 1 are given' },
    models: () => [one('Shape', [floats([2, 3])], {}, 'INT64')],
    options: { graphOptimizationLevel: 'disabled' },
  },
  {
    operators: '`Slice` of opset 8 and before',
    when: 'always',
    result: 'is on the CPU, as is that of opset 9 unless it is [rewritten](#what-runs-where)',
    shows: { onCpu: 'Slice' },
    models: () => [one('Slice', [floats([2, 3])], { starts: [1], ends: [3], axes: [1] }, 'FLOAT', { version: 8 })],
  },
  {
    operators: '`Split`',
    when: '`num_outputs` does not divide the size',
    result: '`create` fails',
    shows: { error: 'create', message: 'splits [2, 1] has the sum 3, but the input has the size 5' },
    models: () => [one('Split', [floats([5])], { axis: 0, num_outputs: 2 }, 'FLOAT', { outputs: 2 })],
  },
];

type Given = (model: Writer) => Value;

/** The numbers of the inputs' data types in onnx.proto. */
const elementTypes: Readonly<Record<string, number>> = { float32: 1, uint8: 2, bool: 9 };

class Writer extends ModelNodes {
  readonly #inputs: onnx.IValueInfoProto[] = [];
  readonly #feeds: Record<string, Tensor> = {};

  input(dims: readonly number[], tensor: Tensor): Value {
    const name = `x${this.#inputs.length}`;
    const shape = { dim: dims.map((dimValue) => ({ dimValue })) };
    this.#inputs.push({ name, type: { tensorType: { elemType: elementTypes[tensor.type] ?? null, shape } } });
    this.#feeds[name] = tensor;
    return name;
  }

  branches(condition: Value, then: onnx.IGraphProto, otherwise: onnx.IGraphProto): Value {
    const { GRAPH: type } = onnx.AttributeProto.AttributeType;
    const attribute = [
      { name: 'then_branch', type, g: then },
      { name: 'else_branch', type, g: otherwise },
    ];
    this.nodeList.push({ name: 'If', opType: 'If', input: [condition], output: ['y'], attribute });
    return 'y';
  }

  finish(outputs: readonly Value[], type: keyof typeof onnx.TensorProto.DataType, version: number): SmallModel {
    const output = outputs.map((name) => ({ name, type: { tensorType: { elemType: onnx.TensorProto.DataType[type] } } }));
    const bytes = this.encoded({ irVersion: 10, version }, { name: 'mistake', input: this.#inputs, output });
    return { bytes, feeds: this.#feeds };
  }
}

const wave = (count: number) => Array.from({ length: count }, (_, i) => 2 * Math.sin(1.7 * i));
const countOf = (dims: readonly number[]) => dims.reduce((count, size) => count * size, 1);

function floats(dims: readonly number[], numbers = wave(countOf(dims))): Given {
  return (model) => model.input(dims, new Tensor('float32', Float32Array.from(numbers), dims));
}

function bytes(dims: readonly number[]): Given {
  const numbers = Uint8Array.from({ length: countOf(dims) }, (_, i) => i + 1);
  return (model) => model.input(dims, new Tensor('uint8', numbers, dims));
}

function constant(
  dataType: 'float32' | 'uint8' | 'int64' | 'bool',
  dims: readonly number[],
  numbers = wave(countOf(dims)),
): Given {
  return (model) => {
    if (dataType === 'int64') return model.integers(...numbers);
    if (dataType === 'bool') return model.node('Cast', [model.constant('uint8', dims, Uint8Array.from(numbers))], { to: 9 });
    const data = dataType === 'float32' ? Float32Array.from(numbers) : Uint8Array.from(numbers);
    return model.constant(dataType, dims, data);
  };
}

/** A model of one node. */
function one(
  opType: string,
  inputs: readonly (Given | null)[],
  attributes: Readonly<Record<string, Attribute>> = {},
  type: keyof typeof onnx.TensorProto.DataType = 'FLOAT',
  { version = 21, outputs = 1 } = {},
): SmallModel {
  const model = new Writer();
  const values = inputs.map((input) => input?.(model) ?? null);
  return model.finish(model.nodes(opType, values, outputs, attributes), type, version);
}

function resized(size: number, attributes: Readonly<Record<string, Attribute>>): SmallModel {
  const region = constant('float32', [8], [0, 0, 0.4, 0.6, 1, 1, 0.6, 0.8]);
  return one('Resize', [floats([1, 1, 4, 4]), region, null, constant('int64', [4], [1, 1, size, size])], attributes);
}

/** Multiplies or subtracts, as an input says. */
function conditional(outside: 'weights' | 'none'): SmallModel {
  const model = new Writer();
  const x = floats([2])(model);
  const condition = model.node('Greater', [model.node('ReduceSum', [x], { keepdims: 0 }), constant('float32', [], [0])(model)]);
  const weights = outside === 'weights' ? constant('float32', [2])(model) : x;
  const branch = (opType: string): onnx.IGraphProto => {
    const dim = [{ dimValue: 2 }];
    const output = [{ name: opType, type: { tensorType: { elemType: 1, shape: { dim } } } }];
    return { name: opType, node: [{ name: opType, opType, input: [x, weights], output: [opType] }], output };
  };
  return model.finish([model.branches(condition, branch('Mul'), branch('Sub'))], 'FLOAT', 21);
}

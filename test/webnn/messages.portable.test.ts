/** What contexts, builders, tensors and graphs refuse: the whole message of each error. */
import { beforeAll, describe, expect, test } from 'vitest';
import {
  createML,
  MLContext,
  MLGraphBuilder,
  MLTensor,
  tensorOf,
  type MLGraph,
  type MLOperandDataType,
} from 'node-directml/webnn';

const ml = createML({ backend: 'reference' });
const desc = { dataType: 'float32', shape: [2] } as const;
const three = { dataType: 'float32', shape: [3] } as const;

/** A graph with y = relu(x), and tensors of the same context, unless their names say otherwise. */
interface Scene {
  readonly context: MLContext;
  readonly b: MLGraphBuilder;
  /** A builder that has built. */
  readonly done: MLGraphBuilder;
  readonly graph: MLGraph;
  readonly destroyedGraph: MLGraph;
  readonly otherGraph: MLGraph;
  readonly plain: MLTensor;
  readonly usable: MLTensor;
  readonly constant: MLTensor;
  readonly longer: MLTensor;
  readonly int32: MLTensor;
  readonly destroyed: MLTensor;
  readonly other: MLTensor;
}

let scene: Scene;

async function built(context: MLContext) {
  const b = new MLGraphBuilder(context);
  return { b, graph: await b.build({ y: b.relu(b.input('x', desc)) }) };
}

beforeAll(async () => {
  const [context, otherContext] = [await ml.createContext(), await ml.createContext()];
  const [done, gone, other] = [await built(context), await built(context), await built(otherContext)];
  const destroyed = await context.createConstantTensor(desc, new Float32Array(2));
  destroyed.destroy();
  gone.graph.destroy();
  scene = {
    context,
    b: new MLGraphBuilder(context),
    done: done.b,
    graph: done.graph,
    destroyedGraph: gone.graph,
    otherGraph: other.graph,
    plain: await context.createTensor(desc),
    usable: await context.createTensor({ ...desc, readable: true, writable: true }),
    constant: await context.createConstantTensor(desc, new Float32Array(2)),
    longer: await context.createTensor(three),
    int32: await context.createTensor({ dataType: 'int32', shape: [2] }),
    destroyed,
    other: await otherContext.createConstantTensor(desc, new Float32Array(2)),
  };
});

/** The name and the message of the error. */
async function errorOf(call: (scene: Scene) => unknown): Promise<string> {
  try {
    await call(scene);
  } catch (error) {
    if (error instanceof Error) return `${error.name}: ${error.message}`;
  }
  throw new Error('nothing was thrown');
}

/** Calls a method with arguments of any type. */
function loose(object: object, name: string, ...args: readonly unknown[]): unknown {
  const method: unknown = Reflect.get(object, name);
  if (typeof method !== 'function') throw new Error(`there is no ${name}`);
  return Reflect.apply(method, object, args);
}

/** Constructs an object with arguments of any type. */
function made(type: object, ...args: readonly unknown[]): unknown {
  // the interface objects are classes, also of those that programs cannot construct
  return Reflect.construct(type as new () => unknown, args);
}

const operandOf = ({ b }: Scene, dataType: MLOperandDataType, shape: readonly number[]) => b.input('x', { dataType, shape });
const hasBuilt = 'InvalidStateError: The builder has built its graph.';

const of = (method: string) => `TypeError: Failed to execute '${method}' on 'MLGraphBuilder':`;
const clamp = `${of('clamp')} parameter 2 ('options').minValue`;
const clampBy = ({ b }: Scene, minValue: unknown) => loose(b, 'clamp', b.input('x', desc), { minValue });

const refusals: Readonly<Record<string, Readonly<Record<string, (scene: Scene) => unknown>>>> = {
  input: {
    'TypeError: input: the name is empty.': ({ b }) => b.input('', desc),
    'TypeError: input: the operand has the dimension 0, which is not in the range of 1 to 2147483647.': (given) =>
      operandOf(given, 'uint8', [2, 0]),
    'TypeError: input: the operand has the dimension 2147483648, which is not in the range of 1 to 2147483647.': (given) =>
      operandOf(given, 'uint8', [2 ** 31]),
    'TypeError: input: the operand has 9 dimensions; at most 8 are supported.': (given) =>
      operandOf(given, 'float32', [1, 1, 1, 1, 1, 1, 1, 1, 1]),
    'TypeError: input: the operand has 2147483648 bytes; at most 2147483647 are supported.': (given) =>
      operandOf(given, 'float32', [2 ** 29]),
    'TypeError: input: the operand has 3221225471 bytes; at most 2147483647 are supported.': (given) =>
      operandOf(given, 'int4', [2 ** 31 - 1, 3]),
    [hasBuilt]: ({ done }) => done.input('z', desc),
  },
  'constant of a buffer': {
    'TypeError: constant: buffer has 12 bytes, not 8.': ({ b }) => b.constant(desc, new Float32Array(3)),
    'TypeError: constant: buffer has the type Int32Array, not Uint8Array or Float32Array.': ({ b }) =>
      b.constant(desc, new Int32Array(2)),
    'TypeError: constant: buffer has the type DataView, not Uint8Array or Float32Array.': ({ b }) =>
      b.constant(desc, new DataView(new ArrayBuffer(8))),
    'TypeError: constant: buffer has the type Float32Array, not Uint8Array or BigInt64Array.': ({ b }) =>
      b.constant({ dataType: 'int64', shape: [] }, new Float32Array(2)),
    'TypeError: constant: the operand has the dimension 0, which is not in the range of 1 to 2147483647.': ({ b }) =>
      b.constant({ dataType: 'float32', shape: [0] }, new Float32Array(0)),
    [hasBuilt]: ({ done }) => done.constant(desc, new Float32Array(2)),
    "TypeError: Failed to execute 'constant' on 'MLGraphBuilder': parameter 2 ('buffer') is not an ArrayBuffer, a \
SharedArrayBuffer or a view of one.": ({ b }) => loose(b, 'constant', desc, 3),
  },
  'constant of a number': {
    [hasBuilt]: ({ done }) => done.constant('float32', 1),
    "TypeError: Failed to execute 'constant' on 'MLGraphBuilder': parameter 2 ('value') is not a number.": ({ b }) =>
      loose(b, 'constant', 'float32', Symbol('1')),
    "TypeError: Failed to execute 'constant' on 'MLGraphBuilder': parameter 1 ('dataType') is 'bytes', which is no value of \
MLOperandDataType.": ({ b }) => loose(b, 'constant', 'bytes', 3),
  },
  'constant of a tensor': {
    'TypeError: constant: the tensor was not created by createConstantTensor.': ({ b, plain }) => b.constant(plain),
    'TypeError: constant: the tensor belongs to another context.': ({ b, other }) => b.constant(other),
    'TypeError: constant: the tensor was destroyed.': ({ b, destroyed }) => b.constant(destroyed),
    [hasBuilt]: ({ done, constant }) => done.constant(constant),
    "TypeError: Failed to execute 'constant' on 'MLGraphBuilder': parameter 1 ('tensor') is not of type 'MLTensor'.": ({ b }) =>
      loose(b, 'constant', 'float32'),
    "TypeError: Failed to execute 'constant' on 'MLGraphBuilder': 1 argument required, but only 0 present.": ({ b }) =>
      loose(b, 'constant'),
  },
  operators: {
    [hasBuilt]: ({ done, b }) => done.relu(b.input('x', desc)),
    'TypeError: add: b belongs to another builder.': ({ b, context }) =>
      b.add(b.input('x', desc), new MLGraphBuilder(context).input('y', desc)),
    'TypeError: softmax: an input that has not two dimensions needs an axis.': ({ b }) =>
      loose(b, 'softmax', b.input('x', desc), {}),
    "TypeError: Failed to execute 'softmax' on 'MLGraphBuilder': parameter 3 ('options') is not an object, as \
MLOperatorOptions has to be.": ({ b }) => loose(b, 'softmax', b.input('x', desc), 0, 1),
    "TypeError: Failed to execute 'relu' on 'MLGraphBuilder': 1 argument required, but only 0 present.": ({ b }) =>
      loose(b, 'relu'),
    "TypeError: Failed to execute 'split' on 'MLGraphBuilder': parameter 2 ('splits') is outside the range of 0 to \
4294967295.": ({ b }) => b.split(b.input('x', desc), -1),
    "TypeError: Failed to execute 'relu' on 'MLGraphBuilder': Illegal invocation": () =>
      Reflect.apply(MLGraphBuilder.prototype.relu, {}, [1]),
    'TypeError: split: splits makes 8193 outputs.': (given) => given.b.split(operandOf(given, 'uint8', [8193]), 8193),
    'TypeError: split: a size of 2 cannot be split into 0 equal parts.': ({ b }) => b.split(b.input('x', desc), 0),
  },
  conversions: {
    [`${of('elu')} parameter 2 ('options').alpha is not a finite number.`]: ({ b }) =>
      loose(b, 'elu', b.input('x', desc), { alpha: 'one' }),
    [`${clamp} is not a number.`]: (given) => clampBy(given, { [Symbol.toPrimitive]: () => Symbol('1') }),
    [`${clamp} has a Symbol.toPrimitive that is no function.`]: (given) => clampBy(given, { [Symbol.toPrimitive]: 1 }),
    [`${clamp} is an object that becomes no number.`]: (given) => clampBy(given, { valueOf: null, toString: () => ({}) }),
    [`${of('relu')} parameter 2 ('options').label is a symbol.`]: ({ b }) =>
      loose(b, 'relu', b.input('x', desc), { label: Symbol('l') }),
    [`${of('relu')} parameter 2 ('options').label is an object that becomes no string.`]: ({ b }) =>
      loose(b, 'relu', b.input('x', desc), { label: { toString: null, valueOf: () => ({}) } }),
    [`${of('input')} parameter 2 ('descriptor').shape is not a sequence.`]: ({ b }) =>
      loose(b, 'input', 'x', { dataType: 'float32', shape: 3 }),
    [`${of('input')} parameter 2 ('descriptor').shape[1] is outside the range of 0 to 4294967295.`]: ({ b }) =>
      loose(b, 'input', 'x', { dataType: 'float32', shape: [1, 2 ** 32] }),
    [`${of('input')} parameter 2 ('descriptor').shape is required.`]: ({ b }) => loose(b, 'input', 'x', { dataType: 'float32' }),
    [`${of('build')} parameter 1 ('outputs') is not an object.`]: ({ b }) => loose(b, 'build', 3),
    [`${of('build')} parameter 1 ('outputs')['y'] is not of type 'MLOperand'.`]: ({ b }) => loose(b, 'build', { y: 3 }),
    [`${of('build')} parameter 1 ('outputs') has a name that is a symbol.`]: ({ b }) =>
      loose(b, 'build', { [Symbol('y')]: b.input('x', desc) }),
    [`${of('constant')} parameter 2 ('buffer') has a length that can change.`]: ({ b }) =>
      b.constant(desc, new Float32Array(Reflect.construct(ArrayBuffer, [8, { maxByteLength: 16 }]) as ArrayBuffer)),
  },
  build: {
    [hasBuilt]: ({ done }) => done.build({}),
    "TypeError: build: two inputs have the name 'x'.": ({ context }) => {
      const b = new MLGraphBuilder(context);
      return b.build({ y: b.add(b.relu(b.input('x', desc)), b.input('x', desc)) });
    },
    "TypeError: build: the output 'y' belongs to another builder.": ({ b, context }) => {
      const other = new MLGraphBuilder(context);
      return b.build({ y: other.relu(other.input('x', desc)) });
    },
  },
  createTensor: {
    'TypeError: createTensor: the tensor has the dimension 0, which is not in the range of 1 to 2147483647.': ({ context }) =>
      context.createTensor({ ...desc, shape: [0] }),
  },
  createConstantTensor: {
    'TypeError: createConstantTensor: the tensor has the dimension 0, which is not in the range of 1 to 2147483647.': ({
      context,
    }) => context.createConstantTensor({ ...desc, shape: [2, 0] }, new Float32Array(0)),
    'TypeError: createConstantTensor: inputData has 12 bytes, not 8.': ({ context }) =>
      context.createConstantTensor(desc, new Float32Array(3)),
  },
  readTensor: {
    'TypeError: readTensor: the tensor was not created with readable: true.': ({ context, plain }) => context.readTensor(plain),
    'TypeError: readTensor: outputData has 4 bytes, not 8.': ({ context, usable }) =>
      context.readTensor(usable, new Float32Array(1)),
    'TypeError: readTensor: a tensor belongs to another context.': ({ context, other }) => context.readTensor(other),
    "TypeError: Failed to execute 'readTensor' on 'MLContext': Illegal invocation": ({ usable }) =>
      Reflect.apply(MLContext.prototype.readTensor, {}, [usable]),
  },
  writeTensor: {
    'TypeError: writeTensor: the tensor was not created with writable: true.': ({ context, constant }) =>
      context.writeTensor(constant, new Float32Array(2)),
    'TypeError: writeTensor: inputData has 4 bytes, not 8.': ({ context, usable }) =>
      context.writeTensor(usable, new Float32Array(1)),
    'TypeError: writeTensor: a tensor belongs to another context.': ({ context, other }) =>
      context.writeTensor(other, new Float32Array(2)),
  },
  dispatch: {
    'TypeError: dispatch: the graph belongs to another context.': ({ context, otherGraph, plain: x, usable: y }) =>
      context.dispatch(otherGraph, { x }, { y }),
    'InvalidStateError: dispatch: the graph was destroyed.': ({ context, destroyedGraph, plain: x, usable: y }) =>
      context.dispatch(destroyedGraph, { x }, { y }),
    'TypeError: dispatch: a tensor is given twice.': ({ context, graph, plain: x }) => context.dispatch(graph, { x }, { y: x }),
    'TypeError: dispatch: a tensor belongs to another context.': ({ context, graph, other: x, usable: y }) =>
      context.dispatch(graph, { x }, { y }),
    'TypeError: dispatch: a tensor was destroyed.': ({ context, graph, destroyed: x, usable: y }) =>
      context.dispatch(graph, { x }, { y }),
    'TypeError: dispatch: the graph has 1 inputs, but 0 are given.': ({ context, graph, usable: y }) =>
      context.dispatch(graph, {}, { y }),
    'TypeError: dispatch: the graph has 1 inputs, but 2 are given.': ({ context, graph, plain: x, longer: z, usable: y }) =>
      context.dispatch(graph, { x, z }, { y }),
    'TypeError: dispatch: the graph has 1 outputs, but 0 are given.': ({ context, graph, plain: x }) =>
      context.dispatch(graph, { x }, {}),
    "TypeError: dispatch: the input 'z' is none of the graph.": ({ context, graph, plain: z, usable: y }) =>
      context.dispatch(graph, { z }, { y }),
    "TypeError: dispatch: the output 'z' is none of the graph.": ({ context, graph, plain: x, usable: z }) =>
      context.dispatch(graph, { x }, { z }),
    "TypeError: dispatch: the input 'x' is a constant tensor.": ({ context, graph, constant: x, usable: y }) =>
      context.dispatch(graph, { x }, { y }),
    "TypeError: dispatch: the output 'y' is a constant tensor.": ({ context, graph, plain: x, constant: y }) =>
      context.dispatch(graph, { x }, { y }),
    "TypeError: dispatch: the input 'x' is float32 [3], not float32 [2].": ({ context, graph, longer: x, usable: y }) =>
      context.dispatch(graph, { x }, { y }),
    "TypeError: dispatch: the output 'y' is int32 [2], not float32 [2].": ({ context, graph, plain: x, int32: y }) =>
      context.dispatch(graph, { x }, { y }),
    "TypeError: Failed to execute 'dispatch' on 'MLContext': parameter 2 ('inputs')['x'] is not of type 'MLTensor'.": ({
      context,
      graph,
    }) => loose(context, 'dispatch', graph, { x: 1 }, {}),
    "TypeError: Failed to execute 'dispatch' on 'MLContext': 3 arguments required, but only 1 present.": ({ context, graph }) =>
      loose(context, 'dispatch', graph),
  },
  createContext: {
    "TypeError: Failed to execute 'createContext' on 'ML': No overload takes these arguments.": () =>
      loose(ml, 'createContext', 1),
    "TypeError: Failed to execute 'createContext' on 'ML': parameter 1 ('options').deviceType is 'x', which is no value of \
MLDeviceType.": () => loose(ml, 'createContext', { deviceType: 'x' }),
  },
  tensorOf: {
    'TypeError: tensorOf: expected an MLTensor, given an object.': () => tensorOf({} as MLTensor),
    'TypeError: tensorOf: expected an MLTensor, given nothing.': () => tensorOf(undefined as unknown as MLTensor),
    'TypeError: tensorOf: the tensor was destroyed.': ({ destroyed }) => tensorOf(destroyed),
  },
  constructors: {
    "TypeError: Failed to construct 'MLGraphBuilder': 1 argument required, but only 0 present.": () => made(MLGraphBuilder),
    "TypeError: Failed to construct 'MLGraphBuilder': parameter 1 ('context') is not of type 'MLContext'.": () =>
      made(MLGraphBuilder, {}),
    'TypeError: Illegal constructor': () => made(MLTensor),
  },
  attributes: {
    "TypeError: 'get shape' called on an object that is no MLTensor.": () => MLTensor.prototype.shape,
    "TypeError: 'get lost' called on an object that is no MLContext.": () => MLContext.prototype.lost,
  },
};

describe.each(Object.entries(refusals))('%s', (_name, calls) => {
  test.each(Object.entries(calls))('%s', async (message, call) => {
    expect(await errorOf(call)).toBe(message);
  });
});

describe('limits', () => {
  test('opSupportLimits names the largest tensor and the preferred layout', () => {
    const { preferredInputLayout, maxTensorByteLength, input, constant, output } = scene.context.opSupportLimits();
    expect({ preferredInputLayout, maxTensorByteLength }).toEqual({
      preferredInputLayout: 'nchw',
      maxTensorByteLength: 2 ** 31 - 1,
    });
    const all = ['float32', 'float16', 'int32', 'uint32', 'int64', 'uint64', 'int8', 'uint8', 'int4', 'uint4'];
    const every = { dataTypes: all, rankRange: { min: 0, max: 8 } };
    expect([input, constant, output]).toEqual([every, every, every]);
  });

  test('the largest operands are accepted', () => {
    const accepted = [
      ['uint8', [2 ** 31 - 1]],
      ['int4', [2, 2 ** 31 - 1]],
      ['float32', [1, 1, 1, 1, 1, 1, 1, 1]],
      ['float16', [2 ** 30 - 1]],
    ] as const;
    for (const [dataType, shape] of accepted) expect(operandOf(scene, dataType, shape).shape).toEqual(shape);
    expect(scene.b.split(operandOf(scene, 'uint8', [8192]), 8192)).toHaveLength(8192);
  });
});

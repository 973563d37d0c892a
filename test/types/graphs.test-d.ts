/** The types that graphs take and return. Those of nodes are compared with the types of `run` in `generated/typed-calls.ts`. */
import { describe, expectTypeOf, test } from 'vitest';
import type {
  Bindings,
  CompiledGraph,
  DataType,
  Device,
  ExecutionOptions,
  Graph,
  GraphDescriptor,
  NodeDescriptor,
  OperatorDescriptor,
  OperatorType,
  OutputValues,
  ResolvedTensorDesc,
  Tensor,
  TensorDesc,
  Value,
} from 'node-directml';
import type { InputNames, InputsByOperator, OutputsByOperator } from './generated/typed-calls.js';

declare const device: Device;
declare const graph: Graph;
declare const net: CompiledGraph<'features' | 'scores'>;
declare const value: Value<'float32'>;
declare const tensor: Tensor<'float32'>;
const desc: TensorDesc = { dataType: 'float32', sizes: [2, 2] };

/** True if both are the same type: modifiers, optional members and all. */
type IsSame<A, B> = Condition<Whole<A>> extends Condition<Whole<B>> ? true : false;
type Condition<A> = <T>() => T extends A ? 1 : 2;
type Whole<T> = { [Name in keyof T]: T[Name] };

/** The operators for which the member is not `true`. */
type Wrong<Verdicts extends Record<OperatorType, boolean>> = {
  [Type in OperatorType]: Verdicts[Type] extends true ? never : Type;
}[OperatorType];

/** The same members with values in place of tensors. */
type WithValues<T> = { [Name in keyof T]: ValueFor<T[Name]> };
type ValueFor<Member> =
  Member extends Tensor<infer T> ? Value<T> : Member extends readonly Tensor<infer T>[] ? readonly Value<T>[] : Member;

describe('the nodes of all operators', () => {
  test('have a value for each input, and all other fields as in a descriptor', () => {
    type Inputs = {
      [Type in OperatorType]: IsSame<
        Pick<NodeDescriptor<Type>, keyof NodeDescriptor<Type> & InputNames[Type]>,
        WithValues<InputsByOperator[Type]>
      >;
    };
    type Others = {
      [Type in OperatorType]: IsSame<
        Omit<NodeDescriptor<Type>, InputNames[Type]>,
        Omit<OperatorDescriptor<Type>, InputNames[Type]>
      >;
    };
    expectTypeOf<Wrong<Inputs>>().toEqualTypeOf<never>();
    expectTypeOf<Wrong<Others>>().toEqualTypeOf<never>();
  });

  test('give a value for each output', () => {
    type Same = { [Type in OperatorType]: IsSame<OutputValues<Type>, WithValues<OutputsByOperator[Type]>> };
    expectTypeOf<Wrong<Same>>().toEqualTypeOf<never>();
  });
});

describe('add', () => {
  test('gives the outputs by field name', () => {
    const node = graph.add({ type: 'gemm', aTensor: value, bTensor: value, cTensor: null }, { name: 'product' });
    expectTypeOf(node).toEqualTypeOf<{ readonly outputTensor: Value<'float32'> }>();
    // @ts-expect-error: misspelt
    expectTypeOf(node.outputsTensor).toBeUndefined();
  });

  test('gives a list for an array of outputs', () => {
    const { outputTensors } = graph.add({ type: 'split', inputTensor: value, outputTensors: [{}, {}], axis: 0 });
    expectTypeOf(outputTensors).toEqualTypeOf<readonly Value<'float32'>[]>();
    graph.add({ type: 'join', inputTensors: outputTensors, axis: 0 });
    // @ts-expect-error: one value for an array
    graph.add({ type: 'join', inputTensors: value, axis: 0 });
  });

  test('may leave an optional output undefined', () => {
    const pooling = { type: 'maxPooling2', inputTensor: value, windowSize: [2, 2], strides: [2, 2] } as const;
    const { outputTensor, outputIndicesTensor } = graph.add({ ...pooling, outputIndicesTensor: { dataType: 'uint32' } });
    expectTypeOf(outputTensor).toEqualTypeOf<Value<'float32'>>();
    expectTypeOf(outputIndicesTensor).toEqualTypeOf<Value<'uint32'> | undefined>();
    // @ts-expect-error: perhaps undefined
    graph.add({ type: 'elementWiseIdentity', inputTensor: outputIndicesTensor });
    if (outputIndicesTensor !== undefined) graph.add({ type: 'elementWiseIdentity', inputTensor: outputIndicesTensor });
  });

  test('refuses wrong fields', () => {
    // @ts-expect-error: misspelt
    graph.add({ type: 'gemm', aTensor: value, bTensorr: value });
    // @ts-expect-error: bTensor is missing
    graph.add({ type: 'gemm', aTensor: value });
    // @ts-expect-error: a field of another operator
    graph.add({ type: 'gemm', aTensor: value, bTensor: value, axes: [0] });
    // @ts-expect-error: no such operator
    graph.add({ type: 'gem', aTensor: value, bTensor: value });
    // @ts-expect-error: no such member of the enum
    graph.add({ type: 'gemm', aTensor: value, bTensor: value, transA: 'transposed' });
    // @ts-expect-error: an activation takes no values here
    graph.add({ type: 'gemm', aTensor: value, bTensor: value, fusedActivation: { type: 'activationRelu', inputTensor: value } });
  });

  test('takes values only', () => {
    // @ts-expect-error: a tensor; graph.constant makes a value of it
    graph.add({ type: 'gemm', aTensor: value, bTensor: tensor });
    // @ts-expect-error: a description
    graph.add({ type: 'gemm', aTensor: value, bTensor: desc });
    // @ts-expect-error: the name of a value
    graph.add({ type: 'gemm', aTensor: value, bTensor: 'weights' });
    // @ts-expect-error: required
    graph.add({ type: 'gemm', aTensor: value, bTensor: undefined });
    // @ts-expect-error: a value, where the description of an output belongs
    graph.add({ type: 'gemm', aTensor: value, bTensor: value, outputTensor: [value] });
  });

  test('takes the name as an option', () => {
    const abs = { type: 'elementWiseAbs', inputTensor: value } as const;
    // @ts-expect-error: misspelt
    graph.add(abs, { nam: 'magnitude' });
    // @ts-expect-error: a number
    graph.add(abs, { name: 1 });
    // @ts-expect-error: not an object
    graph.add(abs, 'magnitude');
  });

  test('is called by generic functions, for operators of any type', () => {
    const addAny = <Type extends OperatorType>(node: NodeDescriptor<Type> & { readonly type: Type }) => graph.add<Type>(node);
    expectTypeOf(addAny({ type: 'elementWiseAbs', inputTensor: value }).outputTensor).toEqualTypeOf<Value>();
    const described: NodeDescriptor<'elementWiseAbs'> = { type: 'elementWiseAbs', inputTensor: value };
    expectTypeOf(graph.add(described)).toEqualTypeOf<OutputValues<'elementWiseAbs'>>();
    expectTypeOf<OutputValues<OperatorType>>().toEqualTypeOf<Readonly<Record<string, Value | readonly Value[]>>>();
    type Outputs = { [Type in OperatorType]: OutputValues<Type> extends OutputValues<OperatorType> ? true : false };
    expectTypeOf<Wrong<Outputs>>().toEqualTypeOf<never>();
  });
});

describe('the outputs of add', () => {
  const half = value as unknown as Value<'float16'>;
  const any: Value = value;

  test('have the data type of the first input', () => {
    expectTypeOf(graph.add({ type: 'elementWiseAbs', inputTensor: half }).outputTensor).toEqualTypeOf<Value<'float16'>>();
    expectTypeOf(graph.add({ type: 'elementWiseAdd', aTensor: half, bTensor: half }).outputTensor).toEqualTypeOf<
      Value<'float16'>
    >();
    expectTypeOf(graph.add({ type: 'join', inputTensors: [half, half], axis: 0 }).outputTensor).toEqualTypeOf<Value<'float16'>>();
    expectTypeOf(graph.add({ type: 'elementWiseAbs', inputTensor: half, outputTensor: {} }).outputTensor).toEqualTypeOf<
      Value<'float16'>
    >();
    const sequence = {} as Omit<NodeDescriptor<'gru'>, 'type' | 'inputTensor'>;
    expectTypeOf(graph.add({ ...sequence, type: 'gru', inputTensor: half }).outputSingleTensor).toEqualTypeOf<
      Value<'float16'> | undefined
    >();
  });

  test('have any data type if that of the first input is not known', () => {
    expectTypeOf(graph.add({ type: 'elementWiseAbs', inputTensor: any }).outputTensor).toEqualTypeOf<Value>();
    expectTypeOf(graph.add({ type: 'join', inputTensors: [half, any], axis: 0 }).outputTensor).toEqualTypeOf<Value>();
  });

  test('have the data type that the descriptor gives', () => {
    const cast = { type: 'cast', inputTensor: value } as const;
    expectTypeOf(graph.add({ ...cast, outputTensor: { dataType: 'float16' } }).outputTensor).toEqualTypeOf<Value<'float16'>>();
    expectTypeOf(graph.add({ ...cast, outputTensor: desc }).outputTensor.dataType).toEqualTypeOf<DataType>();
    // @ts-expect-error: no such data type
    graph.add({ ...cast, outputTensor: { dataType: 'float' } });
  });

  test('have a data type of their own where the operator does not take over that of the first input', () => {
    const compared = { type: 'elementWiseLogicalEquals', aTensor: value, bTensor: value } as const;
    const equals = graph.add(compared);
    expectTypeOf(equals.outputTensor).toEqualTypeOf<Value<'uint8'>>();
    const wide = graph.add({ ...compared, outputTensor: { dataType: 'uint32' } });
    expectTypeOf(wide.outputTensor).toEqualTypeOf<Value<'uint32'>>();
    const { outputValueTensor, outputIndexTensor } = graph.add({ type: 'topK', inputTensor: value, axis: 3, k: 1 });
    expectTypeOf(outputValueTensor).toEqualTypeOf<Value<'float32'>>();
    expectTypeOf(outputIndexTensor).toEqualTypeOf<Value<'uint32'>>();
    const long = graph.add({ type: 'topK', inputTensor: value, axis: 3, k: 1, outputIndexTensor: { dataType: 'uint64' } });
    expectTypeOf(long.outputIndexTensor).toEqualTypeOf<Value<'uint64'>>();
    expectTypeOf(long.outputValueTensor).toEqualTypeOf<Value<'float32'>>();
    expectTypeOf(
      graph.add({ type: 'dequantize', inputTensor: value, quantizationTensors: [value] }).outputTensor,
    ).toEqualTypeOf<Value>();
    // @ts-expect-error: no such output
    graph.add({ type: 'topK', inputTensor: value, axis: 3, k: 1, outputTensor: {} });
    // @ts-expect-error: no such input
    graph.add({ type: 'gemm', aTensor: value, bTensor: value, inputTensor: value });
  });
});

describe('a value', () => {
  test('is not a tensor, and a tensor is not a value', async () => {
    expectTypeOf<Value>().not.toExtend<Tensor>();
    expectTypeOf<Tensor>().not.toExtend<Value>();
    // @ts-expect-error: a value has no elements
    await device.run({ type: 'elementWiseAbs', inputTensor: value });
    // @ts-expect-error: it has no memory to bind
    net.dispatch({ image: value, features: tensor, scores: tensor });
    // @ts-expect-error: nor to read
    await value.read();
  });

  test('cannot be made without a graph', () => {
    // @ts-expect-error: no value has only these members
    const made: Value = { dataType: 'float32', sizes: [1], strides: null, totalTensorSizeInBytes: 4, name: 'x' };
    expectTypeOf(made).toEqualTypeOf<Value>();
    // @ts-expect-error: a member cannot be changed
    value.sizes = [1];
  });

  test('can be used as the description of a tensor', () => {
    expectTypeOf(device.createTensor(value, [1, 2])).toEqualTypeOf<Tensor<'float32'>>();
  });

  test('keeps its data type in views', () => {
    expectTypeOf(value).toExtend<Value>();
    expectTypeOf<Value>().not.toExtend<Value<'float32'>>();
    expectTypeOf(value.reshape([4])).toEqualTypeOf<Value<'float32'>>();
    expectTypeOf(value.transpose()).toEqualTypeOf<Value<'float32'>>();
    expectTypeOf(value.broadcastTo([3, 2, 2])).toEqualTypeOf<Value<'float32'>>();
    expectTypeOf(value.view({ sizes: [4], strides: null })).toEqualTypeOf<Value<'float32'>>();
    expectTypeOf(value.dataType).toEqualTypeOf<'float32'>();
    expectTypeOf<Value['dataType']>().toEqualTypeOf<DataType>();
    // @ts-expect-error: a view of a value has no offset
    value.view({ sizes: [2], offset: 2 });
  });
});

describe('inputs and constants', () => {
  test('have the data type of their description', () => {
    expectTypeOf(graph.input('image', { dataType: 'float16', sizes: [1] })).toEqualTypeOf<Value<'float16'>>();
    expectTypeOf(graph.input('image', tensor)).toEqualTypeOf<Value<'float32'>>();
    expectTypeOf(graph.input('image', desc)).toEqualTypeOf<Value>();
    expectTypeOf(graph.constant({ dataType: 'int64', sizes: [2] }, [1n, 2])).toEqualTypeOf<Value<'int64'>>();
    expectTypeOf(graph.constant(tensor, { name: 'weights' })).toEqualTypeOf<Value<'float32'>>();
    // @ts-expect-error: the name is missing
    graph.input({ dataType: 'float32', sizes: [1] });
    // @ts-expect-error: misspelt
    graph.input('image', { dataType: 'float32', sizess: [1] });
  });

  test('take data that fits the data type', () => {
    const float32 = { dataType: 'float32', sizes: [2] } as const;
    graph.constant(float32, Float32Array.of(1, 2), { name: 'weights' });
    graph.constant(float32, [1, 2]);
    graph.constant(float32, new ArrayBuffer(8));
    // @ts-expect-error: another typed array
    graph.constant(float32, Float64Array.of(1, 2));
    // @ts-expect-error: bigints for floats
    graph.constant(float32, [1n, 2n]);
    // @ts-expect-error: the data is missing
    graph.constant(float32);
    // @ts-expect-error: misspelt
    graph.constant(tensor, { nam: 'weights' });
  });
});

describe('compile', () => {
  test('gives a graph that knows the names and data types of its outputs', async () => {
    const outputs = { features: value, scores: value as Value };
    const compiled = await graph.compile(outputs, { disableMetacommands: true });
    expectTypeOf(compiled).toEqualTypeOf<CompiledGraph<{ features: 'float32'; scores: DataType }>>();
    expectTypeOf(await compiled.run({})).toEqualTypeOf<{
      readonly features: Tensor<'float32'>;
      readonly scores: Tensor;
    }>();
    expectTypeOf(compiled.createOutputs().features).toEqualTypeOf<Tensor<'float32'>>();
    expectTypeOf((await compiled.run({})).features.read()).resolves.toEqualTypeOf<Awaited<ReturnType<typeof tensor.read>>>();
    expectTypeOf<keyof typeof compiled.outputs>().toEqualTypeOf<'features' | 'scores'>();
    expectTypeOf(compiled).toExtend<CompiledGraph<'features' | 'scores'>>();
    expectTypeOf(compiled).toExtend<CompiledGraph>();
    expectTypeOf(compiled).not.toExtend<CompiledGraph<{ features: 'float16'; scores: DataType }>>();
    const any: Readonly<Record<string, Value>> = outputs;
    const ofAny = await graph.compile(any);
    expectTypeOf(ofAny).toExtend<CompiledGraph>();
    expectTypeOf(await ofAny.run({})).toEqualTypeOf<Readonly<Record<string, Tensor>>>();
  });

  test('takes values, and execution flags', async () => {
    const flags: ExecutionOptions = { allowHalfPrecisionComputation: true, disableMetacommands: false };
    await graph.compile({ scores: value }, flags);
    // @ts-expect-error: a tensor
    await graph.compile({ scores: tensor });
    // @ts-expect-error: perhaps undefined
    await graph.compile(graph.add({ type: 'maxPooling2', inputTensor: value, windowSize: [2, 2], strides: [2, 2] }));
    // @ts-expect-error: a list of values
    await graph.compile(graph.add({ type: 'split', inputTensor: value, outputTensors: [{}, {}], axis: 0 }));
    await graph.compile(graph.add({ type: 'elementWiseAbs', inputTensor: value }));
    // @ts-expect-error: misspelt
    await graph.compile({ scores: value }, { disableMetacomands: true });
    // @ts-expect-error: an option of compileGraph
    await graph.compile({ scores: value }, { constants: {} });
  });
});

describe('a compiled graph', () => {
  test('runs, and creates its outputs, by name', async () => {
    const { features } = await net.run({ image: tensor });
    expectTypeOf(features).toEqualTypeOf<Tensor>();
    expectTypeOf(net.run).returns.resolves.toEqualTypeOf<Readonly<Record<'features' | 'scores', Tensor>>>();
    expectTypeOf(net.createOutputs).returns.toEqualTypeOf<Readonly<Record<'features' | 'scores', Tensor>>>();
    net.dispatch({ image: tensor, ...net.createOutputs() });
    await net.dispatchChecked({ image: { buffer: tensor.buffer, offset: 16 }, features: tensor, scores: tensor.buffer });
    // @ts-expect-error: no such output
    expectTypeOf((await net.run({ image: tensor })).logits).toBeUndefined();
    // @ts-expect-error: no inputs
    await net.run();
    // @ts-expect-error: a description
    await net.run({ image: desc });
  });

  test('describes its inputs and outputs', () => {
    expectTypeOf(net.outputs).toEqualTypeOf<Readonly<Record<'features' | 'scores', ResolvedTensorDesc>>>();
    expectTypeOf(net.inputs).toEqualTypeOf<Readonly<Record<string, ResolvedTensorDesc>>>();
    expectTypeOf(net.uncheckedIndices).toEqualTypeOf<readonly string[]>();
    expectTypeOf<keyof typeof net.memory>().toEqualTypeOf<'temporary' | 'persistent' | 'constants' | 'shared'>();
    device.createTensor(net.outputs.features);
    // @ts-expect-error: no such output
    device.createTensor(net.outputs.logits);
  });

  test('takes tensors and data as other constants', () => {
    net.initialize({ weights: tensor, bias: [1, 2n], scale: Float32Array.of(1), shift: new ArrayBuffer(4) });
    // @ts-expect-error: a value has no elements
    net.initialize({ weights: value });
    // @ts-expect-error: one number
    net.initialize({ weights: 1 });
  });

  test('is assignable to a compiled graph of any outputs, but not to one of other outputs', () => {
    expectTypeOf(net).toExtend<CompiledGraph>();
    expectTypeOf<CompiledGraph<'scores'>>().not.toExtend<CompiledGraph<'features'>>();
    const dispatch = (compiled: CompiledGraph, bindings: Bindings) => compiled.dispatch(bindings);
    dispatch(net, { image: tensor });
  });
});

describe('a graph that names its inputs', () => {
  const named = device.createGraph<'image' | 'mask'>();
  const image = named.input('image', { dataType: 'float32', sizes: [2, 2] });

  test('has no other inputs', () => {
    expectTypeOf(named).toEqualTypeOf<Graph<'image' | 'mask'>>();
    expectTypeOf(image).toEqualTypeOf<Value<'float32'>>();
    expectTypeOf(named.input('mask', tensor)).toEqualTypeOf<Value<'float32'>>();
    // @ts-expect-error: no such input
    named.input('images', desc);
  });

  test('gives a compiled graph that takes no others', async () => {
    let h = image;
    for (const other of [named.input('mask', tensor), value]) {
      h = named.add({ type: 'elementWiseAdd', aTensor: h, bTensor: other }).outputTensor;
    }
    const compiled = await named.compile({ scores: h });
    expectTypeOf(compiled).toEqualTypeOf<CompiledGraph<{ scores: 'float32' }, 'image' | 'mask'>>();
    expectTypeOf(await compiled.run({ image: tensor, mask: tensor })).toEqualTypeOf<{ readonly scores: Tensor<'float32'> }>();
    compiled.dispatch({ image: tensor, mask: tensor.buffer, ...compiled.createOutputs() });
    await compiled.dispatchChecked({ image: { buffer: tensor.buffer, offset: 16 }, mask: tensor, scores: tensor });
    // @ts-expect-error: no such input
    await compiled.run({ Image: tensor, mask: tensor });
    // @ts-expect-error: an output, which run makes
    await compiled.run({ image: tensor, mask: tensor, scores: tensor });
    // @ts-expect-error: no such input or output
    compiled.dispatch({ image: tensor, mask: tensor, score: tensor });
    // @ts-expect-error: no such input or output
    await compiled.dispatchChecked({ images: tensor, mask: tensor, scores: tensor });
    // @ts-expect-error: a description
    await compiled.run({ image: desc, mask: tensor });
    // @ts-expect-error: misspelt
    await compiled.run({ image: { buffer: tensor.buffer, ofset: 16 }, mask: tensor });
  });

  test('takes bindings whose names are not known', async () => {
    const compiled = await named.compile({ scores: image });
    const all: Bindings = {};
    const tensors: Record<string, Tensor> = {};
    const some: { image?: Tensor; mask: Tensor } = { mask: tensor };
    await compiled.run(all);
    await compiled.run(tensors);
    await compiled.run(some);
    await compiled.run({ ...tensors, mask: tensor });
    await compiled.run({ ...some });
    await compiled.run({ ['image' as string]: tensor });
    await compiled.run({});
    compiled.dispatch({ ...all, ...compiled.createOutputs() });
    compiled.dispatch({ mask: tensor, ...tensors });
  });

  test('is a graph with any inputs, for functions', async () => {
    const layer = (given: Graph, x: Value<'float32'>) => given.add({ type: 'activationRelu', inputTensor: x }).outputTensor;
    const compiled = await named.compile({ scores: layer(named, image) });
    expectTypeOf(named).toExtend<Graph>();
    const names: CompiledGraph<'scores'> = compiled;
    const types: CompiledGraph<{ scores: 'float32' }> = compiled;
    const any: CompiledGraph = compiled;
    const exact: CompiledGraph<'scores', 'image' | 'mask'> = compiled;
    await any.run({ x: tensor });
    await names.run({ x: tensor });
    await types.run({ x: tensor });
    // @ts-expect-error: no such input
    await exact.run({ x: tensor });
    const other = await graph.compile({ logits: value });
    for (const each of [compiled, other]) await each.run({ image: tensor });
    const layerOf = <Names extends string>(given: Graph<Names>) => layer(given, image);
    expectTypeOf(layerOf(named)).toEqualTypeOf<Value<'float32'>>();
    const use = <Outputs extends string>(net: CompiledGraph<Outputs>) => net.run({ x: tensor });
    expectTypeOf(use(names)).resolves.toEqualTypeOf<{ readonly scores: Tensor }>();
    const dispatch = <Outputs extends string>(net: CompiledGraph<Outputs>, bindings: Bindings) => net.dispatch(bindings);
    dispatch(names, {});
    const compileAny = async <Types extends Readonly<Record<string, DataType>>>(
      given: Graph,
      outputs: { readonly [Name in keyof Types]-?: Value<Types[Name]> },
    ) => (await given.compile<Types>(outputs)).run({ x: tensor });
    expectTypeOf(compileAny(named, { scores: image })).resolves.toEqualTypeOf<{ readonly scores: Tensor<'float32'> }>();
  });
});

describe('graphs as plain data', () => {
  test('know the names of their outputs', async () => {
    const descriptor = graph.toDescriptor({ features: value, scores: value });
    expectTypeOf(descriptor).toEqualTypeOf<GraphDescriptor<'features' | 'scores'>>();
    expectTypeOf(device.compileGraph(descriptor)).resolves.toEqualTypeOf<CompiledGraph<'features' | 'scores'>>();
    expectTypeOf(descriptor).toExtend<GraphDescriptor>();
    const read: GraphDescriptor = JSON.parse(JSON.stringify(descriptor));
    expectTypeOf(device.compileGraph(read)).resolves.toEqualTypeOf<CompiledGraph>();
    expectTypeOf(graph.toMermaid({ scores: value })).toEqualTypeOf<string>();
  });

  test('are written by hand', async () => {
    const compiled = await device.compileGraph({
      inputs: { x: { dataType: 'float32', sizes: [4] } },
      constants: { w: { dataType: 'float32', sizes: [1], data: 'AACAPw==' }, v: { dataType: 'float32', sizes: [4] } },
      nodes: {
        product: { type: 'elementWiseMultiply', aTensor: 'x', bTensor: { value: 'w', sizes: [4], strides: [0] } },
        sum: { type: 'elementWiseAdd', aTensor: 'product.outputTensor', bTensor: 'v' },
      },
      outputs: { y: { value: 'sum.outputTensor', sizes: [2, 2] } },
    });
    expectTypeOf(compiled).toEqualTypeOf<CompiledGraph<'y', 'x'>>();
    expectTypeOf(compiled).toExtend<CompiledGraph<'y'>>();
    await compiled.run({ x: tensor });
    compiled.dispatch({ x: tensor, y: tensor });
    // @ts-expect-error: no such input
    await compiled.run({ X: tensor });
    // @ts-expect-error: a constant
    compiled.dispatch({ x: tensor, v: tensor, y: tensor });
    const nodes = { a: { type: 'elementWiseAbs', inputTensor: 'x' } } as const;
    await device.compileGraph({ nodes, outputs: { y: 'a.outputTensor' } }, { constants: { x: [1] }, disableMetacommands: true });
    const outputs = { y: 'a.outputTensor' };
    const inputs: Readonly<Record<string, TensorDesc>> = { x: desc };
    await (await device.compileGraph({ inputs, nodes, outputs })).run({ x: tensor });
    await (await device.compileGraph({ nodes, outputs })).run({ x: tensor });
    const isNamed: boolean = Math.random() < 0.5;
    const some = await device.compileGraph({ inputs: { ...(isNamed ? { x: desc } : { z: desc }) }, nodes, outputs });
    await some.run({ x: tensor });
    await (await device.compileGraph({ inputs: { [isNamed ? 'x' : 'z']: desc }, nodes, outputs })).run({ x: tensor });
    // @ts-expect-error: no such operator
    await device.compileGraph({ nodes: { a: { type: 'abs', inputTensor: 'x' } }, outputs: { y: 'a.outputTensor' } });
    // @ts-expect-error: no outputs
    await device.compileGraph({ nodes });
    // @ts-expect-error: a value, which no data can hold
    await device.compileGraph({ nodes, outputs: { y: value } });
    // @ts-expect-error: misspelt
    await device.compileGraph({ nodes, outputs: { y: 'a.outputTensor' } }, { constant: { x: [1] } });
  });
});

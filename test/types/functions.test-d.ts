/** The types that the functions of operators and `device.jit` take and return. */
import { describe, expectTypeOf, test } from 'vitest';
import type { CompiledGraph, Device, Graph, Tensor, TensorDesc, Value } from 'node-directml';
import {
  argmax,
  activationRelu as relu,
  cast,
  elementWiseAdd as add,
  elementWiseIf,
  elementWiseLogicalLessThan as less,
  fillValueConstant,
  gather,
  gemm,
  join,
  lstm,
  maxPooling2,
  multiheadAttention,
  oneHot,
  reduce,
  split,
  topK,
} from 'node-directml/operators';

declare function use(...values: readonly unknown[]): void;
declare const device: Device;
declare const graph: Graph;
declare const tensor: Tensor<'float32'>;
declare const half: Tensor<'float16'>;
declare const indices: Tensor<'uint32'>;
declare const some: Tensor;
declare const value: Value<'float32'>;
declare const promise: Promise<Tensor<'float32'>>;
declare const either: Tensor<'float32'> | Value<'float32'>;
declare const desc: TensorDesc;

describe('a function', () => {
  test('gives a promise of a tensor with the data type of the inputs', () => {
    expectTypeOf(gemm(tensor, tensor)).toEqualTypeOf<Promise<Tensor<'float32'>>>();
    expectTypeOf(gemm(promise, tensor, { cTensor: promise })).toEqualTypeOf<Promise<Tensor<'float32'>>>();
    expectTypeOf(relu(gemm(half, half))).toEqualTypeOf<Promise<Tensor<'float16'>>>();
    expectTypeOf(gather(half, indices, { axis: 0, indexDimensions: 1 })).toEqualTypeOf<Promise<Tensor<'float16'>>>();
    expectTypeOf(oneHot(indices, half, { axis: 0 })).toEqualTypeOf<Promise<Tensor<'float16'>>>();
    expectTypeOf(relu(some)).toEqualTypeOf<Promise<Tensor>>();
    expectTypeOf(join([tensor, promise], { axis: 0 })).toEqualTypeOf<Promise<Tensor<'float32'>>>();
  });

  test('gives a graph value if one of its inputs is a graph value', () => {
    expectTypeOf(gemm(value, value)).toEqualTypeOf<Value<'float32'>>();
    expectTypeOf(gemm(tensor, value)).toEqualTypeOf<Value<'float32'>>();
    expectTypeOf(gemm(tensor, tensor, { cTensor: value })).toEqualTypeOf<Value<'float32'>>();
    expectTypeOf(add(value, 1)).toEqualTypeOf<Value<'float32'>>();
    expectTypeOf(join([tensor, value], { axis: 0 })).toEqualTypeOf<Value<'float32'>>();
    expectTypeOf(lstm(value, tensor, tensor, { sequenceLengthsTensor: indices }).outputSingleTensor).toEqualTypeOf<
      Value<'float32'> | undefined
    >();
    expectTypeOf(relu(either)).toEqualTypeOf<Promise<Tensor<'float32'>> | Value<'float32'>>();
  });

  test('takes numbers where it broadcasts', () => {
    expectTypeOf(add(1, half)).toEqualTypeOf<Promise<Tensor<'float16'>>>();
    expectTypeOf(elementWiseIf(less(tensor, 0), 0, tensor)).toEqualTypeOf<Promise<Tensor<'float32'>>>();
    expectTypeOf(gemm(tensor, tensor, { cTensor: 1 })).toEqualTypeOf<Promise<Tensor<'float32'>>>();
    // @ts-expect-error: gemm broadcasts only C
    void gemm(tensor, 1);
    // @ts-expect-error: it has one input
    void relu(1);
  });

  test('gives the data type that the options request, or else the usual one', () => {
    expectTypeOf(less(tensor, tensor)).toEqualTypeOf<Promise<Tensor<'uint8'>>>();
    expectTypeOf(less(tensor, tensor, { outputTensor: { dataType: 'uint32' } })).toEqualTypeOf<Promise<Tensor<'uint32'>>>();
    expectTypeOf(argmax(value, { axes: [0] })).toEqualTypeOf<Value<'uint32'>>();
    expectTypeOf(argmax(tensor, { axes: [0], outputTensor: { dataType: 'int64' } })).toEqualTypeOf<Promise<Tensor<'int64'>>>();
    expectTypeOf(cast(tensor, { outputTensor: { dataType: 'float16' } })).toEqualTypeOf<Promise<Tensor<'float16'>>>();
    expectTypeOf(cast(tensor, { outputTensor: half })).toEqualTypeOf<Promise<Tensor<'float16'>>>();
    expectTypeOf(cast(tensor, { outputTensor: desc })).toEqualTypeOf<Promise<Tensor>>();
    expectTypeOf(reduce(tensor, { function: 'argmax' })).toEqualTypeOf<Promise<Tensor>>();
    const filled = { outputTensor: { dataType: 'int32', sizes: [2] }, value: 1 } as const;
    expectTypeOf(fillValueConstant(device, filled)).toEqualTypeOf<Promise<Tensor<'int32'>>>();
    expectTypeOf(fillValueConstant(graph, filled)).toEqualTypeOf<Value<'int32'>>();
  });

  test('gives several outputs by field name', () => {
    expectTypeOf(topK(half, { k: 1 })).resolves.toEqualTypeOf<{
      readonly outputValueTensor: Tensor<'float16'>;
      readonly outputIndexTensor: Tensor<'uint32'>;
    }>();
    expectTypeOf(topK(half, { k: 1, outputIndexTensor: { dataType: 'uint64' } }))
      .resolves.toHaveProperty('outputIndexTensor')
      .toEqualTypeOf<Tensor<'uint64'>>();
    const pooling = { windowSize: [2, 2], strides: [2, 2] };
    expectTypeOf(maxPooling2(value, pooling).outputTensor).toEqualTypeOf<Value<'float32'>>();
    expectTypeOf(split(value, { axis: 0, outputTensors: [{}, {}] })).toEqualTypeOf<readonly Value<'float32'>[]>();
    expectTypeOf(multiheadAttention({ queryTensor: half, headCount: 1 })).resolves.toHaveProperty('outputTensor');
  });

  test('refuses what its operator does not have', () => {
    // @ts-expect-error: bTensor is missing
    void gemm(tensor);
    // @ts-expect-error: misspelt
    void gemm(tensor, tensor, { transpB: 'transpose' });
    // @ts-expect-error: no such member of the enum
    void gemm(tensor, tensor, { transB: 'transposed' });
    // @ts-expect-error: it has a position
    void gemm(tensor, tensor, { bTensor: tensor });
    // @ts-expect-error: the function has the type
    void gemm(tensor, tensor, { type: 'gemm' });
    // @ts-expect-error: indexDimensions is missing
    void gather(tensor, indices, { axis: 0 });
    // @ts-expect-error: all options are missing
    void topK(tensor);
    // @ts-expect-error: a description
    void relu(desc);
    // @ts-expect-error: a tensor for an array
    void join(tensor, { axis: 0 });
    // @ts-expect-error: several outputs
    void relu(topK(tensor, { k: 1 }));
    // @ts-expect-error: no such data type
    void cast(tensor, { outputTensor: { dataType: 'float' } });
    // @ts-expect-error: neither device nor graph
    void fillValueConstant(tensor, { outputTensor: desc, value: 1 });
    // @ts-expect-error: a number is no C
    void gemm(tensor, tensor, { cTensor: '1' });
  });
});

describe('a result', () => {
  test('has the data type of the inputs, whatever its caller makes of it', async () => {
    // @ts-expect-error: it is float32
    const mask: Tensor<'uint8'> = await relu(tensor);
    // @ts-expect-error: it is float32
    const sum: Tensor<'uint8'> = await add(tensor, 1);
    // @ts-expect-error: it is uint32
    const index: Tensor<'float32'> = await argmax(tensor, { axes: [0] });
    use(mask, sum, index);
  });
});

describe('the types of inputs', () => {
  test('exclude what the operator never takes', () => {
    // @ts-expect-error: gemm has no integers
    void gemm(indices, indices);
    // @ts-expect-error: two data types
    void add(tensor, indices);
    // @ts-expect-error: float indices
    void gather(tensor, tensor, { axis: 0, indexDimensions: 1 });
    // @ts-expect-error: no tensor says which data type the numbers have
    void add(1, 2);
    use(gemm(some, tensor), add(some, some), gather(some, some, { axis: 0, indexDimensions: 1 }));
  });
});

describe('jit', () => {
  test('gives a function with the same structure', async () => {
    const layer = device.jit((x: Value<'float32'>, { scale, n }: { scale: Value<'float16'>; n: number }) => ({
      y: add(x, n),
      list: [scale],
    }));
    expectTypeOf(layer(tensor, { scale: half, n: 1 })).toEqualTypeOf<
      Promise<{ y: Tensor<'float32'>; list: Tensor<'float16'>[] }>
    >();
    void layer(promise, { scale: half, n: 1 });
    // @ts-expect-error: another data type
    void layer(half, { scale: half, n: 1 });
    // @ts-expect-error: scale is missing
    void layer(tensor, { n: 1 });
    // @ts-expect-error: a string
    void layer(tensor, { scale: half, n: '1' });
    expectTypeOf(layer.compile(desc, { scale: half, n: 2 })).toEqualTypeOf<Promise<CompiledGraph>>();
    expectTypeOf(layer.graphs).toEqualTypeOf<readonly CompiledGraph[]>();
  });

  test('takes functions of tensors, async ones too', () => {
    const square = device.jit(async (x: Tensor<'float32'>) => gemm(await relu(x), x));
    expectTypeOf(square(tensor)).toEqualTypeOf<Promise<Tensor<'float32'>>>();
    const views = device.jit(async (x: Tensor<'float32'>) => (await relu(x)).reshape([4]));
    expectTypeOf(views(tensor)).toEqualTypeOf<Promise<Tensor<'float32'>>>();
  });

  test('takes functions without types', () => {
    const sum = device.jit((x, { scale }) => {
      expectTypeOf(x).toExtend<Value>();
      expectTypeOf(x).not.toBeAny();
      return add(x, scale);
    });
    expectTypeOf(sum(tensor, { scale: 1 })).toEqualTypeOf<Promise<Tensor>>();
    // @ts-expect-error: a number
    device.jit(() => 3);
    // @ts-expect-error: no function
    device.jit(3);
    // @ts-expect-error: misspelt
    device.jit((x) => x, { limits: 3 });
  });
});

/**
 * Programs that are right, or that may be right, because the types do not say which data types their tensors have.
 * `declarations.long.test.ts` compiles them with several compilers.
 */
import type { CompiledOperator, DataType, Device, Graph, OutputTensors, Tensor, TensorDesc, Value } from 'node-directml';
import {
  activationRelu as relu,
  argmax,
  cast,
  elementWiseAdd as add,
  elementWiseDequantizeLinear,
  elementWiseIf,
  elementWiseLogicalLessThan as less,
  elementWisePow as pow,
  elementWiseQuantizeLinear,
  fillValueConstant,
  gather,
  gemm,
  join,
  matrixMultiplyInteger,
  maxPooling2,
  multiheadAttention,
  quantize,
  reduce,
  split,
  topK,
  type Input,
  type InputOrNumber,
} from 'node-directml/operators';

declare function use(...values: readonly unknown[]): void;
declare const device: Device;
declare const place: Device | Graph;
declare const x: Tensor<'float32'>;
declare const half: Tensor<'float16'>;
declare const whole: Tensor<'int32'>;
declare const bytes: Tensor<'uint8'>;
declare const signed: Tensor<'int8'>;
declare const some: Tensor;
declare const floats: Tensor<'float32' | 'float16'>;
declare const mixed: Tensor<'float32' | 'int64'>;
declare const value: Value<'float32'>;
declare const someValue: Value;
declare const either: Tensor<'float32'> | Value<'float32'>;
declare const promise: Promise<Tensor<'float32'>>;
declare const input: Input;
declare const operand: InputOrNumber;
declare const orNumber: Tensor<'float32'> | number;
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- as in JavaScript
declare const any: any;
declare const desc: TensorDesc;
declare const optional: { readonly cTensor?: Tensor<'float32'> };

export async function results(): Promise<void> {
  const annotated: Tensor<'float32'> = await relu(x);
  const wide: Tensor = await relu(gemm(x, promise, { cTensor: 1 }));
  const index: Tensor<'uint32'> = await argmax(x, { axes: [0] });
  const chosen: Tensor<'int64'> = await argmax(x, { axes: [0], outputTensor: { dataType: 'int64' } });
  const converted: Tensor<'float16'> = await cast(x, { outputTensor: half });
  const given: Tensor<'float16'> = await relu(some, { outputTensor: { dataType: 'float16' } });
  const powers: readonly Tensor<'float32'>[] = [await pow(2, x), await pow(x, whole)];
  const several: OutputTensors<'topK', 'float32', 'uint64'> = await topK(x, { k: 1, outputIndexTensor: { dataType: 'uint64' } });
  const passed: (t: Tensor<'float32'>) => Promise<Tensor<'float32'>> = relu;
  let h: Tensor<'float32'> = x;
  for (let i = 0; i < 3; i++) h = await relu(gemm(h, x));
  const all = await Promise.all([x, h].map((t) => relu(t)));
  use(annotated, wide, index, chosen, converted, given, powers, several, passed, all);
}

export function ofUnknownTypes(): void {
  use(gemm(some, some), gemm(some, x), gemm(x, some), add(some, whole), gather(some, some, { axis: 0, indexDimensions: 1 }));
  use(gemm(someValue, value, { cTensor: someValue }), relu(either), gemm(either, x), add(1, either));
  use(
    gemm(value, either, { cTensor: either }),
    gemm(x, x, { cTensor: null }),
    multiheadAttention({ queryTensor: some, keyTensor: either, headCount: 1 }),
  );
  use(gemm(floats, floats), gemm(floats, x), relu(mixed), add(mixed, x));
  use(relu(input), gemm(input, input), add(operand, operand), add(operand, 1), add(1, operand), add(x, operand));
  use(add(orNumber, x), add(x, orNumber), add(orNumber, orNumber));
  use(relu(any), gemm(any, x), gemm(x, any), add(any, 1), add(1, any), add(any, any), join(any, { axis: 0 }), gemm(x, x, any));
  use(relu(x, { outputTensor: desc }), cast(x, { outputTensor: desc }), argmax(x, { axes: [0], outputTensor: desc }));
  use(relu(x, { outputTensor: some }), relu(x, { outputTensor: {} }), relu(x, {}), relu(x, undefined));
  use(fillValueConstant(place, { outputTensor: desc, value: 1 }), reduce(whole, { function: 'argmax', axes: [0] }));
}

export function together(): void {
  use(add(1, x), add(whole, 1n), elementWiseIf(less(x, 0), 0, x), elementWiseIf(1, x, 0), gemm(x, x, { ...optional }));
  use(elementWiseQuantizeLinear(x, 0.5, { zeroPointTensor: bytes }), quantize(x, [x, bytes], {}));
  use(elementWiseDequantizeLinear(bytes, 0.5, { zeroPointTensor: 3 }), elementWiseDequantizeLinear(signed, x));
  use(matrixMultiplyInteger(signed, bytes, { aZeroPointTensor: signed, bZeroPointTensor: bytes }));
  use(join([some, x], { axis: 0 }), join([value, x], { axis: 0 }), join([x, promise], { axis: 0 }));
  join([relu(value), ...split(value, { axis: 0, outputTensors: [{}, {}] })], { axis: 0 });
  maxPooling2(value, { windowSize: [2, 2], strides: [2, 2], outputIndicesTensor: { dataType: 'uint64' } });
  void multiheadAttention({ queryTensor: half, keyTensor: some, headCount: 1 });
}

/** Functions that are generic in data types, tensors or inputs. */
export const generic = {
  ofTensor: <T extends DataType>(t: Tensor<T>): Promise<Tensor> => relu(t),
  ofValue: <T extends 'float32' | 'float16'>(t: Value<T>) => relu(gemm(t, t)),
  ofTwo: <T extends DataType>(a: Tensor<T>, b: Tensor<T>): Promise<Tensor> => gemm(a, b, { cTensor: a }),
  ofNumbers: <T extends DataType>(t: Tensor<T>): Promise<Tensor> => add(add(t, 1), add(2, t)),
  ofFloats: <T extends 'float32' | 'float16'>(a: Tensor<T>, b: Tensor<T>): Promise<Tensor> => add(gemm(a, b), 1),
  ofInput: <T extends Input>(t: T) => relu(t),
  ofOperands: <T extends Input, U extends InputOrNumber>(a: T, b: U) => add(a, b),
  ofArray: <T extends DataType>(list: readonly Tensor<T>[]) => join(list, { axis: 0 }),
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- users write such functions
  converted: <T extends DataType>(t: Tensor, dataType: T): Promise<Tensor> => cast(t, { outputTensor: { dataType } }),
  traced<R>(fn: (t: Value) => R) {
    return device.jit(fn);
  },
  tracedAny: <A extends readonly unknown[], R>(fn: (...args: A) => R) => device.jit(fn),
};

interface Weights {
  readonly w: Tensor<'float32'>;
}
interface Hidden {
  readonly h: Value<'float32'>;
}

export async function withoutTypes(): Promise<void> {
  const sum = device.jit((t, { scale }) => add(t, scale));
  await (await sum(x, { scale: 1 })).read();
  const layer = device.jit((t, { layers }) => {
    for (const { weight } of layers) t = relu(gemm(t, weight));
    return { t, first: layers[0].weight, sizes: t.sizes.length };
  });
  await (await layer(x, { layers: [{ weight: x }] })).t.read();
  const views = device.jit((t) =>
    relu(t.reshape([4]))
      .reshape([2, 2])
      .transpose(),
  );
  await (await views(x)).read();
  const limited = device.jit((t, n) => add(t, n), { limit: 2 });
  await limited(x, 3);
  const rest = device.jit((...all) => relu(all[0] ?? x));
  await rest(x, x);
  const outer = device.jit((t) => add(views(t), 1));
  await outer(x);
  await sum.compile(x, { scale: desc });
}

export async function withTypes(): Promise<void> {
  const views = device.jit((t: Value<'float32'>) => relu(t).reshape([4]));
  const view: Tensor<'float32'> = await views(x);
  const awaiting = device.jit(async (t: Tensor<'float32'>) => (await relu(t)).reshape([4]));
  const awaited: Tensor<'float32'> = await awaiting(promise);
  const one = device.jit((t: Tensor<'float32'>, n) => add(t, n));
  const two: Tensor<'float32'> = await one(x, 2);
  const counted = device.jit((t: Value<'float32'>, n: number) => ({ y: add(t, n * 2), n }));
  const { y, n }: { y: Tensor<'float32'>; n: number } = await counted(x, 2);
  const named = device.jit((t: Value<'float32'>, { w }: Weights): Hidden => ({ h: gemm(t, w) }));
  const hidden: { h: Tensor<'float32'> } = await named(x, { w: x });
  const perhaps = device.jit((t: Value, does: boolean, times?: number) => (does ? add(t, times ?? 1) : undefined));
  await perhaps(x, true);
  const thrown = device.jit(() => {
    throw new Error('no result');
  });
  await thrown();
  use(view, awaited, two, y, n, hidden);
}

export async function compiled(): Promise<void> {
  const sum = await device.compile({ type: 'elementWiseAdd', aTensor: desc, bTensor: desc });
  const owned = await device.compile({ type: 'gemm', aTensor: desc, bTensor: desc }, { initializationInputs: { bTensor: x } });
  const operators: CompiledOperator[] = [sum, owned];
  const product: CompiledOperator<'gemm', 'bTensor'> = owned;
  operators.push(product);
}

/** Programs that are wrong, as every input to them shows. `declarations.long.test.ts` compiles them with several compilers. */
import type { Device, Graph, OutputTensors, OutputValues, Tensor, Value } from 'node-directml';
import {
  activationRelu as relu,
  argmax,
  cast,
  elementWiseAdd as add,
  elementWiseIf,
  elementWiseLogicalLessThan as less,
  gather,
  gemm,
  join,
  matrixMultiplyInteger,
  multiheadAttention,
  topK,
} from 'node-directml/operators';

declare const device: Device;
declare const graph: Graph;
declare const x: Tensor<'float32'>;
declare const half: Tensor<'float16'>;
declare const whole: Tensor<'int32'>;
declare const some: Tensor;
declare const value: Value<'float32'>;
declare const wholeValue: Value<'int32'>;
declare function use(...values: readonly unknown[]): void;
declare function take(mask: Tensor<'uint8'>): void;
declare function takeValue(mask: Value<'uint8'>): void;
type Mask = Tensor<'uint8'>;

/** What a caller makes of a result does not change its data type. */
export async function results(): Promise<void> {
  // @ts-expect-error: it is float32
  const annotated: Mask = await relu(x);
  // @ts-expect-error: it is float32
  take(await relu(x));
  // @ts-expect-error: it is float32
  const promised: Promise<Mask> = relu(x);
  // @ts-expect-error: it is float32
  const sum: Mask = await add(x, 1);
  // @ts-expect-error: it is uint32
  const index: Tensor<'float32'> = await argmax(x, { axes: [0] });
  // @ts-expect-error: it is float32
  const joined: Mask = await join([x, x], { axis: 0 });
  // @ts-expect-error: float16, as the options say
  const converted: Mask = await cast(x, { outputTensor: { dataType: 'float16' } });
  // @ts-expect-error: it is float32
  const node: Value<'uint8'> = relu(value);
  // @ts-expect-error: it is float32
  takeValue(relu(value));
  // @ts-expect-error: it is uint32
  const several: { outputIndexTensor: Mask } = await topK(x, { k: 1 });
  // @ts-expect-error: it is uint32
  const aliased: OutputTensors<'topK', 'float32', 'uint64'> = await topK(x, { k: 1 });
  // @ts-expect-error: it is float32
  const ran: { outputTensor: Mask } = await device.run({ type: 'activationRelu', inputTensor: x });
  // @ts-expect-error: it is float32
  const added: OutputValues<'activationRelu', 'uint8'> = graph.add({ type: 'activationRelu', inputTensor: value });
  // @ts-expect-error: it is float32
  const created: Mask = device.createTensor({ dataType: 'float32', sizes: [1] });
  // @ts-expect-error: it is float32
  const traced: Mask = await device.jit((t: Value<'float32'>) => relu(t))(x);
  use(annotated, promised, sum, index, joined, converted, node, several, aliased, ran, added, created, traced);
}

export function returned(t: Tensor<'float32'>): Promise<Mask> {
  // @ts-expect-error: it is float32
  return relu(t);
}

export async function awaited(t: Tensor<'float32'>): Promise<Mask> {
  // @ts-expect-error: it is float32
  return relu(t);
}

/** Data types that an operator never takes, or never takes together. */
export function inputs(): void {
  // @ts-expect-error: gemm has no integers
  void gemm(whole, whole);
  // @ts-expect-error: gemm has no integers, whatever aTensor is
  void gemm(some, whole);
  // @ts-expect-error: two data types
  void add(x, whole);
  // @ts-expect-error: two data types
  void add(x, half);
  // @ts-expect-error: two data types
  void add(x, wholeValue);
  // @ts-expect-error: two data types
  void gemm(gemm(x, x), half);
  // @ts-expect-error: integers of another function
  void gemm(add(whole, 1), x);
  // @ts-expect-error: two data types
  void gemm(x, x, { cTensor: half });
  // @ts-expect-error: two data types
  void less(x, whole);
  // @ts-expect-error: two data types
  void join([x, whole], { axis: 0 });
  // @ts-expect-error: no condition
  void elementWiseIf(x, x, x);
  // @ts-expect-error: two data types
  void elementWiseIf(less(x, x), x, whole);
  // @ts-expect-error: float indices
  void gather(x, x, { axis: 0, indexDimensions: 1 });
  // @ts-expect-error: it is floats
  void matrixMultiplyInteger(x, x);
  // @ts-expect-error: it is integers
  void multiheadAttention({ queryTensor: whole, headCount: 1 });
  // @ts-expect-error: no tensor says which data type the numbers have
  void add(1, 2);
  // @ts-expect-error: no tensor says which data type the numbers have
  void elementWiseIf(less(x, 0), 1, 2);
}

/** Data types that an output never has. */
export function outputs(): void {
  // @ts-expect-error: that of the input
  void relu(x, { outputTensor: { dataType: 'int8' } });
  // @ts-expect-error: that of the input
  void add(x, x, { outputTensor: half });
  // @ts-expect-error: a float32
  void argmax(x, { axes: [0], outputTensor: { dataType: 'float16' } });
  // @ts-expect-error: cast has no int4
  void cast(x, { outputTensor: { dataType: 'int4' } });
}

export function traced(): void {
  // @ts-expect-error: a number
  device.jit(() => 3);
  // @ts-expect-error: a number
  device.jit((t: Tensor) => t.sizes.length);
  // @ts-expect-error: the promise of a number
  device.jit(async () => 3);
  // @ts-expect-error: no tensor but data
  device.jit((t: Tensor) => t.read());
  // @ts-expect-error: no result
  device.jit((t: Value) => void relu(t));
  // @ts-expect-error: a value is no string
  device.jit((t) => relu(t satisfies string));
  // @ts-expect-error: nor a number
  device.jit((t) => add(t, t * 2));
  // @ts-expect-error: sizes are an array
  device.jit((t) => relu(t.reshape(4)));
  // @ts-expect-error: another data type
  void device.jit((t: Value<'float32'>) => relu(t))(half);
  // @ts-expect-error: gemm has no integers
  device.jit((t: Value<'int32'>) => gemm(t, t));
}

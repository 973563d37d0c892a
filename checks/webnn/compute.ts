/** Builds, runs and reads a WebNN graph in one call. */
import type { Device } from 'node-directml';
import {
  ml,
  MLGraphBuilder,
  type MLContext,
  type MLNamedOperands,
  type MLOperand,
  type MLOperandDataType,
} from 'node-directml/webnn';

/** An input of a graph: its data type, shape and numbers. */
export type Given = readonly [dataType: MLOperandDataType, shape: readonly number[], numbers: readonly (number | bigint)[]];

type Inputs = Readonly<Record<string, Given>>;

const arrays = {
  float32: Float32Array,
  float16: Uint16Array,
  int32: Int32Array,
  uint32: Uint32Array,
  int64: BigInt64Array,
  uint64: BigUint64Array,
  int8: Int8Array,
  uint8: Uint8Array,
  int4: Uint8Array,
  uint4: Uint8Array,
} as const;

/** The numbers as the bytes of the data type; float16 as bits. */
function bytesOf(dataType: MLOperandDataType, numbers: readonly (number | bigint)[]): ArrayBuffer {
  const isWide = dataType === 'int64' || dataType === 'uint64';
  const elements = numbers.map((number) => (isWide ? BigInt(number) : Number(number)));
  // Which numbers an array takes follows from the data type, but not for the types of TypeScript.
  const array = Reflect.construct(arrays[dataType], [elements]) as ArrayBufferView<ArrayBuffer>;
  return array.buffer;
}

/** The outputs by name; float16 as bits, 64-bit integers as bigints. */
export async function compute(
  device: Device,
  inputs: Inputs,
  build: (builder: MLGraphBuilder, operands: Readonly<Record<string, MLOperand>>) => MLNamedOperands,
): Promise<Record<string, readonly (number | bigint)[]>> {
  const context = await ml.createContext(device);
  const builder = new MLGraphBuilder(context);
  const entries = Object.entries(inputs);
  const operands = entries.map(([name, [dataType, shape]]) => [name, builder.input(name, { dataType, shape })] as const);
  const outputs = build(builder, Object.fromEntries(operands));
  const given = entries.map(([name, [type, shape, numbers]]): Input => [name, type, shape, bytesOf(type, numbers)]);
  const results = await runGraph(context, builder, given, outputs);
  context.destroy();
  return Object.fromEntries(
    Array.from(results, ([name, bytes]) => {
      const { dataType = 'float32' } = outputs[name] ?? {};
      return [name, Array.from<number | bigint>(new arrays[dataType](bytes))];
    }),
  );
}

export type Input = readonly [name: string, dataType: MLOperandDataType, shape: readonly number[], bytes: ArrayBuffer];

/** Builds the graph and dispatches it once. Gives the bytes of the outputs by name. */
export async function runGraph(
  context: MLContext,
  builder: MLGraphBuilder,
  inputs: readonly Input[],
  outputs: MLNamedOperands,
): Promise<ReadonlyMap<string, ArrayBuffer>> {
  const graph = await builder.build(outputs);
  const given = await Promise.all(
    inputs.map(async ([name, dataType, shape, bytes]) => {
      const tensor = await context.createTensor({ dataType, shape, writable: true });
      context.writeTensor(tensor, bytes);
      return [name, tensor] as const;
    }),
  );
  const results = await Promise.all(
    Object.entries(outputs).map(async ([name, { dataType, shape }]) => {
      return [name, await context.createTensor({ dataType, shape, readable: true })] as const;
    }),
  );
  context.dispatch(graph, Object.fromEntries(given), Object.fromEntries(results));
  const read = await Promise.all(results.map(async ([name, tensor]) => [name, await context.readTensor(tensor)] as const));
  for (const [, tensor] of [...given, ...results]) tensor.destroy();
  graph.destroy();
  return new Map(read);
}

/** The numbers of the only output of an operator. */
export async function computeOne(
  device: Device,
  inputs: Inputs,
  build: (builder: MLGraphBuilder, operands: Readonly<Record<string, MLOperand>>) => MLOperand,
): Promise<readonly (number | bigint)[]> {
  const { y = [] } = await compute(device, inputs, (builder, operands) => ({ y: build(builder, operands) }));
  return y;
}

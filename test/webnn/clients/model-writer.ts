/** Writes ONNX models whose weights and inputs are drawn from a seed, which is the model's name. */
import { onnx } from 'onnx-proto';
import { Tensor } from 'onnxruntime-web/webgpu';
import { Random } from '../../random.js';
import { NodeList, type Value } from '../../support/onnx-nodes.js';

export interface Model {
  readonly bytes: Uint8Array;
  readonly feeds: Readonly<Record<string, Tensor>>;
  /** The sizes of dimensions that have only a name in the model. */
  readonly dimensions: Readonly<Record<string, number>>;
  /** How far an output may be from the wasm provider's, relative to the largest magnitude in it. */
  readonly tolerance: number;
}

type ModelDataType = 'float32' | 'float16' | 'int32' | 'int64' | 'int8' | 'uint8';

const { DataType: ElementType } = onnx.TensorProto;
const elementTypes: Readonly<Record<ModelDataType, onnx.TensorProto.DataType>> = {
  float32: ElementType.FLOAT,
  float16: ElementType.FLOAT16,
  int32: ElementType.INT32,
  int64: ElementType.INT64,
  int8: ElementType.INT8,
  uint8: ElementType.UINT8,
};

/** ONNX 1.16, the newest opset of which onnxruntime-web's WebNN provider takes every operator used here. */
const opset = { irVersion: 10, version: 21 };

export class ModelWriter extends NodeList {
  readonly random: Random;
  readonly #name: string;
  readonly #dimensions: Readonly<Record<string, number>>;
  readonly #initializers: onnx.ITensorProto[] = [];
  readonly #inputs: onnx.IValueInfoProto[] = [];
  readonly #outputs: onnx.IValueInfoProto[] = [];
  readonly #feeds: Record<string, Tensor> = {};

  /** `dimensions` are the sizes of those dimensions of inputs that the model itself has only names for. */
  constructor(name: string, dimensions: Readonly<Record<string, number>> = {}) {
    super();
    this.random = Random.of(name);
    this.#name = name;
    this.#dimensions = dimensions;
  }

  /** Floats from -1 to 1. */
  input(name: string, shape: readonly (number | string)[]): Value {
    const count = this.#sizesOf(shape).reduce((product, size) => product * size, 1);
    return this.#input(
      name,
      'float32',
      shape,
      Float32Array.from({ length: count }, () => this.#between(1)),
    );
  }

  /** Integers from 0 to `below - 1`. */
  tokens(name: string, shape: readonly (number | string)[], below: number): Value {
    const count = this.#sizesOf(shape).reduce((product, size) => product * size, 1);
    const ids = BigInt64Array.from({ length: count }, () => BigInt(this.random.int(0, below - 1)));
    return this.#input(name, 'int64', shape, ids);
  }

  /** Weights for sums of so many products, which keep the magnitude of what they are multiplied with. */
  weights(shape: readonly number[], products: number): Value {
    const limit = Math.sqrt(3 / products);
    return this.floats(shape, (): number => this.#between(limit));
  }

  /** Floats between two numbers. */
  floatsBetween(shape: readonly number[], low: number, high: number): Value {
    return this.floats(shape, () => low + (high - low) * this.random.fraction());
  }

  floats(shape: readonly number[], draw: () => number): Value {
    const count = shape.reduce((product, size) => product * size, 1);
    return this.#initializer('float32', shape, Float32Array.from({ length: count }, draw));
  }

  float(value: number): Value {
    return this.floats([], () => value);
  }

  /** A list of integers, as operators take axes and shapes. */
  integers(...values: readonly number[]): Value {
    return this.#initializer('int64', [values.length], BigInt64Array.from(values, BigInt));
  }

  /** 8-bit integers between two numbers. */
  bytesBetween(dataType: 'int8' | 'uint8', shape: readonly number[], low: number, high: number): Value {
    const count = shape.reduce((product, size) => product * size, 1);
    const numbers = Array.from({ length: count }, () => this.random.int(low, high));
    return this.#initializer(dataType, shape, dataType === 'int8' ? Int8Array.from(numbers) : Uint8Array.from(numbers));
  }

  /** Matrix product and bias. */
  linear(x: Value, from: number, to: number): Value {
    return this.node('Add', [this.node('MatMul', [x, this.weights([from, to], from)]), this.weights([to], to)]);
  }

  output(name: string, value: Value, dataType: ModelDataType = 'float32'): void {
    this.nodeList.push({ name, opType: 'Identity', input: [value], output: [name] });
    this.#outputs.push({ name, type: { tensorType: { elemType: elementTypes[dataType] } } });
  }

  finish(tolerance: number): Model {
    const bytes = onnx.ModelProto.encode({
      irVersion: opset.irVersion,
      opsetImport: [{ domain: '', version: opset.version }],
      graph: {
        name: this.#name,
        node: this.nodeList,
        initializer: this.#initializers,
        input: this.#inputs,
        output: this.#outputs,
      },
    }).finish();
    return { bytes, feeds: this.#feeds, dimensions: this.#dimensions, tolerance };
  }

  #between(limit: number): number {
    return (2 * this.random.fraction() - 1) * limit;
  }

  #input(
    name: string,
    dataType: 'float32' | 'int64',
    shape: readonly (number | string)[],
    data: Float32Array | BigInt64Array,
  ): Value {
    const dim = shape.map((size) => (typeof size === 'string' ? { dimParam: size } : { dimValue: size }));
    this.#inputs.push({ name, type: { tensorType: { elemType: elementTypes[dataType], shape: { dim } } } });
    this.#feeds[name] = new Tensor(dataType, data, this.#sizesOf(shape));
    return name;
  }

  #sizesOf(shape: readonly (number | string)[]): number[] {
    return shape.map((size) => (typeof size === 'string' ? (this.#dimensions[size] ?? 1) : size));
  }

  #initializer(dataType: ModelDataType, dims: readonly number[], { buffer }: ArrayBufferView): Value {
    const name = `weights${this.#initializers.length}`;
    this.#initializers.push({ name, dataType: elementTypes[dataType], dims: [...dims], rawData: new Uint8Array(buffer) });
    return name;
  }
}

/** Writes ONNX models with random weights and inputs. The model's name is the seed. */
import type { onnx } from 'onnx-proto';
import { Tensor } from 'onnxruntime-web/webgpu';
import { product } from '../cases/layout.js';
import { Random } from '../harness/random.js';
import { ModelNodes, type Value } from './onnx-nodes.js';

export type { Value };

export interface Model {
  readonly bytes: Uint8Array;
  readonly feeds: Readonly<Record<string, Tensor>>;
  /** The sizes of dimensions that have only a name in the model. */
  readonly dimensions: Readonly<Record<string, number>>;
  /** The largest allowed difference from the wasm provider's output, relative to the largest magnitude in that output. */
  readonly tolerance: number;
}

type ModelDataType = 'float32' | 'float16' | 'int32' | 'int64' | 'int8' | 'uint8';

/** ONNX 1.16: the newest opset for which onnxruntime-web's WebNN provider accepts every operator used here. */
const opset = { irVersion: 10, version: 21 };

export class ModelWriter extends ModelNodes {
  readonly random: Random;
  readonly #name: string;
  readonly #dimensions: Readonly<Record<string, number>>;
  readonly #inputs: onnx.IValueInfoProto[] = [];
  readonly #outputs: onnx.IValueInfoProto[] = [];
  readonly #feeds: Record<string, Tensor> = {};

  /** `dimensions` gives the sizes of input dimensions that have only a name in the model. */
  constructor(name: string, dimensions: Readonly<Record<string, number>> = {}) {
    super();
    this.random = Random.of(name);
    this.#name = name;
    this.#dimensions = dimensions;
  }

  /** Floats from -1 to 1. */
  input(name: string, shape: readonly (number | string)[]): Value {
    const length = product(this.#sizesOf(shape));
    const numbers = Float32Array.from({ length }, () => this.#between(1));
    return this.#input(name, 'float32', shape, numbers);
  }

  /** Integers from 0 to `below - 1`. */
  tokens(name: string, shape: readonly (number | string)[], below: number): Value {
    const length = product(this.#sizesOf(shape));
    const ids = BigInt64Array.from({ length }, () => BigInt(this.random.int(0, below - 1)));
    return this.#input(name, 'int64', shape, ids);
  }

  /** Weights for sums of `products` products, scaled so that the sums have the magnitude of the other factors. */
  weights(shape: readonly number[], products: number): Value {
    const limit = Math.sqrt(3 / products);
    return this.floats(shape, (): number => this.#between(limit));
  }

  /** Floats between two numbers. */
  floatsBetween(shape: readonly number[], low: number, high: number): Value {
    return this.floats(shape, () => low + (high - low) * this.random.fraction());
  }

  floats(shape: readonly number[], draw: () => number): Value {
    return this.constant('float32', shape, Float32Array.from({ length: product(shape) }, draw));
  }

  float(value: number): Value {
    return this.floats([], () => value);
  }

  /** 8-bit integers between two numbers. */
  bytesBetween(dataType: 'int8' | 'uint8', shape: readonly number[], low: number, high: number): Value {
    const numbers = Array.from({ length: product(shape) }, () => this.random.int(low, high));
    return this.constant(dataType, shape, dataType === 'int8' ? Int8Array.from(numbers) : Uint8Array.from(numbers));
  }

  /** Matrix product and bias. */
  linear(x: Value, from: number, to: number): Value {
    return this.node('Add', [this.node('MatMul', [x, this.weights([from, to], from)]), this.weights([to], to)]);
  }

  output(name: string, value: Value, dataType: ModelDataType = 'float32'): void {
    this.nodeList.push({ name, opType: 'Identity', input: [value], output: [name] });
    this.#outputs.push({ name, type: { tensorType: { elemType: this.elementType(dataType) } } });
  }

  finish(tolerance: number): Model {
    const bytes = this.encoded(opset, { name: this.#name, input: this.#inputs, output: this.#outputs });
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
    this.#inputs.push({ name, type: { tensorType: { elemType: this.elementType(dataType), shape: { dim } } } });
    this.#feeds[name] = new Tensor(dataType, data, this.#sizesOf(shape));
    return name;
  }

  #sizesOf(shape: readonly (number | string)[]): number[] {
    return shape.map((size) => (typeof size === 'string' ? (this.#dimensions[size] ?? 1) : size));
  }
}

/** The relative rounding error of float32. */
const rounding = 2 ** -24;

/**
 * The tolerance of layers whose results are sums of these numbers of products. Two programs add in different orders and round
 * each partial sum. The errors have both signs, so they grow with the square root of the count. Later layers pass an error on
 * without enlarging it, because weights and normalizations keep magnitudes. On DirectML and on the reference, the models differ
 * by a tenth of this tolerance.
 */
export function sums(...counts: readonly number[]): number {
  return counts.reduce((error, count) => error + 2 * Math.sqrt(count) * rounding, 0);
}

/** A case as a graph of ONNX operators, which onnxruntime's CPU provider can run. */
import type { Tensor } from 'onnxruntime-common';
import type { TensorDesc } from 'node-directml';
import { bitsOf } from '#lib/tensors/data-types.js';
import { bytesPerElement, type ConformanceCase, type DataType } from '../cases/case.js';
import { ModelNodes, type Value } from './onnx-nodes.js';
import { onnxruntime } from './onnxruntime.js';
import { inputIn, inputsOf, isTensor, product, relaid, type Input } from '../cases/layout.js';
import type { Output } from '../cases/run-case.js';
import { numbersOf } from '../tolerance/elements.js';

/** Thrown if ONNX operators cannot express the case; the message says why. */
export class NoCounterpart extends Error {}

/** ONNX 1.18, the first with Attention. */
const OPSET = { irVersion: 11, version: 23 };

export class Graph extends ModelNodes {
  readonly #test: ConformanceCase;
  readonly #outputs: { name: string; tensor: TensorDesc; value: Value }[] = [];

  constructor(test: ConformanceCase) {
    super();
    this.#test = test;
  }

  protected override elementType(dataType: DataType): number {
    if (bitsOf(dataType) < 8) throw new NoCounterpart(`onnxruntime takes no ${dataType} from JavaScript`);
    return super.elementType(dataType);
  }

  /** The input in a field of the descriptor, in other sizes if they are given; null where it is absent. */
  input(field: string, sizes?: readonly number[]): Value | null {
    const bound = inputIn(this.#test, field);
    return bound && this.constant(bound.tensor.dataType, sizes ?? bound.tensor.sizes, packed(bound));
  }

  /** Like {@link input}, converted to float32, in which everything but casts is computed. */
  floats(field: string, sizes?: readonly number[]): Value | null {
    const value = this.input(field, sizes);
    return value === null || inputIn(this.#test, field)?.tensor.dataType === 'float32' ? value : this.cast(value, 'float32');
  }

  /** The sizes of an input; null if it is absent. */
  sizesOf(field: string): readonly number[] | null {
    return inputIn(this.#test, field)?.tensor.sizes ?? null;
  }

  /** The elements of an input; null if it is absent. */
  numbers(field: string): Float64Array | null {
    const bound = inputIn(this.#test, field);
    return bound && numbersOf(bound.tensor, bound.bytes);
  }

  /** True if all elements of all inputs are below the limit in magnitude; NaN is not. */
  isWithin(limit: number): boolean {
    const isBelow = (value: number) => Math.abs(value) < limit;
    return inputsOf(this.#test).every(({ tensor, bytes }) => numbersOf(tensor, bytes).every(isBelow));
  }

  float32(value: number): Value {
    return this.constant('float32', [], Float32Array.of(value));
  }

  float64(value: number): Value {
    return this.constant('float64', [], Float64Array.of(value));
  }

  integer(value: number | bigint): Value {
    return this.constant('int64', [], BigInt64Array.of(BigInt(value)));
  }

  cast(value: Value, dataType: DataType): Value {
    return this.node('Cast', [value], { to: this.elementType(dataType) });
  }

  /** Makes the value the result for an output field of the descriptor, if that field is present. */
  output(field: string, value: Value | null | undefined): void {
    const tensor: unknown = Reflect.get(this.#test.descriptor, field);
    if (!isTensor(tensor) || !value) return;
    this.#outputs.push({ name: field, tensor, value: this.cast(value, tensor.dataType) });
  }

  /** Runs the graph. The gaps of each output are copied from `expected`. */
  async run(expected: readonly Output[]): Promise<Output[]> {
    const output = this.#outputs.map(({ value, tensor }) => ({
      name: value,
      type: { tensorType: { elemType: this.elementType(tensor.dataType) } },
    }));
    const model = this.encoded(OPSET, { name: this.#test.descriptor.type, output });
    const session = await onnxruntime().InferenceSession.create(model, { executionProviders: ['cpu'], logSeverityLevel: 4 });
    const results = await session.run({});
    await session.release();
    return this.#outputs.flatMap(({ name, tensor, value }) => {
      const gaps = expected.find((output) => output.name === name)?.bytes;
      return gaps === undefined ? [] : [{ name, tensor, bytes: unpacked(tensor, bytesOf(results[value]), gaps) }];
    });
  }
}

/** The tensor's elements in row-major order, without gaps. */
function packed({ tensor, bytes }: Input): Uint8Array<ArrayBuffer> {
  const { dataType, sizes } = tensor;
  return relaid(tensor, bytes, { dataType, sizes }, new Uint8Array(Math.ceil(product(sizes) * bytesPerElement(dataType))));
}

/** The opposite of {@link packed}: lays out the elements as in the tensor, with the bytes of `gaps` between them. */
function unpacked(tensor: TensorDesc, elements: Uint8Array, gaps: Uint8Array): Uint8Array<ArrayBuffer> {
  const { dataType, sizes } = tensor;
  if (elements.length !== product(sizes) * bytesPerElement(dataType)) {
    throw new RangeError(`onnxruntime gave ${elements.length} bytes`);
  }
  return relaid({ dataType, sizes }, elements, tensor, Uint8Array.from(gaps));
}

function bytesOf(tensor: Tensor | undefined): Uint8Array {
  const data = tensor?.data;
  if (!ArrayBuffer.isView(data)) throw new TypeError('onnxruntime gave no numbers');
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

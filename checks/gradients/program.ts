/** Values whose weighted sum is a function of inputs, with its gradient. */
import type { CompiledGraph, Device, Graph, Tensor, TensorDesc, Value } from 'node-directml';
import { codecs } from '#lib/tensors/element.js';
import { grad } from 'node-directml/gradients';
import { elementWiseAdd as add, elementWiseMultiply as multiply, reduce } from 'node-directml/operators';
import { base64, type WholeDescriptor } from '../cases/case.js';
import { isTensor } from '../cases/layout.js';
import type { Random } from '../harness/random.js';

type Floats = Value<'float32'>;
type Named = Readonly<Record<string, Value>>;
/** Adds nodes to a graph, and returns their floating outputs. */
export type Build = (graph: Graph, values: Readonly<Record<string, Value>>) => readonly Floats[];

export interface Input {
  readonly name: string;
  readonly desc: TensorDesc;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** True for floats that have no gradient. */
  readonly isConstant?: boolean;
}

/** A function of some inputs. `text` tells what it is. */
export interface Drawn {
  readonly inputs: readonly Input[];
  readonly build: Build;
  readonly random: Random;
  readonly text: string;
}

/** Numbers of which an output is weighed. */
interface Weights {
  readonly sizes: readonly number[];
  readonly elements: Float32Array<ArrayBuffer>;
}

export class Program {
  readonly #device: Device;
  readonly #inputs: readonly Input[];
  readonly #weights: readonly Weights[];
  /** By input, the direction in which its elements move. */
  readonly #directions: ReadonlyMap<string, Float32Array>;
  readonly #graph: Graph;
  readonly #results: Named;
  readonly #gradients: Named;
  /** Compiled when they are needed. */
  readonly #nets = new Map<Named, Promise<CompiledGraph>>();

  private constructor(
    device: Device,
    inputs: readonly Input[],
    weights: readonly Weights[],
    directions: ReadonlyMap<string, Float32Array>,
    graph: Graph,
    [results, gradients]: readonly [results: Named, gradients: Named],
  ) {
    this.#device = device;
    this.#inputs = inputs;
    this.#weights = weights;
    this.#directions = directions;
    this.#graph = graph;
    this.#results = results;
    this.#gradients = gradients;
  }

  static of(device: Device, { build, inputs, random }: Drawn): Program {
    const graph = device.createGraph();
    const values = Object.fromEntries(inputs.map(({ name, desc }) => [name, graph.input(name, plain(desc))]));
    const outputs = build(graph, values);
    const weights = outputs.map(({ sizes }) => ({ sizes, elements: numbers(random, productOf(sizes)) }));
    const factors = weights.map(({ sizes }, i) => graph.input<'float32'>(`weight ${i}`, { dataType: 'float32', sizes }));
    const loss = (own: Readonly<Record<string, Floats>>) =>
      build(graph, { ...values, ...own })
        .map((output, i) => {
          const product = multiply(output, factors[i] ?? output);
          return reduce(product, { function: 'sum', axes: [...product.sizes.keys()] }).reshape([1]) as Floats;
        })
        .reduce((sum, each) => add(sum, each));
    const floats = inputs.filter(({ desc, isConstant }) => isFloat(desc) && isConstant !== true);
    const gradients = grad(loss)(Object.fromEntries(floats.map(({ name }) => [name, values[name] as Floats])));
    const named = (each: Named) => Object.fromEntries(Object.entries(each).map(([name, value]) => [`of ${name}`, value]));
    const results = named(Object.fromEntries(outputs.map((value, i) => [`${i}`, value])));
    const directions = new Map(floats.map(({ name, bytes }) => [name, numbers(random, bytes.length / 4)]));
    return new Program(device, inputs, weights, directions, graph, [results, named(gradients)]);
  }

  async dispose(): Promise<void> {
    for (const net of await Promise.all(this.#nets.values())) net.dispose();
  }

  /** The value after all inputs moved, summed up in 64 bits, and the sum of the sizes of its addends. */
  async valueAt(step: number): Promise<{ readonly value: number; readonly size: number }> {
    const outputs = await this.#run(this.#results, step);
    const products = this.#weights.flatMap(({ elements }, i) =>
      (outputs[`of ${i}`] ?? []).map((element, j) => element * (elements[j] ?? 0)),
    );
    return { value: sumOf(products), size: sumOf(products.map(Math.abs)) };
  }

  /** The program as plain data, with the elements of tensors in row-major order. */
  toData(): object {
    const inputs = this.#inputs.map(({ name, desc, bytes }) => {
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      const elements = placesOf(desc).map((place) => Number(codecs[desc.dataType].read(view, place)));
      return [name, { isFloat: isFloat(desc), ...dataOf(desc.sizes, elements) }] as const;
    });
    const weights = this.#weights.map(({ sizes, elements }, i) => [`of ${i}`, { isFloat: true, ...dataOf(sizes, elements) }]);
    return {
      graph: this.#graph.toDescriptor(this.#results),
      inputs: Object.fromEntries(inputs),
      weights: Object.fromEntries(weights),
    };
  }

  /** The gradient of each input of floats, in row-major order. */
  async gradients(): Promise<Readonly<Record<string, readonly number[]>>> {
    const made = await this.#run(this.#gradients, 0);
    return Object.fromEntries(Object.entries(made).map(([name, elements]) => [name.slice('of '.length), elements]));
  }

  /** How the value grows with the step, by the gradient. */
  async slope(): Promise<{ readonly slope: number; readonly size: number }> {
    const gradients = await this.gradients();
    const products = this.#inputs.flatMap(({ name, desc }) => {
      const direction = this.#directions.get(name);
      if (direction === undefined) return [];
      return placesOf(desc).map((place, i) => (gradients[name]?.[i] ?? NaN) * (direction[place] ?? NaN));
    });
    return { slope: sumOf(products), size: sumOf(products.map(Math.abs)) };
  }

  async #run(outputs: Named, step: number): Promise<Readonly<Record<string, number[]>>> {
    const compiling = this.#nets.get(outputs) ?? this.#graph.compile(outputs);
    this.#nets.set(outputs, compiling);
    const net = await compiling;
    const given = this.#inputs.map(({ name, desc, bytes }) => {
      const direction = this.#directions.get(name);
      return { name, desc, bytes: direction === undefined ? bytes : moved(bytes, direction, step) };
    });
    const weights = this.#weights.map(({ sizes, elements }, i) => {
      return { name: `weight ${i}`, desc: { dataType: 'float32' as const, sizes }, bytes: new Uint8Array(elements.buffer) };
    });
    const needed = [...given, ...weights].filter(({ name }) => name in net.inputs);
    const bindings = Object.fromEntries(needed.map(({ name, desc, bytes }) => [name, this.#tensor(desc, bytes)]));
    const written = (await net.run(bindings)) as Readonly<Record<string, Tensor>>;
    const read = Object.entries(written).map(async ([name, tensor]) => [name, flat(await tensor.toArray())] as const);
    const made = Object.fromEntries(await Promise.all(read));
    for (const tensor of [...Object.values(bindings), ...Object.values(written)]) tensor.buffer.dispose();
    return made;
  }

  /** `bytes` include gaps. */
  #tensor(desc: TensorDesc, bytes: Uint8Array<ArrayBuffer>): Tensor {
    const buffer = this.#device.createBuffer(Math.ceil(bytes.length / 16) * 16);
    buffer.write(bytes);
    return this.#device.createTensor(plain(desc), { buffer });
  }
}

export function isFloat({ dataType }: TensorDesc): boolean {
  return dataType === 'float32';
}

/** The floating outputs of a node with these inputs. */
export function outputsOf(graph: Graph, descriptor: WholeDescriptor, values: Readonly<Record<string, Value>>): readonly Floats[] {
  const placed = (value: unknown, path: string): unknown => (isTensor(value) ? (values[path] ?? plain(value)) : value);
  const fields = Object.entries(descriptor).map(([name, value]: [string, unknown]) => [
    name,
    Array.isArray(value) ? value.map((each: unknown, i) => placed(each, `${name}[${i}]`)) : placed(value, name),
  ]);
  const outputs = graph.add(Object.fromEntries(fields) as never) as Readonly<Record<string, Value | readonly Value[]>>;
  return Object.values(outputs).flat().filter(isFloat) as readonly Floats[];
}

function plain({ dataType, sizes, strides }: TensorDesc): TensorDesc {
  return { dataType, sizes, ...(strides && { strides }) };
}

export function numbers(random: Random, count: number): Float32Array<ArrayBuffer> {
  return Float32Array.from({ length: count }, () => random.fraction() * 2 - 1);
}

function moved(bytes: Uint8Array<ArrayBuffer>, direction: Float32Array, step: number): Uint8Array<ArrayBuffer> {
  const elements = new Float32Array(bytes.buffer).map((element, i) => element + step * (direction[i] ?? 0));
  return new Uint8Array(elements.buffer);
}

function dataOf(sizes: readonly number[], elements: ArrayLike<number>) {
  return { sizes, elements: base64(new Uint8Array(Float64Array.from(elements).buffer)) };
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function productOf(sizes: readonly number[]): number {
  return sizes.reduce((product, size) => product * size, 1);
}

function flat(nested: unknown): number[] {
  return Array.isArray(nested) ? (nested as unknown[]).flat(8).map(Number) : [Number(nested)];
}

/** For each element in row-major order, its place in the buffer. */
function placesOf({ sizes, strides }: TensorDesc): number[] {
  let places = [0];
  let packed = 1;
  const own =
    strides ??
    [...sizes]
      .reverse()
      .map((size) => (packed *= size) / size)
      .reverse();
  for (const [axis, size] of sizes.entries()) {
    places = places.flatMap((place) => Array.from({ length: size }, (_, i) => place + i * (own[axis] ?? 0)));
  }
  return places;
}

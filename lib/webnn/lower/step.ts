/** What the lowering of every operator uses: a WebNN operator becomes a short function from values to values of a graph. */
import { codecs } from '../../tensors/element.js';
import { bitsOf } from '../../tensors/data-types.js';
import { isPacked } from '../../tensors/tensor-size.js';
import { bytesOfArray } from '../../api/memory/array-data.js';
import type { Graph } from '../../api/graphs/graph.js';
import type { Value } from '../../graph/value.js';
import type { DataType } from '../../tensors/generated/enums.js';
import type { Operators } from '../generated/arguments.js';
import { castNumber } from '../cast-number.js';
import type { MLOperandDataType } from '../generated/types.js';
import { sameShape, sizesOf, type Operand, type OperandDescriptor, type OperatorName } from '../ml-operand.js';

/** The engine's own, saved now because a program may replace the global later. */
const { DataView } = globalThis;

/** The same with values in the place of operands. */
export type WithValues<T> = T extends Operand
  ? Value
  : T extends readonly (infer Element)[]
    ? number extends T['length']
      ? readonly WithValues<Element>[]
      : { readonly [Index in keyof T]: WithValues<T[Index]> }
    : T extends object
      ? { readonly [Name in keyof T]: WithValues<T[Name]> }
      : T;

/**
 * A value has the sizes of its operand, [1] for one without dimensions, and it may be a view with any strides. The results are
 * reshaped to the sizes of the outputs, so that dimensions of 1 may be there or not.
 */
export type Lowering<Name extends OperatorName> = (
  step: Step,
  ...args: WithValues<Parameters<Operators[Name]>>
) => ReturnType<Operators[Name]> extends readonly Operand[] ? readonly Value[] : Value;

export type Lowerings<Names extends OperatorName> = { readonly [Name in Names]: Lowering<Name> };

/** The bytes of constants. */
type ConstantBytes = ReadonlyMap<Value, Uint8Array>;

/** One operator that is being lowered. */
export class Step {
  readonly outputs: readonly OperandDescriptor[];
  /** The sizes of the first output. */
  readonly sizes: readonly number[];
  /** The data type of the first output. */
  readonly dataType: MLOperandDataType;
  /** True if the first output has no dimensions. */
  readonly isScalar: boolean;
  /** Adds a node. */
  readonly add: Graph['add'];
  readonly #graph: Graph;
  readonly #constants: ConstantBytes;

  constructor(graph: Graph, outputs: readonly OperandDescriptor[], constants: ConstantBytes) {
    const [{ dataType, shape }] = [outputs[0] ?? { dataType: 'float32' as const, shape: [] }];
    this.#graph = graph;
    this.#constants = constants;
    this.add = graph.add.bind(graph);
    this.outputs = outputs;
    this.sizes = sizesOf(shape);
    this.dataType = dataType;
    this.isScalar = shape.length === 0;
  }

  /** The numbers of a constant of floats that the graph was built with; undefined for other values, and for large ones. */
  constantNumbers(value: Value): readonly number[] | undefined {
    const bytes = this.#constants.get(value);
    if (bytes === undefined || bytes.length > 4096) return undefined;
    const { dataType } = value;
    if (dataType !== 'float32' && dataType !== 'float16') return undefined;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const { read } = codecs[dataType];
    return Array.from({ length: (bytes.length * 8) / bitsOf(dataType) }, (_, i) => Number(read(view, i)));
  }

  constant(dataType: DataType, sizes: readonly number[], elements: readonly (number | bigint)[]): Value {
    return this.#graph.constant(
      { dataType, sizes },
      bytesOfArray({ operator: 'constant', field: 'buffer' }, elements, dataType, elements.length).buffer,
    );
  }

  /** A constant of bytes. */
  mask(sizes: readonly number[], bytes: Uint8Array): Value {
    return this.#graph.constant({ dataType: 'uint8', sizes }, bytes);
  }

  /** One number as a tensor of these sizes, stored once. */
  fill(dataType: DataType, sizes: readonly number[], number: number | bigint): Value {
    return this.constant(dataType, [1], [number]).broadcastTo(sizes);
  }

  /** A number of the options in the data type of the output. */
  number(value: number | bigint): number | bigint {
    return castNumber(value, this.dataType);
  }

  /** The same elements in memory order, copied if they lie otherwise. */
  packed(value: Value): Value {
    if (isPacked(value)) return value;
    return this.add({ type: 'elementWiseIdentity', inputTensor: value }).outputTensor;
  }

  /** The value in the sizes of the output. A view is made only where it is needed: making one takes time. */
  broadcast(value: Value): Value {
    return sameShape(value.sizes, this.sizes) ? value : value.broadcastTo(this.sizes);
  }

  reshape(value: Value, sizes: readonly number[]): Value {
    const packed = this.packed(value);
    return sameShape(packed.sizes, sizes) ? packed : packed.reshape(sizes);
  }

  slice(
    inputTensor: Value,
    starts: readonly number[],
    sizes: readonly number[],
    strides: readonly number[] = sizes.map(() => 1),
  ): Value {
    return this.add({
      ...{ type: 'slice1', inputTensor, inputWindowOffsets: starts, inputWindowSizes: sizes },
      inputWindowStrides: strides,
    }).outputTensor;
  }

  join(inputTensors: readonly Value[], axis: number): Value {
    const [only] = inputTensors;
    if (only !== undefined && inputTensors.length === 1) return only;
    return this.add({ type: 'join', inputTensors: inputTensors.map((value) => this.packed(value)), axis }).outputTensor;
  }
}

/** The value with leading dimensions of 1, so that it has this many. */
export function withRank(value: Value, rank: number): Value {
  const added = rank - value.sizes.length;
  if (added <= 0) return value;
  return value.broadcastTo([...new Array<number>(added).fill(1), ...value.sizes]);
}

/** A node of a model: what the function of its operator reads, and how it adds operators. */
import { isFloat } from '../tensors/data-types.js';
import { DirectMLError } from '../values/errors.js';
import type { OperatorType } from '../descriptors/generated/descriptors.js';
import type { DataType } from '../tensors/generated/enums.js';
import { productOf } from '../tensors/tensor-size.js';
import { elementTypeName, elementTypeOf, type ElementType } from './element-types.js';
import {
  broadcast,
  broadcastDims,
  elementsOf,
  isHost,
  numbersOf,
  Output,
  reshaped,
  Sequence,
  type HostOperand,
  type Item,
  type Layout,
  type Operand,
} from './operand.js';
import { empty, hostOperand } from './make-data.js';
import type { GraphProto, NodeProto, TensorProto } from './proto.js';
import { inNode, unsupported, type Emitter } from './tracing.js';

/** The fields of a descriptor. Those that are undefined or null are left out. */
export type Fields = Readonly<Record<string, unknown>>;

/** The operands that become of the outputs among fields. */
type Outputs<T> = {
  readonly [K in keyof T as NonNullable<T[K]> extends Output | readonly Output[] ? K : never]: T[K] extends readonly Output[]
    ? readonly Operand[]
    : Operand | Exclude<T[K], Output>;
};

/** The elements of the operands, each in memory. */
type Given<T extends readonly (Operand | undefined)[]> = {
  [K in keyof T]: HostOperand | (undefined extends T[K] ? undefined : never);
};

export class Node {
  readonly #emitter: Emitter;
  readonly proto: NodeProto;
  /** Undefined for an input that is left out. */
  readonly items: readonly Item[];
  readonly opsets: ReadonlyMap<string, number>;

  constructor(emitter: Emitter, proto: NodeProto, items: readonly Item[], opsets: ReadonlyMap<string, number>) {
    this.#emitter = emitter;
    this.proto = proto;
    this.items = items;
    this.opsets = opsets;
  }

  /** The version of the operator set. */
  get opset(): number {
    return this.opsets.get(this.proto.domain) ?? 1;
  }

  /** An input of any kind; null if it is left out. */
  item(i: number): Item {
    return this.items[i] ?? null;
  }

  /** An input that the operator must have. */
  input(i: number): Operand {
    const operand = this.optional(i);
    if (operand === undefined) throw new RangeError(`input ${i} is missing`);
    return operand;
  }

  optional(i: number): Operand | undefined {
    const item = this.item(i);
    if (item === null) return undefined;
    if (item instanceof Sequence) throw new RangeError(`input ${i} is a sequence instead of a tensor`);
    return item;
  }

  sequence(i: number): Sequence {
    const item = this.item(i);
    if (!(item instanceof Sequence)) throw new RangeError(`input ${i} is no sequence`);
    return item;
  }

  /** All inputs, of an operator that takes any number of them. */
  get inputs(): readonly Operand[] {
    return this.items.map((_, i) => this.input(i));
  }

  /** True if the model reads the output. */
  has(output: number): boolean {
    return (this.proto.outputs[output] ?? '') !== '';
  }

  get outputCount(): number {
    return this.proto.outputs.length;
  }

  int(name: string): number | undefined;
  int(name: string, byDefault: number): number;
  int(name: string, byDefault?: number): number | undefined {
    return this.proto.attributes.get(name)?.int ?? byDefault;
  }

  /** An attribute of 0 or 1. */
  flag(name: string, byDefault = false): boolean {
    return this.int(name, byDefault ? 1 : 0) !== 0;
  }

  float(name: string): number | undefined;
  float(name: string, byDefault: number): number;
  float(name: string, byDefault?: number): number | undefined {
    return this.proto.attributes.get(name)?.float ?? byDefault;
  }

  text(name: string, byDefault: string): string {
    return this.proto.attributes.get(name)?.text ?? byDefault;
  }

  ints(name: string): readonly number[] | undefined;
  ints(name: string, byDefault: readonly number[]): readonly number[];
  ints(name: string, byDefault?: readonly number[]): readonly number[] | undefined {
    const attribute = this.proto.attributes.get(name);
    return attribute === undefined ? byDefault : attribute.ints;
  }

  floats(name: string): readonly number[] | undefined {
    return this.proto.attributes.get(name)?.floats;
  }

  texts(name: string): readonly string[] | undefined {
    return this.proto.attributes.get(name)?.texts;
  }

  tensor(name: string): Operand | undefined {
    const tensor = this.proto.attributes.get(name)?.tensor;
    return tensor && this.constant(tensor);
  }

  constant(tensor: TensorProto): Operand {
    return this.#emitter.environment.constant(tensor);
  }

  /** True if DirectML is to compute sums of the operand in 32-bit floats instead of its own. */
  widensSumsOf({ dataType }: Operand): boolean {
    return dataType === 'float16' && this.#emitter.environment.sums === 'float32';
  }

  graph(name: string): GraphProto {
    const graph = this.proto.attributes.get(name)?.graph;
    if (graph === undefined) throw new RangeError(`the attribute ${name} is missing`);
    return graph;
  }

  /** The data type of an attribute with its number. */
  elementType(number: number): ElementType {
    const type = elementTypeOf(number);
    if (type === undefined) throw unsupported('the data type', elementTypeName(number));
    return type;
  }

  /** An axis from -rank to rank - 1, counted from 0. */
  axis(axis: number, rank: number): number {
    if (!(axis >= -rank && axis < rank)) throw new RangeError(`the axis ${axis} is none of ${rank} dimensions`);
    return axis < 0 ? axis + rank : axis;
  }

  /** The elements of an input as numbers. If only a run has them, the graph so far runs first. */
  numbers(operand: Operand): readonly number[] {
    return numbersOf(this.#emitter.onHost(operand));
  }

  /** The elements, which are bigints for 64-bit integers. */
  elements(operand: Operand): readonly (number | bigint)[] {
    return elementsOf(this.#emitter.onHost(operand));
  }

  /** The only element. */
  number(operand: Operand): number {
    return this.numbers(operand)[0] ?? NaN;
  }

  element(operand: Operand): number | bigint {
    return this.elements(operand)[0] ?? NaN;
  }

  /** The numbers of an input, which older versions have as an attribute. */
  list(input: number, attribute: string): readonly number[] | undefined {
    const operand = this.optional(input);
    return operand === undefined ? this.ints(attribute) : this.numbers(operand);
  }

  /**
   * Tensors that JavaScript computes from elements: for what DirectML has no operators for. Operands that are undefined stay
   * undefined.
   */
  compute<const T extends readonly (Operand | undefined)[]>(
    operands: T,
    work: (...given: Given<T>) => readonly HostOperand[],
  ): readonly Operand[] {
    const present = operands.filter((operand) => operand !== undefined);
    return this.#emitter.compute(present, (given) => {
      let next = 0;
      try {
        return work(...(operands.map((operand) => (operand === undefined ? undefined : given[next++])) as Given<T>));
      } catch (error) {
        throw inNode(error, this.proto);
      }
    });
  }

  /** The only tensor that JavaScript computes. */
  computeOne<const T extends readonly (Operand | undefined)[]>(operands: T, work: (...given: Given<T>) => HostOperand): Operand {
    const [made] = this.compute(operands, (...given) => [work(...given)]);
    if (made === undefined) throw new TypeError('nothing was computed');
    return made;
  }

  /** Adds an operator with one output. */
  add(type: OperatorType, fields: Fields & { readonly outputTensor: Output }): Operand {
    return this.addAll(type, fields).outputTensor;
  }

  /** Adds an operator. Its outputs by field. Outputs without elements need no operator. */
  addAll<T extends Fields>(type: OperatorType, fields: T): Outputs<T> {
    const outputs = Object.entries(fields).flatMap(([name, field]) => {
      const all = (Array.isArray(field) ? field : [field]) as readonly unknown[];
      return all[0] instanceof Output ? [[name, all as readonly Output[]] as const] : [];
    });
    const isEmpty = outputs.length > 0 && outputs.every(([, all]) => all.every(({ dims }) => productOf(dims) === 0));
    const made = isEmpty
      ? Object.fromEntries(
          outputs.map(([name, all]) => [name, all.map(({ dataType, dims, isBool }) => empty(dataType, dims, isBool))]),
        )
      : this.#emitter.add(type, fields);
    const results = Object.entries(made).map(([name, all]) => [name, Array.isArray(fields[name]) ? all : all[0]] as const);
    return Object.fromEntries(results) as Outputs<T>;
  }

  /** Says that the operator of the output appends in the memory of an input that has room. */
  append(input: Operand, output: Operand): void {
    this.#emitter.append(input, output);
  }

  /** Adds an operator that computes each element from that of the input. */
  map(type: OperatorType, input: Operand, fields: Fields = {}): Operand {
    return this.add(type, { inputTensor: input, outputTensor: like(input), ...fields });
  }

  /** Adds an operator that computes each element from those of two inputs, which broadcast. */
  combine(type: OperatorType, a: Operand, b: Operand, output: (dims: readonly number[]) => Output): Operand {
    const made = output(broadcastDims(a.dims, b.dims));
    return this.add(type, { aTensor: broadcast(a, made.dims), bTensor: broadcast(b, made.dims), outputTensor: made });
  }

  /** `a + b`, `a * b` and the like, which have the data type of `a`. */
  arithmetic(type: OperatorType, a: Operand, b: Operand): Operand {
    return this.combine(type, a, b, (dims) => like(a, dims));
  }

  /** `input * scale + bias` for floats. */
  scaled(input: Operand, scale: number, bias = 0): Operand {
    return this.map('elementWiseIdentity', input, { scaleBias: { scale, bias } });
  }

  /** The elements in a packed layout of their own. */
  copy(input: Operand): Operand {
    if (isHost(input) && input.strides === null) return input;
    return this.map('elementWiseIdentity', input);
  }

  /** The elements without strides. */
  packed(input: Operand): Operand {
    return input.strides === null ? input : this.copy(input);
  }

  reshape(input: Operand, dims: readonly number[]): Operand {
    return reshaped(this.packed(input), dims);
  }

  /** As DirectML converts: floats to integers towards zero, saturating. For bool, use `toBool`. */
  cast(input: Operand, dataType: DataType): Operand {
    if (input.dataType === dataType) return input.isBool ? { ...input, isBool: false } : input;
    // Many devices have no 64-bit floats.
    if (input.dataType === 'float64' || dataType === 'float64') {
      const convert = isFloat(dataType) ? Number : whole;
      return this.computeOne([input], (given) => hostOperand(dataType, input.dims, numbersOf(given).map(convert)));
    }
    return this.add('cast', { inputTensor: input, outputTensor: new Output(dataType, input.dims) });
  }

  /** Refuses what the operator of DirectML cannot compute. */
  unsupported(what: string, given: string, why?: string): DirectMLError {
    return unsupported(what, given, why);
  }
}

function whole(number: number): number {
  return Number.isFinite(number) ? Math.trunc(number) : 0;
}

/** An output with the data type of an operand, and with its sizes unless others are given. */
export function like({ dataType, dims, isBool }: Layout, given: readonly number[] = dims): Output {
  return new Output(dataType, given, isBool);
}

/** An output that ONNX calls bool. */
export function boolean(dims: readonly number[]): Output {
  return new Output('uint8', dims, true);
}

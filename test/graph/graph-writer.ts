/** Writes the descriptor of a graph, value by value and node by node. */
import type { GraphConstantDesc, NodeDesc, OperatorType, TensorDesc, ValueReference } from 'node-directml';
import { bitsOf } from '#lib/data-types/table.js';
import { toJsonValue } from '#lib/graph/json-values.js';
import { operatorTable } from '#lib/schema/generated/table.js';
import { base64, type DataType } from '../conformance/case.js';
import { isTensor, product, sizeInBytes } from '../conformance/layout.js';
import type { Random } from '../random.js';
import type { Bounds } from './domains.js';
import type { Bytes, GraphCase } from './graph-case.js';

/** A value that nodes may read. */
export interface Source {
  readonly name: string;
  readonly tensor: TensorDesc;
  /** An input or a constant. */
  readonly isLeaf: boolean;
  /** Some bytes between its elements are not defined, so that it can be read only in its own layout. */
  readonly hasGaps: boolean;
  /** May have signaling float16 NaNs, which operators that move elements make quiet or not. */
  readonly isRaw: boolean;
  /** What is known of its elements; null if they may be anything. */
  readonly bounds: Bounds | null;
}

export interface Facts {
  /** Counts for float16 only. */
  readonly isRaw?: boolean;
  readonly bounds?: Bounds | null;
}

type Fields = Readonly<Record<string, unknown>>;
/** Outputs by field; a list for an array of tensors. */
export type OutputTensors = Readonly<Record<string, TensorDesc | readonly TensorDesc[]>>;

export class GraphWriter {
  readonly #inputs: Record<string, TensorDesc> = {};
  readonly #data: Record<string, string> = {};
  readonly #constants: Record<string, GraphConstantDesc> = {};
  readonly #nodes: Record<string, NodeDesc> = {};
  readonly #outputs: Record<string, ValueReference> = {};
  readonly #reads = new Map<string, number>();
  /** All values, in the order in which they were added. */
  readonly sources: Source[] = [];
  #nodeCount = 0;
  #leafCount = 0;

  get nodeCount(): number {
    return this.#nodeCount;
  }

  /** Adds an input of the graph. `bytes` has as many bytes as the tensor. */
  input(tensor: TensorDesc, bytes: Uint8Array): Source {
    const name = `x${this.#leafCount++}`;
    this.#inputs[name] = tensor;
    this.#data[name] = base64(bytes);
    return this.#leaf(name, tensor);
  }

  /** Adds a constant. Bytes behind its last element are not kept. */
  constant({ totalTensorSizeInBytes: _padding, ...tensor }: TensorDesc, bytes: Uint8Array): Source {
    const name = `c${this.#leafCount++}`;
    const used = Math.ceil((spanOf(tensor) * bitsOf(tensor.dataType)) / 8);
    this.#constants[name] = { ...tensor, data: base64(bytes.subarray(0, used)) };
    return this.#leaf(name, tensor);
  }

  #leaf(name: string, tensor: TensorDesc): Source {
    const source = { name, tensor, isLeaf: true, hasGaps: false, isRaw: false, bounds: null };
    this.sources.push(source);
    return source;
  }

  /** Adds a node and returns its outputs. `fields` has everything but the outputs; values in it are references. */
  add(type: OperatorType, fields: Fields, outputs: OutputTensors, given: Facts = {}): Source[] {
    const facts = { isRaw: type.startsWith('elementWiseBit'), ...given };
    const name = `n${this.#nodeCount++}_${type}`;
    const node: NodeDesc = { type, ...objectFrom(fields), ...outputs };
    this.#nodes[name] = node;
    const added = Object.entries(outputs).flatMap(([field, given]) =>
      isList(given)
        ? given.map((tensor, i) => outputOf(`${name}.${field}[${i}]`, tensor, facts))
        : [outputOf(`${name}.${field}`, given, facts)],
    );
    this.sources.push(...added);
    return added;
  }

  /** Adds a node with one output. */
  addOne(type: OperatorType, fields: Fields, outputTensor: TensorDesc, facts?: Facts): Source {
    const [source] = this.add(type, fields, { outputTensor }, facts);
    if (source === undefined) throw new TypeError(`${type} has an output`);
    return source;
  }

  /** Adds one of the nodes again, with the same inputs. Returns its outputs. */
  repeat(random: Random): Source[] {
    const { type, ...fields } = random.pick(Object.values(this.#nodes));
    const outputs = new Set(operatorTable[type].fields.filter(({ role }) => role === 'output').map(({ name }) => name));
    const isOutput = ([field]: readonly [string, unknown]) => outputs.has(field);
    const inputs = Object.entries(fields).filter((entry) => !isOutput(entry));
    for (const name of namesIn(inputs)) this.#reads.set(name, (this.#reads.get(name) ?? 0) + 1);
    return this.add(type, Object.fromEntries(inputs), tensorsOf(Object.entries(fields).filter(isOutput)));
  }

  /** A reference to a value in this layout, by default its own. */
  read(source: Source, layout?: Pick<TensorDesc, 'sizes' | 'strides'>): ValueReference {
    this.#reads.set(source.name, this.readsOf(source) + 1);
    if (layout === undefined || isSameLayout(source.tensor, layout)) return source.name;
    const { sizes, strides = null } = layout;
    return { value: source.name, sizes, ...(strides === null ? {} : { strides }) };
  }

  /** How often a value is read, by nodes and as an output. */
  readsOf({ name }: Source): number {
    return this.#reads.get(name) ?? 0;
  }

  output(source: Source, layout?: Pick<TensorDesc, 'sizes' | 'strides'>): void {
    this.#outputs[`y${Object.keys(this.#outputs).length}`] = this.read(source, layout);
  }

  finish(): GraphCase {
    const [inputs, constants, nodes, outputs] = [this.#inputs, this.#constants, this.#nodes, this.#outputs];
    return { graph: { inputs, constants, nodes, outputs }, data: this.#data };
  }
}

/** The strings in a value, among which are the names that it refers to. */
function namesIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(namesIn) : [];
}

function tensorsOf(fields: readonly (readonly [string, unknown])[]): OutputTensors {
  return Object.fromEntries(
    fields.map(([field, value]): [string, TensorDesc | TensorDesc[]] => {
      if (isTensor(value)) return [field, value];
      return [field, Array.isArray(value) ? value.filter(isTensor) : []];
    }),
  );
}

/** Numbers that JSON lacks become strings; fields without a value are left out. */
function objectFrom(fields: Fields): Record<string, unknown> {
  const given = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, toJsonValue(value)]));
}

function outputOf(name: string, tensor: TensorDesc, { isRaw = false, bounds = null }: Facts): Source {
  const hasGaps = spanOf(tensor) > product(tensor.sizes);
  return { name, tensor, isLeaf: false, hasGaps, isRaw: isRaw && tensor.dataType === 'float16', bounds };
}

function isList(given: TensorDesc | readonly TensorDesc[]): given is readonly TensorDesc[] {
  return Array.isArray(given);
}

function isSameLayout({ sizes, strides = null }: TensorDesc, layout: Pick<TensorDesc, 'sizes' | 'strides'>): boolean {
  return sizes.join() === layout.sizes.join() && (strides ?? []).join() === (layout.strides ?? []).join();
}

/** The number of elements from the first to the last in memory. */
export function spanOf({ sizes, strides = null }: TensorDesc): number {
  if (strides === null) return product(sizes);
  return 1 + sizes.reduce((sum, size, axis) => sum + (size - 1) * (strides[axis] ?? 0), 0);
}

/** A packed tensor with one dimension. */
export function flat(dataType: DataType, count: number): TensorDesc {
  return { dataType, sizes: [count] };
}

/** The bytes of the elements in a packed tensor with one dimension; the size is rounded up as that of every tensor. */
export function flatBytes(tensor: TensorDesc, bytes: Uint8Array): Bytes {
  const count = spanOf(tensor);
  const all = new Uint8Array(sizeInBytes(tensor.dataType, [count], null));
  all.set(bytes.subarray(0, Math.min(all.length, bytes.length)));
  return all;
}

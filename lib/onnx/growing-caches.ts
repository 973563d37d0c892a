/**
 * Caches of keys and values that grow with each token. A graph has fixed sizes, so that each length would need a graph of its own.
 * Instead, the caches have room for 2^n tokens on the device, and the program sees the part that is in use.
 */
import type { DeviceContext } from '../api/device-context.js';
import type { CompiledGraph } from '../api/graphs/compiled-graph.js';
import { Graph } from '../api/graphs/graph.js';
import type { Tensor } from '../api/memory/tensor.js';
import { RecentlyUsed } from '../api/recently-used.js';
import { viewElements, type TypedArrayFor } from '../api/memory/typed-arrays.js';
import { partOfBytes } from '../data-types/bytes.js';
import { bitsOf } from '../data-types/table.js';
import { Value } from '../graph/value.js';
import type { DataType } from '../schema/generated/enums.js';
import { packedStrides, productOf } from '../validation/tensor-size.js';
import { Elements } from './model.js';
import type { Computed, Result } from './plan.js';
import { readsOf, type GraphProto, type NodeProto } from './proto.js';

export type Given = ReadonlyMap<string, Tensor | Elements>;

/** The inputs and outputs of a model that grow. */
interface Growing {
  /** Inputs with keys or values, [batch, heads, length, size]. */
  readonly pasts: readonly string[];
  /** Outputs with the same and the new ones. */
  readonly presents: ReadonlySet<string>;
  /** The mask, [batch, length]; or the number of keys. */
  readonly total: string;
  readonly isMask: boolean;
}

/** The inputs of a run with room, and how long the caches will be. */
export interface Grown {
  readonly given: Given;
  readonly length: number;
  /** To be disposed of after the run. */
  readonly copies: readonly Tensor[];
}

/** The least room, in tokens. */
const leastRoom = 16;
const mostCopies = 16;

/** The tensors with room, by the views that the program has. */
const whole = new WeakMap<Tensor, Tensor>();

/** The tensor that has the memory of a view with room behind its elements. */
export function wholeOf(tensor: Tensor): Tensor {
  return whole.get(tensor) ?? tensor;
}

/** The elements in order, also of a tensor with room behind them. */
export async function elementsIn(tensor: Tensor): Promise<TypedArrayFor<DataType>> {
  const memory = whole.get(tensor);
  if (memory === undefined) return tensor.read();
  const { dataType, sizes } = tensor;
  const all = await memory.read();
  const bytes = new Uint8Array(all.buffer, all.byteOffset, all.byteLength);
  const rows = productOf(sizes.slice(0, 2));
  const used = (productOf(sizes) * bitsOf(dataType)) / 8 / rows;
  return viewElements(dataType, withRows(bytes, rows, used).buffer, productOf(sizes));
}

/** The rows with other lengths in bytes: without their ends, or with zeros behind them. */
function withRows(bytes: Uint8Array, rows: number, length: number): Uint8Array<ArrayBuffer> {
  const own = bytes.length / rows;
  const result = new Uint8Array(rows * length);
  for (let row = 0; row < rows; row++) {
    result.set(partOfBytes(bytes, row * own, row * own + Math.min(own, length)), row * length);
  }
  return result;
}

export class GrowingCaches {
  readonly #context: DeviceContext;
  readonly #growing: Growing | null;
  /** Graphs that copy a tensor into one with room, by the layout. */
  readonly #copies = new RecentlyUsed<string, CompiledGraph>(mostCopies, (graph) => graph.dispose());

  constructor(context: DeviceContext, graph: GraphProto) {
    this.#context = context;
    this.#growing = growingOf(graph);
  }

  /** Null for a run whose caches do not grow, such as the first one. */
  async enter(given: Given): Promise<Grown | null> {
    if (this.#growing === null) return null;
    const { pasts, total, isMask } = this.#growing;
    const counted = given.get(total);
    const length = isMask ? counted?.sizes[1] : numberIn(counted);
    const isFilled = pasts.every((name) => given.get(name)?.sizes.length === 4 && !given.get(name)?.sizes.includes(0));
    if (length === undefined || counted === undefined || !isFilled) return null;
    const room = 2 ** Math.ceil(Math.log2(Math.max(length, leastRoom)));
    const copies: Tensor[] = [];
    const result = new Map(given);
    for (const name of pasts) {
      const past = given.get(name);
      if (past !== undefined) result.set(name, await this.#withRoom(past, 2, room, copies));
    }
    if (isMask) result.set(total, await this.#withRoom(counted, 1, room, copies));
    else result.set(total, new Elements('int32', counted.sizes, new Uint8Array(Int32Array.of(room).buffer)));
    return { given: result, length, copies };
  }

  /** The outputs without the room behind their elements. */
  leave(outputs: ReadonlyMap<string, Result>, { length }: Grown): ReadonlyMap<string, Result> {
    return new Map(
      Array.from(outputs, ([name, result]) => {
        const isPresent = this.#growing?.presents.has(name) === true && result !== null && 'tensor' in result;
        return [name, isPresent ? withoutRoom(result, length) : result] as const;
      }),
    );
  }

  /** A packed copy of a tensor with strides. */
  packed(tensor: Tensor): Promise<Tensor> {
    return this.#copy(tensor, 0, tensor.sizes[0] ?? 1);
  }

  dispose(): void {
    for (const graph of this.#copies.values) graph.dispose();
    this.#copies.clear();
  }

  async #withRoom(given: Tensor | Elements, axis: number, room: number, copies: Tensor[]): Promise<Tensor | Elements> {
    if (given instanceof Elements) return elementsWithRoom(given, axis, room);
    const known = wholeOf(given);
    if (known.sizes[axis] === room && known.strides === null) return known;
    const copy = await this.#copy(given, axis, room);
    copies.push(copy);
    return copy;
  }

  async #copy(tensor: Tensor, axis: number, room: number): Promise<Tensor> {
    const { dataType, sizes, strides } = tensor;
    const key = `${dataType} ${sizes.join()} ${strides?.join() ?? ''} ${axis} ${room}`;
    const known = this.#copies.get(key);
    const graph = known ?? (await this.#graphOf(tensor, axis, room));
    if (known === undefined) this.#copies.add(key, graph);
    const { copy } = await graph.run({ tensor });
    if (copy === undefined) throw new TypeError('the graph has an output');
    return copy;
  }

  #graphOf({ dataType, sizes, strides }: Tensor, axis: number, room: number): Promise<CompiledGraph> {
    const graph = new Graph(this.#context);
    const { outputTensor } = graph.addAny({
      type: 'padding1',
      inputTensor: graph.inputOf('tensor', { dataType, sizes, strides }),
      outputTensor: { dataType, sizes: sizes.with(axis, room) },
      ...{ paddingMode: 'constant', paddingValueDataType: dataType, paddingValue: dataType === 'int64' ? 0n : 0 },
      startPadding: sizes.map(() => 0),
      endPadding: sizes.map((size, i) => (i === axis ? room - size : 0)),
    });
    if (!Value.is(outputTensor)) throw new TypeError('a padding has an output');
    return graph.compile({ copy: outputTensor });
  }
}

function elementsWithRoom({ dataType, sizes, bytes }: Elements, axis: number, room: number): Elements {
  const rows = productOf(sizes.slice(0, axis));
  const own = bytes ?? new Uint8Array();
  const length = (own.length / rows / (sizes[axis] ?? 1)) * room;
  return new Elements(dataType, sizes.with(axis, room), withRows(own, rows, length));
}

function withoutRoom(result: Computed, length: number): Computed {
  const { tensor, dims } = result;
  if (tensor === null || dims.length !== 4) return result;
  const sizes = dims.with(2, length);
  const view = tensor.view({ sizes, strides: packedStrides(dims) });
  whole.set(view, tensor);
  return { ...result, dims: sizes, tensor: view };
}

function numberIn(given: Tensor | Elements | undefined): number | undefined {
  if (!(given instanceof Elements) || given.dataType !== 'int32' || given.bytes?.length !== 4) return undefined;
  return new DataView(given.bytes.buffer, given.bytes.byteOffset).getInt32(0, true);
}

/** Null unless all caches of the model grow in the same way, and nothing else reads their length. */
function growingOf(graph: GraphProto): Growing | null {
  const attentions = graph.nodes.filter(isAttention);
  const inputs = new Set(graph.inputs.map(({ name }) => name));
  for (const name of graph.initializers.keys()) inputs.delete(name);
  const pasts = attentions.flatMap((node) => node.inputs.slice(3, 5));
  const presents = attentions.flatMap((node) => node.outputs.slice(1, 3));
  const outputs = new Set(graph.outputs.map(({ name }) => name));
  const readersOf = (name: string) => graph.nodes.filter((node) => readsOf(node).includes(name));
  const isOwn =
    pasts.every((name) => inputs.has(name) && readersOf(name).length === 1) && presents.every((name) => outputs.has(name));
  if (attentions.length === 0 || presents.length !== 2 * attentions.length || !isOwn) return null;
  for (const total of inputs) {
    const isNumber =
      readersOf(total).length > 0 && readersOf(total).every((node) => isAttention(node) && node.inputs[6] === total);
    const isMask = !isNumber && isGrowingMask(graph, total);
    const found = isNumber || isMask ? countedBy(graph, total) : new Set();
    if (attentions.every((node) => found.has(node))) return { pasts, presents: new Set(presents), total, isMask };
  }
  return null;
}

function isAttention({ domain, opType }: NodeProto): boolean {
  return domain === 'com.microsoft' && opType === 'GroupQueryAttention';
}

type Role = 'mask' | 'shape' | 'total';

/** What a node makes of the mask, of its shape, and of its length; undefined if more keys could change the node's result. */
const follows: Readonly<Record<Role, Readonly<Record<string, Role | 'sum'>>>> = {
  mask: { Cast: 'mask', ReduceSum: 'sum', Shape: 'shape' },
  shape: { Gather: 'total' },
  total: { Cast: 'total', Squeeze: 'total', Unsqueeze: 'total', Reshape: 'total' },
};

/** True if zeros behind the mask change nothing but the number of keys that attentions get. */
function isGrowingMask(graph: GraphProto, name: string, role: Role = 'mask'): boolean {
  if (graph.outputs.some((output) => output.name === name)) return false;
  return graph.nodes
    .filter((node) => readsOf(node).includes(name))
    .every((node) => {
      if (role === 'total' && isAttention(node) && node.inputs.indexOf(name) === 6) return true;
      const next = node.inputs[0] === name ? follows[role][node.opType] : undefined;
      if (next === 'sum') return isAlong(graph, node, 1, 'axes');
      if (next === undefined || (next === 'total' && role === 'shape' && !isAlong(graph, node, 1))) return false;
      return isGrowingMask(graph, node.outputs[0] ?? '', next);
    });
}

/** True if a node's second input, or its attribute, is this axis of two. */
function isAlong(graph: GraphProto, node: NodeProto, axis: number, attribute = ''): boolean {
  const name = node.inputs[1] ?? '';
  const made = graph.nodes.find(({ opType, outputs }) => opType === 'Constant' && outputs[0] === name);
  const tensor = graph.initializers.get(name) ?? made?.attributes.get('value')?.tensor;
  const bytes = tensor?.bytes();
  const given =
    bytes?.length === 8
      ? Number(new DataView(bytes.buffer, bytes.byteOffset).getBigInt64(0, true))
      : node.attributes.get(attribute)?.ints[0];
  return given === axis || given === axis - 2;
}

/** The attentions whose number of keys comes from an input. */
function countedBy(graph: GraphProto, name: string): ReadonlySet<NodeProto> {
  const found = new Set<NodeProto>();
  const values = new Set([name]);
  // The order of the nodes in a model is topological.
  for (const node of graph.nodes) {
    if (isAttention(node)) {
      if (values.has(node.inputs[6] ?? '')) found.add(node);
    } else if (values.has(node.inputs[0] ?? '') && node.opType !== 'ReduceSum') values.add(node.outputs[0] ?? '');
  }
  return found;
}

/** A graph while rules change it. A node that takes the place of others has the index of the last of them. */
import { copyOfBytes } from '../../tensors/bytes.js';
import { codecs } from '../../tensors/element.js';
import { DirectMLError } from '../../values/errors.js';
import type { OperatorType } from '../../descriptors/generated/descriptors.js';
import type { FeatureLevel } from '../../tensors/generated/enums.js';
import { resolveChanged, resolveDescriptor } from '../../operators/resolve.js';
import type { Resolved, ResolvedOperator, ResolvedTensor } from '../../descriptors/resolved.js';
import { resolveTensor } from '../../descriptors/tensor.js';
import { productOf, stridesOf } from '../../tensors/tensor-size.js';
import { minSharedBytes } from '../limits.js';
import type { GraphConstant, GraphNode, GraphSource, ResolvedGraph } from '../resolved-graph.js';

/** What a node reads: the elements of a source, in the layout of `tensor`. */
export interface Edge {
  readonly source: GraphSource;
  readonly tensor: ResolvedTensor;
}

/** Fields of an operator, with edges in those of its inputs. */
type Fields = Readonly<Record<string, unknown>>;

/** A node of the operator type, whose fields have the types of its descriptor. */
export interface Found<Type extends OperatorType> {
  readonly node: GraphNode;
  readonly fields: Of<Type>;
}

type Of<Type extends OperatorType> = Extract<Resolved, { readonly type: Type }>;

export class Draft {
  /** The nodes so far. */
  readonly nodes: GraphNode[] = [];
  /** Those of the graph, and what rules have computed. */
  readonly constants: GraphConstant[];
  readonly #level: FeatureLevel;
  /** How many inputs of nodes and outputs of the graph read each output of each node. */
  readonly #readers: readonly number[][];

  constructor(graph: ResolvedGraph, level: FeatureLevel) {
    this.constants = [...graph.constants];
    this.#level = level;
    this.#readers = graph.nodes.map(() => []);
    const count = (source: GraphSource | null): void => {
      const readers = source?.kind === 'node' ? this.#readers[source.index] : undefined;
      if (source?.kind === 'node' && readers !== undefined) readers[source.output] = (readers[source.output] ?? 0) + 1;
    };
    for (const { inputs } of graph.nodes) inputs.forEach(count);
    for (const { source } of graph.outputs) count(source);
  }

  /** What the node reads in the field; null if the descriptor does not have it. */
  edge(node: GraphNode, field: string): Edge | null {
    const slot = node.operator.slots.find(({ path, role }) => path === field && role === 'input');
    const source = slot === undefined ? null : (node.inputs[slot.position] ?? null);
    return source === null || slot?.tensor == null ? null : { source, tensor: slot.tensor };
  }

  /** What a node of two operands reads. */
  sides(node: GraphNode): readonly [Edge | null, Edge | null] {
    return [this.edge(node, 'aTensor'), this.edge(node, 'bTensor')];
  }

  /** What the rule makes of the operands in their order, or in the other one. */
  inAnyOrder<T>(node: GraphNode, apply: (a: Edge | null, b: Edge | null) => T | null): T | null {
    const [a, b] = this.sides(node);
    return apply(a, b) ?? apply(b, a);
  }

  /**
   * The node whose only output is read by nothing else, if it has one of these types, which are all by default.
   *
   * @param mayBroadcast True if the reader may repeat the elements along dimensions of size 1.
   */
  before<Type extends OperatorType>(edge: Edge | null, types?: readonly Type[], mayBroadcast = false): Found<Type> | null {
    return this.isReadOnce(edge) ? this.producer(edge, types, mayBroadcast) : null;
  }

  /** True for the output of a node that nothing else reads. */
  isReadOnce(edge: Edge | null): boolean {
    return edge?.source.kind === 'node' && this.#readers[edge.source.index]?.[edge.source.output] === 1;
  }

  /** The node that computes what the edge reads, in whatever layout. */
  writer(edge: Edge): GraphNode | null {
    return edge.source.kind === 'node' ? (this.nodes[edge.source.index] ?? null) : null;
  }

  /** The same, whatever else reads the output. */
  producer<Type extends OperatorType>(edge: Edge | null, types?: readonly Type[], mayBroadcast = false): Found<Type> | null {
    const node = edge && this.writer(edge);
    const fields = node?.operator.descriptor;
    if (!node || fields === undefined || !isOneOf(fields, types)) return null;
    const written = node.operator.slots.filter(({ role }) => role === 'output');
    const tensor = written.length === 1 ? written[0]?.tensor : null;
    if (tensor == null || !isRead(tensor, edge.tensor, mayBroadcast)) return null;
    return { node, fields };
  }

  /** The number that a constant has everywhere; null for others. */
  scalar(edge: Edge | null): number | null {
    const constant = this.#constantOf(edge);
    if (constant === null || productOf(constant.tensor.sizes) !== 1) return null;
    const { buffer, byteOffset, byteLength } = constant.data;
    const { dataType } = constant.tensor;
    if (dataType !== 'float32' && dataType !== 'float16') return null;
    return Number(codecs[dataType].read(new DataView(buffer, byteOffset, byteLength), 0));
  }

  /** A constant of float32 as it lies in memory; null for others. */
  floats(edge: Edge): Float32Array | null {
    const constant = this.#constantOf(edge);
    if (constant?.tensor.dataType !== 'float32') return null;
    return new Float32Array(copyOfBytes(constant.data).buffer);
  }

  /** A new constant of float32. It is shared if it is large, as by default. */
  constant(name: string, sizes: readonly number[], elements: Float32Array<ArrayBuffer>): Edge {
    const tensor = resolveTensor({ dataType: 'float32', sizes }, { operator: 'graph', field: name }, 'any', this.#level);
    const data = new Uint8Array(elements.buffer);
    const index = this.constants.push({ name, tensor, data, ownership: undefined, isShared: data.length > minSharedBytes }) - 1;
    return { source: { kind: 'constant', index }, tensor };
  }

  /** The constant whose elements cannot change. */
  #constantOf(edge: Edge | null): (GraphConstant & { readonly data: Uint8Array }) | null {
    const constant = edge?.source.kind === 'constant' ? this.constants[edge.source.index] : undefined;
    return constant?.data instanceof Uint8Array ? { ...constant, data: constant.data } : null;
  }

  /** A node with the name of another. Null if DirectML does not take it. */
  node(name: string, fields: Fields & { readonly type: OperatorType }): GraphNode | null {
    const edges = (path: string) => edgeIn(fields, path);
    return made(name, edges, () => resolveDescriptor(tensorsIn(fields), this.#level));
  }

  /** A node with the name of another, like `before` in all fields but some. Null if DirectML does not take it. */
  variant(name: string, before: GraphNode, changes: Fields): GraphNode | null {
    const edges = (path: string) => (Object.hasOwn(changes, path) ? edgeIn(changes, path) : this.edge(before, path));
    return made(name, edges, () => resolveChanged(before.operator.descriptor, tensorsIn(changes), this.#level));
  }
}

function made(name: string, edge: (path: string) => Edge | null, resolve: () => ResolvedOperator): GraphNode | null {
  try {
    const operator = resolve();
    const reads = operator.slots.filter(({ role }) => role === 'input');
    return { name, operator, inputs: reads.map(({ path }) => edge(path)?.source ?? null) };
  } catch (error) {
    if (error instanceof DirectMLError) return null;
    throw error;
  }
}

function edgeIn(fields: Fields, field: string): Edge | null {
  const value = fields[field];
  return isEdge(value) ? value : null;
}

/** The fields with the tensors that the edges read. */
function tensorsIn(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, isEdge(value) ? value.tensor : value]));
}

/** True if both edges read the same elements in the same layout. */
export function isSame(a: Edge | null, b: Edge | null): boolean {
  if (a === null || b === null || !isSameSource(a.source, b.source)) return false;
  return isRead(a.tensor, b.tensor, false);
}

function isSameSource(a: GraphSource, b: GraphSource): boolean {
  if (a.kind !== b.kind || a.index !== b.index) return false;
  return a.kind !== 'node' || (b.kind === 'node' && a.output === b.output);
}

function isOneOf<Type extends OperatorType>(fields: Resolved, types?: readonly Type[]): fields is Of<Type> {
  return types === undefined || (types as readonly OperatorType[]).includes(fields.type);
}

function isEdge(value: unknown): value is Edge {
  return typeof value === 'object' && value !== null && 'source' in value;
}

/** True if `read` is the layout of what was written, or repeats it. */
function isRead(written: ResolvedTensor, read: ResolvedTensor, mayBroadcast: boolean): boolean {
  if (written.dataType !== read.dataType || written.sizes.length !== read.sizes.length) return false;
  const [from, to] = [stridesOf(written), stridesOf(read)];
  return read.sizes.every((size, axis) => {
    if (size === written.sizes[axis]) return size === 1 || from[axis] === to[axis];
    return mayBroadcast && written.sizes[axis] === 1 && to[axis] === 0;
  });
}

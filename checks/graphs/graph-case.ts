/** A graph case: a graph with the bytes of its inputs, and the graph's operators node by node. */
import type { OperatorType, TensorDesc } from 'node-directml';
import { descriptorOf } from '#lib/api/operators/resolved-descriptor.js';
import { GraphBuilder } from '#lib/graph/graph-builder.js';
import { readDescriptor } from '#lib/graph/read-descriptor.js';
import type { ConstantData, GraphNode, GraphSource, ResolvedGraph } from '#lib/graph/resolved-graph.js';
import { highestFeatureLevel } from '#lib/descriptors/feature-level.js';
import { base64, fromBase64, readJson, type ConformanceCase, type WholeDescriptor } from '../cases/case.js';
import { tensorSize } from '../cases/layout.js';
import { isGraph, type LooseGraph } from './loose-graph.js';

export interface GraphCase {
  /** With the elements of all constants. */
  readonly graph: LooseGraph;
  /** The bytes of the inputs by name, in Base64. */
  readonly data: Readonly<Record<string, string>>;
  /** False if the graph is compiled as it is written; `'fast'` if it is compared with itself as it is written. */
  readonly optimize?: 'fast' | false | undefined;
}

export type Bytes = Uint8Array<ArrayBuffer>;

/** The bytes of values by name, `totalTensorSizeInBytes` each. */
export type Values = ReadonlyMap<string, Bytes>;

/** A node as an operator of its own. Values have the names by which descriptors refer to them. */
export interface PlainNode {
  readonly name: string;
  readonly descriptor: WholeDescriptor;
  /** The inputs and outputs that the node has, with the layout in which it reads or writes them. */
  readonly inputs: readonly Port[];
  readonly outputs: readonly Port[];
}

export interface Port {
  readonly field: string;
  /** `inputTensors[1]` for an element of an array; otherwise as `field`. */
  readonly path: string;
  readonly isArray: boolean;
  readonly tensor: Layout;
  readonly value: string;
}

/** A tensor whose size in bytes is known. */
export interface Layout extends TensorDesc {
  readonly totalTensorSizeInBytes: number;
}

/** A validated graph, in the form in which its parts run one by one. */
export interface PlainGraph {
  /** By name, the inputs and constants that the nodes need. */
  readonly inputs: ReadonlyMap<string, Layout>;
  readonly constants: ReadonlyMap<string, Layout>;
  /** Each node follows the nodes that it reads. */
  readonly nodes: readonly PlainNode[];
  /**
   * The values of the outputs by name. The layout of an output may differ from that of the node that writes it, over the same
   * bytes.
   */
  readonly outputs: ReadonlyMap<string, { readonly tensor: Layout; readonly value: string }>;
}

/** The JSON of writeJson, or that of a user's GraphDescriptor. */
export function readGraphCase(json: string): GraphCase {
  const parsed = readJson(json);
  if (!isCase(parsed) || !isGraph(parsed.graph)) throw new TypeError('a graph case has the properties "graph" and "data"');
  return { ...parsed, graph: { inputs: {}, constants: {}, ...parsed.graph } };
}

function isCase(value: unknown): value is Omit<GraphCase, 'graph'> & { readonly graph: unknown } {
  return typeof value === 'object' && value !== null && 'graph' in value && 'data' in value;
}

/** For graphs that are resolved only. */
export function withoutData(_: string, { ownership }: { readonly ownership: unknown }): ConstantData {
  return { data: undefined, ownership: undefined, isShared: ownership === 'shared' };
}

export function plainGraph({ graph }: GraphCase): PlainGraph {
  const builder = new GraphBuilder(highestFeatureLevel);
  const outputs = readDescriptor(builder, graph, withoutData);
  const resolved = builder.resolve(outputs);
  return {
    inputs: new Map(resolved.inputs.map(({ name, tensor }) => [name, tensor])),
    constants: new Map(resolved.constants.map(({ name, tensor }) => [name, tensor])),
    nodes: resolved.nodes.map((node) => plainNode(resolved, node)),
    outputs: new Map(resolved.outputs.map(({ name, tensor, source }) => [name, { tensor, value: nameOf(resolved, source) }])),
  };
}

function plainNode(graph: ResolvedGraph, { name, operator, inputs }: GraphNode): PlainNode {
  const ports = operator.slots.flatMap(({ field, path, isArray, role, position, tensor }) => {
    if (tensor === null) return [];
    const source = role === 'input' ? (inputs[position] ?? null) : null;
    const value = source === null ? `${name}.${path}` : nameOf(graph, source);
    return [{ role, port: { field, path, isArray, tensor, value } }];
  });
  const of = (wanted: 'input' | 'output') => ports.filter(({ role }) => role === wanted).map(({ port }) => port);
  const descriptor = descriptorOf(operator.descriptor);
  if (!isWhole(descriptor)) throw new TypeError('a descriptor without type');
  return { name, descriptor, inputs: of('input'), outputs: of('output') };
}

/** Validation has filled in every field that has a default, so only `type` is checked. */
function isWhole(descriptor: object): descriptor is WholeDescriptor {
  return 'type' in descriptor;
}

/** The node with these values as a case of its operator. */
export function caseOf({ descriptor, inputs }: PlainNode, values: Values): ConformanceCase {
  return { descriptor, data: byField(inputs, ({ tensor, value }) => base64(bytesFor(tensor, valueIn(values, value)))) };
}

/** Maps each port to a value by its field; ports of a tensor array become a list. */
export function byField<Value>(ports: readonly Port[], valueOf: (port: Port) => Value): Record<string, Value | Value[]> {
  const values: Record<string, Value> = {};
  const lists: Record<string, Value[]> = {};
  for (const port of ports) {
    if (port.isArray) (lists[port.field] ??= []).push(valueOf(port));
    else values[port.field] = valueOf(port);
  }
  return { ...values, ...lists };
}

export function valueIn<Value>(values: ReadonlyMap<string, Value>, name: string): Value {
  const value = values.get(name);
  if (value === undefined) throw new RangeError(`no value ${name}`);
  return value;
}

/** Returns as many bytes as the tensor has; a value may have a few more or fewer. */
export function bytesFor(tensor: TensorDesc, bytes: Bytes): Bytes {
  const size = tensorSize(tensor);
  if (bytes.length === size) return bytes;
  const fitting = new Uint8Array(size);
  fitting.set(bytes.subarray(0, size));
  return fitting;
}

/** The bytes of inputs and constants. */
export function leavesOf({ graph, data }: GraphCase, plain: PlainGraph): Map<string, Bytes> {
  const leaves = new Map<string, Bytes>();
  for (const [name, tensor] of plain.inputs) leaves.set(name, bytesFor(tensor, fromBase64(data[name] ?? '')));
  for (const [name, tensor] of plain.constants) {
    leaves.set(name, bytesFor(tensor, fromBase64(graph.constants[name]?.data ?? '')));
  }
  return leaves;
}

/** The name of a value: that of the input or constant, or `node.path`. */
function nameOf({ inputs, constants, nodes }: ResolvedGraph, source: GraphSource): string {
  if (source.kind === 'input') return inputs[source.index]?.name ?? '';
  if (source.kind === 'constant') return constants[source.index]?.name ?? '';
  const node = nodes[source.index];
  const slot = node?.operator.slots.find(({ role, position }) => role === 'output' && position === source.output);
  return `${node?.name}.${slot?.path}`;
}

/** The first reads no other node, the last is read by no node, the middle does both, and the only one does neither. */
export type Position = 'first' | 'middle' | 'last' | 'only';

/** The operator and the position of each node. */
export function positionsIn({ nodes }: PlainGraph): readonly (readonly [OperatorType, Position])[] {
  const written = new Set(nodes.flatMap(({ outputs }) => outputs.map(({ value }) => value)));
  const read = new Set(nodes.flatMap(({ inputs }) => inputs.map(({ value }) => value)));
  return nodes.map(({ descriptor, inputs, outputs }) => {
    const readsNode = inputs.some(({ value }) => written.has(value));
    const isRead = outputs.some(({ value }) => read.has(value));
    const position = readsNode ? (isRead ? 'middle' : 'last') : isRead ? 'first' : 'only';
    return [descriptor.type, position];
  });
}

/** Graphs as plain data. JSON can hold them. */
import { operatorTable } from '../descriptors/generated/table.js';
import type { DataType } from '../tensors/generated/enums.js';
import type { OperatorType } from '../descriptors/generated/descriptors.js';
import type { TensorDesc } from '../tensors/tensor-desc.js';
import {
  isActivation,
  valuesOf,
  type Resolved,
  type ResolvedActivation,
  type ResolvedTensor,
  type TensorSlot,
} from '../descriptors/resolved.js';
import { minimumTensorSizeInBytes, sameStrides } from '../tensors/tensor-size.js';
import { outputName } from './value-source.js';
import { toJsonValue } from './json-values.js';
import { outputSlot } from './output-slots.js';
import type {
  ConstantOwnership,
  GraphConstant,
  GraphConstantIndex,
  GraphInputIndex,
  GraphNode,
  GraphSource,
  ResolvedGraph,
} from './resolved-graph.js';

/**
 * The name of a value: of an input or constant, or `node.field` for an output of a node, such as `conv.outputTensor` or
 * `split.outputTensors[1]`. Use an object to read the value in another layout, as with {@link Value.view}.
 */
export type ValueReference =
  string | { readonly value: string; readonly sizes?: readonly number[]; readonly strides?: readonly number[] | null };

/** A constant of a {@link GraphDescriptor}. */
export interface GraphConstantDesc extends TensorDesc {
  /** The elements in memory order, as base64 of their bytes. Absent if you pass the constant in the options of `compileGraph`. */
  readonly data?: string | undefined;
  /** See {@link ConstantOptions.ownership}. */
  readonly ownership?: ConstantOwnership | undefined;
}

/**
 * A node of a {@link GraphDescriptor}: the descriptor of an operator whose inputs are the names of values. Numbers that JSON
 * cannot express are strings: `'Infinity'`, `'-Infinity'`, `'NaN'`, `'-0'`, and a bigint such as `'12n'`.
 */
export interface NodeDesc {
  readonly type: OperatorType;
  readonly [field: string]: unknown;
}

/**
 * A graph as plain data: inputs, constants, nodes and outputs, each by its name. The order does not matter. {@link
 * Device.compileGraph} compiles it.
 */
export interface GraphDescriptor<Outputs extends string = string> {
  readonly inputs?: Readonly<Record<string, TensorDesc>> | undefined;
  readonly constants?: Readonly<Record<string, GraphConstantDesc>> | undefined;
  readonly nodes: Readonly<Record<string, NodeDesc>>;
  readonly outputs: Readonly<Record<Outputs, ValueReference>>;
}

/**
 * Lets TypeScript find the names of the inputs in a descriptor that is written as a literal. It adds no condition: it only is
 * another type than `object` as long as `Inputs` is not known.
 */
export type InputsIn<Inputs extends string> = [Inputs] extends [string]
  ? object
  : { readonly inputs?: Readonly<Record<Inputs, unknown>> };

/** The descriptor of a graph. `encode` returns the data of a constant as base64; undefined leaves it out. */
export function describeGraph(graph: ResolvedGraph, encode: (constant: GraphConstant) => string | undefined): GraphDescriptor {
  const refer = (source: GraphSource, layout: ResolvedTensor) => referenceTo(graph, source, layout);
  return {
    inputs: byName(graph.inputs.map(({ name, tensor }) => [name, tensorDesc(tensor)])),
    constants: byName(
      graph.constants.map((constant) => {
        const data = encode(constant);
        const { name, tensor, ownership } = constant;
        const chosen = ownership === undefined ? {} : { ownership };
        return [name, { ...tensorDesc(tensor), ...chosen, ...(data === undefined ? {} : { data }) }];
      }),
    ),
    nodes: byName(graph.nodes.map((node) => [node.name, nodeDesc(node, refer)])),
    outputs: byName(graph.outputs.map(({ name, source, tensor }) => [name, refer(source, tensor)])),
  };
}

/** The name of a source: that of the input or constant, or `node.field`. */
function nameOf(graph: ResolvedGraph, source: GraphSource): string {
  if (source.kind !== 'node') return leafOf(graph, source).name;
  const node = graph.nodes[source.index];
  return outputName(node?.name ?? '', slotOf(node, source.output)?.path ?? '');
}

/** The tensor of a source as the input, the constant or the node describes it. */
function tensorOf(graph: ResolvedGraph, source: GraphSource): ResolvedTensor {
  const tensor = source.kind === 'node' ? slotOf(graph.nodes[source.index], source.output)?.tensor : leafOf(graph, source).tensor;
  if (tensor === undefined || tensor === null) throw new TypeError('a source without a tensor');
  return tensor;
}

function leafOf(graph: ResolvedGraph, { kind, index }: GraphInputIndex | GraphConstantIndex) {
  const leaf = (kind === 'input' ? graph.inputs : graph.constants)[index];
  if (leaf === undefined) throw new TypeError(`no ${kind} ${index}`);
  return leaf;
}

function slotOf(node: GraphNode | undefined, output: number): TensorSlot | undefined {
  return node === undefined ? undefined : outputSlot(node.operator, output);
}

function referenceTo(graph: ResolvedGraph, source: GraphSource, { sizes, strides }: ResolvedTensor): ValueReference {
  const value = nameOf(graph, source);
  const own = tensorOf(graph, source);
  const isSame = own.sizes.length === sizes.length && own.sizes.every((size, axis) => size === sizes[axis]);
  if (isSame && sameStrides(sizes, own.strides, strides)) return value;
  return { value, sizes, ...(strides === null ? {} : { strides }) };
}

function nodeDesc(
  { operator, inputs }: GraphNode,
  refer: (source: GraphSource, layout: ResolvedTensor) => ValueReference,
): NodeDesc {
  const { type } = operator.descriptor;
  const references = new Map<string, unknown>();
  const lists = new Map<string, unknown[]>();
  for (const { field, isArray, role, position, tensor } of operator.slots) {
    if (tensor === null) continue;
    const source = role === 'input' ? inputs[position] : null;
    const reference = source === null || source === undefined ? tensorDesc(tensor) : refer(source, tensor);
    const list = isArray ? (lists.get(field) ?? []) : null;
    if (list !== null) lists.set(field, list);
    list?.push(reference);
    references.set(field, list ?? reference);
  }
  return { type, ...fieldsOf(operator.descriptor, references) };
}

/** The meaningful fields: neither counts nor null. */
function fieldsOf(operator: Resolved | ResolvedActivation, tensors: ReadonlyMap<string, unknown>): Record<string, unknown> {
  const values = valuesOf(operator);
  return Object.fromEntries(
    operatorTable[operator.type].fields.flatMap(({ name, counts }): [string, unknown][] => {
      if (tensors.has(name)) return [[name, tensors.get(name)]];
      const value = values[name];
      return counts === undefined && value !== null ? [[name, plainValue(value)]] : [];
    }),
  );
}

function plainValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainValue);
  return isActivation(value) ? { type: value.type, ...fieldsOf(value, new Map()) } : toJsonValue(value);
}

/** The fields that differ from their defaults. */
function tensorDesc(tensor: ResolvedTensor): TensorDesc & { dataType: DataType } {
  const { dataType, sizes, strides, totalTensorSizeInBytes, guaranteedBaseOffsetAlignment } = tensor;
  return {
    dataType,
    sizes,
    ...(strides === null ? {} : { strides }),
    ...(totalTensorSizeInBytes === minimumTensorSizeInBytes(dataType, sizes, strides) ? {} : { totalTensorSizeInBytes }),
    ...(guaranteedBaseOffsetAlignment === 0 ? {} : { guaranteedBaseOffsetAlignment }),
  };
}

/** An object without a prototype would work too, but would be printed as `[Object: null prototype]`. */
function byName<T>(entries: readonly (readonly [string, T])[]): Readonly<Record<string, T>> {
  return Object.fromEntries(entries);
}

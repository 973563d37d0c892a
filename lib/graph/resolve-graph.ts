/** Keeps the part of a graph that its outputs need, and numbers it. */
import type { ResolvedTensor } from '../validation/resolved.js';
import { sameStrides } from '../validation/tensor-size.js';
import type { ConstantData, GraphConstant, GraphNode, GraphSource, NamedTensor, ResolvedGraph } from './resolved-graph.js';
import { sourceOf, type Value } from './value.js';
import type { BuiltNode, ValueSource } from './value-source.js';

/** Everything that was added to a graph, in this order. */
export interface GraphParts {
  readonly inputs: readonly ValueSource[];
  readonly constants: ReadonlyMap<ValueSource, ConstantData>;
  readonly nodes: readonly BuiltNode[];
}

/** An output, and the output of a node that it is: that of the value, or of a copy. */
export interface Result {
  readonly name: string;
  readonly value: Value;
  readonly source: ValueSource;
}

export function resolveGraph(parts: GraphParts, results: readonly Result[]): ResolvedGraph {
  const reached = reachedFrom(results.map(({ source }) => source));
  const nodes = parts.nodes.filter((node) => reached.nodes.has(node));
  for (const { value, source } of results) if (source !== sourceOf(value) && source.node !== null) nodes.push(source.node);
  const inputs = parts.inputs.filter((input) => reached.sources.has(input));
  const constants = [...parts.constants].filter(([constant]) => reached.sources.has(constant));
  const sources = constants.map(([constant]) => constant);
  const places = new Places(inputs, sources, nodes);
  return {
    inputs: inputs.map(named),
    constants: constants.map(([constant, data]): GraphConstant => ({ ...named(constant), ...data })),
    nodes: nodes.map((node) => places.resolve(node)),
    outputs: results.map(({ name, value, source }) => {
      const found = places.of(source);
      if (found.kind !== 'node') throw new TypeError('an output is the output of a node');
      return { name, tensor: source === sourceOf(value) ? layoutOf(value) : source.tensor, source: found };
    }),
  };
}

/** True if a node writes the value in its own layout: it is not a view, or both the view and its value are packed. */
export function isDirect(value: Value): boolean {
  const { sizes, strides } = value;
  const { node, tensor } = sourceOf(value);
  if (node === null) return false;
  if (sizes === tensor.sizes && strides === tensor.strides) return true;
  return sameStrides(sizes, strides, null) && sameStrides(tensor.sizes, tensor.strides, null);
}

function named({ name, tensor }: ValueSource): NamedTensor {
  return { name, tensor };
}

/** The nodes on which the sources depend, and the inputs and constants that these read. */
function reachedFrom(outputs: readonly ValueSource[]): { readonly nodes: Set<BuiltNode>; readonly sources: Set<ValueSource> } {
  const nodes = new Set<BuiltNode>();
  const sources = new Set<ValueSource>();
  const waiting = [...outputs];
  for (let source = waiting.pop(); source !== undefined; source = waiting.pop()) {
    const { node } = source;
    if (node === null) sources.add(source);
    if (node === null || nodes.has(node)) continue;
    nodes.add(node);
    for (const input of node.inputs) if (input !== null) waiting.push(input);
  }
  return { nodes, sources };
}

/** Tells where the sources of a graph are in it. What runs for each node is a method, which V8 keeps optimized between graphs. */
class Places {
  readonly #leaves = new Map<ValueSource, GraphSource>();
  readonly #nodes = new Map<BuiltNode, number>();

  constructor(inputs: readonly ValueSource[], constants: readonly ValueSource[], nodes: readonly BuiltNode[]) {
    for (const [index, input] of inputs.entries()) this.#leaves.set(input, { kind: 'input', index });
    for (const [index, constant] of constants.entries()) this.#leaves.set(constant, { kind: 'constant', index });
    for (const node of nodes) this.#nodes.set(node, this.#nodes.size);
  }

  of(source: ValueSource): GraphSource {
    const { node } = source;
    const index = node === null ? undefined : this.#nodes.get(node);
    const found = index === undefined ? this.#leaves.get(source) : { kind: 'node' as const, index, output: source.output };
    if (found === undefined) throw new TypeError(`no source ${source.name}`);
    return found;
  }

  resolve({ name, operator, inputs }: BuiltNode): GraphNode {
    return { name, operator, inputs: inputs.map((source) => (source === null ? null : this.of(source))) };
  }
}

function layoutOf(value: Value): ResolvedTensor {
  const { sizes, strides } = value;
  return { ...sourceOf(value).tensor, sizes, strides };
}

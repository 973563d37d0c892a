/** Keeps the part of a graph that its outputs need, and numbers it. */
import type { ResolvedTensor } from '../descriptors/resolved.js';
import { sameStrides } from '../tensors/tensor-size.js';
import type { ConstantData, GraphConstant, GraphNode, GraphSource, NamedTensor, ResolvedGraph } from './resolved-graph.js';
import { sourceOf, type Value } from './value.js';
import { rootOf, type BuiltNode, type ValueSource } from './value-source.js';

/** Everything that was added to a graph, in this order, and then the nodes that copy values for outputs. */
interface GraphParts {
  readonly inputs: readonly ValueSource[];
  readonly constants: ReadonlyMap<ValueSource, ConstantData>;
  /** By number. Each comes after those that it reads. */
  readonly nodes: readonly BuiltNode[];
}

/** An output, and the output of a node that it is: that of the value, or of a copy. */
interface Result {
  readonly name: string;
  readonly value: Value;
  readonly source: ValueSource;
}

export function resolveGraph(parts: GraphParts, results: readonly Result[]): ResolvedGraph {
  const places = new Places(parts, results);
  const { inputs, constants, nodes } = places;
  return {
    inputs: inputs.map(named),
    constants: constants.map(([constant, data]): GraphConstant => ({ ...named(constant), ...data })),
    nodes: nodes.map((node) => places.resolve(node)),
    outputs: results.map(({ name, value, source }) => {
      const found = places.of(source);
      if (found.kind !== 'node') throw new TypeError('an output is the output of a node');
      return { name, tensor: source === rootOf(sourceOf(value)) ? layoutOf(value) : source.tensor, source: found };
    }),
  };
}

/** True if a node writes the value in its own layout: it is not a view, or both the view and its value are packed. */
export function isDirect(value: Value): boolean {
  const { sizes, strides } = value;
  const { node, tensor } = rootOf(sourceOf(value));
  if (node === null) return false;
  if (sizes === tensor.sizes && strides === tensor.strides) return true;
  return sameStrides(sizes, strides, null) && sameStrides(tensor.sizes, tensor.strides, null);
}

function named({ name, tensor }: ValueSource): NamedTensor {
  return { name, tensor };
}

/**
 * What the outputs of a graph need, and where that is in the resolved graph. What runs for each node is a method, which V8 keeps
 * optimized between graphs.
 */
class Places {
  readonly inputs: readonly ValueSource[];
  readonly constants: readonly (readonly [ValueSource, ConstantData])[];
  readonly nodes: readonly BuiltNode[];
  /** The inputs and constants that are needed. */
  readonly #leaves = new Map<ValueSource, GraphSource | null>();
  /** By number of a node, its place in the resolved graph, where the first one has 1; 0 if it is not needed. */
  readonly #places: Uint32Array;

  constructor({ inputs, constants, nodes }: GraphParts, results: readonly Result[]) {
    this.#places = new Uint32Array(nodes.length);
    for (const { source } of results) this.#need(source);
    for (let number = nodes.length - 1; number >= 0; number--) this.#needInputs(nodes[number]);
    this.inputs = inputs.filter((input) => this.#leaves.has(input));
    this.constants = [...constants].filter(([constant]) => this.#leaves.has(constant));
    this.nodes = nodes.filter(({ number }) => this.#places[number] !== 0);
    for (const [index, input] of this.inputs.entries()) this.#leaves.set(input, { kind: 'input', index });
    for (const [index, [constant]] of this.constants.entries()) this.#leaves.set(constant, { kind: 'constant', index });
    let place = 0;
    for (const { number } of this.nodes) this.#places[number] = ++place;
  }

  of(source: ValueSource): GraphSource {
    const { node, output } = source;
    const index = node === null ? undefined : (this.#places[node.number] ?? 0) - 1;
    const found = index === undefined ? this.#leaves.get(source) : { kind: 'node' as const, index, output };
    if (found === undefined || found === null || found.index < 0) throw new TypeError(`no source ${source.name}`);
    return found;
  }

  resolve({ name, operator, inputs, recomputation }: BuiltNode): GraphNode {
    const sources = inputs.map((source) => (source === null ? null : this.of(rootOf(source))));
    return { name, operator, inputs: sources, recomputation };
  }

  #need(source: ValueSource): void {
    if (source.node === null) this.#leaves.set(source, null);
    else this.#places[source.node.number] = 1;
  }

  #needInputs(node: BuiltNode | undefined): void {
    if (node === undefined || this.#places[node.number] === 0) return;
    for (const input of node.inputs) if (input !== null) this.#need(rootOf(input));
  }
}

function layoutOf(value: Value): ResolvedTensor {
  const { sizes, strides } = value;
  return { ...rootOf(sourceOf(value)).tensor, sizes, strides };
}

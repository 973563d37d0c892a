/** Where the bytes of values come from, and the names by which descriptors refer to them. */
import type { ResolvedOperator, ResolvedTensor, TensorSlot } from '../descriptors/resolved.js';

export interface ValueSource {
  /** The graph, which tells its values from those of others. */
  readonly graph: object;
  /** The name by which descriptors refer to it, such as `image` or `convolution_0.outputTensor`. */
  readonly name: string;
  /** The tensor as the input, the constant or the node describes it. */
  readonly tensor: ResolvedTensor;
  /** Null for inputs and constants. */
  readonly node: BuiltNode | null;
  /** The position among the outputs of the node. */
  readonly output: number;
}

/** A node of a graph that is being built. */
export interface BuiltNode {
  /** Its place among the nodes of the graph. */
  readonly number: number;
  readonly name: string;
  readonly operator: ResolvedOperator;
  /** By position among the inputs of the operator, as they were given; null for an input that the descriptor does not have. */
  readonly inputs: readonly (ValueSource | null)[];
  /** The number of the recomputation that it belongs to; 0 for others. */
  readonly recomputation: number;
}

/** An output of a node. Two objects may be the same output. */
export class OutputSource implements ValueSource {
  readonly graph: object;
  readonly node: BuiltNode;
  readonly tensor: ResolvedTensor;
  readonly #slot: TensorSlot;

  constructor(graph: object, node: BuiltNode, slot: TensorSlot, tensor: ResolvedTensor) {
    this.graph = graph;
    this.node = node;
    this.tensor = tensor;
    this.#slot = slot;
  }

  /** Made when it is asked for: a graph of thousands of nodes asks for few. */
  get name(): string {
    return outputName(this.node.name, this.#slot.path);
  }

  get output(): number {
    return this.#slot.position;
  }
}

/** The name of an output of a node. */
export function outputName(node: string, path: string): string {
  return `${node}.${path}`;
}

/** Another name for a source: the same bytes, told from those that were there before. */
export class Alias implements ValueSource {
  readonly graph: object;
  readonly name: string;
  /** As the value describes them of which this is an alias. */
  readonly tensor: ResolvedTensor;
  readonly node: BuiltNode | null;
  readonly output: number;
  readonly of: ValueSource;

  constructor(of: ValueSource, { sizes, strides }: Pick<ResolvedTensor, 'sizes' | 'strides'>) {
    this.graph = of.graph;
    this.name = of.name;
    this.tensor = { ...of.tensor, sizes, strides };
    this.node = of.node;
    this.output = of.output;
    this.of = of;
  }
}

/** Where the bytes come from, whatever they are called. */
export function rootOf(source: ValueSource): ValueSource {
  let root = source;
  while (root instanceof Alias) root = root.of;
  return root;
}

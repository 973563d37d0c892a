/** A graph after validation: what a backend compiles. Every node leads to an output, and comes after the nodes that it reads. */
import type { ResolvedOperator, ResolvedTensor } from '../descriptors/resolved.js';

/** Who has the memory of a constant: see {@link ConstantOptions.ownership}. */
export type ConstantOwnership = 'shared' | 'directml';

export interface ResolvedGraph {
  readonly inputs: readonly NamedTensor[];
  readonly constants: readonly GraphConstant[];
  readonly nodes: readonly GraphNode[];
  readonly outputs: readonly GraphOutput[];
}

export interface NamedTensor {
  readonly name: string;
  readonly tensor: ResolvedTensor;
}

export interface GraphConstant extends NamedTensor, ConstantData {}

export interface ConstantData {
  /** The data that the creator of the constant gave; undefined if it is to be given later. */
  readonly data: unknown;
  /** As the creator of the constant chose; undefined leaves it to `isShared`. */
  readonly ownership: ConstantOwnership | undefined;
  /**
   * True if every dispatch binds the memory that is given, which others use too; false if the backend gets a copy of the elements.
   */
  readonly isShared: boolean;
}

export interface GraphNode {
  readonly name: string;
  readonly operator: ResolvedOperator;
  /** Where each input of the operator comes from, by its position; null for an input that the descriptor does not have. */
  readonly inputs: readonly (GraphSource | null)[];
  /** A node that computes something again is not joined with the one that did so before. Undefined or 0 for others. */
  readonly recomputation?: number;
}

/** An output is always the output of a node, in the layout of `tensor`. */
export interface GraphOutput extends NamedTensor {
  readonly source: NodeOutput;
}

/** An input or constant by its index, or an output of a node. */
export type GraphSource = GraphInputIndex | GraphConstantIndex | NodeOutput;

export interface GraphInputIndex {
  readonly kind: 'input';
  readonly index: number;
}

export interface GraphConstantIndex {
  readonly kind: 'constant';
  readonly index: number;
}

export interface NodeOutput {
  readonly kind: 'node';
  /** The index of the node. */
  readonly index: number;
  /** The position among its outputs. */
  readonly output: number;
}

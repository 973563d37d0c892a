/** MLGraph: a compiled graph, and the names by which programs know its inputs and outputs. */
import type { CompiledGraph } from '../api/graphs/compiled-graph.js';
import type { Tensor } from '../api/memory/tensor.js';
import { releaseTensor } from './ml-tensor.js';
import type { OperandDescriptor } from './ml-operand.js';
import type { Owner } from './owner.js';

/** An input or output, and its name in the compiled graph. */
export interface Port extends OperandDescriptor {
  readonly key: string;
}

interface Ports {
  readonly inputs: ReadonlyMap<string, Port>;
  readonly outputs: ReadonlyMap<string, Port>;
}

export class BuiltGraph {
  readonly context: Owner;
  readonly ports: Ports;
  readonly compiled: CompiledGraph;
  /** The constant tensors that the graph reads. They are kept for it. */
  readonly #constants: readonly Tensor[];
  #isDestroyed = false;

  constructor(context: Owner, ports: Ports, compiled: CompiledGraph, constants: readonly Tensor[]) {
    this.context = context;
    this.ports = ports;
    this.compiled = compiled;
    this.#constants = constants;
  }

  get isDestroyed(): boolean {
    return this.#isDestroyed || this.context.isLost;
  }

  destroy(): undefined {
    if (this.#isDestroyed) return;
    this.#isDestroyed = true;
    this.compiled.dispose();
    this.#constants.forEach(releaseTensor);
  }
}

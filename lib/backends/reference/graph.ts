/** Runs a graph: its nodes one after the other. */
import type { GraphSource, ResolvedGraph } from '../../graph/resolved-graph.js';
import type { BackendGraph, BufferRange, ConstantMemory, GraphMemory } from '../backend.js';
import { bytesIn, copyOf, ReferenceBuffer } from './buffer.js';
import { execute } from './execute.js';

export class ReferenceGraph implements BackendGraph {
  readonly #graph: ResolvedGraph;
  /** By node, how often its outputs are read. */
  readonly #readers: readonly number[];
  /** By node, the graph outputs that it writes. */
  readonly #targets: ReadonlyMap<number, readonly Target[]>;
  #constants: readonly BufferRange[] = [];

  constructor(graph: ResolvedGraph, constants: readonly ConstantMemory[]) {
    this.#graph = graph;
    this.#readers = countReaders(graph);
    this.#targets = targetsOf(graph);
    this.initialize(constants);
  }

  get memory(): GraphMemory {
    const constants = this.#constants.reduce((sum, { sizeInBytes }) => sum + sizeInBytes, 0);
    return { temporary: 0, persistent: 0, constants };
  }

  initialize(constants: readonly ConstantMemory[]): void {
    this.#constants = constants.map(({ range, isOwn }) => (isOwn ? range : copyOf(range)));
  }

  dispatch(inputs: readonly (BufferRange | null)[], outputs: readonly (BufferRange | null)[]): void {
    const written = this.#graph.nodes.map((): (BufferRange | null)[] => []);
    const left = [...this.#readers];
    const rangeOf = (source: GraphSource | null): BufferRange | null => {
      if (source === null) return null;
      if (source.kind === 'input') return inputs[source.index] ?? null;
      if (source.kind === 'constant') return this.#constants[source.index] ?? null;
      return written[source.index]?.[source.output] ?? null;
    };
    for (const [index, { operator, inputs: sources }] of this.#graph.nodes.entries()) {
      const targets = this.#targets.get(index) ?? [];
      const ranges = operator.slots
        .filter(({ role }) => role === 'output')
        .map(({ position, tensor }) => {
          if (tensor === null) return null;
          // Into the first graph output that it is, if any: elements only, as DirectML does.
          const target = targets.find(({ output }) => output === position);
          return outputs[target?.position ?? -1] ?? newRange(tensor.totalTensorSizeInBytes);
        });
      execute(operator, sources.map(rangeOf), ranges);
      written[index] = ranges;
      for (const { output, position } of targets) copy(ranges[output] ?? null, outputs[position] ?? null);
      for (const source of sources) {
        if (source?.kind !== 'node') continue;
        const others = (left[source.index] ?? 0) - 1;
        left[source.index] = others;
        // The memory can be collected when the last reader is done.
        if (others === 0) written[source.index] = [];
      }
      if (left[index] === 0) written[index] = [];
    }
  }

  dispose(): void {
    this.#constants = [];
  }
}

interface Target {
  /** The position among the outputs of the node. */
  readonly output: number;
  /** The position among the outputs of the graph. */
  readonly position: number;
}

function targetsOf({ outputs }: ResolvedGraph): ReadonlyMap<number, readonly Target[]> {
  const targets = new Map<number, Target[]>();
  for (const [position, { source }] of outputs.entries()) {
    const target = { output: source.output, position };
    const others = targets.get(source.index);
    if (others === undefined) targets.set(source.index, [target]);
    else others.push(target);
  }
  return targets;
}

function countReaders({ nodes }: ResolvedGraph): readonly number[] {
  const readers = nodes.map(() => 0);
  for (const { inputs } of nodes) {
    for (const source of inputs) if (source?.kind === 'node') readers[source.index] = (readers[source.index] ?? 0) + 1;
  }
  return readers;
}

function newRange(sizeInBytes: number): BufferRange {
  return { buffer: new ReferenceBuffer(sizeInBytes), offset: 0, sizeInBytes };
}

/** Both ranges are of one tensor; one of them may be a few bytes longer. */
function copy(from: BufferRange | null, to: BufferRange | null): void {
  if (from === null || to === null || from === to) return;
  const target = bytesIn(to);
  target.set(bytesIn(from).subarray(0, target.length));
}

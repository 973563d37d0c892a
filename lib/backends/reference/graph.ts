/** Runs a graph: its nodes one after the other. */
import { partOfBytes } from '../../tensors/bytes.js';
import type { GraphSource, ResolvedGraph } from '../../graph/resolved-graph.js';
import type { BackendGraph, BoundRanges, BufferRange, ConstantMemory, GraphMemory } from '../backend.js';
import { bytesIn, copyOf, ReferenceBuffer } from './buffer.js';
import { execute } from './execute.js';

export class ReferenceGraph implements BackendGraph {
  readonly #graph: ResolvedGraph;
  /** By node, how often its outputs are read. */
  readonly #readers: readonly number[];
  /** By node, and by output of it, the positions among the outputs of the graph. */
  readonly #targets: ReadonlyMap<number, Targets>;
  #constants: readonly BufferRange[] = [];

  constructor(graph: ResolvedGraph, constants: readonly ConstantMemory[]) {
    this.#graph = graph;
    this.#readers = countReaders(graph);
    this.#targets = targetsOf(graph);
    this.initialize(constants);
  }

  get constants(): readonly BufferRange[] {
    return this.#constants;
  }

  get memory(): GraphMemory {
    const own = this.#constants.filter((_, i) => this.#graph.constants[i]?.isShared !== true);
    const constants = own.reduce((sum, { sizeInBytes }) => sum + sizeInBytes, 0);
    return { temporary: 0, persistent: 0, constants };
  }

  initialize(constants: readonly ConstantMemory[]): void {
    this.#constants = constants.map(({ range, isOwn }, i) => {
      return isOwn || this.#graph.constants[i]?.isShared === true ? range : copyOf(range);
    });
  }

  dispatch({ inputs, outputs }: BoundRanges): void {
    const written = this.#graph.nodes.map((): (BufferRange | null)[] => []);
    const left = [...this.#readers];
    const rangeOf = (source: GraphSource | null): BufferRange | null => {
      if (source === null) return null;
      if (source.kind === 'input') return inputs[source.index] ?? null;
      if (source.kind === 'constant') return this.#constants[source.index] ?? null;
      return written[source.index]?.[source.output] ?? null;
    };
    for (const [index, { operator, inputs: sources }] of this.#graph.nodes.entries()) {
      const targets = this.#targets.get(index) ?? noTargets;
      const ranges = operator.slots
        .filter(({ role }) => role === 'output')
        .map(({ position, tensor }) => {
          if (tensor === null) return null;
          // Into the first graph output that it is, if any: elements only, as DirectML does.
          const [target] = targets.get(position) ?? [];
          return (target === undefined ? null : outputs[target]) ?? newRange(tensor.totalTensorSizeInBytes);
        });
      execute(operator, { inputs: sources.map(rangeOf), outputs: ranges });
      written[index] = ranges;
      for (const [output, positions] of targets) {
        for (const position of positions) copy(ranges[output] ?? null, outputs[position] ?? null);
      }
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

/** By output of a node, the positions among the outputs of the graph. */
type Targets = ReadonlyMap<number, readonly number[]>;

const noTargets: Targets = new Map();

function targetsOf({ outputs }: ResolvedGraph): ReadonlyMap<number, Targets> {
  const targets = new Map<number, Map<number, number[]>>();
  for (const [position, { source }] of outputs.entries()) {
    const ofNode = targets.get(source.index) ?? new Map<number, number[]>();
    targets.set(source.index, ofNode);
    const positions = ofNode.get(source.output) ?? [];
    ofNode.set(source.output, positions);
    positions.push(position);
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
  target.set(partOfBytes(bytesIn(from), 0, target.length));
}

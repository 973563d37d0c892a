/**
 * Turns a graph into one that DirectML compiles and computes correctly. Its constants become graph inputs, some of them owned
 * by DirectML; `fillValueSequence` is computed in advance; some values become hidden outputs. docs/differences.md explains why.
 */
import type { NativeGraphDesc, NativeOperatorDesc } from '../../../binding.js';
import { bitsOf } from '../../tensors/data-types.js';
import { fieldError } from '../../values/errors.js';
import { maxNodes, maxTensors } from '../../graph/limits.js';
import { outputSlot } from '../../graph/output-slots.js';
import type { GraphSource, NodeOutput, ResolvedGraph } from '../../graph/resolved-graph.js';
import type { OperatorType } from '../../descriptors/generated/descriptors.js';
import { operatorTable } from '../../descriptors/generated/table.js';
import { resolvedFrom, valuesOf, type Resolved, type ResolvedOperator, type ResolvedTensor } from '../../descriptors/resolved.js';
import { resolveDescriptor } from '../../operators/resolve.js';
import { highestFeatureLevel } from '../../descriptors/feature-level.js';
import { productOf } from '../../tensors/tensor-size.js';
import { dequantizedGemms } from './dequantized-gemms.js';
import { encodeOperator } from './encode.js';
import { withFourBitLayout } from './four-bit-layout.js';
import { hasEachByteOnce, keptIdentities, tileInsteadOf } from './kept-identities.js';
import { keptOutputs } from './kept-outputs.js';

/** A graph input that the user does not bind. */
export interface HiddenInput {
  /** The index of the constant; null if `sequence` computes it. */
  readonly constant: number | null;
  /** The `fillValueSequence` that computes it. */
  readonly sequence: ResolvedOperator | null;
  /** True if DirectML takes it over at the initialization; false if it is bound at every dispatch. */
  readonly isOwned: boolean;
  /** True if each dispatch binds the memory that was given for the constant, which the graph does not own. */
  readonly isShared: boolean;
  readonly sizeInBytes: number;
}

export interface LoweredGraph {
  readonly native: NativeGraphDesc;
  /** How many inputs the user binds. */
  readonly inputCount: number;
  /** They follow the inputs that the user binds. */
  readonly hiddenInputs: readonly HiddenInput[];
  /** The sizes in bytes of outputs that nobody reads. They follow the outputs of the graph. */
  readonly scratchOutputs: readonly number[];
  /** By operator of the native graph, the name of the first node that has it. */
  readonly operatorNames: readonly string[];
}

/**
 * DirectML stores a copy of an owned constant for each reader. Above this size, it owns a constant only if there is a single
 * reader.
 */
const maxSharedBytes = 64 * 1024;

const sequence: OperatorType = 'fillValueSequence';

interface LoweredNode {
  readonly name: string;
  readonly operator: ResolvedOperator;
  readonly inputs: readonly (GraphSource | null)[];
}

/**
 * Lowers the graph. `separate` has the dequantize nodes behind which an identity has to be.
 *
 * @throws {DirectMLError} ERR_INVALID_GRAPH if the graph has too many outputs or nodes with those that are added.
 */
export function lowerGraph(graph: ResolvedGraph, separate: ReadonlySet<number> = dequantizedGemms(graph).all): LoweredGraph {
  const lowered = new Lowering(graph).lower(separate);
  const { nodes, outputs } = lowered.native;
  refuseMore('outputs', outputs.length, maxTensors, 'some values inside the graph have to be outputs for DirectML');
  refuseMore('nodes', nodes.length, maxNodes, 'a 4-bit output that is given twice is computed twice');
  return lowered;
}

function refuseMore(field: string, count: number, limit: number, why: string): void {
  if (count <= limit) return;
  throw fieldError('ERR_INVALID_GRAPH', { operator: 'graph', field }, `at most ${limit}`, `${count}`, { why });
}

class Lowering {
  readonly #graph: ResolvedGraph;
  readonly #operators: NativeOperatorDesc[] = [];
  readonly #operatorNames: string[] = [];
  /** By descriptor, and then by the positions of its owned inputs, the index of the operator. */
  readonly #operatorIndices = new Map<Resolved, Map<string, number>>();
  readonly #hidden: HiddenInput[] = [];
  /** By `constant 3` or `node 5`, the index in `#hidden`. */
  readonly #hiddenIndices = new Map<string, number>();
  readonly #nodes: number[] = [];
  /** By node of the graph, its number in the native graph; undefined for a sequence. */
  readonly #numbers: (number | undefined)[] = [];
  readonly #inputEdges: number[] = [];
  readonly #outputEdges: number[] = [];
  readonly #intermediateEdges: number[] = [];
  readonly #scratch: number[] = [];
  /** Uses of the graph's constants and sequences, by the same keys as `#hiddenIndices`. */
  readonly #uses = new Map<string, { count: number; isRefused: boolean }>();
  /** The identities that are lowered as tiles, and the sequences whose copies are. */
  readonly #tiles: ReadonlySet<number>;
  /** The 4-bit outputs of nodes that are outputs of the graph, as `node output`. */
  readonly #fourBitOutputs = new Set<string>();

  constructor(graph: ResolvedGraph) {
    this.#graph = graph;
    this.#tiles = keptIdentities(graph);
  }

  lower(separate: ReadonlySet<number>): LoweredGraph {
    const { nodes, inputs, outputs } = this.#graph;
    for (const node of nodes) this.#countUses(node);
    for (const { source } of outputs) if (this.#isSequence(source)) this.#countUse(source, false);
    for (const node of nodes) this.#lowerNode(node, separate);
    for (const [index, output] of outputs.entries()) this.#connectOutput(output.source, index);
    for (const output of keptOutputs(this.#graph)) this.#addScratch(output);
    return {
      native: {
        operators: this.#operators,
        // Not `from`, which throws a TypeError if a script's constructor takes the memory away.
        nodes: new Uint32Array(this.#nodes),
        inputEdges: new Uint32Array(this.#inputEdges),
        outputEdges: new Uint32Array(this.#outputEdges),
        intermediateEdges: new Uint32Array(this.#intermediateEdges),
        inputs: [...inputs.map(({ name }) => name), ...this.#hidden.map((hidden) => this.#nameOfHidden(hidden))],
        outputs: [...outputs.map(({ name }) => name), ...this.#scratch.map((_, i) => `hidden output ${i}`)],
      },
      inputCount: inputs.length,
      hiddenInputs: this.#hidden,
      scratchOutputs: this.#scratch,
      operatorNames: this.#operatorNames,
    };
  }

  /** Adds the next node of the graph. `separate` has the nodes behind which an identity has to be. */
  #lowerNode(node: LoweredNode, separate: ReadonlySet<number>): void {
    const index = this.#numbers.length;
    if (node.operator.descriptor.type === sequence) {
      this.#numbers.push(undefined);
      return;
    }
    this.#numbers.push(this.#addNode(this.#tiles.has(index) ? { ...node, operator: tileInsteadOf(node.operator) } : node));
    if (separate.has(index)) this.#numbers[index] = this.#addSeparator({ kind: 'node', index, output: 0 });
  }

  #countUses({ operator, inputs }: LoweredNode): void {
    const isRefused = operatorTable[operator.descriptor.type].inGraphs === 'recurrent';
    for (const source of inputs) {
      if (source?.kind === 'constant' || (source !== null && this.#isSequence(source))) this.#countUse(source, isRefused);
    }
  }

  #countUse(source: GraphSource, isRefused: boolean): void {
    const key = keyOf(source);
    const before = this.#uses.get(key);
    this.#uses.set(key, { count: (before?.count ?? 0) + 1, isRefused: isRefused || before?.isRefused === true });
  }

  #isSequence(source: GraphSource): boolean {
    return source.kind === 'node' && this.#graph.nodes[source.index]?.operator.descriptor.type === sequence;
  }

  /** Adds a node and the edges to it. Returns its number. */
  #addNode({ name, operator, inputs }: LoweredNode): number {
    const number = this.#nodes.length;
    const owned: number[] = [];
    for (let position = 0; position < inputs.length; position++) {
      const source = inputs[position] ?? null;
      if (source === null) continue;
      const hidden = this.#hiddenInput(source);
      if (hidden !== null && this.#hidden[hidden]?.isOwned === true) owned.push(position);
      if (hidden !== null) this.#inputEdges.push(this.#graph.inputs.length + hidden, number, position);
      else if (source.kind === 'node')
        this.#intermediateEdges.push(this.#numberOf(source.index), source.output, number, position);
      else this.#inputEdges.push(source.index, number, position);
    }
    this.#nodes.push(this.#operatorIndex(name, operator, owned));
    return number;
  }

  #connectOutput(source: NodeOutput, output: number): void {
    if (!this.#isSequence(source)) {
      const number = this.#isSecondFourBitOutput(source) ? this.#addNode(this.#node(source.index)) : this.#numberOf(source.index);
      this.#outputEdges.push(number, source.output, output);
      return;
    }
    this.#outputEdges.push(this.#addCopy(source, this.#tiles.has(source.index)), 0, output);
  }

  /** As for all identities, one with gaps has to be a tile. */
  #addSeparator(source: NodeOutput): number {
    return this.#addCopy(source, !hasEachByteOnce(this.#tensor(source)));
  }

  /** Adds an identity of an output of a node, or a tile that makes the same copy. Returns its number. */
  #addCopy(source: NodeOutput, isTile: boolean): number {
    const { operator, name } = this.#node(source.index);
    const tensor = tensorOf(operator, source.output);
    const descriptor = { type: 'elementWiseIdentity', inputTensor: tensor, outputTensor: tensor };
    const identity = resolveDescriptor(descriptor, highestFeatureLevel);
    return this.#addNode({ name, operator: isTile ? tileInsteadOf(identity) : identity, inputs: [source] });
  }

  /** DirectML copies a tensor for the second output, but cannot copy 4-bit elements: the node has to compute them again. */
  #isSecondFourBitOutput(source: NodeOutput): boolean {
    const key = `${source.index} ${source.output}`;
    if (this.#fourBitOutputs.has(key)) return true;
    if (bitsOf(this.#tensor(source).dataType) === 4) this.#fourBitOutputs.add(key);
    return false;
  }

  /** Makes the value an output that nobody reads, so that it has memory of its own. */
  #addScratch({ index, output }: NodeOutput): void {
    this.#outputEdges.push(this.#numberOf(index), output, this.#graph.outputs.length + this.#scratch.length);
    this.#scratch.push(tensorOf(this.#node(index).operator, output).totalTensorSizeInBytes);
  }

  /** The index of the hidden input for a constant or a sequence; null for other sources. */
  #hiddenInput(source: GraphSource): number | null {
    const isSequence = this.#isSequence(source);
    if (source.kind === 'input' || (source.kind === 'node' && !isSequence)) return null;
    const key = keyOf(source);
    const known = this.#hiddenIndices.get(key);
    if (known !== undefined) return known;
    const sizeInBytes = this.#tensor(source).totalTensorSizeInBytes;
    const { count, isRefused } = this.#uses.get(key) ?? { count: 1, isRefused: false };
    const constant = source.kind === 'constant' ? this.#graph.constants[source.index] : undefined;
    this.#hidden.push({
      constant: source.kind === 'constant' ? source.index : null,
      sequence: source.kind === 'node' ? this.#node(source.index).operator : null,
      // A sequence stays bound, so that it need not be computed again when the graph gets other constants.
      isOwned: constant?.isShared === false && !isRefused && (count === 1 || sizeInBytes <= maxSharedBytes),
      isShared: constant?.isShared === true,
      sizeInBytes,
    });
    const index = this.#hidden.length - 1;
    this.#hiddenIndices.set(key, index);
    return index;
  }

  #operatorIndex(name: string, { descriptor, slots }: ResolvedOperator, owned: readonly number[]): number {
    const variants = this.#operatorIndices.get(descriptor) ?? new Map<string, number>();
    this.#operatorIndices.set(descriptor, variants);
    const key = owned.join();
    const known = variants.get(key);
    if (known !== undefined) return known;
    const index = this.#operators.length;
    const positions = new Set(owned);
    const isOwned = ({ role, position }: ResolvedOperator['slots'][number]) => role === 'input' && positions.has(position);
    const paths = new Set(slots.filter(isOwned).map(({ path }) => path));
    const laidOut = withValuesInLine(withFourBitLayout(descriptor));
    this.#operators.push(encodeOperator(paths.size === 0 ? laidOut : withOwned(laidOut, paths)));
    this.#operatorNames.push(name);
    variants.set(key, index);
    return index;
  }

  #nameOfHidden({ constant }: HiddenInput): string {
    return constant === null ? 'fillValueSequence' : (this.#graph.constants[constant]?.name ?? '');
  }

  #numberOf(node: number): number {
    const number = this.#numbers[node];
    if (number === undefined) throw new TypeError(`node ${node} comes after a node that reads it`);
    return number;
  }

  #node(index: number): LoweredNode {
    const node = this.#graph.nodes[index];
    if (node === undefined) throw new TypeError(`no node ${index}`);
    return node;
  }

  #tensor(source: GraphSource): ResolvedTensor {
    if (source.kind === 'node') return tensorOf(this.#node(source.index).operator, source.output);
    const constant = this.#graph.constants[source.index];
    if (constant === undefined) throw new TypeError(`no constant ${source.index}`);
    return constant.tensor;
  }
}

function keyOf({ kind, index }: GraphSource): string {
  return `${kind} ${index}`;
}

function tensorOf(operator: ResolvedOperator, output: number): ResolvedTensor {
  const tensor = outputSlot(operator, output)?.tensor ?? null;
  if (tensor === null) throw new TypeError(`no output ${output}`);
  return tensor;
}

/** The descriptor with the flags 'ownedByDml' for the tensors at these paths. */
function withOwned(descriptor: Resolved, paths: ReadonlySet<string>): Resolved {
  const owned = (value: unknown, path: string) =>
    paths.has(path) && isObject(value) ? { ...value, flags: 'ownedByDml' } : value;
  const fields: Record<string, unknown> = { __proto__: null };
  for (const [name, value] of Object.entries(valuesOf(descriptor))) {
    fields[name] = Array.isArray(value) ? value.map((element, i) => owned(element, `${name}[${i}]`)) : owned(value, name);
  }
  return resolvedFrom(fields);
}

/** In a graph, DirectML does not find the second value of oneHot if the last size of a packed tensor is 1. */
function withValuesInLine(descriptor: Resolved): Resolved {
  if (descriptor.type !== 'oneHot') return descriptor;
  const { valuesTensor } = descriptor;
  const { sizes, strides } = valuesTensor;
  if (strides !== null || sizes.at(-1) !== 1) return descriptor;
  const inLine = sizes.map((_, axis) => (axis === sizes.length - 1 ? productOf(sizes) : 1));
  return { ...descriptor, valuesTensor: { ...valuesTensor, sizes: inLine } };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

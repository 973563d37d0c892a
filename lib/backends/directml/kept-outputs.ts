/**
 * Finds the values inside a graph that need memory of their own. DirectML computes some operators in place of their input, and
 * gives some values the memory of a part of another one. Where both meet, it overwrites a value that is still needed, or refuses
 * the graph. It also computes some pairs of operators as one, and then may read another output of the node before them. It does
 * none of this with a value that is an output of the compiled graph. docs/differences.md has the cases.
 */
import type { GraphNode, GraphSource, NodeOutput, ResolvedGraph } from '../../graph/resolved-graph.js';
import type { OperatorType } from '../../descriptors/generated/descriptors.js';
import { operatorTable } from '../../descriptors/generated/table.js';
import { isPacked } from '../../tensors/tensor-size.js';

/** The outputs of nodes that have to be outputs of the compiled graph too. None of them is one yet, and each is read by a node. */
export function keptOutputs(graph: ResolvedGraph): readonly NodeOutput[] {
  // Most graphs have no such node.
  if (!graph.nodes.some(isConcerned)) return [];
  const uses = new Uses(graph);
  const kept = misreadPairs(graph).filter((output) => uses.onlyReaderOf(output) !== null);
  for (const [index, node] of graph.nodes.entries()) {
    if (!isConcerned(node)) continue;
    for (const { role, position, tensor } of node.operator.slots) {
      if (role === 'input' || tensor === null) continue;
      const output: NodeOutput = { kind: 'node', index, output: position };
      if (uses.isOutput(output) || uses.countOf(output) === 0) continue;
      if (isEndangered(node, output, uses)) kept.push(output);
    }
  }
  return kept;
}

function isConcerned({ operator }: GraphNode): boolean {
  const { inGraphs } = operatorTable[operator.descriptor.type];
  return inGraphs !== undefined || operator.slots.some(({ role, position }) => role === 'output' && position > 0);
}

/**
 * The first results of pairs that DirectML computes as one operator without regard to which output of a node it reads. As the
 * cTensor of `gemm` it takes the node's first output; for `activationSwish`, two outputs of one node are the same to it.
 */
function misreadPairs({ nodes }: ResolvedGraph): NodeOutput[] {
  const nodeOf = (source: GraphSource | null | undefined) => (source?.kind === 'node' ? nodes[source.index] : undefined);
  /** The output of a node behind identities. */
  const behind = (source: GraphSource | null | undefined): NodeOutput | null => {
    let found = source;
    for (let node = nodeOf(found); node?.operator.descriptor.type === 'elementWiseIdentity'; node = nodeOf(found)) {
      [found] = node.inputs;
    }
    return found?.kind === 'node' ? found : null;
  };
  const isMisread = (type: OperatorType, result: NodeOutput, other: NodeOutput) => {
    const first = nodeOf(result);
    if (first?.operator.descriptor.type === 'gemm') return /^elementWiseAdd1?$/.test(type) && other.output > 0;
    if (first?.operator.descriptor.type !== 'activationSigmoid' || type !== 'elementWiseMultiply') return false;
    const read = behind(first.inputs[0]);
    return read?.index === other.index && read.output !== other.output;
  };
  return nodes.flatMap(({ operator, inputs }) => {
    const { type } = operator.descriptor;
    if (!/^elementWise(Add1?|Multiply)$/.test(type)) return [];
    const [a, b] = inputs.map(behind);
    if (!a || !b) return [];
    return [...(isMisread(type, a, b) ? [a] : []), ...(isMisread(type, b, a) ? [b] : [])];
  });
}

function isEndangered(node: GraphNode, output: NodeOutput, uses: Uses): boolean {
  const { inGraphs } = operatorTable[node.operator.descriptor.type];
  if (inGraphs === undefined) return false;
  if (inGraphs === 'recurrent') return isSequenceOrCopy(node, output);
  const reader = uses.onlyReaderOf(output);
  if (reader === null || !mayOverwrite(reader)) return false;
  // The inputs of a join lie in the memory of its output. What overwrites that overwrites them.
  if (inGraphs === 'joined') return node.inputs.some((input) => input !== null && uses.isShared(input));
  // The part lies in the memory of the whole. If the reader works in place, DirectML reuses the memory of the whole, and then
  // rejects its size. Other readers of the whole do not prevent that if they come before.
  const [whole = null] = node.inputs;
  // Of an input or a constant, it does so only where the dimensions are read in another order.
  return whole?.kind === 'node' ? uses.usedOutputsOf(output.index) === 1 : !readsPacked(node);
}

/**
 * DirectML copies the last step out of the sequence. It does so after the node that reads the sequence, which may have overwritten
 * it. A sequence of one step is copied whole, by an identity that DirectML drops; it then refuses tensors that differ in size.
 */
function isSequenceOrCopy({ operator }: GraphNode, { output }: NodeOutput): boolean {
  const [sequence, last] = operator.slots.filter(({ role }) => role === 'output');
  const [whole, copy] = [sequence?.tensor ?? null, last?.tensor ?? null];
  if (whole === null || copy === null) return false;
  if (sequence?.position === output) return true;
  const [steps] = whole.sizes;
  return last?.position === output && steps === 1 && whole.totalTensorSizeInBytes !== copy.totalTensorSizeInBytes;
}

/**
 * True if the node may write its output over its input, or if it only names the same memory. DirectML was seen to compute more
 * element-wise operators in place than the operator table has.
 */
function mayOverwrite({ operator: { descriptor } }: GraphNode): boolean {
  const { type } = descriptor;
  const { inGraphs, fields } = operatorTable[type];
  if (/^(elementWise|activation)/.test(type) || inGraphs === 'joined' || inGraphs === 'part') return true;
  return fields.some(({ inPlace }) => inPlace !== undefined);
}

/** True if the node reads the elements of its first input in memory order and without gaps. */
function readsPacked({ operator }: GraphNode): boolean {
  const tensor = operator.slots.find(({ role, position }) => role === 'input' && position === 0)?.tensor ?? null;
  return tensor === null || isPacked(tensor);
}

/** Who uses the outputs of nodes. */
class Uses {
  readonly #graph: ResolvedGraph;
  /** By node and output, the nodes that read it, each as often as it does. */
  readonly #readers: readonly (GraphNode[] | undefined)[][];
  /** By node, those of its outputs that are outputs of the graph. */
  readonly #outputs = new Map<number, Set<number>>();
  /** The identities and joins that read a value whose memory others use too. */
  readonly #sharing = new Set<number>();
  /** By node, once it was asked for: it is asked for each of its outputs. */
  readonly #usedOutputs = new Map<number, number>();

  constructor(graph: ResolvedGraph) {
    this.#graph = graph;
    this.#readers = graph.nodes.map(() => []);
    for (const { source } of graph.outputs) {
      const outputs = this.#outputs.get(source.index) ?? new Set();
      this.#outputs.set(source.index, outputs.add(source.output));
    }
    for (const node of graph.nodes) {
      for (const source of node.inputs) {
        if (source?.kind !== 'node') continue;
        const outputs = this.#readers[source.index] ?? [];
        const readers = outputs[source.output];
        if (readers === undefined) outputs[source.output] = [node];
        else readers.push(node);
      }
    }
    for (const [index, node] of graph.nodes.entries()) {
      const { type } = node.operator.descriptor;
      const hasSameMemory = operatorTable[type].inGraphs === 'joined' || type === 'elementWiseIdentity';
      if (hasSameMemory && node.inputs.some((input) => input !== null && this.isShared(input))) this.#sharing.add(index);
    }
  }

  isOutput({ index, output }: NodeOutput): boolean {
    return this.#outputs.get(index)?.has(output) === true;
  }

  /** How often nodes and outputs of the graph use it. */
  countOf(output: NodeOutput): number {
    return this.#readersOf(output).length + (this.isOutput(output) ? 1 : 0);
  }

  /** The node that is its only use; null if there is none or another one. */
  onlyReaderOf(output: NodeOutput): GraphNode | null {
    return this.countOf(output) === 1 ? (this.#readersOf(output)[0] ?? null) : null;
  }

  /** True if something else than one reader needs the memory of a value. DirectML never overwrites inputs and constants. */
  isShared(source: GraphSource): boolean {
    return source.kind === 'node' && (this.countOf(source) > 1 || this.#sharing.has(source.index));
  }

  /** How many outputs of a node are used. */
  usedOutputsOf(index: number): number {
    const known = this.#usedOutputs.get(index);
    if (known !== undefined) return known;
    const slots = this.#graph.nodes[index]?.operator.slots ?? [];
    const isUsed = (output: number) => this.countOf({ kind: 'node', index, output }) > 0;
    const count = slots.filter(({ role, position }) => role === 'output' && isUsed(position)).length;
    this.#usedOutputs.set(index, count);
    return count;
  }

  #readersOf({ index, output }: NodeOutput): readonly GraphNode[] {
    return this.#readers[index]?.[output] ?? nobody;
  }
}

const nobody: readonly GraphNode[] = [];

/**
 * Finds the identities that DirectML must not drop. When it drops an identity, the tensors on both sides become one, and it may
 * use the wrong description for it. A tile that repeats nothing makes the same copy and is not dropped. docs/differences.md
 * lists the cases.
 */
import type { GraphNode, GraphSource, ResolvedGraph } from '../../graph/resolved-graph.js';
import { highestFeatureLevel } from '../../descriptors/feature-level.js';
import { resolveDescriptor } from '../../operators/resolve.js';
import type { ResolvedOperator, ResolvedTensor } from '../../descriptors/resolved.js';
import { elementSpan, isPacked, minimumTensorSizeInBytes, sameStrides, stridesOf } from '../../tensors/tensor-size.js';

/** The indices of the identities that have to be tiles, and of the sequences whose copies have to be. */
export function keptIdentities({ nodes, outputs }: ResolvedGraph): ReadonlySet<number> {
  // Most graphs have no such node.
  if (!nodes.some(passesOn)) return new Set();
  /** By node, the input of the graph that it passes on; undefined if it is no identity of one. */
  const passed: (string | undefined)[] = [];
  const readOtherwise = new Set<string>();
  const kept = new Set<number>();
  const inputOf = (source: GraphSource | null | undefined): string | undefined => {
    if (source === null || source === undefined) return undefined;
    return source.kind === 'node' ? passed[source.index] : `${source.kind} ${source.index}`;
  };
  for (const [index, node] of nodes.entries()) {
    const isIdentity = isPlainIdentity(node);
    // Of two identities in a row, DirectML drops both. If the first one changes the order, it refuses the graph.
    const [source] = node.inputs;
    if (isIdentity && source?.kind === 'node' && changesOrder(nodes[source.index])) kept.add(source.index);
    if (isIdentity && source?.kind === 'node' && takesOtherSizes(nodes[source.index], source.output, node)) kept.add(index);
    passed.push(isSequence(node) ? `node ${index}` : isIdentity ? inputOf(node.inputs[0]) : undefined);
    for (const { role, position, tensor } of node.operator.slots) {
      if (tensor === null || hasEachByteOnce(tensor)) continue;
      const input = role === 'input' ? inputOf(node.inputs[position]) : undefined;
      const isWritten = role === 'output' && isIdentity;
      if (input !== undefined) readOtherwise.add(input);
      // With other sizes on its two sides, DirectML may refuse the graph.
      if (isWritten) kept.add(index);
    }
  }
  // A copy of an input for an output of the graph copies only what another node reads.
  for (const { source } of outputs) if (readOtherwise.has(passed[source.index] ?? '')) kept.add(source.index);
  return kept;
}

/** True for a node that is, or copies, an input. */
function passesOn(node: GraphNode): boolean {
  return isSequence(node) || isPlainIdentity(node);
}

/** True for a sequence. It is computed beforehand, so that it is an input too. */
function isSequence({ operator }: GraphNode): boolean {
  return operator.descriptor.type === 'fillValueSequence';
}

/** True for an identity that changes no value: DirectML also drops those with a scale of 1 and a bias of 0. */
function isPlainIdentity({ operator: { descriptor } }: GraphNode): boolean {
  if (descriptor.type !== 'elementWiseIdentity') return false;
  const { scaleBias } = descriptor;
  return scaleBias === null || (scaleBias.scale === 1 && scaleBias.bias === 0);
}

/** True for an identity whose output has its elements in another order than its input. */
function changesOrder(node: GraphNode | undefined): boolean {
  const descriptor = node?.operator.descriptor;
  if (node === undefined || descriptor?.type !== 'elementWiseIdentity' || !isPlainIdentity(node)) return false;
  const { inputTensor, outputTensor } = descriptor;
  return !sameStrides(inputTensor.sizes, inputTensor.strides, outputTensor.strides);
}

/**
 * True for an identity that changes the order of elements that the node before it wrote with other sizes, such as `[27]` read as
 * `[1,3,3,3]` with interleaved channels. DirectML refuses such graphs unless the tensors fill blocks of 16 bytes and of 4 elements.
 */
function takesOtherSizes(writer: GraphNode | undefined, position: number, { operator }: GraphNode): boolean {
  const written = writer?.operator.slots.find((slot) => slot.role === 'output' && slot.position === position)?.tensor;
  const read = operator.slots.find(({ role }) => role === 'input')?.tensor;
  if (written === undefined || written === null || read === undefined || read === null) return false;
  const bytes = minimumTensorSizeInBytes(read.dataType, read.sizes, read.strides);
  const isWhole = bytes % 16 === 0 && elementSpan(read.sizes, read.strides) % 4 === 0;
  return !isWhole && !isPacked(read) && sizesInMemory(written) !== sizesInMemory(read);
}

/** The sizes above 1, from the largest stride to the smallest. */
function sizesInMemory(tensor: ResolvedTensor): string {
  const strides = stridesOf(tensor);
  const axes = tensor.sizes.map((size, axis) => ({ size, stride: strides[axis] ?? 0 })).filter(({ size }) => size > 1);
  return axes
    .sort((a, b) => b.stride - a.stride)
    .map(({ size }) => size)
    .join();
}

/** True if the elements lie together and none is there twice, apart from dimensions that are repeated as a whole. */
export function hasEachByteOnce(tensor: ResolvedTensor): boolean {
  if (tensor.strides === null) return true;
  const strides = stridesOf(tensor);
  const axes = tensor.sizes.map((size, axis) => ({ size, stride: strides[axis] ?? 0 }));
  const moving = axes.filter(({ size, stride }) => size > 1 && stride > 0).sort((a, b) => a.stride - b.stride);
  let next = 1;
  for (const { size, stride } of moving) {
    if (stride !== next) return false;
    next *= size;
  }
  return true;
}

/** Copies the elements as an identity of these tensors does. */
export function tileInsteadOf({ slots }: ResolvedOperator): ResolvedOperator {
  const [inputTensor, outputTensor] = ['input', 'output'].map((role) => slots.find((slot) => slot.role === role)?.tensor);
  const repeats = inputTensor?.sizes.map(() => 1);
  return resolveDescriptor({ type: 'tile', inputTensor, outputTensor, repeats }, highestFeatureLevel);
}

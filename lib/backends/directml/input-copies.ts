/**
 * Finds the outputs of a graph that are copies of its inputs, and that DirectML would not copy whole. Such a copy is an identity,
 * and DirectML takes for it the tensor of another node that reads the same input. If that node reads only a part of the elements,
 * or some of them twice, so does the copy. A tile that repeats nothing is copied whole. docs/differences.md has the case.
 */
import type { GraphNode, GraphSource, ResolvedGraph } from '../../graph/resolved-graph.js';
import { highestFeatureLevel } from '../../schema/feature-level.js';
import { resolveDescriptor } from '../../validation/index.js';
import type { ResolvedOperator, ResolvedTensor } from '../../validation/resolved.js';
import { stridesOf } from '../../validation/tensor-size.js';

/** The indices of the identities that have to be tiles, and of the sequences whose copies have to be. */
export function inputCopies({ nodes, outputs }: ResolvedGraph): ReadonlySet<number> {
  /** By node, the input that it passes on; undefined if it is no identity of one. */
  const passed: (string | undefined)[] = [];
  const readInPart = new Set<string>();
  const inputOf = (source: GraphSource | null | undefined): string | undefined => {
    if (source === null || source === undefined) return undefined;
    return source.kind === 'node' ? passed[source.index] : `${source.kind} ${source.index}`;
  };
  for (const [index, node] of nodes.entries()) {
    // A sequence is computed beforehand, so that it is an input too.
    const isSequence = node.operator.descriptor.type === 'fillValueSequence';
    passed.push(isSequence ? `node ${index}` : isCopy(node) ? inputOf(node.inputs[0]) : undefined);
    for (const { role, position, tensor } of node.operator.slots) {
      const input = role === 'input' && tensor !== null && !hasEachOnce(tensor) ? inputOf(node.inputs[position]) : undefined;
      if (input !== undefined) readInPart.add(input);
    }
  }
  const isEndangered = (index: number) => passed[index] !== undefined && readInPart.has(passed[index]);
  return new Set(outputs.map(({ source }) => source.index).filter(isEndangered));
}

function isCopy({ operator: { descriptor } }: GraphNode): boolean {
  return descriptor.type === 'elementWiseIdentity' && descriptor.scaleBias === null;
}

/** True if the elements lie together and none is there twice, apart from dimensions that are repeated as a whole. */
function hasEachOnce(tensor: ResolvedTensor): boolean {
  const strides = stridesOf(tensor);
  const axes = tensor.sizes
    .map((size, axis) => ({ size, stride: strides[axis] ?? 0 }))
    .filter(({ size, stride }) => size > 1 && stride > 0);
  axes.sort((a, b) => a.stride - b.stride);
  let next = 1;
  for (const { size, stride } of axes) {
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

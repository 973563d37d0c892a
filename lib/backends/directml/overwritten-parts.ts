/**
 * Parts of tensors that a graph has to copy. DirectML often does not copy a part of a tensor: it takes the memory of the whole
 * tensor. If the node that reads the part writes over it, DirectML plans its output there too, with the size of the part;
 * and then it refuses the graph, because the whole tensor does not fit.
 */
import type { GraphNode, NodeOutput, ResolvedGraph } from '../../graph/resolved-graph.js';
import type { OperatorType } from '../../schema/generated/descriptors.js';
import { operatorTable } from '../../schema/generated/table.js';
import type { ResolvedTensor } from '../../validation/resolved.js';
import { productOf } from '../../validation/tensor-size.js';

const cutting: readonly OperatorType[] = ['slice', 'slice1', 'split'];

/** The parts that the only node that reads them may overwrite, as `node output`. */
export function overwrittenParts({ nodes, outputs }: ResolvedGraph): ReadonlySet<string> {
  const readers = readersOf(nodes);
  const kept = new Set(outputs.map(({ source }) => outputKey(source)));
  const parts = new Set<string>();
  for (const [index, node] of nodes.entries()) {
    if (!cutting.includes(node.operator.descriptor.type)) continue;
    const [whole] = node.inputs;
    if (whole?.kind !== 'node' || kept.has(outputKey(whole)) || readers.get(outputKey(whole))?.size !== 1) continue;
    for (const { role, position, tensor } of node.operator.slots) {
      const part = outputKey({ kind: 'node', index, output: position });
      if (role === 'input' || tensor === null || kept.has(part) || !isLess(node, tensor)) continue;
      const [reader, ...others] = readers.get(part) ?? [];
      if (reader !== undefined && others.length === 0 && mayOverwrite(reader, tensor)) parts.add(part);
    }
  }
  return parts;
}

export function outputKey({ index, output }: NodeOutput): string {
  return `${index} ${output}`;
}

/** By key, the nodes that read an output. */
function readersOf(nodes: readonly GraphNode[]): ReadonlyMap<string, ReadonlySet<GraphNode>> {
  const readers = new Map<string, Set<GraphNode>>();
  for (const node of nodes) {
    for (const source of node.inputs) {
      if (source?.kind !== 'node') continue;
      readers.set(outputKey(source), (readers.get(outputKey(source)) ?? new Set<GraphNode>()).add(node));
    }
  }
  return readers;
}

/**
 * True if the part is not all of the tensor. Whether it lies in one piece cannot be told from strides: DirectML chooses its own
 * for tensors inside a graph.
 */
function isLess({ operator }: GraphNode, part: ResolvedTensor): boolean {
  const whole = operator.slots.find(({ role }) => role === 'input')?.tensor;
  return !part.sizes.every((size, axis) => size === whole?.sizes[axis]);
}

/** True if the node may write an output over the tensor. DirectML does that in more operators than it documents. */
function mayOverwrite({ operator: { descriptor, slots } }: GraphNode, read: ResolvedTensor): boolean {
  const { type } = descriptor;
  const canOverwrite = /^(activation|elementWise)/.test(type) || operatorTable[type].fields.some(({ inPlace }) => inPlace);
  const count = productOf(read.sizes);
  return canOverwrite && slots.some(({ role, tensor }) => role === 'output' && tensor && productOf(tensor.sizes) === count);
}

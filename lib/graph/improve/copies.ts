/** Copies: identities, and casts that change nothing. Who reads one can read what was copied, by other strides if it takes them. */
import type { DataType } from '../../tensors/generated/enums.js';
import { operatorTable } from '../../descriptors/generated/table.js';
import type { ResolvedTensor } from '../../descriptors/resolved.js';
import { sameStrides, stridesOf } from '../../tensors/tensor-size.js';
import { bitsOf, isFloat } from '../../tensors/data-types.js';
import type { GraphNode, GraphOutput } from '../resolved-graph.js';
import type { Draft, Edge } from './draft.js';
import { readsOutputs } from './equal-nodes.js';
import type { Rule } from './rule.js';

export const copies: Rule = {
  ends: null,
  apply: (node, draft) => {
    for (const { path, position, role, tensor } of node.operator.slots) {
      const source = role === 'input' ? (node.inputs[position] ?? null) : null;
      if (source === null || tensor === null) continue;
      const edge = { source, tensor };
      const origin = originOf(draft, edge);
      if (origin === null) continue;
      if (isSameLayout(edge, origin)) return { ...node, inputs: node.inputs.with(position, origin.source) };
      if (!isElementWise(node) || !draft.isReadOnce(edge)) continue;
      const made = draft.variant(node.name, node, { [path]: origin });
      if (made !== null) return made;
    }
    return null;
  },
};

/** True for a function of each element alone, which has the same bits in any strides. */
function isElementWise({ operator: { descriptor } }: GraphNode): boolean {
  const outputs = operatorTable[descriptor.type].fields.filter(({ role }) => role === 'output');
  return outputs.length === 1 && outputs[0]?.inPlace !== undefined && !('axis' in descriptor);
}

/** The output without the copies before it. An attention reads the memory of its outputs, so that they stay where they are. */
export function withoutCopies(output: GraphOutput, draft: Draft): GraphOutput {
  const origin = originOf(draft, output);
  if (origin?.source.kind !== 'node' || !isSameLayout(output, origin)) return output;
  const writer = draft.writer(origin);
  const isFree = writer !== null && !readsOutputs(writer);
  const isAsLarge = output.tensor.totalTensorSizeInBytes === origin.tensor.totalTensorSizeInBytes;
  return isFree && isAsLarge ? withoutCopies({ ...output, source: origin.source }, draft) : output;
}

/** What was copied for the edge, in the layout in which it reads the copy. Null if it reads no copy, or no strides do. */
export function originOf(draft: Draft, edge: Edge): Edge | null {
  const writer = draft.writer(edge);
  const descriptor = writer?.operator.descriptor;
  if (writer === null) return null;
  if (descriptor?.type === 'elementWiseIdentity') return descriptor.scaleBias === null ? before(draft, edge, writer) : null;
  if (descriptor?.type !== 'cast') return null;
  const { dataType } = descriptor.outputTensor;
  if (descriptor.inputTensor.dataType === dataType) return before(draft, edge, writer);
  const cast = before(draft, edge, writer);
  const widening = cast && draft.writer(cast);
  if (widening?.operator.descriptor.type !== 'cast') return null;
  const { inputTensor, outputTensor } = widening.operator.descriptor;
  return inputTensor.dataType === dataType && holds(outputTensor.dataType, dataType) ? before(draft, cast, widening) : null;
}

/** True if the integers of one data type are integers of the other. Not for floats, whose casts change the bits of NaN. */
function holds(wide: DataType, narrow: DataType): boolean {
  if (isFloat(wide) || isFloat(narrow)) return false;
  const isSigned = (type: DataType) => type.startsWith('int');
  return bitsOf(wide) > bitsOf(narrow) && (isSigned(wide) || !isSigned(narrow));
}

/** What the copying node reads for the elements of the edge. */
function before(draft: Draft, edge: Edge | null, copy: GraphNode): Edge | null {
  const input = draft.edge(copy, 'inputTensor');
  const written = copy.operator.slots.find(({ role }) => role === 'output')?.tensor;
  const strides = edge && input && written && stridesIn(input.tensor, written, edge.tensor);
  if (!strides) return null;
  const { sizes } = edge.tensor;
  return {
    source: input.source,
    tensor: { ...input.tensor, sizes, strides: sameStrides(sizes, strides, null) ? null : strides },
  };
}

/** The strides in `from` of elements that `read` finds in a copy of it; null if they are not evenly spaced there. */
export function stridesIn(from: ResolvedTensor, copy: ResolvedTensor, read: ResolvedTensor): readonly number[] | null {
  const runs = runsOf(from, copy);
  const given = stridesOf(read);
  const strides = read.sizes.map((size, axis) => {
    const stride = given[axis] ?? 0;
    if (size === 1 || stride === 0) return size === 1 ? 1 : 0;
    const run = runs.find(({ copied }) => copied <= stride);
    if (run === undefined || stride % run.copied !== 0) return null;
    const steps = stride / run.copied;
    run.left -= steps * (size - 1);
    return run.left > 0 ? steps * run.stride : null;
  });
  return strides.every((stride) => stride !== null) ? strides : null;
}

interface Run {
  readonly size: number;
  /** In the copy, and in what was copied. */
  readonly copied: number;
  readonly stride: number;
  /** How many elements come after those that were found so far. */
  left: number;
}

/** The dimensions from the outermost in the copy to the innermost. Those that are one dimension in both tensors are one. */
function runsOf(from: ResolvedTensor, copy: ResolvedTensor): readonly Run[] {
  const [strides, copied] = [stridesOf(from), stridesOf(copy)];
  const axes = copy.sizes.map((size, axis) => ({ size, left: size, copied: copied[axis] ?? 0, stride: strides[axis] ?? 0 }));
  const sorted = axes.filter(({ size }) => size > 1).sort((a, b) => b.copied - a.copied);
  return sorted.reduce<Run[]>((runs, inner) => {
    const outer = runs.at(-1);
    const isOne = outer?.copied === inner.copied * inner.size && outer.stride === inner.stride * inner.size;
    if (!isOne) return [...runs, inner];
    const size = outer.size * inner.size;
    return [...runs.slice(0, -1), { ...inner, size, left: size }];
  }, []);
}

function isSameLayout(a: Pick<Edge, 'tensor'>, b: Edge): boolean {
  return a.tensor.dataType === b.tensor.dataType && sameStrides(a.tensor.sizes, a.tensor.strides, b.tensor.strides);
}

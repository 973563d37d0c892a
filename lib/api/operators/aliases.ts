/**
 * Refuses bindings in which an output shares bytes with another tensor, unless it is exactly an input that the operator can
 * overwrite. DirectML reports no overlap, and the result is undefined.
 */
import { fieldError, type DirectMLError } from '../../errors.js';
import type { BackendBuffer, BufferRange } from '../../backends/backend.js';
import { placeIn, type BindingPlan, type Slot } from './binding-plan.js';
import { inputsInPlace, layoutDifference } from './in-place.js';

/** A tensor of the operator with its binding. */
export interface Bound {
  readonly slot: Slot;
  /** The index of the slot in the plan, which is the descriptor's order. */
  readonly position: number;
  readonly range: BufferRange;
}

/** Up to this number of tensors, all pairs are compared. */
const maxPairwiseCount = 8;

/** @throws {DirectMLError} ERR_ALIASED_BINDING that names an output and the tensor with which it shares bytes. */
export function refuseAliases(plan: BindingPlan, bound: readonly Bound[]): void {
  // An operator that can work in place has no arrays of tensors, so it always has few tensors.
  if (bound.length <= maxPairwiseCount || plan.inPlace.size > 0) {
    refuseAliasesAmongFew(plan, bound);
    return;
  }
  const byBuffer = new Map<BackendBuffer, Bound[]>();
  for (const entry of bound) {
    const others = byBuffer.get(entry.range.buffer);
    if (others === undefined) byBuffer.set(entry.range.buffer, [entry]);
    else others.push(entry);
  }
  for (const entries of byBuffer.values()) refuseAliasesWithin(plan, entries);
}

/** Compares all pairs. Runs at every dispatch, so it uses plain loops and allocates nothing. */
function refuseAliasesAmongFew(plan: BindingPlan, bound: readonly Bound[]): void {
  for (const output of bound) {
    if (output.slot.role !== 'output') continue;
    for (const other of bound) {
      if (other === output || other.range.buffer !== output.range.buffer) continue;
      if (output.range.offset >= endOf(other) || other.range.offset >= endOf(output)) continue;
      if (!isInPlace(plan, output, other)) throw aliased(plan, output, other);
    }
  }
}

/** True if `other` is an input that the output may overwrite, and both are bound to exactly the same bytes. */
function isInPlace(plan: BindingPlan, output: Bound, other: Bound): boolean {
  if (output.range.offset !== other.range.offset || output.range.sizeInBytes !== other.range.sizeInBytes) return false;
  return plan.inPlace.get(output.position)?.includes(other.position) === true;
}

/** Sorts the ranges of one buffer by their first byte. A range overlaps an earlier one if it starts before the furthest end. */
function refuseAliasesWithin(plan: BindingPlan, entries: Bound[]): void {
  entries.sort((a, b) => a.range.offset - b.range.offset || a.position - b.position);
  let furthest: Bound | null = null;
  let furthestOutput: Bound | null = null;
  for (const entry of entries) {
    const before: Bound | null = entry.slot.role === 'output' ? furthest : furthestOutput;
    if (before !== null && endOf(before) > entry.range.offset) throw aliased(plan, before, entry);
    if (furthest === null || endOf(entry) > endOf(furthest)) furthest = entry;
    if (entry.slot.role === 'output' && (furthestOutput === null || endOf(entry) > endOf(furthestOutput))) furthestOutput = entry;
  }
}

/** The error names the output; if both are outputs, the first of them. */
function aliased(plan: BindingPlan, a: Bound, b: Bound): DirectMLError {
  const isFirst = a.slot.role === 'output' && (b.slot.role === 'input' || a.position < b.position);
  const [output, other] = isFirst ? [a, b] : [b, a];
  const inputs = inputsInPlace(plan.type, output.slot.path);
  const expected = `bytes of its own${inputs.length === 0 ? '' : `, or exactly those of ${inputs.join(' or ')}`}`;
  const given = `bytes that are bound to ${other.slot.path} too`;
  const why = reasonAgainst(plan, output, other, inputs);
  return fieldError('ERR_ALIASED_BINDING', placeIn(plan, output.slot.path), expected, given, { why });
}

/** Why the output must not share bytes with `other`. */
function reasonAgainst(plan: BindingPlan, output: Bound, other: Bound, inputs: readonly string[]): string {
  if (other.slot.role === 'output') return 'two outputs never share bytes';
  if (plan.inPlace.size === 0) return `no output of ${plan.noun === 'graph' ? 'a graph' : plan.type} can be computed in place`;
  if (!inputs.includes(other.slot.path)) return `${output.slot.path} cannot be computed in the place of ${other.slot.path}`;
  const difference = layoutDifference(output.slot, other.slot);
  if (difference !== null) return `in place both need ${difference}`;
  return `in place both need the same bytes: ${output.slot.path} has ${bytesOf(output)}, ${other.slot.path} ${bytesOf(other)}`;
}

function bytesOf(bound: Bound): string {
  return `${bound.range.offset} to ${endOf(bound)}`;
}

function endOf({ range }: Bound): number {
  return range.offset + range.sizeInBytes;
}

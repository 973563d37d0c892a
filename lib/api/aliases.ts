/**
 * No output shares bytes with another tensor, but with an input in whose place the operator can write it. DirectML accepts
 * every other overlap in silence, and what it computes is then undefined.
 */
import { fieldError, type DirectMLError } from '../errors.js';
import type { BackendBuffer, BufferRange } from '../backends/backend.js';
import { placeIn, type BindingPlan, type Slot } from './binding-plan.js';
import { inputsInPlace, layoutDifference } from './in-place.js';

export interface Bound {
  readonly slot: Slot;
  /** Its number in the descriptor's order. */
  readonly position: number;
  readonly range: BufferRange;
}

/** With up to so many tensors, each is compared with each. */
const few = 8;

/** @throws {DirectMLError} ERR_ALIASED_BINDING naming an output and what it shares bytes with. */
export function refuseAliases(plan: BindingPlan, bound: readonly Bound[]): void {
  // An operator that works in place has no arrays of tensors.
  if (bound.length <= few || plan.inPlace.size > 0) {
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

/** Runs at every dispatch: plain loops, and nothing made that is not needed. */
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

/** True if the output takes exactly the bytes of an input that it may take. */
function isInPlace(plan: BindingPlan, output: Bound, other: Bound): boolean {
  if (output.range.offset !== other.range.offset || output.range.sizeInBytes !== other.range.sizeInBytes) return false;
  return plan.inPlace.get(output.position)?.includes(other.position) === true;
}

/** Of one buffer, from its first byte to its last: what reaches furthest is what the next one can run into. */
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

/** Names the output; of two outputs the first. */
function aliased(plan: BindingPlan, a: Bound, b: Bound): DirectMLError {
  const isFirst = a.slot.role === 'output' && (b.slot.role === 'input' || a.position < b.position);
  const [output, other] = isFirst ? [a, b] : [b, a];
  const inputs = inputsInPlace(plan.type, output.slot.path);
  const expected = `bytes of its own${inputs.length === 0 ? '' : `, or exactly those of ${inputs.join(' or ')}`}`;
  const given = `bytes that are bound to ${other.slot.path} too`;
  const why = reasonAgainst(plan, output, other, inputs);
  return fieldError('ERR_ALIASED_BINDING', placeIn(plan, output.slot.path), expected, given, { why });
}

/** Why the output may not have these bytes. */
function reasonAgainst(plan: BindingPlan, output: Bound, other: Bound, inputs: readonly string[]): string {
  if (other.slot.role === 'output') return 'two outputs never share bytes';
  if (plan.inPlace.size === 0) return `no output of ${plan.type} can be computed in place`;
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

/** No output shares bytes with another tensor: DirectML accepts that in silence, and what it computes is then undefined. */
import { fieldError } from '../errors.js';
import type { BackendBuffer, BufferRange } from '../backends/backend.js';
import { placeIn, type BindingPlan, type Slot } from './binding-plan.js';

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
  if (bound.length <= few && !shareBytes(bound)) return;
  const byBuffer = new Map<BackendBuffer, Bound[]>();
  for (const entry of bound) {
    const others = byBuffer.get(entry.range.buffer);
    if (others === undefined) byBuffer.set(entry.range.buffer, [entry]);
    else others.push(entry);
  }
  for (const entries of byBuffer.values()) refuseAliasesWithin(plan, entries);
}

/** True if an output shares bytes with another tensor. */
function shareBytes(bound: readonly Bound[]): boolean {
  for (const output of bound) {
    if (output.slot.role !== 'output') continue;
    for (const other of bound) {
      if (other === output || other.range.buffer !== output.range.buffer) continue;
      if (output.range.offset < endOf(other) && other.range.offset < endOf(output)) return true;
    }
  }
  return false;
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
function aliased(plan: BindingPlan, a: Bound, b: Bound) {
  const isFirst = a.slot.role === 'output' && (b.slot.role === 'input' || a.position < b.position);
  const [output, other] = isFirst ? [a, b] : [b, a];
  const given = `bytes that are bound to ${other.slot.path} too`;
  return fieldError('ERR_ALIASED_BINDING', placeIn(plan, output.slot.path), 'an output with bytes of its own', given);
}

function endOf({ range }: Bound): number {
  return range.offset + range.sizeInBytes;
}

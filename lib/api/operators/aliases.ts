/**
 * Refuses bindings in which an output shares bytes with another tensor, unless it is exactly an input that the operator can
 * overwrite. DirectML reports no overlap, and the result is undefined.
 */
import { fieldError, type DirectMLError } from '../../values/errors.js';
import { placeIn, type BindingPlan } from './binding-plan.js';
import type { BoundTensor, Dispatch } from './dispatch.js';
import { inputsInPlace, layoutDifference } from './in-place.js';

/** @throws {DirectMLError} ERR_ALIASED_BINDING that names an output and the tensor with which it shares bytes. */
export function refuseAliases({ plan, inputs, outputs }: Dispatch): void {
  if (plan.comparesPairs) {
    for (const output of outputs) {
      if (output === null) continue;
      refuseSharing(plan, output, inputs);
      refuseSharing(plan, output, outputs);
    }
    return;
  }
  const byMemory = new Map<unknown, BoundTensor[]>();
  for (const bound of [...inputs, ...outputs]) {
    if (bound === null) continue;
    const others = byMemory.get(bound.buffer.memory);
    if (others === undefined) byMemory.set(bound.buffer.memory, [bound]);
    else others.push(bound);
  }
  for (const all of byMemory.values()) refuseAliasesWithin(plan, all);
}

/** @throws {DirectMLError} ERR_ALIASED_BINDING that names an output which shares bytes with one of the other tensors. */
export function refuseOverlaps(
  plan: BindingPlan,
  outputs: readonly (BoundTensor | null)[],
  others: readonly BoundTensor[],
): void {
  for (const output of outputs) if (output !== null) refuseSharing(plan, output, others);
}

/** Runs at every dispatch, so it uses a plain loop and allocates nothing. */
function refuseSharing(plan: BindingPlan, output: BoundTensor, others: readonly (BoundTensor | null)[]): void {
  for (const other of others) {
    if (other === null || other === output || other.buffer.memory !== output.buffer.memory) continue;
    if (startOf(output) >= endOf(other) || startOf(other) >= endOf(output)) continue;
    if (!isInPlace(plan, output, other)) throw aliased(plan, output, other);
  }
}

/** True if `other` is an input that the output may overwrite, and both are bound to exactly the same bytes. */
function isInPlace(plan: BindingPlan, output: BoundTensor, other: BoundTensor): boolean {
  if (startOf(output) !== startOf(other) || output.sizeInBytes !== other.sizeInBytes) return false;
  return plan.inPlace.get(output.slot)?.includes(other.slot) === true;
}

/**
 * Sorts the ranges of one memory by their first byte; those with the same one stay in the plan's order. A range overlaps an earlier
 * one if it starts before the furthest end.
 */
function refuseAliasesWithin(plan: BindingPlan, entries: BoundTensor[]): void {
  entries.sort((a, b) => startOf(a) - startOf(b));
  let furthest: BoundTensor | null = null;
  let furthestOutput: BoundTensor | null = null;
  for (const entry of entries) {
    const before: BoundTensor | null = entry.slot.role === 'output' ? furthest : furthestOutput;
    if (before !== null && endOf(before) > startOf(entry)) throw aliased(plan, before, entry);
    if (furthest === null || endOf(entry) > endOf(furthest)) furthest = entry;
    if (entry.slot.role === 'output' && (furthestOutput === null || endOf(entry) > endOf(furthestOutput))) furthestOutput = entry;
  }
}

/** The error names the output; if both are outputs, the first of them. */
function aliased(plan: BindingPlan, a: BoundTensor, b: BoundTensor): DirectMLError {
  const isFirst = a.slot.role === 'output' && (b.slot.role === 'input' || a.slot.position < b.slot.position);
  const [output, other] = isFirst ? [a, b] : [b, a];
  const inputs = inputsInPlace(plan.type, output.slot.path);
  const expected = `bytes of its own${inputs.length === 0 ? '' : `, or exactly those of ${inputs.join(' or ')}`}`;
  const where = output.buffer === other.buffer ? '' : ', by another buffer of the same memory';
  const given = `bytes that are bound to ${other.slot.path} too${where}`;
  const why = reasonAgainst(plan, output, other, inputs);
  return fieldError('ERR_ALIASED_BINDING', placeIn(plan, output.slot.path), expected, given, { why });
}

/** Why the output must not share bytes with `other`. */
function reasonAgainst(plan: BindingPlan, output: BoundTensor, other: BoundTensor, inputs: readonly string[]): string {
  if (other.slot.role === 'output') return 'two outputs never share bytes';
  if (plan.inPlace.size === 0) return `no output of ${plan.type === 'graph' ? 'a graph' : plan.type} can be computed in place`;
  if (!inputs.includes(other.slot.path)) return `${output.slot.path} cannot be computed in the place of ${other.slot.path}`;
  const difference = layoutDifference(output.slot, other.slot);
  if (difference !== null) return `in place both need ${difference}`;
  return `in place both need the same bytes: ${output.slot.path} has ${bytesOf(output)}, ${other.slot.path} ${bytesOf(other)}`;
}

function bytesOf(bound: BoundTensor): string {
  return `${startOf(bound)} to ${endOf(bound)}`;
}

/** The first byte in the memory, in which several buffers may begin. */
function startOf({ buffer, offset }: BoundTensor): number {
  return buffer.base + offset;
}

function endOf(bound: BoundTensor): number {
  return startOf(bound) + bound.sizeInBytes;
}

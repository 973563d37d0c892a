/** Dispatches after checking indices. */
import type { DirectMLError } from '../../values/errors.js';
import { bufferSize } from '../../tensors/tensor-size.js';
import { refuseDisposed, type BoundTensor, type Dispatch } from './dispatch.js';
import type { Work } from './dispatchable.js';

/** The engine's own, saved now because a program may replace the global later. */
const { Uint8Array } = globalThis;

/** An input that has indices, and a search in its bytes, which returns the error for the first index out of range. */
export interface IndexCheck {
  readonly position: number;
  readonly find: (bytes: ArrayBuffer) => DirectMLError | null;
}

/** Reads the indices, checks them, and records a dispatch that uses copies of them. */
export async function recordChecked(
  work: Work,
  method: string,
  dispatch: Dispatch,
  checks: readonly IndexCheck[],
): Promise<void> {
  const { backend } = work.context;
  const { inputs } = dispatch;
  const read = new Map<BoundTensor, ArrayBuffer>();
  for (const { position } of checks) {
    const bound = inputs[position] ?? null;
    if (bound === null || read.has(bound)) continue;
    try {
      read.set(bound, (await backend.read(bound.buffer, bound.offset, bound.sizeInBytes)).bytes);
    } catch (error) {
      throw work.context.explain(`${work.plan.type}: ${method}`, error);
    }
  }
  for (const { position, find } of checks) {
    const bound = inputs[position] ?? null;
    const bytes = bound === null ? undefined : read.get(bound);
    const error = bytes === undefined ? null : find(bytes);
    if (error !== null) throw error;
  }
  work.check(method);
  refuseDisposed(dispatch);
  const copies = new Map<BoundTensor | null, BoundTensor>();
  try {
    for (const [bound, bytes] of read) {
      const buffer = backend.createBuffer(bufferSize(bytes.byteLength));
      copies.set(bound, { ...bound, buffer, offset: 0 });
      backend.write(buffer, 0, new Uint8Array(bytes));
    }
    work.record(method, { ...dispatch, inputs: inputs.map((bound) => copies.get(bound) ?? bound) });
  } finally {
    for (const { buffer } of copies.values()) buffer.dispose();
  }
}

/** Dispatches after checking indices. */
import type { BufferRange } from '../../backends/backend.js';
import type { DirectMLError } from '../../errors.js';
import { bufferSize } from '../memory/new-tensor.js';
import { refuseDisposed, type BoundRanges } from './bound-ranges.js';
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
  { inputs, outputs, bound }: BoundRanges,
  checks: readonly IndexCheck[],
): Promise<void> {
  const { backend } = work.context;
  const positions = [...new Set(checks.map(({ position }) => position))];
  const read = new Map<number, ArrayBuffer>();
  for (const position of positions) {
    const range = inputs[position] ?? null;
    if (range !== null) read.set(position, (await backend.read(range.buffer, range.offset, range.sizeInBytes)).bytes);
  }
  for (const { position, find } of checks) {
    const bytes = read.get(position);
    const error = bytes === undefined ? null : find(bytes);
    if (error !== null) throw error;
  }
  work.check(method);
  refuseDisposed(work.plan, bound);
  const copies = new Map<number, BufferRange>();
  try {
    for (const [position, bytes] of read) {
      const buffer = backend.createBuffer(bufferSize(bytes.byteLength));
      copies.set(position, { buffer, offset: 0, sizeInBytes: inputs[position]?.sizeInBytes ?? 0 });
      backend.write(buffer, 0, new Uint8Array(bytes));
    }
    work.record(method, { inputs: inputs.map((range, position) => copies.get(position) ?? range), outputs, bound });
  } finally {
    for (const { buffer } of copies.values()) buffer.dispose();
  }
}

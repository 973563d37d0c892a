/**
 * Copies and parts of bytes. The methods `slice` and `subarray` make both with the species of the array's constructor, which a
 * program may have replaced: it would get the memory, and could return any other.
 */

/** The engine's own, saved now because a program may replace the global later. */
const { Uint8Array } = globalThis;

export function copyOfBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}

/** A view of the bytes from `start` to before `end`, as far as the array has them; nothing is copied. */
export function partOfBytes<Memory extends ArrayBufferLike>(
  bytes: Uint8Array<Memory>,
  start: number,
  end: number = bytes.length,
): Uint8Array<Memory> {
  const [first, last] = [Math.min(start, bytes.length), Math.min(end, bytes.length)];
  return new Uint8Array(bytes.buffer, bytes.byteOffset + first, Math.max(0, last - first));
}

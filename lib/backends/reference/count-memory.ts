/** Lets the engine count memory that it does not know of. */
import { define } from '../../define.js';

/** In bytes. Less is not worth telling. */
const LEAST = 2 ** 12;
/** In bytes. The engine starts to collect after 64 MiB. */
const MOST = 2 ** 30;

/**
 * Counts memory that an object keeps from being freed. The engine collects garbage when enough memory was allocated outside of its
 * heap, but knows neither shared memory nor that of other threads. So this gives the object other memory of the same size,
 * which the engine counts, and which lives as long. That is never touched, so that the system only reserves addresses for it.
 */
export function countMemory(owner: object, sizeInBytes: number): void {
  if (sizeInBytes < LEAST) return;
  try {
    define(owner, 'countedMemory', Buffer.allocUnsafeSlow(Math.min(sizeInBytes, MOST)));
  } catch {
    // Garbage is collected later then.
  }
}

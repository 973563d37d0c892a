/** Makes the engine count memory that it does not know about. */
import { define } from '../../values/define.js';

/** In bytes. Less is not worth counting. */
const LEAST = 2 ** 12;
/** In bytes. The engine starts to collect after 64 MiB. */
const MOST = 2 ** 30;

/**
 * Counts memory that an object keeps from being freed. The engine collects garbage once enough memory was allocated outside its
 * heap, but it counts neither shared memory nor the memory of other threads. So this attaches other memory of the same size to
 * the object, which the engine does count. It is never touched, so the system only reserves addresses for it.
 */
export function countMemory(owner: object, sizeInBytes: number): void {
  if (sizeInBytes < LEAST) return;
  try {
    define(owner, 'countedMemory', Buffer.allocUnsafeSlow(Math.min(sizeInBytes, MOST)));
  } catch {
    // Then garbage is collected later.
  }
}

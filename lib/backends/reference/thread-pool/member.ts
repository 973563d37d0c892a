/** The work of a helper thread of a thread pool: it computes chunks and waits for more, until it is terminated. */
import { instanceOf, type SharedSimd } from '../../../compute/simd.js';
import { Chunks } from './chunks.js';

/** What a member is started with. */
export interface MemberStart {
  readonly role: 'member';
  readonly simd: SharedSimd;
  readonly chunks: SharedArrayBuffer;
}

/** In milliseconds: how long a member keeps its processor. */
const TURN = 1;

/** Nothing ever changes here. */
const still = new Int32Array(new SharedArrayBuffer(4));

/** Never returns: the thread is ended from outside. */
export function runMember({ simd, chunks: memory }: MemberStart): never {
  const exports = instanceOf(simd);
  const chunks = new Chunks(memory);
  for (let end = 0; ;) {
    if (performance.now() > end) {
      sleepShortly();
      end = performance.now() + TURN;
    }
    if (!chunks.compute(exports)) chunks.awaitNext();
  }
}

/**
 * Yields the processor to other threads, above all the JavaScript thread. Otherwise the system would switch to them only after
 * several milliseconds and in the middle of a chunk, for which the whole thread pool would wait.
 */
function sleepShortly(): void {
  Atomics.wait(still, 0, 0, 0.001);
}

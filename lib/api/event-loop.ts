/**
 * Lets the event loop turn. A program that awaits one settled promise after the other never leaves its microtasks. Then no
 * timer and no I/O gets its turn, and no finalizer, so that the memory of forgotten tensors is not freed.
 */
import { performance } from 'node:perf_hooks';
import * as timers from 'node:timers';

/** Taken now, because a program may replace it later, for tests of its own. */
const { setImmediate } = timers;
const { nodeTiming } = performance;

/** Longest run without a turn of the event loop, in milliseconds; twice this at worst. */
const LONGEST = 5;

/** When the last turn was made here, or noticed, and for how long the event loop had waited by then. */
let turned = performance.now();
let waited = nodeTiming.idleTime;
let turn: Promise<void> | null = null;

/** Null if it is not yet time for a turn of the event loop, else a promise that resolves after one. */
export function dueTurn(): Promise<void> | null {
  const now = performance.now();
  if (now - turned < LONGEST) return null;
  const { idleTime } = nodeTiming;
  if (idleTime === waited) return nextTurn();
  // The event loop has waited meanwhile, as it does for the device. A turn takes longer than to notice that.
  turned = now;
  waited = idleTime;
  return null;
}

/** Resolves after a turn of the event loop. */
export function nextTurn(): Promise<void> {
  turn ??= new Promise((resolve) => {
    setImmediate(() => {
      turn = null;
      turned = performance.now();
      resolve();
    });
  });
  return turn;
}

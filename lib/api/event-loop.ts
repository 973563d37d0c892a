/**
 * Lets the event loop turn. A program that awaits one settled promise after the other never leaves its microtasks. Then no
 * timer and no I/O gets its turn, and no finalizer, so that the memory of forgotten tensors is not freed.
 */
import { performance } from 'node:perf_hooks';
import * as timers from 'node:timers';

/** Taken now, because a program may replace it later, for tests of its own. */
const { setImmediate } = timers;

/** In milliseconds, how long a program may go on without a turn of the event loop. A turn takes some 10 microseconds. */
const LONGEST = 5;

/** When the last turn ended that was made here. Programs make others, which need not be known: these turns are rare. */
let turned = performance.now();
let turn: Promise<void> | null = null;

/** Null if it is not yet time for a turn of the event loop, else a promise that resolves after one. */
export function dueTurn(): Promise<void> | null {
  return performance.now() - turned < LONGEST ? null : nextTurn();
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

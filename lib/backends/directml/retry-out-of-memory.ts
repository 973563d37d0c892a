/**
 * Compiles once more if memory runs out. Not for work that takes over tensors of the user: a command may have changed them
 * since.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { textOf } from './native-error.js';

export async function retryingOutOfMemory<T>(compile: () => Promise<T>): Promise<T> {
  try {
    return await compile();
  } catch (error) {
    if (!(error instanceof Error) || textOf(error, 'code') !== 'ERR_OUT_OF_MEMORY') throw error;
  }
  // Objects that the running code still holds may become collectable by the next turn of the event loop.
  await nextTurn();
  return compile();
}

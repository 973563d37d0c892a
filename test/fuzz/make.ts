/** What makes the calls of a round, and how it picks their objects. */
import type { Random } from '../random.js';
import type { Action } from './tracker.js';
import { isLive, type World } from './world.js';

/**
 * Draws a call and its arguments; the call is made later, when the world may have changed. Null if the world has no objects
 * for such a call at the moment.
 */
export type Make = (random: Random, world: World) => Action | null;

export function pickLive<T extends Parameters<typeof isLive>[0]>(random: Random, held: readonly T[]): T | null {
  const live = held.filter(isLive);
  return live.length === 0 ? null : random.pick(live);
}

export function pickDevice(random: Random, world: World) {
  const live = world.live();
  return live.length === 0 ? null : random.pick(live);
}

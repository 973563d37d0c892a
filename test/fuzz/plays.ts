import type { Play, PlayName } from './round.js';

/** Loads what the rounds consist of. */
export async function playOf(name: PlayName): Promise<Play> {
  const play = name === 'calls' ? (await import('./calls.js')).calls : (await import('./sessions.js')).sessions;
  await play.prepare?.();
  return play;
}

/** Loads what makes the rounds. Files need no addon, and calls and sessions do. */
import type { PlayName, RoundOrder, RoundResult, Watcher } from './round.js';

export async function roundsOf(name: PlayName): Promise<(order: RoundOrder, watcher: Watcher) => Promise<RoundResult>> {
  if (name === 'files') return (await import('./files.js')).runFiles;
  const { runRound } = await import('./round.js');
  const play = name === 'calls' ? (await import('./calls.js')).calls : (await import('./sessions.js')).sessions;
  await play.prepare?.();
  return (order, watcher) => runRound(play, order, watcher);
}

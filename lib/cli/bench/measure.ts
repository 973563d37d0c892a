/** Measures work: the median of rounds, each of which is long enough for the clock. */
import type { Device } from '../../index.js';

/** In milliseconds. Shorter work is repeated within a round. */
const shortestRound = 20;
const maxRepeats = 4096;
const minRounds = 3;
const profiledRounds = 3;

export interface Measured {
  /** In milliseconds, of the work done once: the median and the least of the rounds. */
  readonly median: number;
  readonly least: number;
  readonly rounds: number;
  /** How often a round did its work. */
  readonly repeats: number;
}

/** Starts the work `repeats` times and waits for the end of it. */
export type Round = (repeats: number) => Promise<void>;

/** Measures for that many milliseconds, and at least three rounds; the first rounds, which warm up, do not count. */
export async function measure(round: Round, milliseconds: number): Promise<Measured> {
  await round(1);
  let repeats = 1;
  while (repeats < maxRepeats && (await timed(round, repeats)) < shortestRound) repeats *= 2;
  const times: number[] = [];
  const end = performance.now() + milliseconds;
  while (times.length < minRounds || performance.now() < end) times.push((await timed(round, repeats)) / repeats);
  const sorted = times.toSorted((a, b) => a - b);
  return { median: median(sorted), least: sorted[0] ?? 0, rounds: times.length, repeats };
}

/** The median GPU time, in milliseconds, for doing the work once; null if it cannot be measured. */
export async function gpuTime(device: Device, round: Round, repeats: number): Promise<number | null> {
  const times: number[] = [];
  for (let i = 0; i < profiledRounds; i++) {
    const { gpuMs } = await device.profile(() => round(repeats));
    if (gpuMs === null) return null;
    times.push(gpuMs / repeats);
  }
  return median(times.toSorted((a, b) => a - b));
}

export async function timed(round: Round, repeats: number): Promise<number> {
  const began = performance.now();
  await round(repeats);
  return performance.now() - began;
}

/** Of sorted numbers. */
function median(sorted: readonly number[]): number {
  const middle = Math.floor(sorted.length / 2);
  const [low = 0, high = 0] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]];
  return (low + high) / 2;
}

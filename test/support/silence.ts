/**
 * Tells when tests hang. A busy machine makes tests slower, so silence is not measured by the clock: only time counts in which
 * the tests could have used the processors.
 */
import { cpus } from 'node:os';

/** In milliseconds. */
export const longestSilence = 10 * 60_000;

/** Processor time in milliseconds, summed over all processors. */
interface Times {
  readonly processors: number;
  /** In which nothing ran. */
  readonly idle: number;
  /** That this process used. */
  readonly own: number;
}

export function timesNow(): Times {
  const all = cpus();
  const { user, system } = process.cpuUsage();
  return {
    processors: Math.max(1, all.length),
    idle: all.reduce((sum, { times }) => sum + times.idle, 0),
    own: (user + system) / 1000,
  };
}

/** How long no test has ended. */
export class Silence {
  #length = 0;
  #last: Times;

  constructor(times = timesNow()) {
    this.#last = times;
  }

  /** To be called when a test or a file ends. */
  break(): void {
    this.#length = 0;
  }

  /**
   * To be called again and again. Returns true if the silence is too long.
   * @param canHang whether a test runs. The type checker cannot hang, and ends no test for minutes.
   */
  isTooLong(canHang: boolean, times = timesNow()): boolean {
    const { idle, own } = this.#last;
    this.#last = times;
    if (canHang) this.#length += (times.idle - idle + times.own - own) / times.processors;
    return this.#length > longestSilence;
  }
}

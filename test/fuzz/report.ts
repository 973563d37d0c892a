/** The results of a run as one row of a table. */
import type { RoundResult } from './round.js';
import type { Trouble, TroubleKind } from './segment.js';

/** The kinds of failures, and their names in the table. */
const COLUMNS: readonly (readonly [TroubleKind, string])[] = [
  ['crash', 'crashes'],
  ['hang', 'hangs'],
  ['foreign', 'foreign errors'],
  ['unsettled', 'unsettled promises'],
  ['alive', 'objects left'],
  ['wrong', 'wrong results'],
  ['refused', 'right calls refused'],
  ['accepted', 'wrong calls accepted'],
];
/** The first share of rounds, which does not count for growth: pools and the driver still grow to their size. */
const SETTLING = 0.5;
const FEWEST_ROUNDS = 20;
const MEBIBYTE = 2 ** 20;
/**
 * The limit of resident memory's growth per opened device, in bytes, once a process has settled. In the sandbox, Wine keeps
 * about 0.8 MiB of a device that is opened and disposed of without any work.
 */
const GROWTH_LIMIT = 2 * MEBIBYTE;

interface Settled {
  readonly resident: number[];
  opened: number;
}

export class Report {
  readonly #onCalls: (calls: number) => void;
  #calls = 0;
  #succeeded = 0;
  #refused = 0;
  readonly #troubles = new Map<TroubleKind, number>();
  /** The settled rounds of each process, in order. */
  readonly #processes = new Map<object, Settled>();

  /** @param onCalls Gets the number of calls so far. */
  constructor(onCalls: (calls: number) => void) {
    this.#onCalls = onCalls;
  }

  addCalls(count: number): void {
    this.#calls += count;
    this.#onCalls(this.#calls);
  }

  addTrouble({ kind }: Trouble): void {
    this.#troubles.set(kind, (this.#troubles.get(kind) ?? 0) + 1);
  }

  /** @param process What identifies the process. */
  addRound({ succeeded, refused, opened, resident }: RoundResult, process: object): void {
    this.#succeeded += succeeded;
    this.#refused += refused;
    const rounds = this.#processes.get(process) ?? { resident: [], opened: 0 };
    rounds.resident.push(resident);
    rounds.opened += opened;
    this.#processes.set(process, rounds);
  }

  get failures(): number {
    const troubles = [...this.#troubles.values()].reduce((sum, count) => sum + count, 0);
    return troubles + (this.#growth() > GROWTH_LIMIT ? 1 : 0);
  }

  row(): Readonly<Record<string, string | number>> {
    const growth = this.#growth();
    return {
      calls: this.#calls,
      succeeded: this.#succeeded,
      refused: this.#refused,
      ...Object.fromEntries(COLUMNS.map(([kind, name]) => [name, this.#troubles.get(kind) ?? 0])),
      'MiB more a device': Number.isNaN(growth) ? 'too few rounds' : (growth / MEBIBYTE).toFixed(1),
    };
  }

  /** The largest growth of any process, in bytes per opened device; NaN if no process had enough rounds. */
  #growth(): number {
    const settled = [...this.#processes.values()]
      .filter(({ resident }) => resident.length >= FEWEST_ROUNDS)
      .map(({ resident, opened }) => slope(resident.slice(Math.floor(resident.length * SETTLING))) / (opened / resident.length));
    return settled.length === 0 ? NaN : Math.max(...settled);
  }
}

/** The slope of the least-squares line through values at a distance of 1. */
function slope(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const covariance = values.reduce((sum, value, i) => sum + (i - middle) * (value - mean), 0);
  return covariance / values.reduce((sum, _, i) => sum + (i - middle) ** 2, 0);
}

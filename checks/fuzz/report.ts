/** The results of a run as one row of a table. */
import { linearRegression, max, sum } from 'simple-statistics';
import type { RoundResult } from './round.js';
import type { FailureKind } from './tracker.js';

type TroubleKind = FailureKind | 'crash' | 'hang';

export interface Trouble {
  readonly kind: TroubleKind;
  /** The number of the call; for a crash or hang, of the last call of the process. */
  readonly index: number;
  readonly text: string;
}

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
/** The fraction of rounds, from the first on, that does not count for growth: pools and the driver still grow to their size. */
const SETTLING = 0.5;
const FEWEST_ROUNDS = 20;
const MEBIBYTE = 2 ** 20;
/**
 * The limit of resident memory's growth per opened device, in bytes, once a process has settled. In the sandbox, Wine keeps
 * about 0.8 MiB of a device that is opened and disposed of without any work.
 */
const GROWTH_LIMIT = 2 * MEBIBYTE;

export class Report {
  readonly #onCalls: (calls: number) => void;
  #calls = 0;
  readonly #troubles: TroubleKind[] = [];
  /** The rounds of each process, in order. */
  readonly #processes = new Map<object, readonly RoundResult[]>();

  /** @param onCalls Gets the number of calls so far. */
  constructor(onCalls: (calls: number) => void) {
    this.#onCalls = onCalls;
  }

  addCalls(count: number): void {
    this.#calls += count;
    this.#onCalls(this.#calls);
  }

  addTrouble({ kind }: Trouble): void {
    this.#troubles.push(kind);
  }

  /** @param process What identifies the process. */
  addRound(round: RoundResult, process: object): void {
    this.#processes.set(process, [...(this.#processes.get(process) ?? []), round]);
  }

  get failures(): number {
    return this.#troubles.length + (this.#growth() > GROWTH_LIMIT ? 1 : 0);
  }

  row(): Readonly<Record<string, string | number>> {
    const rounds = [...this.#processes.values()].flat();
    const growth = this.#growth();
    return {
      calls: this.#calls,
      succeeded: sum(rounds.map(({ succeeded }) => succeeded)),
      refused: sum(rounds.map(({ refused }) => refused)),
      ...Object.fromEntries(COLUMNS.map(([kind, name]) => [name, this.#troubles.filter((one) => one === kind).length])),
      'MiB more a device': Number.isNaN(growth) ? 'too few rounds' : (growth / MEBIBYTE).toFixed(1),
    };
  }

  /** The largest growth of any process, in bytes per opened device; NaN if no process had enough rounds. */
  #growth(): number {
    const growths = [...this.#processes.values()]
      .filter(({ length }) => length >= FEWEST_ROUNDS)
      .map((rounds) => {
        const resident = rounds.map((round) => round.resident).slice(Math.floor(rounds.length * SETTLING));
        const { m: slope } = linearRegression(resident.map((bytes, i) => [i, bytes]));
        return slope / (sum(rounds.map(({ opened }) => opened)) / rounds.length);
      });
    return growths.length === 0 ? NaN : max(growths);
  }
}

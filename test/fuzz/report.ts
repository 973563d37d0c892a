/** What a run has shown, as one row of a table. */
import type { RoundResult } from './round.js';
import type { Trouble, TroubleKind } from './segment.js';

/** What counts as wrong, and how the table calls it. */
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
/** A process grows while its pools and the driver take their size: rounds before this share of them do not count. */
const SETTLING = 0.5;
const FEWEST_ROUNDS = 20;
const MEBIBYTE = 2 ** 20;
/**
 * What resident memory may grow by for each device that is opened, once it has settled. In the sandbox Wine keeps some
 * 0.8 MiB of a device that is opened and disposed of without any work.
 */
const GROWTH_LIMIT = 2 * MEBIBYTE;

interface Settled {
  readonly resident: number[];
  opened: number;
}

export class Report {
  calls = 0;
  #succeeded = 0;
  #refused = 0;
  readonly #troubles = new Map<TroubleKind, number>();
  /** By process, in the order of rounds. */
  readonly #processes = new Map<string, Settled>();

  addTrouble({ kind }: Trouble): void {
    this.#troubles.set(kind, (this.#troubles.get(kind) ?? 0) + 1);
  }

  addRound({ succeeded, refused, opened, resident }: RoundResult, process: string): void {
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
      calls: this.calls,
      succeeded: this.#succeeded,
      refused: this.#refused,
      ...Object.fromEntries(COLUMNS.map(([kind, name]) => [name, this.#troubles.get(kind) ?? 0])),
      'MiB more a device': Number.isNaN(growth) ? 'too few rounds' : (growth / MEBIBYTE).toFixed(1),
    };
  }

  /** Bytes for each device that is opened by which the process grows that grows most; NaN where none had rounds enough. */
  #growth(): number {
    const settled = [...this.#processes.values()]
      .filter(({ resident }) => resident.length >= FEWEST_ROUNDS)
      .map(({ resident, opened }) => slope(resident.slice(Math.floor(resident.length * SETTLING))) / (opened / resident.length));
    return settled.length === 0 ? NaN : Math.max(...settled);
  }
}

/** Of the straight line through values one apart, by least squares. */
function slope(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const covariance = values.reduce((sum, value, i) => sum + (i - middle) * (value - mean), 0);
  return covariance / values.reduce((sum, _, i) => sum + (i - middle) ** 2, 0);
}

/** Which tests notice mutants. */
import { writeFileSync } from 'node:fs';
import { runChildren } from '../harness/children.js';
import { showProgress } from '../harness/report.js';
import { notes, task } from './checkout.js';

/** What the tests say about a mutant, and which test notices it. */
export interface Verdict {
  readonly kind: 'noticed' | 'survived' | 'not reached';
  readonly by: string;
}

/** What the tests of the copy are to do. */
export interface Task {
  /** Those that no test has noticed, and how long tests have run with each of them, in milliseconds. */
  readonly mutants: readonly (readonly [mutant: number, spent: number])[];
  /** The identifiers of the tests that have run. */
  readonly done: readonly string[];
  /** A test that takes no longer is always worth its time; one that takes longer than `slowest` never is. In milliseconds. */
  readonly quickest: number;
  readonly slowest: number;
  /** How long tests may run with a mutant that none of them notices, in milliseconds. */
  readonly budget: number;
  readonly notes: string;
}

/** The time after which a test is taken for one that never ends, in milliseconds. */
const longest = 120_000;
/** How long all tests may run with mutants that none of them notices, in milliseconds. */
const total = 3_600_000;

export class Judge {
  /** The tests that say nothing, and why: they fail in the copy without a mutant, or when they run again. */
  readonly leftOut = new Map<string, string>();
  readonly #noticed = new Map<number, string>();
  readonly #spent: Map<number, number>;
  readonly #reached = new Set<number>();
  readonly #done = new Set<string>();
  #trying: readonly [mutant: number, test: string] | undefined;
  #isAtEnd = false;

  constructor(mutants: readonly number[]) {
    this.#spent = new Map(mutants.map((mutant) => [mutant, 0]));
  }

  /** Runs all portable tests, each with the mutants that it reaches. */
  async run(): Promise<void> {
    const budget = Math.min(60_000, Math.max(500, total / this.#spent.size));
    let before = -1;
    await runChildren({
      script: 'mutants/child.js',
      node: null,
      maxSilence: longest,
      next: () => {
        if (this.#isAtEnd) return null;
        if (this.#done.size === before) throw new Error('the tests of the copy do not go on');
        before = this.#done.size;
        const limits = { quickest: 20, slowest: Math.min(10_000, 4 * budget), budget };
        const given: Task = { mutants: [...this.#spent], done: [...this.#done], ...limits, notes };
        writeFileSync(task, JSON.stringify(given));
        return [];
      },
      onLines: (lines) => lines.forEach((line) => this.#read(line)),
      onEnd: () => {
        if (this.#trying !== undefined) this.#notice(...this.#trying, ' hangs, or ends the process');
        this.#trying = undefined;
      },
    });
    showProgress('');
  }

  verdictOf(mutant: number): Verdict {
    const by = this.#noticed.get(mutant);
    if (by !== undefined) return { kind: 'noticed', by };
    return { kind: this.#reached.has(mutant) ? 'survived' : 'not reached', by: '' };
  }

  #read(line: string): void {
    const [what = '', first = '', second = ''] = line.split('\t');
    const mutant = Number(first);
    this.#trying = what === 'try' ? [mutant, second] : undefined;
    if (what === 'noticed') this.#notice(mutant, second);
    if (what === 'survived') this.#spent.set(mutant, Number(line.split('\t')[3]));
    if (what === 'reached') for (const each of line.split('\t').slice(1)) this.#reached.add(Number(each));
    if (what === 'out') this.leftOut.set(first, second);
    if (what === 'end') this.#isAtEnd = true;
    if (what !== 'done') return;
    this.#done.add(first);
    showProgress(`${this.#done.size} tests, ${this.#noticed.size} changes noticed, ${this.#spent.size} left `);
  }

  #notice(mutant: number, test: string, how = ''): void {
    this.#noticed.set(mutant, `${test}${how}`);
    this.#spent.delete(mutant);
  }
}

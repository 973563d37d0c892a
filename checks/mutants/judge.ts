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
  /** The identifiers of the tests that have run, or fail without a mutant. */
  readonly done: readonly string[];
  /** What the paths of test files have; those that are finished are left out. */
  readonly files: readonly string[];
  readonly finished: readonly string[];
  /** The only mutant, from the beginning on. */
  readonly alone: number | null;
  /** A test that takes longer is never worth its time, in milliseconds. */
  readonly slowest: number;
  /** How long tests may run with a mutant that none of them notices, in milliseconds. */
  readonly budget: number;
  readonly notes: string;
}

/** The time after which a test is taken for one that never ends, in milliseconds. */
const longest = 120_000;
/** How long all tests may run with mutants that none of them notices, in milliseconds. */
const total = 3_600_000;
/** So many files run with a mutant alone, beside those whose tests cannot run twice. */
const mostFiles = 6;

export class Judge {
  /** The tests that fail in the copy without a mutant, by identifier: they say nothing. */
  readonly leftOut = new Map<string, string>();
  readonly #noticed = new Map<number, string>();
  readonly #spent: Map<number, number>;
  /** How long tests may run with a mutant that none of them notices, in milliseconds. */
  readonly #budget: number;
  readonly #tests: string;
  /** The files with tests that reach a mutant, and those whose tests cannot run twice. */
  readonly #files = new Map<number, Set<string>>();
  readonly #onceFiles = new Map<number, Set<string>>();
  readonly #done = new Set<string>();
  readonly #finished = new Set<string>();
  /** Files whose hooks fail without a mutant. */
  readonly #failing = new Set<string>();
  #trying: readonly [mutant: number, test: string] | undefined;
  #isAtEnd = false;

  /** @param tests What the paths of the test files have. */
  constructor(mutants: readonly number[], tests: string) {
    this.#tests = tests;
    this.#spent = new Map(mutants.map((mutant) => [mutant, 0]));
    this.#budget = Math.min(60_000, Math.max(500, total / mutants.length));
  }

  /** Runs all portable tests, each with the mutants that it reaches; then some with each mutant that none of them notices. */
  async run(): Promise<void> {
    let before = -1;
    await this.#runChildren(() => {
      if (this.#isAtEnd) return null;
      const now = this.#done.size + this.#noticed.size;
      if (now === before) throw new Error('the tests of the copy do not go on');
      before = now;
      return this.#task([...this.#done]);
    });
    const left = [...this.#spent.keys()].filter((mutant) => this.#files.has(mutant) || this.#onceFiles.has(mutant)).values();
    await this.#runChildren(() => {
      const { value: alone, done } = left.next();
      if (done === true) return null;
      const files = [...(this.#onceFiles.get(alone) ?? []), ...[...(this.#files.get(alone) ?? [])].slice(0, mostFiles)];
      this.#trying = [alone, 'all'];
      return { ...this.#task([...this.leftOut.keys()]), files, finished: [], alone };
    });
    showProgress('');
  }

  verdictOf(mutant: number): Verdict {
    const by = this.#noticed.get(mutant);
    if (by !== undefined) return { kind: 'noticed', by };
    const isReached = this.#files.has(mutant) || this.#onceFiles.has(mutant);
    return { kind: isReached ? 'survived' : 'not reached', by: '' };
  }

  #task(done: readonly string[]): Task {
    const budget = this.#budget;
    const slowest = Math.min(10_000, 4 * budget);
    const finished = [...this.#finished];
    return { mutants: [...this.#spent], done, files: [this.#tests], finished, alone: null, slowest, budget, notes };
  }

  #runChildren(next: () => Task | null): Promise<void> {
    return runChildren({
      script: 'mutants/child.js',
      node: null,
      maxSilence: longest,
      next: () => {
        const given = next();
        if (given === null) return null;
        writeFileSync(task, JSON.stringify(given));
        return [];
      },
      onLines: (lines) => lines.forEach((line) => this.#read(line)),
      onEnd: () => {
        if (this.#trying !== undefined) this.#notice(...this.#trying, ' hangs, or ends the process');
        this.#trying = undefined;
      },
    });
  }

  #read(line: string): void {
    const [what = '', first = '', second = '', third = ''] = line.split('\t');
    const mutant = Number(first);
    if (what === 'try') this.#trying = [mutant, second];
    if (['noticed', 'survived', 'end'].includes(what)) this.#trying = undefined;
    if (what === 'noticed') this.#notice(mutant, second);
    if (what === 'failed' && mutant < 0) this.#failing.add(second);
    if (what === 'failed' && mutant >= 0 && !this.#failing.has(second)) this.#notice(mutant, second);
    if (what === 'survived') this.#spent.set(mutant, Number(third));
    if (what === 'reached' || what === 'once') {
      const files = what === 'once' ? this.#onceFiles : this.#files;
      for (const each of line.split('\t').slice(2).map(Number)) files.set(each, (files.get(each) ?? new Set()).add(first));
    }
    if (what === 'out') this.leftOut.set(first, second);
    if (what === 'finished') this.#finished.add(first);
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

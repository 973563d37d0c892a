/**
 * A reporter for vitest. On a terminal it shows the progress, and the remaining time as estimated from the previous run; in a
 * pipe it prints nothing. If a test hangs, the reporter names what runs and ends the process. Slow tests are no failure, so the
 * whole run has no time limit.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Reporter, TestCase, TestModule, TestSpecification, Vitest } from 'vitest/node';
import { longestSilence, Silence } from './silence.js';

/** In milliseconds. */
const redraws = 500;

export default class Progress implements Reporter {
  /** The files of this part. */
  #all: readonly string[] = [];
  /** The files that have not ended. */
  #waiting: readonly string[] = [];
  /** The files that run. */
  readonly #running = new Set<string>();
  /** The tests that run, with the names of their files. */
  readonly #runningTests = new Set<string>();
  #tests = 0;
  #failed = 0;
  #began = 0;
  readonly #silence = new Silence();
  readonly #isTerminal = process.stdout.isTTY || process.env['NODE_DIRECTML_TERMINAL'] !== undefined;
  #nameOf = (path: string) => path;
  #timesFile = '';
  /** The duration of each file in the previous run, in milliseconds. */
  #last: Record<string, number> = {};
  readonly #times: Record<string, number> = {};
  #clock: NodeJS.Timeout | undefined;

  onInit(vitest: Vitest) {
    // Tools that the tests start would inherit the variable, but they write into pipes.
    delete process.env['NODE_DIRECTML_TERMINAL'];
    const { root } = vitest.config;
    this.#nameOf = (path) => path.slice(root.length + 1).replaceAll('\\', '/');
    this.#timesFile = join(root, 'build', 'test-times', `${process.platform}.json`);
    try {
      this.#last = JSON.parse(readFileSync(this.#timesFile, 'utf8')) as Record<string, number>;
    } catch {
      // There are no times before the first run.
    }
  }

  onTestRunStart(specifications: readonly TestSpecification[]) {
    this.#all = this.#waiting = specifications.map(({ moduleId }) => this.#nameOf(moduleId));
    this.#began = Date.now();
    this.#clock = setInterval(() => this.#look(), redraws);
  }

  onTestModuleStart({ moduleId }: TestModule) {
    this.#running.add(this.#nameOf(moduleId));
  }

  onTestCaseReady(test: TestCase) {
    this.#runningTests.add(this.#titleOf(test));
  }

  onTestCaseResult(test: TestCase) {
    this.#runningTests.delete(this.#titleOf(test));
    this.#tests++;
    if (test.result().state === 'failed') this.#failed++;
    this.#silence.break();
  }

  onTestModuleEnd(module: TestModule) {
    const name = this.#nameOf(module.moduleId);
    this.#running.delete(name);
    this.#waiting = this.#waiting.filter((other) => other !== name);
    this.#silence.break();
    const { duration, collectDuration, setupDuration } = module.diagnostic();
    this.#times[name] = Math.round(duration + collectDuration + setupDuration);
  }

  onTestRunEnd() {
    clearInterval(this.#clock);
    if (this.#isTerminal) process.stdout.write('\r\x1b[K');
    mkdirSync(dirname(this.#timesFile), { recursive: true });
    writeFileSync(this.#timesFile, `${JSON.stringify({ ...this.#last, ...this.#times }, null, 1)}\n`);
  }

  #look() {
    if (this.#isTerminal) process.stdout.write(`\r\x1b[K${this.#line()}`);
    if (!this.#silence.isTooLong(this.#running.size > 0)) return;
    // Before its first test and after its last one, a file may hang too.
    const runs = [...this.#runningTests, ...this.#running].join('\n  ');
    console.error(`\nNo test has ended in ${longestSilence / 60_000} minutes of processor time. These run:\n  ${runs}`);
    process.exit(1);
  }

  #titleOf({ module, fullName }: TestCase) {
    return `${this.#nameOf(module.moduleId)} > ${fullName}`;
  }

  #line() {
    const ended = this.#all.length - this.#waiting.length;
    const failed = this.#failed > 0 ? `, ${this.#failed} failed` : '';
    return `${ended} of ${this.#all.length} files, ${this.#tests} tests${failed}, ${this.#time()}`;
  }

  #time() {
    const seconds = (Date.now() - this.#began) / 1000;
    const lastTime = (files: readonly string[]) => files.reduce((sum, name) => sum + (this.#last[name] ?? 0), 0);
    const [all, left] = [lastTime(this.#all), lastTime(this.#waiting)];
    const rest = left < all ? `, about ${((seconds * left) / (all - left)).toFixed(0)} s left` : '';
    return `${seconds.toFixed(0)} s${rest}`;
  }
}

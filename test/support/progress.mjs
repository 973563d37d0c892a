// @ts-check
// A reporter for vitest. On a terminal it shows the progress, and the remaining time as estimated from the previous run; in a
// pipe it prints nothing. If no test has ended for ten minutes, a test hangs: the reporter names the running files and ends the
// process. Slow tests are no failure, so the whole run has no time limit.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** In milliseconds. */
const longestSilence = 10 * 60_000;
const redraws = 500;

/**
 * @typedef {import('vitest/node').Reporter} Reporter
 * @typedef {import('vitest/node').TestModule} TestModule
 */

/** @implements {Reporter} */
export default class Progress {
  /** @type {readonly string[]} the files of this part */
  #all = [];
  /** @type {readonly string[]} the files that have not ended */
  #waiting = [];
  /** @type {Set<string>} */
  #running = new Set();
  #tests = 0;
  #failed = 0;
  #began = 0;
  #lastEnd = 0;
  #isTerminal = process.stdout.isTTY || process.env.NODE_DIRECTML_TERMINAL !== undefined;
  /** @type {(path: string) => string} */
  #nameOf = (path) => path;
  #timesFile = '';
  /** @type {Record<string, number>} the duration of each file in the previous run, in milliseconds */
  #last = {};
  /** @type {Record<string, number>} */
  #times = {};
  /** @type {NodeJS.Timeout | undefined} */
  #clock;

  onInit(/** @type {import('vitest/node').Vitest} */ vitest) {
    // Tools that the tests start would inherit the variable, but they write into pipes.
    delete process.env.NODE_DIRECTML_TERMINAL;
    const { root } = vitest.config;
    this.#nameOf = (path) => path.slice(root.length + 1).replaceAll('\\', '/');
    this.#timesFile = join(root, 'build', 'test-times', `${process.platform}.json`);
    try {
      this.#last = JSON.parse(readFileSync(this.#timesFile, 'utf8'));
    } catch {
      // There are no times before the first run.
    }
  }

  onTestRunStart(/** @type {readonly import('vitest/node').TestSpecification[]} */ specifications) {
    this.#all = this.#waiting = specifications.map(({ moduleId }) => this.#nameOf(moduleId));
    this.#began = this.#lastEnd = Date.now();
    this.#clock = setInterval(() => this.#look(), redraws);
  }

  onTestModuleStart(/** @type {TestModule} */ { moduleId }) {
    this.#running.add(this.#nameOf(moduleId));
  }

  onTestCaseResult(/** @type {import('vitest/node').TestCase} */ test) {
    this.#tests++;
    if (test.result().state === 'failed') this.#failed++;
    this.#lastEnd = Date.now();
  }

  onTestModuleEnd(/** @type {TestModule} */ module) {
    const name = this.#nameOf(module.moduleId);
    this.#running.delete(name);
    this.#waiting = this.#waiting.filter((other) => other !== name);
    this.#lastEnd = Date.now();
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
    if (Date.now() - this.#lastEnd <= longestSilence) return;
    const minutes = longestSilence / 60_000;
    console.error(`\nNo test has ended for ${minutes} minutes. These files run: ${[...this.#running].join(', ')}`);
    process.exit(1);
  }

  #line() {
    const ended = this.#all.length - this.#waiting.length;
    const failed = this.#failed > 0 ? `, ${this.#failed} failed` : '';
    return `${ended} of ${this.#all.length} files, ${this.#tests} tests${failed}, ${this.#time()}`;
  }

  #time() {
    const seconds = (Date.now() - this.#began) / 1000;
    const lastTime = (/** @type {readonly string[]} */ files) => files.reduce((sum, name) => sum + (this.#last[name] ?? 0), 0);
    const [all, left] = [lastTime(this.#all), lastTime(this.#waiting)];
    const rest = left < all ? `, about ${((seconds * left) / (all - left)).toFixed(0)} s left` : '';
    return `${seconds.toFixed(0)} s${rest}`;
  }
}

/**
 * Runs each test of the copy a second time, and then again with each mutant that it reaches, until a test notices the mutant.
 * Writes a line for whatever happens, because a mutant may end the process or never end. A process for one mutant alone has it from
 * the beginning: some tests cannot run twice, and some code runs only once in a process.
 */
import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { TestRunner, type RunnerTestCase, type RunnerTestSuite } from 'vitest';
import type { Task } from './judge.js';

const env = process.env;
const given = JSON.parse(readFileSync(env['NODE_DIRECTML_MUTANT_TASK'] ?? '', 'utf8')) as Task;
const { mutants, done, alone, slowest, budget, notes } = given;
const log = env['NODE_DIRECTML_MUTANT_LOG'] ?? '';

/** A test that takes no longer is always worth its time, in milliseconds. */
const quickest = 20;

interface State {
  on: number;
  reached: Set<number> | null;
}

/** Test files share this. */
const state: State = { on: alone ?? -1, reached: null };
Object.assign(globalThis, { mutantState: state });
/** How long tests have run with each mutant, in milliseconds. */
const spent = new Map(mutants);
const finished = new Set(done);
/** Whether a mutant was on in this process: it may have left something that lets other tests fail. */
let isTouched = false;

export default class extends TestRunner {
  async runTask(test: RunnerTestCase): Promise<void> {
    if (finished.has(test.id)) return;
    const run = TestRunner.getTestFn(test);
    if (alone !== null) {
      const isPassed = await passes(run);
      write(isPassed ? 'passed' : 'noticed', alone, nameOf(test));
      if (!isPassed) end();
      return;
    }
    const reached = await reachedBy(run);
    const again = async () => {
      await runHooks(test);
      await run();
    };
    // Another process says whether the test fails by itself.
    if (reached === null && isTouched) end();
    else if (reached === null) write('out', test.id, nameOf(test));
    else await judgeAll(test, again, reached);
    write('done', test.id);
  }

  override async onAfterRunSuite(suite: RunnerTestSuite): Promise<void> {
    if (suite.file === suite) write('finished', suite.name);
    await super.onAfterRunSuite(suite);
  }
}

async function judgeAll(test: RunnerTestCase, run: Run, reached: ReadonlySet<number>): Promise<void> {
  const left = [...reached].filter((mutant) => spent.has(mutant));
  if (left.length === 0) return;
  const began = performance.now();
  const isOnce = !(await passes(run));
  const time = performance.now() - began;
  write(isOnce ? 'once' : 'reached', test.file.name, ...left);
  if (isOnce) return;
  for (const mutant of left) if (isWorth(mutant, time)) await judge(test, run, mutant, time);
}

/** What runs between two tests. */
async function runHooks(test: RunnerTestCase): Promise<void> {
  const suites: RunnerTestSuite[] = [test.file];
  for (let { suite } = test; suite !== undefined && suite !== test.file; { suite } = suite) suites.splice(1, 0, suite);
  for (const suite of suites) for (const hook of TestRunner.getSuiteHooks(suite).afterEach) await hook(test.context, suite);
  for (const suite of suites) for (const hook of TestRunner.getSuiteHooks(suite).beforeEach) await hook(test.context, suite);
}

type Run = () => unknown;

/** The first run, which tells the mutants that it reaches, also in threads and processes that it starts. Null if it fails. */
async function reachedBy(run: Run): Promise<ReadonlySet<number> | null> {
  rmSync(notes, { force: true });
  const reached = (state.reached = new Set<number>());
  env['NODE_DIRECTML_MUTANT_NOTES'] = notes;
  const isPassed = await passes(run);
  state.reached = null;
  delete env['NODE_DIRECTML_MUTANT_NOTES'];
  if (!isPassed) return null;
  const others = existsSync(notes) ? readFileSync(notes, 'utf8').trim().split('\n').map(Number) : [];
  return new Set([...reached, ...others]);
}

/** Any mutant gets one test, unless it is slow; it gets others while there is time for it. */
function isWorth(mutant: number, time: number): boolean {
  const before = spent.get(mutant) ?? 0;
  return before === 0 ? time <= slowest : time <= quickest || before + time <= budget;
}

async function judge(test: RunnerTestCase, run: Run, mutant: number, time: number): Promise<void> {
  const name = nameOf(test);
  write('try', mutant, name);
  isTouched = true;
  state.on = mutant;
  env['NODE_DIRECTML_MUTANT'] = `${mutant}`;
  const isPassed = await passes(run);
  state.on = -1;
  delete env['NODE_DIRECTML_MUTANT'];
  if (isPassed) {
    const all = (spent.get(mutant) ?? 0) + Math.max(1, time);
    spent.set(mutant, all);
    write('survived', mutant, name, all);
    return;
  }
  spent.delete(mutant);
  write('noticed', mutant, name);
  // What the mutant left behind would make others look as if they were noticed.
  if (await passes(run)) return;
  write('done', test.id);
  end();
}

function end(): never {
  process.kill(process.pid, 'SIGKILL');
  throw new Error('the process has ended');
}

async function passes(run: Run): Promise<boolean> {
  try {
    await run();
    return true;
  } catch {
    return false;
  }
}

function nameOf(test: RunnerTestCase): string {
  const names: string[] = [test.name];
  for (let suite = test.suite; suite !== undefined && suite.name !== ''; suite = suite.suite) names.unshift(suite.name);
  return [test.file.name, ...names].join(' > ').replaceAll(/\s+/g, ' ');
}

function write(...words: readonly (string | number)[]): void {
  appendFileSync(log, `${words.map((word) => `${word}`.replaceAll(/\s+/g, ' ')).join('\t')}\n`);
}

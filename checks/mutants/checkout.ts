/** A copy of the last commit whose library has all mutants. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { ROOT } from '../harness/children.js';
import { mutate, type Mutant } from './mutate.js';

const folder = join(ROOT, 'build', 'mutants');
export const checkout = join(folder, 'checkout');
/** What the tests of the copy are to do, and what the threads and processes that they start reach. */
export const task = join(folder, 'task.json');
export const notes = join(folder, 'notes.txt');
/** The configuration of vitest in the copy. */
export const configFile = 'mutants.config.mts';
const lib = join(checkout, 'lib');

/** Facts and kernels are compared with DirectML, case by case. No portable test reaches what only Windows has. */
const leftOut = /(^|\/)generated\/|\/facts\.ts$|\/kernel[^/]*\.ts$|^compute\/|^api\/sharing\/|^backends\/directml\//;

/**
 * What the files with mutants import. `mutantState` is that of a thread: the mutant that is on, and what is told of each one that
 * the thread reaches. The tests of the copy set it; threads and processes that these start get it from their environment.
 */
const switches = `const own: any = globalThis;
const state: any = (own.mutantState ??= ofEnvironment(own.process?.env ?? {}));

export function isMutantOn(mutant: number): boolean {
  state.reached?.add(mutant);
  return mutant === state.on;
}

export function eitherMutant(isOther: boolean, a: any, b: any, usual: any, other: any): any {
  return (isOther ? other : usual)(a, b);
}

function ofEnvironment({ NODE_DIRECTML_MUTANT: on = '-1', NODE_DIRECTML_MUTANT_NOTES: file }: any): any {
  if (file === undefined) return { on: Number(on), reached: null };
  const { appendFileSync } = own.process.getBuiltinModule('node:fs');
  const noted = new Set<number>();
  const add = (mutant: number) => noted.size < noted.add(mutant).size && appendFileSync(file, mutant + '\\n');
  return { on: Number(on), reached: { add } };
}
`;

const config = `import { BaseSequencer } from 'vitest/node';
import base from './vitest.config.mts';
class SmallestFirst extends BaseSequencer {
  sort = async (files) => (await super.sort(files)).reverse();
}
const [portable] = base.test.projects;
const test = { ...portable.test, typecheck: { enabled: false } };
const sequence = { sequencer: SmallestFirst };
const how = { runner: './checks/mutants/runner.ts', sequence, maxWorkers: 1, testTimeout: 30_000 };
export default { ...base, test: { ...base.test, ...how, projects: [{ ...portable, test }] } };
`;

/** Makes the copy. Takes a minute. */
export function makeCheckout(): readonly Mutant[] {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  must('git', ['clone', '--quiet', ROOT, checkout], ROOT);
  for (const packages of ['node_modules', join('native', 'node_modules')]) {
    symlinkSync(join(ROOT, packages), join(checkout, packages), 'junction');
  }
  const own = (code: string) => must(process.execPath, ['--input-type=module', '-e', code]);
  own("const { buildLib, buildTools } = await import('./scripts/build.mjs'); await buildLib(); await buildTools();");
  const mutants = writeMutants();
  own("await (await import('./scripts/shared/bundle-node.mjs')).bundleForNode('dist');");
  own("await (await import('./scripts/shared/bundle-module.mjs')).bundleModule();");
  writeFileSync(join(checkout, configFile), config);
  return mutants;
}

function writeMutants(): readonly Mutant[] {
  // The worker thread of the reference backend has the mutant, too.
  const starter = join(lib, 'backends', 'reference', 'start-thread.ts');
  writeFileSync(starter, readFileSync(starter, 'utf8').replace('env: {}', 'env: process.env'));
  const mutants: Mutant[] = [];
  const paths = readdirSync(lib, { recursive: true, encoding: 'utf8' }).map((path) => path.replaceAll(sep, '/'));
  for (const path of paths.filter((each) => each.endsWith('.ts') && !leftOut.test(each)).sort()) {
    const module = `./${relative(dirname(path), 'mutant-switches.js').replaceAll(sep, '/')}`;
    const made = mutate(path, readFileSync(join(lib, path), 'utf8'), mutants.length, module);
    writeFileSync(join(lib, path), made.text);
    mutants.push(...made.mutants);
  }
  writeFileSync(join(lib, 'mutant-switches.ts'), switches);
  return mutants;
}

function must(command: string, args: readonly string[], cwd = checkout): void {
  const { status, error, stderr, stdout } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}${stderr}`);
}

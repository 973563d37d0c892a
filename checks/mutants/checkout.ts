/** A copy of the last commit whose library has all mutants. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { ROOT } from '../harness/children.js';
import { mutate, type Mutant } from './mutate.js';

const folder = join(ROOT, 'build', 'mutants');
export const checkout = join(folder, 'checkout');
/** A file for each test file, with the numbers of the mutants that it reaches. */
export const notes = join(folder, 'notes');
export const results = join(folder, 'results.json');
/** The configuration of vitest in the copy. */
export const configFile = 'mutants.config.mts';
const lib = join(checkout, 'lib');

/** Facts and kernels are compared with DirectML, case by case. No portable test reaches what only Windows has. */
const leftOut = /(^|\/)generated\/|\/facts\.ts$|\/kernel[^/]*\.ts$|^compute\/|^api\/sharing\/|^backends\/directml\//;

/** What the files with mutants import. Each mutant that a test file reaches is noted once, if there is a folder for notes. */
const switches = `const own: any = globalThis;
const env: any = own.process?.env ?? {};
const chosen = Number(env.NODE_DIRECTML_MUTANT ?? -1);
const folder = env.NODE_DIRECTML_MUTANT_NOTES;
let file: string | undefined;
let noted = new Set<number>();

export function isMutantOn(mutant: number): boolean {
  if (folder !== undefined) note(mutant);
  return mutant === chosen;
}

export function eitherMutant(isOther: boolean, a: any, b: any, usual: any, other: any): any {
  return (isOther ? other : usual)(a, b);
}

function note(mutant: number): void {
  const current = (own.testFile ??= env.NODE_DIRECTML_TEST_FILE);
  if (current === undefined) return;
  if (current !== file) [file, noted] = [current, new Set()];
  if (noted.has(mutant)) return;
  noted.add(mutant);
  own.process.getBuiltinModule('node:fs').appendFileSync(folder + '/' + file, mutant + '\\n');
}
`;

/** Names the test file, for its thread and for the processes that it starts. */
const setup = `import { expect } from 'vitest';
const path = expect.getState().testPath ?? '';
const name = path.slice(process.cwd().length + 1).replaceAll(/[\\\\/]/g, '+');
Object.assign(globalThis, { testFile: name });
process.env['NODE_DIRECTML_TEST_FILE'] = name;
`;

const config = `import base from './vitest.config.mts';
const [portable] = base.test.projects;
const test = { ...portable.test, setupFiles: ['mutants.setup.ts'] };
export default { ...base, test: { ...base.test, projects: [{ ...portable, test }] } };
`;

/** Makes the copy. Takes a minute. */
export function makeCheckout(): readonly Mutant[] {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(notes, { recursive: true });
  must('git', ['clone', '--quiet', ROOT, checkout], ROOT);
  for (const packages of ['node_modules', join('native', 'node_modules')]) {
    symlinkSync(join(ROOT, packages), join(checkout, packages), 'junction');
  }
  const own = (code: string) => must(process.execPath, ['--input-type=module', '-e', code]);
  own("const { buildLib, buildTools } = await import('./scripts/build.mjs'); await buildLib(); await buildTools();");
  const mutants = writeMutants();
  own("await (await import('./scripts/shared/bundle-node.mjs')).bundleForNode('dist');");
  own("await (await import('./scripts/shared/bundle-module.mjs')).bundleModule();");
  writeFileSync(join(checkout, 'mutants.setup.ts'), setup);
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

/** Which tests notice a mutant. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { checkout, configFile, notes, results } from './checkout.js';
import type { Mutant } from './mutate.js';

/** What the tests say about a mutant, and the first test that fails. */
export interface Verdict {
  readonly kind: 'noticed' | 'survived' | 'not reached';
  readonly by: string;
}

/** The longest time that the tests of a mutant may take, in milliseconds. */
const longest = 600_000;
/** So many files run first: most mutants are noticed by tests near them. */
const firstFiles = 14;

/** The report of vitest, as far as it is read here. */
interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

export class Judge {
  /** The mutants that each test file reaches. */
  readonly #reached: ReadonlyMap<string, ReadonlySet<number>>;
  /** A pattern for the names of the tests that pass without a mutant. */
  readonly #passing: string;
  /** The tests that fail in the copy without a mutant: they say nothing. */
  readonly leftOut: readonly string[];
  readonly #mutants: readonly Mutant[];

  /** Runs all portable tests without a mutant. Takes minutes. */
  constructor(mutants: readonly Mutant[]) {
    this.#mutants = mutants;
    const report = run([], { NODE_DIRECTML_MUTANT_NOTES: notes });
    if (report === null) throw new Error('the tests hang without a mutant');
    const failed = report.testResults.flatMap(({ assertionResults }) => failuresOf(assertionResults));
    this.leftOut = failed;
    this.#passing = failed.length === 0 ? '' : `^(?!(${failed.map(escaped).join('|')})$)`;
    const unloaded = report.testResults.filter(
      ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
    );
    const lost = new Set(unloaded.map(({ name }) => fileOf(name)));
    this.#reached = new Map(
      readdirSync(notes)
        .map(
          (name) =>
            [name.replaceAll('+', '/'), new Set(readFileSync(join(notes, name), 'utf8').trim().split('\n').map(Number))] as const,
        )
        .filter(([file]) => !lost.has(file)),
    );
  }

  verdictOf(number: number, { path, isLoading }: Mutant): Verdict {
    const room = `test/${path.split('/')[0] ?? ''}/`;
    const far = (file: string) => (file.startsWith(room) ? 0 : 2 ** 20) + (this.#reached.get(file)?.size ?? 0);
    // Test files of a thread share modules, so that only the first one of them notes what runs as a module is loaded.
    const any = isLoading ? this.#mutants.flatMap((each, i) => (each.path === path ? i : [])) : [number];
    const files = [...this.#reached.keys()].filter((file) => any.some((each) => this.#reached.get(file)?.has(each)));
    if (files.length === 0) return { kind: 'not reached', by: '' };
    files.sort((a, b) => far(a) - far(b));
    for (const part of [files.slice(0, firstFiles), files.slice(firstFiles)]) {
      const by = part.length === 0 ? undefined : this.#failing(number, part);
      if (by !== undefined) return { kind: 'noticed', by };
    }
    return { kind: 'survived', by: '' };
  }

  /** The first test that fails, or what else happens; undefined if all pass. */
  #failing(number: number, files: readonly string[]): string | undefined {
    const only = this.#passing === '' ? [] : ['-t', this.#passing];
    const report = run(files, { NODE_DIRECTML_MUTANT: `${number}` }, '--bail=1', ...only);
    if (report === null) return 'the tests hang, or end the process';
    const wrong = report.testResults.find(({ status }) => status === 'failed');
    return wrong && [fileOf(wrong.name), ...failuresOf(wrong.assertionResults).slice(0, 1)].join(' > ');
  }
}

/** Runs test files, all if none is named. Null if there is no report, because they hang or end the process. */
function run(files: readonly string[], env: Readonly<Record<string, string>>, ...options: readonly string[]): Report | null {
  rmSync(results, { force: true });
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', configFile, '--typecheck.enabled=false'];
  const { error } = spawnSync(process.execPath, [...vitest, '--reporter=json', `--outputFile=${results}`, ...options, ...files], {
    cwd: checkout,
    env: { ...process.env, CI: 'true', NODE_DIRECTML_TESTS_WITHOUT: 'long', ...env },
    stdio: 'ignore',
    timeout: longest,
    killSignal: 'SIGKILL',
  });
  if (error && !('code' in error && error.code === 'ETIMEDOUT')) throw error;
  try {
    return JSON.parse(readFileSync(results, 'utf8')) as Report;
  } catch {
    return null;
  }
}

function failuresOf(tests: Report['testResults'][number]['assertionResults']): readonly string[] {
  return tests.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName);
}

function fileOf(path: string): string {
  return relative(checkout, path).replaceAll('\\', '/');
}

function escaped(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&');
}

/**
 * The programs on all pages run, and print what their comments say they print: on the reference backend, and on Windows on
 * the real DirectML.
 */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blocksOf, codeOf, pages, root, writePageFile, type Block } from '../support/pages.js';

/** File extensions of programs by the language of their block. */
const extensions: Readonly<Record<string, string>> = { js: 'mjs', cjs: 'cjs', ts: 'mjs' };
const languages = Object.keys(extensions);

/** Languages of blocks that are not run: output of programs, data, commands, and code that is not for Node.js. */
const otherLanguages = ['', 'cpp', 'diff', 'json', 'mermaid', 'python', 'sh'];

/** Compiler options: for the syntax check of files that are not run, and for programs in TypeScript. */
const parsed = { allowJs: true, target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext };

let scratch = '';

beforeAll(() => {
  // Inside the checkout, where a program finds this package by its name.
  mkdirSync(join(root, 'build'), { recursive: true });
  scratch = mkdtempSync(join(root, 'build', 'pages-'));
});

afterAll(() => {
  rmSync(scratch, { recursive: true, force: true });
});

describe.each(pages)('%s', (page) => {
  const { files, programs } = codeOf(page, languages);

  test('has only blocks of known languages, and files and JSON without syntax errors', () => {
    const found = blocksOf(page).map(({ language }) => language);
    expect(found.filter((language) => !languages.includes(language) && !otherLanguages.includes(language))).toEqual([]);
    for (const [name, code] of files) expect(syntaxErrors(code), name).toEqual([]);
    for (const { code } of blocksOf(page).filter(({ language }) => language === 'json')) JSON.parse(code);
  });

  test('names commands that exist', () => {
    const commands = blocksOf(page).flatMap(({ language, code }) => (language === 'sh' ? code.split('\n') : []));
    expect(commands.map((line) => line.replace(/ *#.*/, '')).filter((line) => !isCommand(line))).toEqual([]);
  });

  test.each(programs.map((program, i) => [i + 1, program] as const))('program %i prints as stated', async (number, program) => {
    const printed = await run(page, files, program, number);
    expect(simplified(printed)).toBe(simplified(promisesOf(program.code).join(' ')));
  });
});

test('pages have programs, and the README at least three', () => {
  const count = (page: string) => codeOf(page, languages).programs.length;
  expect(count('README.md')).toBeGreaterThanOrEqual(3);
  expect(pages.reduce((sum, page) => sum + count(page), 0)).toBeGreaterThanOrEqual(30);
  const guides = pages.filter((page) => page.startsWith('docs/guides/'));
  expect(guides.filter((page) => count(page) === 0)).toEqual([]);
});

/** Resolves to what the program prints. */
async function run(page: string, files: ReadonlyMap<string, string>, { language, code }: Block, number: number): Promise<string> {
  const folder = join(scratch, page.replace('.md', ''), String(number));
  const main = join(folder, `program.${extensions[language] ?? 'mjs'}`);
  for (const [name, content] of files) writePageFile(join(folder, name), content);
  writePageFile(main, language === 'ts' ? ts.transpile(code, parsed) : code);
  // A thread loads one addon only, so a program that names another one has a thread of its own.
  const isAlone = code.includes('addonPath');
  const runner = isAlone ? newThread() : (thread ??= newThread());
  runner.postMessage(pathToFileURL(main).href);
  const stop = new AbortController();
  const ended = once(runner, 'exit', stop).then(() => Promise.reject(new Error('the program ended its thread')));
  try {
    const [printed] = await Promise.race([once(runner, 'message', stop), ended]);
    return String(printed);
  } catch (error) {
    // The next program needs a new thread.
    if (runner === thread) thread = undefined;
    throw error;
  } finally {
    stop.abort();
    if (isAlone) await runner.terminate();
  }
}

/** Shared by programs that need no thread of their own, because starting a thread and loading the package there takes longer. */
let thread: Worker | undefined;

afterAll(() => thread?.terminate());

function newThread(): Worker {
  return new Worker(new URL('program-thread.mjs', import.meta.url));
}

/** Removes element counts and line breaks from the output of console.log. */
function simplified(printed: string): string {
  return printed
    .replace(/\(\d+\) \[/g, ' [')
    .replace(/\s+/g, ' ')
    .replace(/(?<=\[) | (?=\])/g, '')
    .trim();
}

/** The texts that the comments after `console.log` promise. */
function promisesOf(program: string): string[] {
  const comments = [...program.matchAll(/console\.log\(.*\); *\/\/ (.*)/g)].map(([, comment = '']) => comment);
  expect(comments).not.toEqual([]);
  return comments.flatMap((comment) => comment.split(', then '));
}

function syntaxErrors(code: string): (string | ts.DiagnosticMessageChain)[] {
  const { diagnostics = [] } = ts.transpileModule(code, {
    compilerOptions: parsed,
    fileName: 'file.mjs',
    reportDiagnostics: true,
  });
  return diagnostics.map(({ messageText }) => messageText);
}

/** True for a shell line that runs a script of this project, a command of this package, or another program. */
function isCommand(line: string): boolean {
  const [program, ...args] = line.trim().split(/\s+/);
  if (program === 'npx' && args[0] === 'node-directml')
    return cliCommands().has(args[1] ?? '') || (args[1] ?? '').startsWith('--');
  if (program === 'npm' && args[0] === 'run') return npmScripts().has(args[1] ?? '');
  return ['', 'git', 'node', 'npm'].includes(program ?? '');
}

function npmScripts(): ReadonlySet<string> {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return new Set(Object.keys(scripts));
}

let commands: ReadonlySet<string> | undefined;

function cliCommands(): ReadonlySet<string> {
  const help = () => execFileSync(process.execPath, [join(root, 'bin', 'node-directml.mjs'), '--help'], { encoding: 'utf8' });
  commands ??= new Set([...help().matchAll(/^ {2}([a-z]+) /gm)].map(([, name = '']) => name));
  return commands;
}

/**
 * The Markdown pages and their blocks of code.
 *
 * | block | what it is |
 * | --- | --- |
 * | js, cjs, ts that begins with an import | a program; blocks of the same language without one continue it |
 * | js, cjs, ts that begins with `// name.mjs` | a file of that name, beside the programs of the page |
 * | json, sh | checked in part: JSON has to be JSON, commands have to exist |
 * | others | other languages and what programs print |
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Every page that people write. The pages of operators have tests of their own: test/operators/operator-pages.test.ts. */
export const pages: readonly string[] = ['', 'docs', 'docs/guides'].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => (folder === '' ? name : `${folder}/${name}`)),
);

export interface Block {
  readonly language: string;
  readonly code: string;
}

/** The text of a page, with line feeds only. */
export function textOf(page: string): string {
  return readFileSync(join(root, page), 'utf8').replaceAll('\r\n', '\n');
}

export function blocksOf(page: string): Block[] {
  return [...textOf(page).matchAll(/^ *```(\w*)\n(.*?)^ *```$/gms)].map(([, language = '', code = '']) => ({ language, code }));
}

interface PageCode {
  /** Text of files by name. */
  readonly files: ReadonlyMap<string, string>;
  readonly programs: readonly Block[];
}

/** The programs of a page in one language, each joined from its blocks. */
export function codeOf(page: string, languages: readonly string[]): PageCode {
  const files = new Map<string, string>();
  const programs: Block[] = [];
  for (const { language, code } of blocksOf(page)) {
    if (!languages.includes(language)) continue;
    const [, name] = /^\/\/ ([\w./-]+\.[cm]?[jt]s)\n/.exec(code) ?? [];
    const before = programs.at(-1);
    if (name !== undefined) files.set(name, code);
    else if (beginsProgram(code) || before === undefined) programs.push({ language, code });
    else programs[programs.length - 1] = { language: before.language, code: before.code + code };
  }
  return { files, programs };
}

const beginsProgram = (code: string) => /^(import |const \{[^}]*\} = require\()/.test(code);

/** Writes text to a file, and creates its folder. */
export function writePageFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** The program on each page of docs/operators, by operator. */
export function operatorPrograms(): ReadonlyMap<string, string> {
  const folder = join(root, 'docs', 'operators');
  return new Map(
    readdirSync(folder).flatMap((file) => {
      const [, program] =
        /^## Example\n\n```ts\n(.*?)^```$/ms.exec(readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n')) ?? [];
      return program === undefined ? [] : [[file.replace('.md', ''), program] as const];
    }),
  );
}

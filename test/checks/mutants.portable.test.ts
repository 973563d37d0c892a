/** The mutants of small programs: what each of them computes. */
import { runInNewContext } from 'node:vm';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { mutate } from '../../checks/mutants/mutate.js';

/** What `run` of a text returns while a mutant is on; -1 stands for none. */
function resultOf(text: string, on: number): unknown {
  const made = mutate('program.ts', text, 0, './switches.js').text;
  const code = ts.transpile(made.replace(/^import [^;]*;/, ''), { target: ts.ScriptTarget.Latest });
  const eitherMutant = (isOther: boolean, a: unknown, b: unknown, usual: (...both: unknown[]) => unknown, other: typeof usual) =>
    (isOther ? other : usual)(a, b);
  const result: unknown = runInNewContext(`${code}\nrun();`, { isMutantOn: (mutant: number) => mutant === on, eitherMutant });
  return result;
}

const programs: readonly (readonly [text: string, usual: unknown, ...others: unknown[]])[] = [
  ['const run = () => 6 / 3;', 2, 18, 7 / 3, 6 / 4],
  ['const run = () => [1, 2].some((each) => each > 1);', true, true, true, false, true, false],
  ['const run = () => { let x = 2; x = 5; if (x === 5) { throw "five"; } return -x; };', 'five'],
  ['const run = (): number => { let x = 2; if (!(x < 2)) x = 5; else x = 7; return x; };', 5, 5, 7, 5, 7, 7, 7, 2, 6, 5, 5],
  ['const run = () => { const [a = 1, b] = [4]; return (a && b) ?? (a || 0); };', 4, 5, 4, 4, true, 0, 4, 4],
  ['const run = () => (true ? Math.max(1, 2) : 0);', 2, 0, 0, 1, 2, 3, 2],
  ['enum Kind { one = 1 }\ninterface Wide { readonly size: 4 }\nconst run = (x: 1 | 2 = 1) => x;', 1, 2],
];

describe.each(programs.map((row) => [row[0], row] as const))('%s', (text, [, usual, ...others]) => {
  test('has the same result without a mutant', () => {
    if (typeof usual === 'string') expect(() => resultOf(text, -1)).toThrow(usual);
    else expect(resultOf(text, -1)).toEqual(usual);
  });

  test('has these results with each', () => {
    const { mutants } = mutate('program.ts', text, 0, './switches.js');
    if (others.length > 0) expect(mutants.map((_, mutant) => resultOf(text, mutant))).toEqual(others);
  });
});

test('a mutant names its place, what is replaced, and by what', () => {
  const text = '/** A sum. */\nexport const sum = (a: number, b: number) =>\n  a +\n  b;\n';
  const { mutants, text: made } = mutate('sum.ts', text, 5, '../switches.js');
  expect(mutants).toEqual([{ path: 'sum.ts', line: 3, from: 'a + b', to: '-', isLoading: false }]);
  expect(made).toContain('isMutantOn(5)');
  expect(mutate('text.ts', "export const text = 'a' + 'b';", 0, './switches.js').text).toBe("export const text = 'a' + 'b';");
});

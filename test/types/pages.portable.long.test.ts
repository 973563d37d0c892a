/** TypeScript accepts the programs on pages. */
import ts from 'typescript';
import { expect, test } from 'vitest';
import { typeErrors } from '../support/check-types.js';
import { blocksOf, codeOf, operatorPrograms, root } from '../support/pages.js';

const strict: ts.CompilerOptions = {
  noEmit: true,
  strict: true,
  skipLibCheck: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: ['lib.es2023.d.ts', 'lib.esnext.disposable.d.ts'],
  types: ['node'],
};

test('TypeScript accepts the programs on the pages of operators', () => {
  const texts = new Map([...operatorPrograms()].map(([name, program]) => [`page-${name}.ts`, program]));
  expect(typeErrors(texts, strict)).toBe('');
});

test('of the README, as they are', () => {
  const { programs } = codeOf('README.md', ['js']);
  const texts = new Map(programs.map(({ code }, i) => [`readme-${i}.ts`, code]));
  expect(typeErrors(texts, strict)).toBe('');
});

test('TypeScript accepts the programs of its guide with the settings that the guide shows', () => {
  const { programs } = codeOf('docs/guides/typescript.md', ['ts']);
  const [settings] = blocksOf('docs/guides/typescript.md').filter(({ language }) => language === 'json');
  const { config } = ts.parseConfigFileTextToJson('tsconfig.json', settings?.code ?? '');
  const { options, errors } = ts.parseJsonConfigFileContent({ ...config, files: [] }, ts.sys, root);
  expect(errors.filter(({ code }) => code !== 18002)).toEqual([]); // "The 'files' list in config file is empty"
  const texts = new Map(programs.map(({ code }, i) => [`guide-${i}.mts`, code]));
  expect(texts.size).toBeGreaterThanOrEqual(3);
  expect(typeErrors(texts, { ...options, types: ['node'] })).toBe('');
});

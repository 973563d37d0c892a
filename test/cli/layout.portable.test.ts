/** How the command line lays out text, tables and Markdown, and reads its arguments. */
import { constants } from 'node:buffer';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { adapterNamed } from '#lib/cli/adapter-option.js';
import { readArguments } from '#lib/cli/command.js';
import { inFlags } from '#lib/cli/flags.js';
import { counted, hanging, memoryText, table, wrap } from '#lib/cli/layout.js';
import { main } from '#lib/cli/main.js';
import { readMarkdown, renderMarkdown } from '#lib/cli/markdown.js';
import { operatorFacts } from '#lib/cli/operator-facts.js';
import { readText } from '#lib/cli/read-text.js';
import { readReportFile, writeReportFile } from '#lib/cli/report-file.js';
import { styled } from '#lib/cli/terminal.js';
import { runCli } from '../../checks/harness/run-cli.js';

const folder = mkdtempSync(join(tmpdir(), 'node-directml-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('lines', () => {
  it.each<[string, number, string[]]>([
    ['aa bb cc', 5, ['aa bb', 'cc']],
    ['aa bb cc', 4, ['aa', 'bb', 'cc']],
    ['a-long-word b', 4, ['a-long-word', 'b']],
    ['', 4, ['']],
    ['\x1b[1maa\x1b[22m bb', 5, ['\x1b[1maa\x1b[22m bb']],
    ['😀😀 bb', 5, ['😀😀 bb']],
  ])('%j in %i characters', (text, width, lines) => expect(wrap(text, width)).toEqual(lines));

  it('hang below the end of their head', () => {
    expect(hanging('ab: ', 'x y\nz w', 7)).toBe('ab: x y\n    z w');
    expect(hanging('ab: ', 'x y\nz w', 6)).toBe('ab: x\n    y\n    z\n    w');
    expect(hanging('\x1b[1mab\x1b[22m ', 'x y', 5)).toBe('\x1b[1mab\x1b[22m x\n   y');
  });
});

describe('tables', () => {
  const words = `${'x'.repeat(16)} y`;

  it.each<[string, string[][], number, string]>([
    [
      'has columns',
      [
        ['a', 'x y z'],
        ['bbb', 'w'],
      ],
      10,
      'a    x y z\nbbb  w',
    ],
    ['wraps a last column with 16 characters', [['aaaa', words]], 22, `aaaa  ${'x'.repeat(16)}\n      y`],
    ['has a narrower one on lines of its own', [['aaaa', words]], 21, `aaaa\n    ${'x'.repeat(16)}\n    y`],
    ['needs no more characters than the column has', [['aaaa', '0123456789']], 16, 'aaaa  0123456789'],
    ['has no column that is cut', [['aaaa', '0123456789']], 15, 'aaaa\n    0123456789'],
    [
      'leaves empty cells out of the lines above the last column',
      [
        ['a', '', 'some words that are long enough'],
        ['', 'b', 'x'],
      ],
      20,
      'a\n    some words that\n    are long enough\nb\n    x',
    ],
    ['may have rows with fewer cells', [['a'], ['b', 'c', 'd']], 80, 'a\nb  c  d'],
  ])('%s', (_, rows, width, text) => expect(table(rows, width)).toBe(text));
});

it.each([
  [2 ** 30, '1.0 GiB'],
  [2 ** 30 - 1, '1024 MiB'],
  [1.26 * 2 ** 30, '1.3 GiB'],
  [300.4 * 2 ** 20, '300 MiB'],
  [0, '0 MiB'],
])('%d bytes are %s', (bytes, text) => expect(memoryText(bytes)).toBe(text));

it('counts in a column', () => expect([counted(5, 'case', 3), counted(1, 'case', 1)]).toEqual(['  5 cases', '1 case']));

describe('Markdown', () => {
  const show = (text: string, hasColors = false) =>
    renderMarkdown(readMarkdown(text), { width: 40, hasColors, out: () => {}, error: () => {}, progress: () => {} });

  it('has no empty line below a title, but one below the title of the page', () => {
    expect(show('# p\nt\n\n## t\np\n\np2\n\n## u\n\n### v\n- i\n- j\n  k')).toBe(
      'p\n\nt\n\nt\np\n\np2\n\nu\n\nv\n  - i\n  - j k',
    );
  });

  it('is styled word by word', () => {
    expect(show('# a `b`\ntext `code here` and\n\n## t\n| a |\n| --- |\n| `b` |\n\np', true)).toBe(
      '\x1b[1ma b\x1b[22m\n\ntext \x1b[36mcode\x1b[39m \x1b[36mhere\x1b[39m and\n\n\x1b[1mt\x1b[22m\n  \x1b[2ma\x1b[22m\n  \x1b[36mb\x1b[39m\n\np',
    );
  });

  it('of an operator gives the facts that are there', () => {
    const page = readMarkdown(
      '# gemm\n\nMultiplies **two**.\n\n## Rules\n- [one](x.md)\n\n## Example\n\n```js\nrun();\n```\n\n## Fields\n\n| field | type | needed |\n| --- | --- | --- |\n| `alpha` | number | |\n| `transA` | | no |',
    );
    const facts = operatorFacts('gemm', page);
    expect(facts).toMatchObject({ summary: 'Multiplies two.', rules: ['one'], example: 'run();' });
    const fields = new Map((facts as { fields: { name: string }[] }).fields.map((field) => [field.name, field]));
    expect(fields.get('alpha')).toMatchObject({ type: 'number' });
    expect(fields.get('alpha')).not.toHaveProperty('needed');
    expect(fields.get('transA')).toMatchObject({ needed: 'no', values: ['none', 'transpose'] });
    expect(fields.get('transA')).not.toHaveProperty('type');
    expect(fields.get('beta')).not.toHaveProperty('needed');
    expect(fields.get('alpha')).not.toHaveProperty('values');
  });

  it('of an operator whose sections lack lists and programs gives neither', () => {
    const page = readMarkdown('# gemm\n## Rules\n## Example\n- no program\n\n## More\n- no rule\n\n```js\nnone();\n```');
    for (const facts of [operatorFacts('gemm', page), operatorFacts('gemm', [])]) {
      for (const name of ['summary', 'rules', 'example']) expect(facts).not.toHaveProperty(name);
      expect(facts).toMatchObject({ name: 'gemm', value: 54, since: '1.0' });
    }
  });

  it('of an operator has its last section', () => {
    expect(operatorFacts('gemm', readMarkdown('- none\n\n## Rules\n- last'))).toMatchObject({ rules: ['last'] });
    expect(operatorFacts('gemm', readMarkdown('## Rules\n- first\n\n## Notes\n\np'))).toMatchObject({ rules: ['first'] });
  });
});

describe('arguments', () => {
  const command = {
    name: 'test',
    maxPositionals: 2,
    options: {
      count: { value: 'NUMBER', help: '', otherNames: ['--cases'] },
      all: { help: '' },
      input: { value: 'FILE', help: '' },
    },
  };
  const read = (...args: string[]) => readArguments(command, args);

  it('are read in any order, and the last value counts', () => {
    const given = read('--count', '2', 'a', '--all', '--count=3', 'b', '--input=-x', '--input', 'y');
    expect(given.positionals).toEqual(['a', 'b']);
    expect(['count', 'all', 'input', 'json', 'help'].map(given.has)).toEqual([true, true, true, false, false]);
    expect(given.valueOf('count')).toBe('3');
    expect(given.valueOf('all')).toBeUndefined();
    expect(given.valuesOf('input')).toEqual(['-x', 'y']);
    expect(given.valuesOf('all')).toEqual([]);
    expect(given.valuesOf('json')).toEqual([]);
  });

  it('end options with two dashes', () => expect(read('--', '--all').positionals).toEqual(['--all']));

  it.each([
    [[], 7],
    [['--count', '3'], 3],
    [['--count', '007'], 7],
    [['--count', '9007199254740991'], Number.MAX_SAFE_INTEGER],
  ])('%j is the number %d', (args, number) => expect(read(...args).numberOf('count', 3, 7)).toBe(number));

  it.each(['2', '-5', '1e3', '3.0', '9007199254740992', ''])("'%s' is no number of at least 3", (text) => {
    const given = read(`--count=${text}`);
    expect(() => given.numberOf('count', 3, 7)).toThrow(new Error(`--count is a whole number of at least 3, not '${text}'`));
  });

  it.each([
    [['--count', '-5'], null],
    [['--count', '-x'], '--count needs a value: NUMBER'],
    [['--count'], '--count needs a value: NUMBER'],
    [['--all=1'], '--all takes no value'],
    [['--help=1'], '--help takes no value'],
    [['--cases', '1'], "there is no option --cases (did you mean '--count'?)"],
    [['--x'], 'there is no option --x'],
    [['-x'], 'there is no option -x'],
    [['--xyz'], 'there is no option --xyz'],
    [['a', 'b', 'c', 'd'], "test takes no argument 'c'"],
  ])('%j', (args, message) => {
    if (message === null) expect(() => read(...args)).not.toThrow();
    else expect(() => read(...args)).toThrow(new Error(message));
  });
});

describe('the command line', () => {
  it.each(['--version', '-v'])('%s', async (option) => {
    const { version } = createRequire(import.meta.url)('../../package.json') as { version: string };
    expect(await runCli([option])).toEqual({ code: 0, out: `${version}\n`, error: '' });
  });

  it.each([40, 60, 83])('lists the commands in %i characters, with indented tables', async (width) => {
    const { out } = await runCli(['help'], { width });
    const lines = out.split('\n');
    for (const line of lines.slice(0, 20))
      if (!line.includes('node-directml COMMAND')) expect(line.length, line).toBeLessThanOrEqual(width);
    expect(lines).toContain('  --version  show the version');
    expect(out).toContain(`\n\nUsage\n  node-directml COMMAND [arguments] [options]\n\nCommands\n`);
  });

  it('shows how a command is used', async () => {
    expect((await runCli(['adapters', '--help'])).out).toContain('\nUsage\n  node-directml adapters [options]\n');
    expect((await runCli(['operators', '--help'])).out).toContain('\nUsage\n  node-directml operators [NAME] [options]\n');
    expect((await runCli(['run', '--help'], { width: 60 })).out).toContain(
      '  { "descriptor": { "type": "gemm", "transB": "transpose" },\n    "tensors": { "aTensor": { "dataType": "float32", "sizes": [2, 2], "data": [1, 2, 3, 4] },\n',
    );
  });

  it('tells errors as JSON if it is asked to', async () => {
    const path = join(folder, 'wrong.json');
    writeFileSync(path, '{ "descriptor": { "type": "gemm", "transB": "transposed" } }');
    const { code, out, error } = await runCli(['run', path, '--json', '--backend', 'reference']);
    expect({ code, error }).toEqual({ code: 1, error: '' });
    expect(JSON.parse(out)).toEqual({
      error: {
        code: expect.stringMatching(/^ERR_/),
        message: expect.stringMatching(/^gemm: /),
        operator: 'gemm',
        field: expect.any(String),
        expected: expect.any(String),
        given: expect.any(String),
      },
    });
    expect(out.split('\n')[1]).toBe('  "error": {');
  });

  it('lets other errors through, after its progress is removed', async () => {
    const progress: unknown[] = [];
    const terminal = {
      ...{ width: 80, hasColors: false, error: () => {}, progress: (text: string | null) => void progress.push(text) },
      out: () => {
        throw new RangeError('no output');
      },
    };
    await expect(main(['operators'], terminal)).rejects.toThrow(new RangeError('no output'));
    await expect(main(['help'], terminal)).rejects.toThrow(new RangeError('no output'));
    expect(progress).toEqual([null]);
  });

  it('speaks of its options in errors of the package', () => {
    expect(inFlags(`use createDevice({ backend: 'reference' }), createDevice({ backend: 'reference' })`)).toBe(
      'use --backend reference, --backend reference',
    );
    expect(inFlags('options.adapter: expected one of listAdapters() or its luid')).toBe(
      '--adapter: expected a LUID, or a number, that node-directml adapters prints',
    );
    expect(inFlags('createDevice: options.backend')).toBe('createDevice: --backend');
    expect(inFlags(`expected aTensor in options.initializationInputs, for its flags are 'ownedByDml'`)).toBe(
      'expected aTensor in tensors',
    );
  });
});

describe('texts', () => {
  it('are read without the mark at their beginning', async () => {
    const path = join(folder, 'marked.txt');
    writeFileSync(path, '\ufeffäb');
    expect(await readText('run', path)).toBe('äb');
  });

  it.each([
    ['missing', (path: string) => `${path}: ENOENT: no such file or directory, stat '${path}'`],
    ['.', (path: string) => `${path}: expected a file, given a folder; - is the standard input`],
    // A file with a hole in it takes no place.
    [
      'large',
      (path: string) =>
        `${path}: expected at most ${constants.MAX_STRING_LENGTH} bytes, given ${constants.MAX_STRING_LENGTH + 1}; - is the standard input`,
    ],
  ])('cannot be read: %s', async (name, message) => {
    const path = join(folder, name);
    if (name === 'large') {
      writeFileSync(path, '');
      truncateSync(path, constants.MAX_STRING_LENGTH + 1);
    }
    await expect(readText('run', path)).rejects.toThrow(new Error(message(path)));
  });
});

describe('reports', () => {
  it('have no folders, and are read again', () => {
    const path = join(folder, 'report.json');
    writeReportFile(
      path,
      [{ adapter: 'GPU', count: 1, at: 'C:\\Users\\jane\\a.dll' }, { adapter: 'other' }],
      ['ok /home/jane/x.js'],
    );
    expect(readFileSync(path, 'utf8')).toMatch(/^{\n {2}"report": "node-directml",\n {2}"version": 1,\n[^]*\n}\n$/);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ findings: ['ok …/x.js'] });
    expect(readReportFile(path)).toEqual({ adapter: 'GPU', count: 1, at: '…\\a.dll' });
    writeReportFile(path, []);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ findings: [], adapters: [] });
    expect(readReportFile(path)).toEqual({});
  });

  it('say why they cannot be written', () => {
    expect(() => writeReportFile(folder, [])).toThrow(`--report ${folder}: EISDIR`);
  });
});

it('takes an adapter by its LUID, or by a number of up to four digits', async () => {
  for (const text of [undefined, '00000000-0000e4f1', '12345', '1a']) expect(await adapterNamed(text)).toBe(text);
  // Windows may have some of the first ones.
  for (const text of process.platform === 'win32' ? ['9999'] : ['0', '1', '9999']) {
    await expect(adapterNamed(text)).rejects.toThrow(new Error(`there is no adapter ${text}: node-directml adapters lists them`));
  }
});

it.each([
  ['bold', '\x1b[1mx\x1b[22m'],
  ['dim', '\x1b[2mx\x1b[22m'],
  ['red', '\x1b[31mx\x1b[39m'],
  ['green', '\x1b[32mx\x1b[39m'],
  ['yellow', '\x1b[33mx\x1b[39m'],
  ['cyan', '\x1b[36mx\x1b[39m'],
] as const)('a terminal has %s', (style, text) => {
  const terminal = { width: 80, hasColors: true, out: () => {}, error: () => {}, progress: () => {} };
  expect([styled(terminal, style, 'x'), styled({ ...terminal, hasColors: false }, style, 'x')]).toEqual([text, 'x']);
});

it('fits lines to the terminal, and prints colours only there', () => {
  const program = `const { processTerminal } = require('./dist/cli/terminal.js');
    const { stdout, env } = process;
    const found = [];
    for (const [isTTY, columns, color, term] of [[false, 80], [true, 20], [true, 80], [true, 300], [true, 80, ''], [true, 80, '1'], [true, 80, undefined, 'dumb']]) {
      Object.assign(stdout, { isTTY, columns });
      delete env.NO_COLOR; delete env.TERM;
      if (color !== undefined) env.NO_COLOR = color;
      if (term !== undefined) env.TERM = term;
      const { width, hasColors } = processTerminal();
      found.push([width, hasColors === true]);
    }
    const terminal = processTerminal();
    terminal.error('to error\\x07'); terminal.progress('hidden');
    terminal.out(JSON.stringify(found));`;
  const cwd = join(import.meta.dirname, '..', '..');
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', program], { cwd, encoding: 'utf8' });
  expect(stderr).toBe('to error\\u0007\n');
  expect(JSON.parse(stdout)).toEqual([
    [100, false],
    [40, true],
    [80, true],
    [120, true],
    [80, true],
    [80, false],
    [80, false],
  ]);
});

/** Output to a terminal, which must not obey control characters from elsewhere, to a closed pipe, and to a full disk. */
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { counted } from '#lib/cli/layout.js';
import { visible } from '#lib/cli/terminal.js';
import { runCli, spawnCli } from '../../checks/harness/run-cli.js';

const program = join(import.meta.dirname, '..', '..', 'bin', 'node-directml.mjs');
const clear = '\x1b[2J';
const graph = {
  inputs: { image: { dataType: 'float32', sizes: [2] } },
  nodes: { n: { type: 'elementWiseNegate', inputTensor: 'image' } },
  outputs: { y: 'n.outputTensor' },
};

describe('control characters from elsewhere are shown, not obeyed, in', () => {
  const runOf = (file: object) => spawnCli(['run', '-', '--backend', 'reference'], {}, JSON.stringify(file));

  test.each<[string, object, string]>([
    ['a type', { descriptor: { type: clear } }, `given '\\u001b[2J'`],
    ['a field', { descriptor: { type: 'gemm', [clear]: 1 } }, '\\u001b[2J: expected'],
    ['a property of the file', { [clear]: 1 }, `no property '\\u001b[2J'`],
    ['a tensor of the graph', { graph, tensors: { [clear]: { data: 1 } } }, 'tensors.\\u001b[2J'],
    ['a node', { graph: { ...graph, nodes: { [clear]: {} } } }, 'nodes.\\u001b[2J'],
  ])('%s', async (_, file, shown) => {
    const { code, out, error } = await runOf(file);
    expect(code).toBeGreaterThan(0);
    expect(error).toContain(shown);
    expect(out + error).not.toContain('\x1b');
  });

  test('names of files, options and operators', async () => {
    for (const args of [['run', `${clear}.json`], ['run', `--${clear}`], ['operators', clear], [clear]]) {
      const { code, out, error } = await spawnCli(args);
      expect(code).toBe(2);
      expect(out + error).toContain('\\u001b[2J');
      expect(out + error).not.toContain('\x1b');
    }
  });

  test('names of outputs, also as JSON', async () => {
    const odd = { ...graph, outputs: { [`${clear}\u202e\u{e0041}`]: 'n.outputTensor' } };
    const file = JSON.stringify({ graph: odd, tensors: { image: { data: [1, 2] } } });
    for (const more of [[], ['--json']]) {
      const { code, out } = await spawnCli(['run', '-', '--backend', 'reference', ...more], {}, file);
      expect(code).toBe(0);
      expect(out).toContain('\\u001b[2J\\u202e\\udb40\\udc41');
      for (const character of ['\x1b', '\u202e']) expect(out).not.toContain(character);
      if (more.length > 0) expect(Object.keys(Object(JSON.parse(out)).outputs)).toEqual(Object.keys(odd.outputs));
    }
  });

  test('the output, whose own line breaks and styles remain', () => {
    expect(visible('\x1b[1mbold\x1b[22m\n\x1b[2J\x07')).toBe('\x1b[1mbold\x1b[22m\n\\u001b[2J\\u0007');
  });
});

test('the progress on a terminal is replaced, and cleared once', () => {
  const start = `const { stderr } = process; stderr.isTTY = true; stderr.columns = 20;
    const { progress } = require('./dist/cli/terminal.js').processTerminal();`;
  const calls = ['null', '"half"', '"a text that is too long"', 'null', 'null'].map((text) => `progress(${text});`);
  const { stderr } = spawnSync(process.execPath, ['-e', start + calls.join('')], {
    cwd: join(program, '..', '..'),
    encoding: 'utf8',
  });
  expect(stderr.split('\r\x1b[K')).toEqual(['', 'half', 'a text that is too ', '']);
});

describe('the messages of the command line', () => {
  test('name a tensor that the graph lacks, and the nearest name', async () => {
    const file = JSON.stringify({ graph, tensors: { imgae: { data: [1, 2] } } });
    const { code, error } = await spawnCli(['run', '-', '--backend', 'reference'], {}, file);
    expect(code).toBe(2);
    expect(error).toContain(`tensors.imgae is no input or constant of the graph (did you mean 'image'?)`);
  });

  test('say how to choose an adapter if the given one does not exist', async () => {
    const file = JSON.stringify({ graph, tensors: { image: { data: [1, 2] } } });
    const { code, error } = await spawnCli(['run', '-', '--backend', 'directml', '--adapter', 'one'], {}, file);
    expect(code).toBe(1);
    expect(error).toContain('--adapter: expected a LUID, or a number, that node-directml adapters prints');
  });

  test('have no backticks', async () => {
    for (const args of [['--help'], ['run', '--help'], ['bench', '--help'], ['conformance', '--help'], ['operators', 'gemm']]) {
      expect((await runCli(args)).out).not.toContain('`');
    }
  });
});

/** Runs the command line with its standard output at `out`. Resolves to the exit code and the text on standard error. */
async function runTo(out: number | 'pipe', args: readonly string[]): Promise<{ code: number | null; error: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', out, 'pipe'] });
    let error = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (error += text));
    // The reader closes its end of the pipe at once.
    child.stdout?.destroy();
    child.on('close', (code) => resolve({ code, error }));
  });
}

const commands = [['operators'], ['--help'], ['operators', 'gemm', '--json'], ['doctor']];

test.each(commands)('ends without an error if its pipe is closed: %s %s', async (...args) => {
  expect(await runTo('pipe', args)).toEqual({ code: 0, error: '' });
});

const full = '/dev/full';

// Only Linux has /dev/full, on which every write fails with ENOSPC.
describe.each([full].filter((path) => existsSync(path)))('%s', (path) => {
  test.each(commands)('%s %s fails with ENOSPC and exit code 1', async (...args) => {
    const file = openSync(path, 'w');
    try {
      const { code, error } = await runTo(file, args);
      expect(code).toBe(1);
      expect(error).toMatch(/^node-directml: the output cannot be written: ENOSPC: [^\n]*\n$/);
    } finally {
      closeSync(file);
    }
  });
});

test.each([
  ['case', '2 cases'],
  ['mismatch', '2 mismatches'],
  ['graph', '2 graphs'],
  ['WebNN operator', '2 WebNN operators'],
  ['further slice', '2 further slices'],
  ['index', '2 indexes'],
  ['pass', '2 passes'],
])('counts several of a %s in plain English', (what, two) => {
  expect([counted(1, what), counted(2, what), counted(0, what)]).toEqual([`1 ${what}`, two, two.replace('2', '0')]);
});

/** What `node-directml conformance` prints and writes, with a suite that finds what a test wants. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi, type MockInstance } from 'vitest';
import type { Device } from 'node-directml';
import { main } from '#lib/cli/main.js';
import { jsonReport, mismatchText, reportedCases, totals } from '#lib/cli/conformance/report.js';
import { loadSuite, type ConformanceSuite, type SuiteFailure, type SuiteReport } from '#lib/cli/conformance/suite.js';
import { operatorTable } from '#lib/descriptors/generated/table.js';
import { caught } from '../support/errors.js';

const require = createRequire(import.meta.url);
const path = require.resolve('../../dist/cli/conformance/cases.js');
const cases = require(path) as { suite: ConformanceSuite };
const failure = (message: string, number: number | null = 7, equalWithoutMetacommands: boolean | null = null): SuiteFailure => ({
  ...{ message, number, json: '{"descriptor":{}}' },
  equalWithoutMetacommands,
});
const report = (
  operator: SuiteReport['operator'],
  failures: readonly SuiteFailure[] = [],
  more: Partial<SuiteReport> = {},
): SuiteReport => ({
  ...{ operator, cases: 5, failures, unsupported: new Map(), summary: `${operator} 5 cases, ${failures.length} mismatches` },
  ...more,
});

let folder: string;
let run: MockInstance<ConformanceSuite['run']>;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'node-directml-'));
  run = vi.spyOn(cases.suite, 'run').mockImplementation(async (_, operator) => report(operator));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

/** What is printed, without the lines about the machine and the time; and the progress. */
async function conformance(args: readonly string[], { width = 200, hasColors = false } = {}) {
  const [lines, errors, progress]: [string[], string[], (string | null)[]] = [[], [], []];
  const terminal = {
    ...{ width, hasColors, progress: (text: string | null) => void progress.push(text) },
    out: (text: string) => void lines.push(...text.replace(/\(\d+ s\)/, '(0 s)').split('\n')),
    error: (text: string) => void errors.push(text),
  };
  const code = await main(['conformance', ...args, '--backend', 'reference'], terminal);
  const [machine, rest] = [lines.slice(0, 2), lines.slice(2)];
  return { code, machine, lines: rest, error: errors[0], progress };
}

const isDisposed = (device: Device) => {
  try {
    device.createTensor({ dataType: 'float32', sizes: [1] }).dispose();
    return false;
  } catch {
    return caught(() => device.createTensor({ dataType: 'float32', sizes: [1] })).code === 'ERR_DISPOSED';
  }
};

describe('the text', () => {
  it('has a line for each operator, and its progress', async () => {
    run.mockImplementation(async (_, operator, { progress }) => {
      progress?.(3, 1);
      return report(operator);
    });
    const { code, lines, progress } = await conformance(['gemm', 'gather', 'GEMM', '--cases', '5', '--seed', '3', '--from', '2']);
    expect(code).toBe(0);
    expect(lines).toEqual([
      'seed 3',
      '',
      'ok    gemm 5 cases, 0 mismatches',
      'ok    gather 5 cases, 0 mismatches',
      '',
      '2 operators, 10 cases, 0 mismatches (0 s)',
    ]);
    expect(progress).toEqual([
      'gemm (1 of 2): 0 of 5 cases, 0 mismatches',
      'gemm (1 of 2): 3 of 5 cases, 1 mismatches',
      null,
      'gather (2 of 2): 0 of 5 cases, 0 mismatches',
      'gather (2 of 2): 3 of 5 cases, 1 mismatches',
      null,
      null,
      null,
    ]);
    expect(run.mock.calls.map(([, operator, { seed, count, from }]) => [operator, seed, count, from])).toEqual([
      ['gemm', 3, 5, 2],
      ['gather', 3, 5, 2],
    ]);
    for (const [{ directml, reference }] of run.mock.calls)
      expect([isDisposed(directml), isDisposed(reference)]).toEqual([true, true]);
  });

  it('has the first mismatch in full, and a line for those of other operators', async () => {
    const found = { gemm: [], gather: [failure('first\nby 3'), failure('second')], reduce: [failure('third\nby 4')] };
    run.mockImplementation(async (_, operator) => report(operator, found[operator as 'gemm']));
    const { code, machine, lines } = await conformance(['gemm', 'gather', 'reduce', '--seed', '9']);
    expect(code).toBe(1);
    expect(lines).toEqual([
      'seed 9',
      '',
      'ok    gemm 5 cases, 0 mismatches',
      'WRONG gather 5 cases, 2 mismatches',
      ...mismatchText('gather', failure('first\nby 3'), machine, 9).split('\n'),
      'WRONG reduce 5 cases, 1 mismatches',
      '      third',
      '',
      '3 operators, 15 cases, 3 mismatches (0 s)',
      'wrong: gather (2), reduce (1)',
    ]);
  });

  it('has no line that is cut, but colours', async () => {
    const long = report('gemm', [], { summary: `gemm ${'many words '.repeat(20)}` });
    run.mockResolvedValue(long);
    const { lines } = await conformance(['gemm'], { width: 60, hasColors: true });
    expect(lines.slice(0, 3)).toEqual(['\x1b[2mseed 1', '\x1b[22m', `\x1b[32mok   \x1b[39m ${long.summary}`]);
  });

  it('in JSON has at most 20 mismatches of an operator', async () => {
    const failures = Array.from({ length: 21 }, (_, i) => failure('wrong', i));
    run.mockResolvedValue(report('gemm', failures, { unsupported: new Map([['no float64', 2]]) }));
    const { code, machine } = await conformance(['gemm', '--json', '--seed', '4']);
    expect(code).toBe(1);
    const [operator] = [
      { operator: 'gemm', cases: 5, mismatches: 21, summary: '5 cases, 21 mismatches', unsupported: { 'no float64': 2 } },
    ];
    expect(JSON.parse(machine[0] ?? '')).toMatchObject({
      ...{ equal: false, backend: 'reference', seed: 4, cases: 5, mismatches: 21, together: [] },
      operators: [{ ...operator, failures: failures.slice(0, 20) }],
    });
  });
});

describe('without an operator', () => {
  it('all of them run, and then two devices at the same time', async () => {
    const { code, lines, progress } = await conformance([]);
    const count = Object.keys(operatorTable).length;
    expect(code).toBe(0);
    expect(lines.slice(-3)).toEqual([
      'ok    two devices of the reference backend at the same time: 60 cases, 0 mismatches',
      '',
      `${count} operators, ${5 * count} cases, 0 mismatches (0 s)`,
    ]);
    expect(progress.slice(-3)).toEqual([
      'two devices at the same time: the reference backend and the reference backend',
      null,
      null,
    ]);
    const together = run.mock.calls.slice(count);
    expect(together.map(([, operator, { seed, count: each }]) => [operator, seed, each]).slice(0, 2)).toEqual([
      ['convolution', 1, 8],
      ['convolution', 1, 8],
    ]);
    expect(new Set(together.map(([{ directml }]) => directml)).size).toBe(2);
    for (const [{ directml }] of together) expect(isDisposed(directml)).toBe(true);
  });

  it('mismatches of two devices are printed with their operator, and reported', async () => {
    const wrong = failure('wrong together', 2, false);
    // Nothing else has 8 cases.
    run.mockImplementation(async (_, operator, { count }) =>
      report(operator, count === 8 && operator === 'reduce' ? [wrong] : []),
    );
    const file = join(folder, 'report.json');
    const { code, machine, lines } = await conformance(['--report', file, '--seed', '6']);
    expect(code).toBe(1);
    const at = lines.findIndex((line) => line.startsWith('WRONG'));
    expect(lines[at]).toBe('WRONG two devices of the reference backend at the same time: 60 cases, 2 mismatches');
    expect(lines.slice(at + 1, -2)).toEqual(mismatchText('reduce', wrong, machine, 6).split('\n'));
    const { adapters } = JSON.parse(readFileSync(file, 'utf8')) as { adapters: object[] };
    const names = ['the reference backend', 'the reference backend'];
    expect(adapters).toMatchObject([
      {
        backend: 'reference',
        conformance: { seed: 6, mismatches: 0, exceptions: [], together: [{ names, cases: 60, mismatches: 2 }] },
      },
    ]);
  });
});

it('opens new devices after a lost one', async () => {
  run.mockImplementation(async ({ directml }, operator) => {
    if (operator === 'gemm') {
      directml.dispose();
      await directml.lost;
    }
    return report(operator);
  });
  await conformance(['gemm', 'gather', 'reduce']);
  const [lost, next, last] = run.mock.calls.map(([devices]) => devices);
  expect([next === lost, next === last]).toEqual([false, true]);
  for (const devices of [lost, next]) {
    if (devices === undefined) throw new Error('no devices');
    expect([isDisposed(devices.directml), isDisposed(devices.reference)]).toEqual([true, true]);
  }
});

describe('--case', () => {
  let runCase: MockInstance<ConformanceSuite['runCase']>;
  beforeEach(() => void (runCase = vi.spyOn(cases.suite, 'runCase').mockResolvedValue(report('gather'))));
  const given = () => runCase.mock.calls[0]?.[1];

  it('runs the case alone', async () => {
    const { code, lines } = await conformance(['--case', '{"descriptor": 1}']);
    expect({ code, lines }).toEqual({
      code: 0,
      lines: ['ok    gather 5 cases, 0 mismatches', '', '1 operator, 5 cases, 0 mismatches (0 s)'],
    });
    expect(given()).toBe('{"descriptor": 1}');
    expect(run).not.toHaveBeenCalled();
  });

  it('prints a mismatch without the command that repeats it', async () => {
    runCase.mockResolvedValue(report('gather', [failure('wrong', null)]));
    const { code, machine, lines } = await conformance(['--case', '{"descriptor":{}}']);
    expect(code).toBe(1);
    expect(lines.slice(1, -3)).toEqual(mismatchText('gather', failure('wrong', null), machine, 1).split('\n'));
    expect(lines.join('\n')).not.toContain('npx');
    expect(lines.at(-1)).toBe('wrong: gather (1)');
  });

  it('finds the case in the text of a mismatch', async () => {
    const path = join(folder, 'mismatch.txt');
    writeFileSync(path, 'gather: wrong {"descriptor"\r\n  {"descriptor":{"type":"gather"}}\r\n-----\r\n');
    await conformance(['--case', path]);
    expect(given()).toBe('  {"descriptor":{"type":"gather"}}');
  });

  it('takes the whole file otherwise', async () => {
    const path = join(folder, 'case.json');
    writeFileSync(path, '[\r\n1]');
    await conformance(['--case', path]);
    expect(given()).toBe('[\n1]');
  });

  it.each([new SyntaxError('no JSON'), new TypeError('no case')])('says what is wrong with it: %s', async (error) => {
    runCase.mockRejectedValue(error);
    expect(await conformance(['--case', '{'])).toMatchObject({ code: 2, error: `node-directml: --case: ${error.message}` });
  });

  it('lets other errors through, and disposes of its devices', async () => {
    runCase.mockRejectedValue(new RangeError('a fault'));
    await expect(conformance(['--case', '{'])).rejects.toThrow(new RangeError('a fault'));
    const devices = runCase.mock.calls[0]?.[0];
    expect(devices && [isDisposed(devices.directml), isDisposed(devices.reference)]).toEqual([true, true]);
  });

  it('stands alone', async () => {
    expect((await conformance(['--case', '{', 'gemm'])).error).toBe('node-directml: --case has its operator: name none');
    expect((await conformance(['--seed', '2147483648'])).error).toBe('node-directml: --seed is at most 2147483647');
    expect((await conformance(['gemm', '--seed', '2147483647'])).code).toBe(0);
    expect((await conformance(['gemm', '--cases', '0'])).error).toBe(
      "node-directml: --cases is a whole number of at least 1, not '0'",
    );
    expect((await conformance(['gemm', '--from', '-1'])).error).toBe(
      "node-directml: --from is a whole number of at least 0, not '-1'",
    );
    expect((await conformance(['gemm', '--adapter', '99'])).code).toBe(0);
  });
});

it('runs 120 cases of the seed 1 from the case 0 by default', async () => {
  await conformance(['gemm']);
  expect(run.mock.calls[0]?.[2]).toMatchObject({ seed: 1, count: 120, from: 0 });
});

describe('reports', () => {
  it('have the text of a mismatch with its case up to 20,000 characters', () => {
    const json = 'x'.repeat(20_000);
    const lines = (more: Partial<SuiteFailure>) =>
      mismatchText('gemm', { ...failure('wrong'), ...more }, ['machine'], 5).split('\n');
    expect(lines({ json }).slice(2)).toEqual([
      'machine',
      'gemm: wrong',
      'npx node-directml conformance gemm --seed 5 --from 7 --cases 1',
      json,
      '-----',
      '',
    ]);
    expect(lines({ json: `${json}x` }).slice(4)).toEqual([
      'npx node-directml conformance gemm --seed 5 --from 7 --cases 1',
      '-----',
      '',
    ]);
    expect(lines({ number: null }).slice(3)).toEqual(['gemm: wrong', '{"descriptor":{}}', '-----', '']);
    expect(lines({ equalWithoutMetacommands: true })[4]).toBe(
      "equal without the driver's metacommands: compile with { disableMetacommands: true } until the driver is mended",
    );
    expect(lines({ equalWithoutMetacommands: false })[4]).toBe(
      "wrong also with disableMetacommands: the cause is not one of the driver's metacommands",
    );
  });

  const reports = [
    report('gemm'),
    report('gather', [failure('it differs\nby 3', 4), failure('more')], { cases: 6 }),
    report('reduce', [], { unsupported: new Map(Object.entries({ 'no float64': 3, 'no memory': 1 })) }),
    report('slice', [failure('also', null)]),
  ];

  it('have totals', () => {
    expect(totals(reports, 61_500)).toBe(
      '4 operators, 21 cases, 3 mismatches (62 s)\n' +
        'reduce: 3 cases not runnable here: no float64\nreduce: 1 case not runnable here: no memory\n' +
        'wrong: gather (2), slice (1)',
    );
  });

  it('have what was not equal', () => {
    expect(reportedCases(reports, [], 2)).toEqual({
      ...{ seed: 2, operators: 4, cases: 21, mismatches: 3, unsupported: 4, together: [] },
      exceptions: [
        { operator: 'gather', cases: 6, mismatches: 2, unsupported: 0, first: { number: 4, message: 'it differs' } },
        { operator: 'reduce', cases: 5, mismatches: 0, unsupported: 4, first: null },
        { operator: 'slice', cases: 5, mismatches: 1, unsupported: 0, first: { number: null, message: 'also' } },
      ],
    });
    expect(jsonReport(reports)).toMatchObject({
      cases: 21,
      mismatches: 3,
      operators: [{ unsupported: {} }, { mismatches: 2 }, {}, {}],
    });
  });

  it('are of a suite of this version', () => {
    expect(loadSuite()).toBe(cases.suite);
    const module = require.cache[path];
    if (module === undefined) throw new Error('no module');
    const { exports } = module;
    try {
      for (const suite of [undefined, null, 5, {}, { run: 1 }, { runCase: 1 }]) {
        for (const wrong of [{ suite }, suite]) {
          module.exports = wrong;
          expect(loadSuite).toThrow(new TypeError('cases.js is not that of this version'));
        }
      }
    } finally {
      module.exports = exports;
    }
  });
});

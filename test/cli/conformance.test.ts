/** `node-directml conformance`: compares the reference with itself everywhere, and the real DirectML with it on Windows. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createDevice, type Device } from 'node-directml';
import { conformance } from '#lib/cli/commands/conformance.js';
import { mismatchText, reportedCases, totals } from '#lib/cli/conformance/report.js';
import { loadSuite, watchLoss, type SuiteReport } from '#lib/cli/conformance/suite.js';
import { runTogether } from '#lib/cli/conformance/together.js';
import { writeCase } from '../../checks/cases/case.js';
import { casesOf } from '../../checks/conformance/runner.js';
import { vocabulary } from '../../checks/harness/vocabulary.js';
import { operatorTypes } from '../../checks/operators/cases.js';
import { backends, deviceOn } from '../support/devices.js';
import { wrongDevice } from '../support/wrong-device.js';
import { runCli, spawnCli } from '../../checks/harness/run-cli.js';

const folder = mkdtempSync(join(tmpdir(), 'node-directml-'));
afterAll(() => rmSync(folder, { recursive: true }));

const mismatch = { message: 'it differs', number: 7, equalWithoutMetacommands: null };
const run = (...args: string[]) => runCli(['conformance', ...args], { width: 100 });

describe.each(backends)('on %s', (backend) => {
  it('compares the cases of the named operators', async () => {
    const { code, out } = await run('gemm', 'np.dot', 'gather', '--cases', '5', '--backend', backend);
    expect(code).toBe(0);
    expect(out).toMatch(/^ok {4}gemm +5 cases, 0 mismatches/m);
    expect(out).toMatch(/^ok {4}gather +5 cases, 0 mismatches/m);
    expect(out).toMatch(/\n\n2 operators, 10 cases, 0 mismatches \(\d+ s\)\n$/);
    expect(out).toContain(backend === 'reference' ? 'reference backend' : 'DirectML 1.15');
  });

  it('compares one case of each operator', async () => {
    const { code, out } = await run('--cases', '1', '--backend', backend, '--json');
    const found = JSON.parse(out);
    expect(found).toMatchObject({ equal: true, backend, seed: 1, cases: operatorTypes.length, mismatches: 0 });
    expect(found.operators).toHaveLength(operatorTypes.length);
    const name = backend === 'reference' ? 'the reference backend' : found.adapter;
    expect(found.together[0]).toEqual({ names: [name, name], cases: 96, failures: [] });
    expect(code).toBe(0);
  });

  it('writes a report, which has the numbers and what was not equal', async () => {
    const file = join(folder, `${backend}.json`);
    const { code } = await run('gemm', 'gather', '--cases', '2', '--backend', backend, '--report', file);
    expect(code).toBe(0);
    const { adapters, ...rest } = JSON.parse(readFileSync(file, 'utf8'));
    expect(rest).toEqual({ report: 'node-directml', version: 1, findings: [] });
    const none = { mismatches: 0, unsupported: 0, exceptions: [], together: [] };
    expect(adapters).toEqual([expect.objectContaining({ backend, conformance: { seed: 1, operators: 2, cases: 4, ...none } })]);
  });

  it('repeats one case, by its number or from a file', async () => {
    const one = await run('gather', '--seed', '5', '--from', '7', '--cases', '1', '--backend', backend);
    expect(one).toMatchObject({ code: 0, out: expect.stringMatching(/gather +1 case, 0 mismatches/) });
    const [test] = [...casesOf('gather', 5, 8)].slice(-1);
    if (test === undefined) throw new Error('no case');
    const file = join(folder, `${backend}.txt`);
    writeFileSync(file, mismatchText('gather', { ...mismatch, json: writeCase(test) }, ['a machine'], 5));
    for (const given of [file, writeCase(test)]) {
      const again = await run('--case', given, '--backend', backend);
      expect(again).toMatchObject({ code: 0, out: expect.stringMatching(/gather +1 case, 0 mismatches/) });
    }
  });
});

it('says what is missing where there is no DirectML', async () => {
  const { code, error } = await run('gemm', '--cases', '1');
  if (process.platform === 'win32') expect(code).toBe(0);
  else expect({ code, error }).toEqual({ code: 1, error: expect.stringContaining('ERR_ADDON_NOT_FOUND') });
});

it('has the words of npm run conformance', () => {
  const { adapter: _adapter, report: _report, ...options } = conformance.options;
  for (const word of Object.keys(options)) expect(vocabulary).toHaveProperty(word);
});

it('runs at least 20,000 cases by default', async () => {
  const { out } = await run('--help');
  expect(Number(/\(default: (\d+)\)/.exec(out)?.[1]) * operatorTypes.length).toBeGreaterThanOrEqual(20_000);
});

describe('wrong arguments', () => {
  it.each([
    [['zzzz'], "no operator 'zzzz'"],
    [['--cases', '0'], "--cases is a whole number of at least 1, not '0'"],
    [['--seed', '1.5'], "--seed is a whole number of at least 0, not '1.5'"],
    [['--seed', '3000000000'], '--seed is at most'],
    [['--only', '3'], "no option --only (did you mean '--from'?)"],
    [['--case', join(folder, 'missing')], 'ENOENT'],
    [['--case', 'x', 'gemm'], '--case has its operator'],
    [['--backend', 'cuda'], "not 'cuda'"],
  ])('%j', async (args, message) => {
    const { code, error } = await run(...args);
    expect(code).toBe(2);
    expect(error.replace(/\s+/g, ' ')).toContain(message);
  });

  it.each(['no JSON', '{"data":{}}'])('refuses a file with %j', async (text) => {
    const { code, error } = await spawnCli(['conformance', '--case', '-', '--backend', 'reference'], {}, text);
    expect({ code, error }).toEqual({ code: 2, error: expect.stringContaining('--case: ') });
  });
});

it('notices a lost device', async () => {
  const device = await createDevice({ backend: 'reference' });
  const isLost = watchLoss(device);
  await device.idle();
  expect(isLost()).toBe(false);
  device.dispose();
  await device.lost;
  expect(isLost()).toBe(true);
});

describe('mismatches', () => {
  const reference = deviceOn('reference');

  it('are found and reported with the number of their case', async () => {
    using other = await createDevice({ backend: 'reference' });
    const devices = { directml: wrongDevice(other), reference: reference() };
    const report = await loadSuite().run(devices, 'gather', { seed: 1, count: 4 });
    expect(report.failures.map(({ number }) => number)).toEqual([0, 1, 2, 3]);
    expect(report.failures[0]?.message).toMatch(/^outputTensor at \[.*expected .* from the reference, given .* from DirectML /);
    const only = await loadSuite().run(devices, 'gather', { seed: 1, count: 1, from: 2 });
    expect(only.failures).toEqual([{ ...report.failures[2], equalWithoutMetacommands: false }]);
    expect((await loadSuite().runCase(devices, report.failures[1]?.json ?? '')).failures).toMatchObject([{ number: null }]);
  });

  it('say whether the case is equal without metacommands', async () => {
    using other = await createDevice({ backend: 'reference' });
    const firstOf = async (directml: Device) => {
      const { failures } = await loadSuite().run({ directml, reference: reference() }, 'gather', { seed: 1, count: 2 });
      const [first, second] = failures;
      expect(second?.equalWithoutMetacommands).toBe(null);
      return first === undefined ? '' : mismatchText('gather', first, [], 1);
    };
    const isMended = (options: object | undefined) => options !== undefined && 'disableMetacommands' in options;
    expect(await firstOf(wrongDevice(other, isMended))).toContain('compile with { disableMetacommands: true } until the driver');
    expect(await firstOf(wrongDevice(other))).toContain('wrong also with disableMetacommands');
  });

  it('of two devices at the same time are found, with their operators and numbers', async () => {
    using other = await createDevice({ backend: 'reference' });
    const doing: string[] = [];
    const devices = { directml: wrongDevice(other), reference: reference() };
    const [pair, ...more] = await runTogether(devices, 1, (text) => doing.push(text));
    const name = 'the reference backend';
    expect([pair?.names, pair?.cases, more]).toEqual([[name, name], 96, []]);
    expect(doing).toEqual([`two devices at the same time: ${name} and ${name}`]);
    const failures = pair?.failures ?? [];
    // Only one of the two is wrong, and a bit of it may be one that tolerances allow.
    expect(failures.length).toBeGreaterThan(24);
    expect(failures.length).toBeLessThanOrEqual(48);
    for (const operator of ['scatterNd', 'reduce', 'maxPooling'] as const) {
      const numbers = failures.filter((failure) => failure.operator === operator).map(({ number }) => number);
      const alone = await loadSuite().run(devices, operator, { seed: 1, count: 8 });
      expect(numbers).toEqual(alone.failures.map(({ number }) => number));
      expect(numbers.length).toBeGreaterThan(0);
    }
  });

  const report = (operator: SuiteReport['operator'], count: number): SuiteReport => ({
    operator,
    cases: 10,
    failures: Array.from({ length: count }, (_, number) => ({
      message: 'it differs',
      number,
      json: '{"descriptor":{}}',
      equalWithoutMetacommands: null,
    })),
    unsupported: new Map(),
    summary: `${operator} 10 cases`,
  });
  const unsupported = new Map([
    ['no float64', 3],
    ['no memory', 1],
  ]);

  it('are printed as text to paste into an issue', () => {
    const [failure] = report('gemm', 1).failures;
    if (failure === undefined) throw new Error('no failure');
    expect(mismatchText('gemm', failure, ['node-directml 1.0.0', 'a GPU'], 5)).toBe(`
----- to paste into an issue: https://github.com/node-directml/node-directml/issues -----
node-directml 1.0.0
a GPU
gemm: it differs
npx node-directml conformance gemm --seed 5 --from 0 --cases 1
{"descriptor":{}}
-----
`);
    const long = mismatchText('gemm', { ...failure, json: 'x'.repeat(30_000) }, [], 5);
    expect(long.length).toBeLessThan(400);
  });

  it('are counted in the summary', () => {
    expect(totals([report('gemm', 0), report('gather', 1)], 1500)).toBe(
      '2 operators, 20 cases, 1 mismatch (2 s)\nwrong: gather (1)',
    );
    expect(totals([report('gemm', 0)], 0)).toBe('1 operator, 10 cases, 0 mismatches (0 s)');
    expect(totals([{ ...report('gemm', 0), unsupported }], 0)).toBe(
      `1 operator, 10 cases, 0 mismatches (0 s)
gemm: 3 cases not runnable here: no float64
gemm: 1 case not runnable here: no memory`,
    );
  });

  it('and cases that did not run are told by operator in the file of --report', () => {
    const failures = [{ ...mismatch, message: 'it differs\nby 3', json: '' }, ...report('gather', 1).failures];
    const reports = [report('gemm', 0), { ...report('gather', 0), failures }, { ...report('reduce', 0), unsupported }];
    const pair = { names: ['one', 'other'], cases: 96, failures: [] } as const;
    expect(reportedCases(reports, [pair], 5)).toEqual({
      ...{ seed: 5, operators: 3, cases: 30, mismatches: 2, unsupported: 4 },
      exceptions: [
        { operator: 'gather', cases: 10, mismatches: 2, unsupported: 0, first: { number: 7, message: 'it differs' } },
        { operator: 'reduce', cases: 10, mismatches: 0, unsupported: 4, first: null },
      ],
      together: [{ names: ['one', 'other'], cases: 96, mismatches: 0 }],
    });
  });
});

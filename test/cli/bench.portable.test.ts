/** The output of `node-directml bench`. */
import { describe, expect, it } from 'vitest';
import { limitsOf, rowsText, type Row } from '#lib/cli/bench/report.js';
import { arithmeticText, bandwidthText, shareText, timeText } from '#lib/cli/bench/units.js';
import { workloadIds } from '#lib/cli/bench/workloads.js';
import { runCli } from '../../checks/harness/run-cli.js';

const bench = (...args: string[]) => runCli(['bench', ...args], { width: 120 });

it('describes the machine in its JSON', async () => {
  const { out } = await bench('compile', '--backend', 'reference', '--seconds', '0', '--json');
  const { cpu, cores, limits, rows, ...facts } = JSON.parse(out);
  expect(facts).toEqual({
    package: expect.stringMatching(/^\d+\.\d+\.\d+/),
    node: process.version,
    system: expect.stringContaining(process.arch),
    backend: 'reference',
    ...{ directmlVersion: null, featureLevel: expect.any(String), adapter: null, driverVersion: null },
  });
  expect(cpu).toEqual(expect.any(String));
  expect(cores).toBeGreaterThanOrEqual(1);
  expect(limits).toEqual({ copy: null, upload: null, download: null, float32: null, float16: null });
  const nothing = { bytesPerSecond: null, shareOfCopy: null, operationsPerSecond: null, shareOfGemm: null };
  expect(rows[0]).toMatchObject({ id: 'compile', bytes: null, operations: null, elements: null, dispatches: null, ...nothing });
  expect(rows[0].milliseconds.gpu).toBeNull();
  // The fewest. With the seconds of the default, there are more.
  expect(rows[0].rounds).toBe(3);
});

it('prints the machine and a line for each row', async () => {
  const { code, out } = await bench('dispatches', 'compile', '--backend', 'reference', '--seconds', '0');
  expect(code).toBe(0);
  expect(out).toMatch(/^node-directml .*\nDirectML \(none\), .* reference backend$/m);
  expect(out).toMatch(/^1000 tiny dispatches +[\d.]+ \S+ +[\d.]+ \S+ each +best .*, \d+ rounds/m);
  expect(out).toMatch(/^compile a convolution +[\d.]+ \S+ +best /m);
});

it('lists the valid values for a wrong row, backend or time', async () => {
  const error = async (...args: string[]) => (await bench(...args)).error;
  expect(await error('scatter')).toMatch(`there is no row 'scatter' (did you mean 'scatterNd'?)`);
  expect(await error('fft')).toMatch(`there are: ${workloadIds.slice(0, 3).join(', ')}`);
  expect(await error('--backend', 'cuda')).toMatch("--backend is directml or reference, not 'cuda'");
  expect(await error('--seconds', '0.5')).toMatch("--seconds is a whole number of at least 0, not '0.5'");
});

describe('units', () => {
  it.each([
    [0.0042, '4.20 µs'],
    [12.34, '12.3 ms'],
    [999, '999 ms'],
    [2070, '2.07 s'],
  ])('%d ms are %s', (milliseconds, text) => expect(timeText(milliseconds)).toBe(text));

  it.each([
    [2e11, '200 GB/s'],
    [43.6e6, '43.6 MB/s'],
  ])('%d bytes per second are %s', (rate, text) => expect(bandwidthText(rate)).toBe(text));

  it.each([
    [2 * 1024 ** 4, '2.20 TFLOP/s'],
    [4.18e9, '4.18 GFLOP/s'],
  ])('%d operations per second are %s', (rate, text) => expect(arithmeticText(rate)).toBe(text));

  it.each([
    [2.3, '230%'],
    [0.5512, '55%'],
    [0.034, '3.4%'],
    [0.0011, '0.11%'],
  ])('the share %d is %s', (share, text) => expect(shareText(share)).toBe(text));
});

describe('the table', () => {
  const measured = (median: number) => ({ median, least: 0.9 * median, rounds: 9, repeats: 2 });
  const rows: Row[] = [
    { id: 'copy', name: 'identity', amounts: { bytes: 1e9 }, measured: measured(10), gpu: 9 },
    {
      id: 'gemm-float32',
      name: 'gemm',
      amounts: { bytes: 1e7, operations: { count: 1e9, dataType: 'float32' } },
      measured: measured(2),
      gpu: null,
    },
    { id: 'dispatches', name: 'tiny', amounts: { dispatches: 1000 }, measured: measured(20), gpu: null },
  ];

  it('shows rates and their shares', () => {
    expect(rowsText(rows, limitsOf(rows), 110)).toBe(
      [
        '          time     GPU      rate, of copy   rate, of gemm',
        'identity  10.0 ms  9.00 ms  100 GB/s 100%                     best 9.00 ms, 9 rounds of 2',
        'gemm      2.00 ms           5.00 GB/s 5.0%  500 GFLOP/s 100%  best 1.80 ms, 9 rounds of 2',
        'tiny      20.0 ms           20.0 µs each                      best 18.0 ms, 9 rounds of 2',
      ].join('\n'),
    );
  });

  it('omits empty columns, and the last column on a narrow terminal', () => {
    const [, , tiny] = rows;
    expect(rowsText(tiny ? [tiny] : [], limitsOf([]), 80)).toBe(
      ['      time     rate, of copy', 'tiny  20.0 ms  20.0 µs each'].join('\n'),
    );
  });
});

/** `node-directml bench`. What it measures is not asserted. */
import { describe, expect, it } from 'vitest';
import { rateText, timeText } from '#lib/cli/bench/units.js';
import { workloadIds } from '#lib/cli/bench/workloads.js';
import { backends } from '../support/devices.js';
import { runCli } from './run-cli.js';

const bench = (...args: string[]) => runCli(['bench', ...args], { width: 120 });

describe.each(backends)('on %s', (backend) => {
  it('measures the rows that are named', { timeout: 120_000 }, async () => {
    const names = ['write', 'scatterNd', 'roundTrip', 'compileGraph'];
    const { code, out, error } = await bench(...names, '--backend', backend, '--seconds', '0', '--json');
    expect({ code, error }).toEqual({ code: 0, error: '' });
    const report = JSON.parse(out);
    expect(report.backend).toBe(backend);
    expect(report.rows.map(({ id }: { id: string }) => id)).toEqual(names);
    for (const { milliseconds, rounds, repeats } of report.rows) {
      expect(milliseconds.least).toBeGreaterThan(0);
      expect(milliseconds.median).toBeGreaterThanOrEqual(milliseconds.least);
      expect(rounds).toBeGreaterThanOrEqual(3);
      expect(repeats).toBeGreaterThanOrEqual(1);
    }
  });
});

it('prints the machine and a line for each row', { timeout: 60_000 }, async () => {
  const { code, out } = await bench('dispatches', 'compile', '--backend', 'reference', '--seconds', '0');
  expect(code).toBe(0);
  expect(out).toMatch(/^node-directml .*\nDirectML \(none\), .* reference backend$/m);
  expect(out).toMatch(/^1000 tiny dispatches +[\d.]+ \S+ +[\d.]+ \S+ each +best .*, \d+ rounds/m);
  expect(out).toMatch(/^compile a convolution +[\d.]+ \S+ +best /m);
});

it('names what is there for a wrong row, backend or time', async () => {
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
    [{ count: 2e9, unit: 'bytes' }, 10, '200 GB/s'],
    [{ count: 2 * 1024 ** 3, unit: 'operations' }, 1, '2.15 TFLOP/s'],
    [{ count: 1e6, unit: 'elements' }, 5, '200 million elements/s'],
    [{ count: 1000, unit: 'dispatches' }, 3, '3.00 µs each'],
  ] as const)('%j in %d ms is %s', (amount, milliseconds, text) => expect(rateText(amount, milliseconds)).toBe(text));
});

/** `node-directml bench` measures on both backends. No measured value is asserted. */
import { describe, expect, it } from 'vitest';
import { backends } from '../support/devices.js';
import { runCli, spawnCli } from '../../checks/harness/run-cli.js';

const bench = (...args: string[]) => runCli(['bench', ...args], { width: 120 });

describe.each(backends)('on %s', (backend) => {
  it('measures the named rows', async () => {
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

  it('measures models, and says why onnxruntime-node did not', async () => {
    const { code, out } = await bench('--models', '--backend', backend, '--seconds', '0', '--json');
    expect(code).toBe(0);
    const { rows, models } = JSON.parse(out);
    expect(rows).toEqual([]);
    expect(models.onnxruntime).toMatch(/^it (has DirectML on Windows only|is not installed here)$/);
    expect(models.rows.map(({ name }: { name: string }) => name.split(',')[0])).toEqual([
      ...['Add', 'Softmax', 'MatMul', 'Conv', 'ScatterND'],
    ]);
    for (const { milliseconds, onnxruntime } of models.rows) {
      expect(milliseconds).toBeGreaterThan(0);
      expect(onnxruntime).toBeNull();
    }
  });

  it('gives rates as shares of the rate of copying or of gemm', async () => {
    const { code, out } = await bench('write', 'scatterNd', 'convolution', '--backend', backend, '--seconds', '0', '--json');
    expect(code).toBe(0);
    const { limits, rows } = JSON.parse(out);
    const [write, convolution, scatterNd] = rows;
    // The rows of copying and of gemm were measured as well, but are not printed.
    expect(rows).toHaveLength(3);
    expect(limits).toEqual({
      copy: expect.any(Number),
      upload: write.bytesPerSecond,
      download: null,
      float32: expect.any(Number),
      float16: null,
    });
    // The reference backend has no GPU clock.
    for (const { milliseconds } of rows) {
      if (backend === 'reference') expect(milliseconds.gpu).toBeNull();
      else expect(milliseconds.gpu).toBeGreaterThan(0);
    }
    expect(write).toMatchObject({ id: 'write', bytes: 64 * 2 ** 20, shareOfCopy: null, operations: null, shareOfGemm: null });
    expect(scatterNd.bytes).toBe(5 * 4 * 2 ** 20);
    expect(scatterNd.bytesPerSecond).toBeCloseTo((scatterNd.bytes / scatterNd.milliseconds.median) * 1000, 0);
    expect(scatterNd.shareOfCopy).toBeCloseTo(scatterNd.bytesPerSecond / limits.copy, 10);
    expect(convolution.operationsPerSecond).toBeCloseTo((convolution.operations / convolution.milliseconds.median) * 1000, 0);
    expect(convolution.shareOfGemm).toBeCloseTo(convolution.operationsPerSecond / limits.float32, 10);
  });
});

it('prints only its report into a pipe', async () => {
  const { code, out, error } = await spawnCli(['bench', 'compile', '--backend', 'reference', '--seconds', '0', '--json']);
  expect({ code, error }).toEqual({ code: 0, error: '' });
  expect(JSON.parse(out).rows).toHaveLength(1);
});

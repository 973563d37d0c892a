/** `linalg` of `node-directml/array`: what NumPy refuses or has no cases of. numpy.test.ts has the others. */
import { describe, expect, test } from 'vitest';
import * as np from 'node-directml/array';
import { linalg } from 'node-directml/array';
import { backends, deviceOn } from '../support/devices.js';
import { gist, rejected } from '../support/errors.js';

/** Without a pattern, and of all sizes of elements. */
const noise = (count: number) => Array.from({ length: count }, (_, i) => Math.sin(i * i + 1));

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);
  const matrix = (rows: readonly (readonly number[])[]) => device().tensor(rows);

  test('singular matrices', async () => {
    // prettier-ignore
    const singular = matrix([[1, 2], [2, 4]]);
    expect(await (await linalg.det(singular)).item()).toBeCloseTo(0);
    const { sign, logabsdet } = await linalg.slogdet(singular);
    expect(await sign.item()).toBeCloseTo(0);
    expect(await logabsdet.item()).toBe(-Infinity);
    expect([...(await (await linalg.inv(singular)).read())].some((each) => !Number.isFinite(each))).toBe(true);
    expect(await (await linalg.cholesky(matrix([[-1]]))).item()).toBe(NaN);
  });

  test('large and badly ordered matrices', async () => {
    const n = 64;
    const x = device().tensor(noise(2 * n * n), { sizes: [2, n, n] });
    const product = await np.matmul(x, linalg.inv(x));
    const difference = np.subtract(product, np.eye(device(), n));
    expect(await (await np.max(np.abs(difference))).item()).toBeLessThan(1e-4);
    const y = device().tensor(noise(n));
    const left = await np.matmul(x, np.expandDims(linalg.solve(x, y), { axis: -1 }));
    const rest = np.subtract(np.squeeze(left, { axis: -1 }), y);
    expect(await (await np.max(np.abs(rest))).item()).toBeLessThan(1e-4);
  });

  test('powers', async () => {
    const x = matrix([
      [1, 1],
      [0, 1],
    ]);
    expect(await (await linalg.matrixPower(x, 10)).toArray()).toEqual([
      [1, 10],
      [0, 1],
    ]);
    expect(await (await linalg.matrixPower(x, 0)).toArray()).toEqual([
      [1, 0],
      [0, 1],
    ]);
    expect(await (await linalg.matrixPower(x, -3)).toArray()).toEqual([
      [1, -3],
      [0, 1],
    ]);
  });

  test.each<[string, string, string, () => Promise<unknown>]>([
    ['matrices that are not square', 'ERR_SIZES', 'x.sizes', () => linalg.det(device().tensor([[1, 2]]))],
    ['vectors', 'ERR_DIMENSION_COUNT', 'x', () => linalg.inv(device().tensor([1, 2]))],
    ['too many rows', 'ERR_SIZES', 'x.sizes', () => linalg.cholesky(np.eye(device(), 65))],
    ['too few rows', 'ERR_SIZES', 'y.sizes', () => linalg.solve(np.eye(device(), 3), np.ones(device(), [2]))],
    ['float64', 'ERR_DATA_TYPE', 'x', () => linalg.det(device().tensor([[1]], { dataType: 'float64' }))],
    ['half a power', 'ERR_INVALID_ARGUMENT', 'n', () => linalg.matrixPower(np.eye(device(), 2), 0.5)],
    ['the largest singular value', 'ERR_INVALID_ARGUMENT', 'ord', () => linalg.matrixNorm(np.eye(device(), 2), { ord: 2 })],
  ])('%s', async (_, code, field, run) => {
    expect(gist(await rejected(run()))).toEqual([code, field]);
  });
});

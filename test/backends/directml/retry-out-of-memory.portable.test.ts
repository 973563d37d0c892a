/** A compilation that runs out of memory is retried once, after a chance to collect garbage. */
import { retryingOutOfMemory } from '#lib/backends/directml/retry-out-of-memory.js';
import { expect, test, vi } from 'vitest';

const failing = (code: string, times: number) => {
  const compile = vi.fn(() => Promise.resolve('compiled'));
  for (let i = 0; i < times; i++) compile.mockRejectedValueOnce(Object.assign(new Error(`${code} ${i}`), { code }));
  return compile;
};

test.each([
  ['ERR_OUT_OF_MEMORY', 0, 1, 'compiled'],
  ['ERR_OUT_OF_MEMORY', 1, 2, 'compiled'],
  ['ERR_OUT_OF_MEMORY', 2, 2, 'ERR_OUT_OF_MEMORY 1'],
  ['ERR_DEVICE_LOST', 1, 1, 'ERR_DEVICE_LOST 0'],
])('%s, thrown %i times, leads to %i calls', async (code, times, calls, ending) => {
  const compile = failing(code, times);
  expect(await retryingOutOfMemory(compile).catch((error: unknown) => String(error))).toContain(ending);
  expect(compile).toHaveBeenCalledTimes(calls);
});

/** Collects garbage until an expectation holds. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { vi } from 'vitest';

export async function collected(expectation: () => void): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collectGarbage: () => void = runInNewContext('gc');
  await vi.waitFor(
    () => {
      collectGarbage();
      expectation();
    },
    { timeout: 30_000, interval: 100 },
  );
}

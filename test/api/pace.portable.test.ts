/** The pace of a program that awaits one step after the other. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Pace } from '#lib/api/pace.js';
import type { Backend } from '#lib/backends/backend.js';

test('parts may end in any order, and the event loop goes on', async () => {
  const delays = [30, 80, 20, 30];
  const caughtUp = () => sleep(delays.shift() ?? 0);
  // All that a pace needs of a backend.
  const pace = new Pace({ caughtUp } as unknown as Backend);
  // A part of one step that takes long: from now on each step waits for all parts.
  await pace.addStep();
  await sleep(50);
  const step = async () => pace.addStep();
  const steps = [step(), step()];
  await sleep(40);
  // The second part has ended, the first one has not.
  steps.push(step());
  expect(await Promise.race([Promise.all(steps), sleep(5000)])).toHaveLength(3);
});

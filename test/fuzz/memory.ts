/** Valid looks at the memory of a device. */
import { DirectMLBackend } from '#lib/backends/directml/index.js';
import { backendOf } from '#lib/api/device-internals.js';
import { pickDevice, type Make } from './make.js';
import { WrongResult } from './tracker.js';

const lookAtMemory: Make = (random, world) => {
  const held = pickDevice(random, world);
  return (
    held && {
      label: 'device.memory()',
      outcome: 'succeeds',
      run() {
        const { buffers, persistent, temporary, staging, descriptors } = held.device.memory();
        const pools = [temporary, staging, descriptors].flatMap(({ inUse, idle }) => [inUse, idle]);
        const isCount = (bytes: number) => Number.isSafeInteger(bytes) && bytes >= 0;
        if (![buffers, persistent, ...pools].every(isCount)) throw new WrongResult('a count of bytes is wrong');
      },
    }
  );
};

const watchBudget: Make = (random, world) => {
  const held = pickDevice(random, world);
  const isDisposed = random.chance(0.7);
  const limit = random.int(2 ** 20, 2 ** 40);
  return (
    held && {
      label: `device.onBudgetShrink()${isDisposed ? ', disposed' : ''}, and a budget of at most ${limit}`,
      outcome: 'succeeds',
      run() {
        const registration = held.device.onBudgetShrink(({ buffers }) => buffers);
        if (isDisposed) registration[Symbol.dispose]();
        const backend = backendOf(held.device);
        if (backend instanceof DirectMLBackend) backend.limitBudgetForTesting(limit);
      },
    }
  );
};

export const looks: readonly (readonly [weight: number, make: Make])[] = [
  [20, lookAtMemory],
  [10, watchBudget],
];

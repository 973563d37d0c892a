/** Valid looks at the memory of a device. */
import { DirectMLBackend } from '#lib/backends/directml/index.js';
import { backendOf } from '#lib/api/device-internals.js';
import { onDevice, right, type Weighted } from './make.js';
import { WrongResult } from './tracker.js';

const lookAtMemory = onDevice(({ device }) =>
  right('device.memory()', () => {
    const { buffers, persistent, temporary, staging, descriptors } = device.memory();
    const pools = [temporary, staging, descriptors].flatMap(({ inUse, idle }) => [inUse, idle]);
    const isCount = (bytes: number) => Number.isSafeInteger(bytes) && bytes >= 0;
    if (![buffers, persistent, ...pools].every(isCount)) throw new WrongResult('a count of bytes is wrong');
  }),
);

const watchBudget = onDevice(({ device }, random) => {
  const isDisposed = random.chance(0.7);
  const limit = random.int(2 ** 20, 2 ** 40);
  return right(`device.onBudgetShrink()${isDisposed ? ', disposed' : ''}, and a budget of at most ${limit}`, () => {
    const registration = device.onBudgetShrink(({ buffers }) => buffers);
    if (isDisposed) registration[Symbol.dispose]();
    const backend = backendOf(device);
    if (backend instanceof DirectMLBackend) backend.limitBudgetForTesting(limit);
  });
});

export const looks: Weighted = [
  [20, lookAtMemory],
  [10, watchBudget],
];

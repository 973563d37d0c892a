/** Valid reads of buffers and tensors, and looks at the memory of a device. */
import { DirectMLBackend } from '#lib/backends/directml/index.js';
import { backendOf } from '#lib/api/device-internals.js';
import { untyped } from '../malformed/objects.js';
import { any, onDevice, onLive, right, type Weighted } from './make.js';
import { transfer } from './traps.js';
import { WrongResult } from './wrong-result.js';
import { CANARY_BYTES, isLive } from './world.js';

const readBuffer = onLive('buffers', ({ value }, random) => {
  const { sizeInBytes } = value;
  const offset = random.chance(0.5) ? 0 : random.int(0, sizeInBytes);
  const size = random.chance(0.3) ? undefined : random.int(0, sizeInBytes - offset);
  return right(`buffer.read(${offset}, ${size})`, async () => {
    // Throws if hostile surroundings took the memory away.
    const { byteLength } = new Uint8Array(await value.read(offset, size));
    const expected = size ?? sizeInBytes - offset;
    if (byteLength !== expected) throw new WrongResult(`${byteLength} bytes in place of ${expected}`);
  });
});

const readInto = onLive('buffers', ({ value }, random, world) => {
  const { sizeInBytes } = value;
  const offset = random.chance(0.5) ? 0 : random.int(0, sizeInBytes);
  const length = random.int(0, sizeInBytes - offset);
  const isShared = random.chance(0.2);
  const isTransferred = !isShared && random.chance(0.3);
  const label = `buffer.readInto(${length} bytes, ${offset})${isTransferred ? ', then transferred' : ''}`;
  return (isTransferred ? any : right)(label, () => {
    const target = new Uint8Array(isShared ? new SharedArrayBuffer(length) : new ArrayBuffer(length));
    world.aim(target);
    const reading = value.readInto(target, offset);
    if (isTransferred) transfer(target);
    return reading;
  });
});

const readPart = onLive('tensors', (held, random) => {
  const { value: tensor } = held;
  const offset = 2 * random.int(0, Math.floor(tensor.elementSpan / 2));
  const length = random.int(0, tensor.elementSpan - offset);
  const isWritten = random.chance(0.3);
  return right(`tensor.read({ offset: ${offset}, length: ${length} })${isWritten ? ' and write' : ''}`, async () => {
    const part = await tensor.read({ offset, length });
    const perElement = tensor.dataType === 'int4' || tensor.dataType === 'uint4' ? 2 : 1;
    const expected = Math.ceil(length / perElement);
    if (part.length !== expected) throw new WrongResult(`${part.length} elements in place of ${expected}`);
    if (isWritten && length % perElement === 0 && isLive(held)) tensor.write(untyped<ArrayBuffer>(part), { offset });
  });
});

const readCanary = onDevice(
  ({ canary }) =>
    canary &&
    right('read of what nothing else wrote to', async () => {
      const numbers = new Uint16Array(await canary.read(0, CANARY_BYTES));
      if (numbers.some((number, i) => number !== i)) throw new WrongResult('a buffer was changed that nothing else is bound to');
    }),
);

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

export const reads: Weighted = [
  [20, lookAtMemory],
  [10, watchBudget],
  [60, readBuffer],
  [30, onLive('tensors', ({ value }) => right('tensor.read()', () => value.read()))],
  [30, readInto],
  [30, readPart],
  [20, readCanary],
];

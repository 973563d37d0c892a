/** Valid reads of buffers and tensors. */
import { untyped } from '../support/hostile.js';
import { pickDevice, pickLive, type Make } from './make.js';
import { WrongResult } from './tracker.js';
import { CANARY_BYTES, isLive } from './world.js';

const readBuffer: Make = (random, world) => {
  const held = pickLive(random, world.buffers);
  if (held === null) return null;
  const { sizeInBytes } = held.value;
  const offset = random.chance(0.5) ? 0 : random.int(0, sizeInBytes);
  const size = random.chance(0.3) ? undefined : random.int(0, sizeInBytes - offset);
  return {
    label: `buffer.read(${offset}, ${size})`,
    outcome: 'succeeds',
    run: async () => {
      const { byteLength } = await held.value.read(offset, size);
      const expected = size ?? sizeInBytes - offset;
      if (byteLength !== expected) throw new WrongResult(`${byteLength} bytes in place of ${expected}`);
    },
  };
};

const readInto: Make = (random, world) => {
  const held = pickLive(random, world.buffers);
  if (held === null) return null;
  const { sizeInBytes } = held.value;
  const offset = random.chance(0.5) ? 0 : random.int(0, sizeInBytes);
  const length = random.int(0, sizeInBytes - offset);
  const isShared = random.chance(0.2);
  const isTransferred = !isShared && random.chance(0.3);
  return {
    label: `buffer.readInto(${length} bytes, ${offset})${isTransferred ? ', then transferred' : ''}`,
    outcome: isTransferred ? 'any' : 'succeeds',
    run() {
      const target = new Uint8Array(isShared ? new SharedArrayBuffer(length) : new ArrayBuffer(length));
      world.aim(target);
      const reading = held.value.readInto(target, offset);
      if (isTransferred) structuredClone(target.buffer, { transfer: [untyped<ArrayBuffer>(target.buffer)] });
      return reading;
    },
  };
};

const readPart: Make = (random, world) => {
  const held = pickLive(random, world.tensors);
  if (held === null) return null;
  const { value: tensor } = held;
  const offset = 2 * random.int(0, Math.floor(tensor.elementSpan / 2));
  const length = random.int(0, tensor.elementSpan - offset);
  const isWritten = random.chance(0.3);
  return {
    label: `tensor.read({ offset: ${offset}, length: ${length} })${isWritten ? ' and write' : ''}`,
    outcome: 'succeeds',
    run: async () => {
      const part = await tensor.read({ offset, length });
      const perElement = tensor.dataType === 'int4' || tensor.dataType === 'uint4' ? 2 : 1;
      const expected = Math.ceil(length / perElement);
      if (part.length !== expected) throw new WrongResult(`${part.length} elements in place of ${expected}`);
      if (isWritten && length % perElement === 0 && isLive(held)) tensor.write(untyped<ArrayBuffer>(part), { offset });
    },
  };
};

const readTensor: Make = (random, world) => {
  const held = pickLive(random, world.tensors);
  return held && { label: 'tensor.read()', outcome: 'succeeds', run: () => held.value.read() };
};

const readCanary: Make = (random, world) => {
  const canary = pickDevice(random, world)?.canary ?? null;
  return (
    canary && {
      label: 'read of what nothing else wrote to',
      outcome: 'succeeds',
      run: async () => {
        const numbers = new Uint16Array(await canary.read(0, CANARY_BYTES));
        if (numbers.some((number, i) => number !== i))
          throw new WrongResult('a buffer was changed that nothing else is bound to');
      },
    }
  );
};

export const reads: readonly (readonly [weight: number, make: Make])[] = [
  [60, readBuffer],
  [30, readTensor],
  [30, readInto],
  [30, readPart],
  [20, readCanary],
];

/** Calls that share buffers and fences between devices by handles. Either side may end at any moment. */
import type { DirectMLBuffer, DirectMLFence } from 'node-directml';
import type { Random } from '../harness/random.js';
import { any, onLive, refused, right, type Make, type Weighted } from './make.js';
import { WrongResult } from './wrong-result.js';
import type { Held, HeldDevice } from './held.js';
import type { World } from './world.js';

const LARGEST = 4096;

/** Calls of a live device of DirectML. */
export function onDirectML(make: (owner: HeldDevice, random: Random, world: World) => ReturnType<Make>): Make {
  return (random, world) => {
    const live = world.live('directml');
    return live.length === 0 ? null : make(random.pick(live), random, world);
  };
}

function keepBuffer(random: Random, world: World, owner: HeldDevice, value: DirectMLBuffer): void {
  const held: Held<DirectMLBuffer> = { value, owner, isGone: false };
  world.keep(random, world.buffers, held);
  world.keep(random, world.shared, held);
  world.remember(value.exportHandle());
}

function keepFence(random: Random, world: World, owner: HeldDevice, value: DirectMLFence, isOwn: boolean): void {
  world.keep(random, world.fences, { value, owner, isOwn, isGone: false });
  world.remember(value.exportHandle());
}

/** In the forms that an import takes. */
export function sourceOf(random: Random, handle: bigint): { handle: bigint | Uint8Array } {
  if (random.chance(0.5)) return { handle };
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(handle);
  return { handle: bytes };
}

const share = onDirectML((owner, random, world) => {
  const size = random.int(4, LARGEST);
  const name = `Local\\node-directml-fuzz-${process.pid}-${random.int(0, 2 ** 52)}`;
  const shared = random.chance(0.5) ? true : { name };
  return right(`createBuffer(${size}, shared)`, () =>
    keepBuffer(random, world, owner, owner.device.createBuffer(size, { shared })),
  );
});

const importBuffer = onLive('shared', ({ value }, random, world) => {
  const { sizeInBytes } = value;
  const owner = random.pick(world.live('directml'));
  return right(`importBuffer(${sizeInBytes} bytes)`, () => {
    const imported = owner.device.importBuffer(sourceOf(random, value.exportHandle()));
    keepBuffer(random, world, owner, imported);
    if (imported.sizeInBytes < sizeInBytes) throw new WrongResult(`${imported.sizeInBytes} of ${sizeInBytes} bytes arrived`);
  });
});

/** One device writes, another one waits and reads. */
const exchange = onDirectML((owner, random, world) => {
  const others = world.live('directml').filter((held) => held !== owner);
  if (others.length === 0) return null;
  const other = random.pick(others);
  const bytes = random.bytes(random.int(4, LARGEST)).slice();
  return right(`${bytes.length} bytes go from device to device`, async () => {
    const buffer = owner.device.createBuffer(bytes.length, { shared: true });
    const fence = owner.device.createFence();
    const imported = other.device.importBuffer({ handle: buffer.exportHandle() });
    const importedFence = other.device.importFence({ handle: fence.exportHandle() });
    world.remember(buffer.exportHandle());
    buffer.write(bytes);
    owner.device.signal(fence, 1n);
    // Only now: if the owner ends before it signals, the other device would wait until its own end.
    other.device.waitFor(importedFence, 1n);
    const reading = imported.read(0, bytes.length);
    if (!Buffer.from(await reading).equals(bytes)) throw new WrongResult('other bytes arrived');
    for (const object of [buffer, fence, imported, importedFence]) object.dispose();
  });
});

/** Two buffers in one memory. An output that shares bytes with the input is refused, unless it has exactly the input's bytes. */
const twins = onDirectML(({ device }, random) => {
  const length = 16 * random.int(1, 16);
  const [base, from, to] = [16 * random.int(0, 8), 16 * random.int(0, 64), 16 * random.int(0, 64)];
  const distance = Math.abs(base + to - from);
  const shared = random.chance(0.5);
  const bytes = random.bytes(LARGEST).slice();
  const end = distance > 0 && distance < length ? refused : right;
  return end(
    `an identity of ${length} bytes from ${from} to a twin's ${base} + ${to}, ${shared ? 'by handle' : ''}`,
    async () => {
      const buffer = device.createBuffer(LARGEST, { shared });
      const source = shared ? sourceOf(random, buffer.exportHandle()) : { external: buffer.native };
      const twin = device.importBuffer({ ...source, offset: base });
      try {
        buffer.write(bytes);
        const desc = { dataType: 'uint32', sizes: [length / 4] } as const;
        const inputTensor = device.createTensor(desc, { buffer, offset: from });
        const outputTensor = device.createTensor(desc, { buffer: twin, offset: to });
        await device.run({ type: 'elementWiseIdentity', inputTensor, outputTensor });
        const moved = new Uint8Array(await buffer.read(base + to, length));
        if (!Buffer.from(moved).equals(bytes.subarray(from, from + length))) throw new WrongResult('other bytes arrived');
      } finally {
        for (const object of [buffer, twin]) object.dispose();
      }
    },
  );
});

const createFence = onDirectML((owner, random, world) =>
  right('createFence()', () => keepFence(random, world, owner, owner.device.createFence(), true)),
);

const importFence = onLive('fences', ({ value }, random, world) => {
  const owner = random.pick(world.live('directml'));
  return right('importFence()', () => {
    keepFence(random, world, owner, owner.device.importFence(sourceOf(random, value.exportHandle())), false);
  });
});

/** A device may wait for a value that it has signalled itself. */
const signal = onLive(
  'fences',
  ({ value: fence, owner }, _, world) =>
    right('signal() and waitFor()', () => {
      const value = (world.lastSignal += 1n);
      owner.device.signal(fence, value);
      owner.device.waitFor(fence, value);
      return owner.device.idle();
    }),
  ({ isOwn }) => isOwn,
);

/** The handle may be open, closed, or that of something else by now. */
const importAny = onDirectML((owner, random, world) => {
  const handle = random.chance(0.7) && world.handles.length > 0 ? random.pick(world.handles) : BigInt(random.int(1, 4096));
  const method = random.pick(['importBuffer', 'importTexture', 'importFence'] as const);
  return any(`${method} of any handle`, () => owner.device[method]({ handle }).dispose());
});

const importNothing = onDirectML(({ device }, random) => {
  const source = random.pick([
    { handle: 0n },
    { handle: 2n ** 64n - 1n },
    { handle: 2n ** 63n },
    { handle: Buffer.alloc(random.int(0, 7)) },
    { name: 'Local\\node-directml-nothing' },
    { name: '' },
    {},
  ]);
  const method = random.pick(['importBuffer', 'importTexture', 'importFence'] as const);
  return refused(`${method} of nothing`, () => device[method](source));
});

export const sharingCalls: Weighted = [
  [20, share],
  [20, importBuffer],
  [15, exchange],
  [15, twins],
  [8, createFence],
  [8, importFence],
  [10, signal],
  [10, importAny],
  [4, importNothing],
];

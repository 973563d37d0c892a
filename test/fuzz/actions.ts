/** Valid calls of the public API. They succeed unless their device is gone or memory runs out. */
import {
  listAdapters,
  minimumTensorSizeInBytes,
  toFloat16Bits,
  fromFloat16Bits,
  type CompileOptions,
  type DirectMLBuffer,
  type TensorDesc,
} from 'node-directml';
import type { Random } from '../random.js';
import { pickDevice, pickLive, type Make } from './make.js';
import { looks } from './memory.js';
import { reads } from './reads.js';
import { anyDescriptor, bindingsIn, dataFor, layoutOf, runsEverywhere } from './operators.js';
import { WrongResult } from './tracker.js';
import { end, isLive, type HeldOperator, type World } from './world.js';

const DATA_TYPES = ['float32', 'float16', 'int64', 'uint8', 'int4', 'float64'] as const;
const KIBIBYTE = 2 ** 10;
/** More bytes than one part of a read or write. */
const LARGE = 9 * 2 ** 20;

export function randomLength(random: Random): number {
  if (random.chance(1 / 400)) return LARGE + random.int(1, KIBIBYTE);
  return random.chance(0.8) ? random.int(1, 256) : random.int(1, 64 * KIBIBYTE);
}

const createBuffer: Make = (random, world) => {
  const owner = pickDevice(random, world);
  if (owner === null) return null;
  const size = randomLength(random);
  const options = random.chance(0.3) ? { label: `buffer of ${size}` } : undefined;
  const isRead = random.chance(0.3);
  return {
    label: `createBuffer(${size})${isRead ? '.read()' : ''}`,
    outcome: 'succeeds',
    run() {
      const buffer = owner.device.createBuffer(size, options);
      world.keep(random, world.buffers, { value: buffer, owner, isGone: false });
      return isRead ? zerosIn(buffer) : buffer;
    },
  };
};

async function zerosIn(buffer: DirectMLBuffer): Promise<void> {
  const bytes = new Uint8Array(await buffer.read());
  if (bytes.some((byte) => byte !== 0)) throw new WrongResult('a new buffer is not zero');
}

export function smallTensor(random: Random): TensorDesc {
  const sizes = Array.from({ length: random.int(1, 5) }, () => random.int(1, 4));
  return { dataType: random.pick(DATA_TYPES), sizes };
}

const createTensor: Make = (random, world) => {
  const owner = pickDevice(random, world);
  if (owner === null) return null;
  const desc = smallTensor(random);
  const size = minimumTensorSizeInBytes(desc.dataType, desc.sizes);
  const bits = { float32: 32, float16: 16, int64: 64, uint8: 8, int4: 4, float64: 64 }[desc.dataType as 'float32'];
  const written = Math.ceil((desc.sizes.reduce((all, one) => all * one, 1) * bits) / 8);
  const place = pickLive(
    random,
    world.buffers.filter((held) => held.owner === owner && held.value.sizeInBytes >= size + 32),
  );
  const data = random.pick([
    () => undefined,
    () => random.bytes(written).slice().buffer,
    () => place && { buffer: place.value, offset: 16 },
  ])();
  return {
    label: `createTensor(${desc.dataType} [${desc.sizes.join()}])`,
    outcome: 'succeeds',
    run() {
      const value = data === null || data === undefined ? owner.device.createTensor(desc) : owner.device.createTensor(desc, data);
      world.keep(random, world.tensors, { value, owner, isGone: false });
    },
  };
};

const writeBuffer: Make = (random, world) => {
  const held = pickLive(random, world.buffers);
  if (held === null) return null;
  const { sizeInBytes } = held.value;
  const offset = random.chance(0.5) ? 0 : random.int(0, sizeInBytes);
  const length = random.chance(0.5) ? Math.min(64, sizeInBytes - offset) : random.int(0, sizeInBytes - offset);
  const isShared = random.chance(0.2);
  return {
    label: `buffer.write(${length} bytes, ${offset})`,
    outcome: 'succeeds',
    run: () => held.value.write(isShared ? new Uint8Array(new SharedArrayBuffer(length)) : random.bytes(length), offset),
  };
};

const compile: Make = (random, world) => {
  const owner = pickDevice(random, world);
  if (owner === null) return null;
  const descriptor = anyDescriptor(random);
  const names = ['disableMetacommands', 'descriptorsVolatile'] as const;
  const options: CompileOptions = Object.fromEntries(names.filter(() => random.chance(0.1)).map((name) => [name, true]));
  return {
    label: `compile(${descriptor.type})`,
    outcome: runsEverywhere(descriptor) ? 'succeeds' : 'any',
    run: async () => {
      const value = await owner.device.compile(descriptor, options);
      world.keep(random, world.operators, { value, owner, descriptor, isGone: false });
    },
  };
};

/** Creates memory for one dispatch of an operator and fills it with data. */
export function bindAll(random: Random, world: World, { descriptor, owner }: HeldOperator) {
  const layout = layoutOf(descriptor);
  const data = dataFor(random, descriptor, layout.sizeInBytes);
  return () => {
    const buffer = owner.device.createBuffer(layout.sizeInBytes);
    world.keep(random, world.buffers, { value: buffer, owner, isGone: false });
    buffer.write(data);
    return { bindings: bindingsIn(layout, buffer), buffer };
  };
}

const dispatch: Make = (random, world) => {
  const held = pickLive(random, world.operators);
  if (held === null) return null;
  const times = random.chance(0.1) ? random.int(2, 40) : 1;
  const isRead = random.chance(0.2);
  const bind = bindAll(random, world, held);
  return {
    label: `${held.value.type}: dispatch, ${times} times${isRead ? ', and a read' : ''}`,
    outcome: 'succeeds',
    run() {
      const { bindings, buffer } = bind();
      for (let i = 0; i < times; i++) held.value.dispatch(bindings);
      return isRead ? buffer.read() : undefined;
    },
  };
};

/** Data types that every device has, and elementWiseIdentity too. */
const COPIED_TYPES: readonly string[] = ['float32', 'float16', 'uint8'];

const run: Make = (random, world) => {
  const held = pickLive(
    random,
    // A broadcast tensor has one dimension more, of at most eight.
    world.tensors.filter(({ value }) => COPIED_TYPES.includes(value.dataType) && value.sizes.length < 8),
  );
  if (held === null) return null;
  const { value: tensor, owner } = held;
  const [name, view] = random.pick([
    ['tensor', () => tensor],
    ['tensor.transpose()', () => tensor.transpose()],
    ['tensor.broadcastTo()', () => tensor.broadcastTo([2, ...tensor.sizes])],
  ] as const);
  return {
    label: `run(elementWiseIdentity of ${name})`,
    outcome: 'succeeds',
    run: async () => {
      const { outputTensor } = await owner.device.run({ type: 'elementWiseIdentity', inputTensor: view() });
      world.keep(random, world.tensors, { value: outputTensor, owner, isGone: false });
    },
  };
};

const dispatchChecked: Make = (random, world) => {
  const held = pickLive(random, world.operators);
  if (held === null) return null;
  const bind = bindAll(random, world, held);
  // Both outcomes are right, because any index may be out of range.
  return { label: `${held.value.type}: dispatchChecked`, outcome: 'any', run: () => held.value.dispatchChecked(bind().bindings) };
};

const record: Make = (random, world) => {
  const first = pickLive(random, world.operators);
  if (first === null) return null;
  const { owner } = first;
  const among = world.operators.filter((held) => held.owner === owner && isLive(held));
  const used = Array.from({ length: random.int(1, 4) }, () => random.pick(among));
  const bound = used.map((held) => ({ held, bind: bindAll(random, world, held) }));
  const options = random.chance(0.2) ? { reuseCommandLists: random.chance(0.5) } : undefined;
  return {
    label: `record(${used.map(({ value }) => value.type).join()})`,
    outcome: 'succeeds',
    run() {
      const ready = bound.map(({ held, bind }) => ({ held, ...bind() }));
      const work = () => {
        for (const { held, bindings } of ready) held.value.dispatch(bindings);
      };
      const value = owner.device.record(work, options);
      if (value.dispatchCount !== ready.length) throw new WrongResult(`${value.dispatchCount} dispatches`);
      const buffers = world.buffers.filter((held) => ready.some(({ buffer }) => buffer === held.value));
      world.keep(random, world.frames, { value, owner, needs: [...used, ...buffers], isGone: false });
    },
  };
};

const replay: Make = (random, world) => {
  const held = pickLive(random, world.frames);
  if (held === null) return null;
  const times = random.int(1, 7);
  return {
    label: `frame of ${held.value.dispatchCount}: replay, ${times} times`,
    outcome: held.needs.every((need) => isLive(need)) ? 'succeeds' : 'any',
    run() {
      for (let i = 0; i < times; i++) held.value.replay();
    },
  };
};

const idle: Make = (random, world) => {
  const owner = pickDevice(random, world);
  return owner && { label: 'idle()', outcome: 'succeeds', run: () => owner.device.idle() };
};

const submit: Make = (random, world) => {
  const owner = pickDevice(random, world);
  return owner && { label: 'submit()', outcome: 'succeeds', run: () => owner.device.submit() };
};

const dispose: Make = (random, world) => {
  const list = random.pick([world.buffers, world.tensors, world.operators, world.graphs, world.compiledGraphs, world.frames]);
  if (list.length === 0) return null;
  const held = random.pick<(typeof list)[number]>(list);
  return { label: 'dispose()', outcome: 'succeeds', run: () => end(held) };
};

const convert: Make = (random) => {
  const values = Array.from({ length: random.int(0, 20) }, () => random.int(-1000, 1000));
  return {
    label: 'toFloat16Bits and back',
    outcome: 'succeeds',
    run() {
      if (fromFloat16Bits(toFloat16Bits(values)).join() !== values.join()) throw new WrongResult('other numbers came back');
    },
  };
};

const adapters: Make = () => ({ label: 'listAdapters()', outcome: 'succeeds', run: () => listAdapters() });

export const rightCalls: readonly (readonly [weight: number, make: Make])[] = [
  ...reads,
  ...looks,
  [60, createBuffer],
  [40, createTensor],
  [60, writeBuffer],
  [90, compile],
  [160, dispatch],
  [30, dispatchChecked],
  [60, run],
  [40, record],
  [60, replay],
  [25, idle],
  [25, submit],
  [30, dispose],
  [5, convert],
  [1, adapters],
];

/** Valid calls of the public API. They succeed unless their device is gone or memory runs out. */
import {
  listAdapters,
  minimumTensorSizeInBytes,
  toFloat16Bits,
  fromFloat16Bits,
  type DirectMLBuffer,
  type ExecutionOptions,
  type Tensor,
  type TensorDesc,
} from 'node-directml';
import { bitsOf } from '#lib/tensors/data-types.js';
import { product } from '../cases/layout.js';
import { bytesFor, REGIONS } from '../descriptors/dispatch-cases.js';
import type { Random } from '../harness/random.js';
import { any, onDevice, onLive, pickLive, right, type Make, type Weighted, type Action } from './make.js';
import { reads } from './reads.js';
import { sharingCalls } from './sharing-actions.js';
import { textureCalls } from './texture-actions.js';
import { textureTrips } from './texture-trips.js';
import { anyDescriptor, bindingsIn, layoutOf, runsEverywhere, tensorsIn } from './operators.js';
import { WrongResult } from './wrong-result.js';
import type { Held } from './held.js';
import { end, isLive, type HeldOperator, type World } from './world.js';

const DATA_TYPES = ['float32', 'float16', 'int64', 'uint8', 'int4', 'float64'] as const;
const KIBIBYTE = 2 ** 10;
/** More bytes than one part of a read or write. */
const LARGE = 9 * 2 ** 20;

function randomLength(random: Random): number {
  if (random.chance(1 / 400)) return LARGE + random.int(1, KIBIBYTE);
  return random.chance(0.8) ? random.int(1, 256) : random.int(1, 64 * KIBIBYTE);
}

const createBuffer = onDevice((owner, random, world) => {
  const size = randomLength(random);
  const options = random.chance(0.3) ? { label: `buffer of ${size}` } : undefined;
  const isRead = random.chance(0.3);
  return right(`createBuffer(${size})${isRead ? '.read()' : ''}`, () => {
    const buffer = owner.device.createBuffer(size, options);
    world.keep(random, world.buffers, { value: buffer, owner, isGone: false });
    return isRead ? zerosIn(buffer) : buffer;
  });
});

async function zerosIn(buffer: DirectMLBuffer): Promise<void> {
  const bytes = new Uint8Array(await buffer.read());
  if (bytes.some((byte) => byte !== 0)) throw new WrongResult('a new buffer is not zero');
}

function smallTensor(random: Random): TensorDesc {
  const sizes = Array.from({ length: random.int(1, 5) }, () => random.int(1, 4));
  return { dataType: random.pick(DATA_TYPES), sizes };
}

const createTensor = onDevice((owner, random, world) => {
  const desc = smallTensor(random);
  const { dataType, sizes } = desc;
  const size = minimumTensorSizeInBytes(dataType, sizes);
  const place = pickLive(
    random,
    world.buffers.filter((held) => held.owner === owner && held.value.sizeInBytes >= size + 32),
  );
  const data = random.pick([
    () => undefined,
    () => random.bytes(Math.ceil((product(sizes) * bitsOf(dataType)) / 8)).slice().buffer,
    () => place && { buffer: place.value, offset: 16 },
  ])();
  return right(`createTensor(${dataType} [${sizes.join()}])`, () => {
    const value = data === null || data === undefined ? owner.device.createTensor(desc) : owner.device.createTensor(desc, data);
    world.keep(random, world.tensors, { value, owner, isGone: false });
  });
});

const writeBuffer = onLive('buffers', ({ value }, random) => {
  const { sizeInBytes } = value;
  const offset = random.chance(0.5) ? 0 : random.int(0, sizeInBytes);
  const length = random.chance(0.5) ? Math.min(64, sizeInBytes - offset) : random.int(0, sizeInBytes - offset);
  const isShared = random.chance(0.2);
  return right(`buffer.write(${length} bytes, ${offset})`, () =>
    value.write(isShared ? new Uint8Array(new SharedArrayBuffer(length)) : random.bytes(length), offset),
  );
});

export function anyOptions(random: Random): ExecutionOptions {
  return random.chance(0.1) ? { disableMetacommands: true } : {};
}

const compile = onDevice((owner, random, world) => {
  const descriptor = anyDescriptor(random);
  const options = anyOptions(random);
  return (runsEverywhere(descriptor) ? right : any)(`compile(${descriptor.type})`, async () => {
    const value = await owner.device.compile(descriptor, options);
    world.keep(random, world.operators, { value, owner, descriptor, isGone: false });
  });
});

/** Creates memory for one dispatch of an operator and fills it with data. */
export function bindAll(random: Random, world: World, { descriptor, owner }: HeldOperator) {
  const layout = layoutOf(tensorsIn(descriptor));
  const data = bytesFor(random, REGIONS in descriptor)(layout.sizeInBytes);
  return () => {
    const buffer = owner.device.createBuffer(layout.sizeInBytes);
    world.keep(random, world.buffers, { value: buffer, owner, isGone: false });
    buffer.write(data);
    return { bindings: bindingsIn(layout, buffer), buffer };
  };
}

const dispatch = onLive('operators', (held, random, world) => {
  const { value } = held;
  const times = random.chance(0.1) ? random.int(2, 40) : 1;
  const isRead = random.chance(0.2);
  const bind = bindAll(random, world, held);
  return right(`${value.type}: dispatch, ${times} times${isRead ? ', and a read' : ''}`, () => {
    const { bindings, buffer } = bind();
    for (let i = 0; i < times; i++) value.dispatch(bindings);
    return isRead ? buffer.read() : undefined;
  });
});

/** Data types that every device and elementWiseIdentity support. */
const COPIED_TYPES: readonly string[] = ['float32', 'float16', 'uint8'];

const run = onLive('tensors', copy, ({ value: { dataType, sizes } }) => {
  // Broadcasting adds a dimension to at most eight.
  return COPIED_TYPES.includes(dataType) && sizes.length < 8;
});

function copy({ value: tensor, owner }: Held<Tensor>, random: Random, world: World): Action {
  const [name, view] = random.pick([
    ['tensor', () => tensor],
    ['tensor.transpose()', () => tensor.transpose()],
    ['tensor.broadcastTo()', () => tensor.broadcastTo([2, ...tensor.sizes])],
  ] as const);
  return right(`run(elementWiseIdentity of ${name})`, async () => {
    const { outputTensor } = await owner.device.run({ type: 'elementWiseIdentity', inputTensor: view() });
    world.keep(random, world.tensors, { value: outputTensor, owner, isGone: false });
  });
}

const dispatchChecked = onLive('operators', (held, random, world) => {
  const bind = bindAll(random, world, held);
  // Success and an error are both correct, because any index may be out of range.
  return any(`${held.value.type}: dispatchChecked`, () => held.value.dispatchChecked(bind().bindings));
});

const record = onLive('operators', ({ owner }, random, world) => {
  const among = world.operators.filter((held) => held.owner === owner && isLive(held));
  const used = Array.from({ length: random.int(1, 4) }, () => random.pick(among));
  const bound = used.map((held) => ({ held, bind: bindAll(random, world, held) }));
  const options = random.chance(0.2) ? { reuseCommandLists: random.chance(0.5) } : undefined;
  return right(`record(${used.map(({ value }) => value.type).join()})`, () => {
    const ready = bound.map(({ held, bind }) => ({ held, ...bind() }));
    const work = () => {
      for (const { held, bindings } of ready) held.value.dispatch(bindings);
    };
    const value = owner.device.record(work, options);
    if (value.dispatchCount !== ready.length) throw new WrongResult(`${value.dispatchCount} dispatches`);
    const buffers = world.buffers.filter((held) => ready.some(({ buffer }) => buffer === held.value));
    world.keep(random, world.recordings, { value, owner, needs: [...used, ...buffers], isGone: false });
  });
});

const replay = onLive('recordings', ({ value, needs }, random) => {
  const times = random.int(1, 7);
  const outcome = needs.every((need) => isLive(need)) ? right : any;
  return outcome(`recording of ${value.dispatchCount}: replay, ${times} times`, () => {
    for (let i = 0; i < times; i++) value.replay();
  });
});

const dispose: Make = (random, world) => {
  const list = random.pick(world.disposable());
  if (list.length === 0) return null;
  const held = random.pick(list);
  return right('dispose()', () => end(held));
};

const convert: Make = (random) => {
  const values = Array.from({ length: random.int(0, 20) }, () => random.int(-1000, 1000));
  return right('toFloat16Bits and back', () => {
    if (fromFloat16Bits(toFloat16Bits(values)).join() !== values.join()) throw new WrongResult('other numbers came back');
  });
};

export const rightCalls: Weighted = [
  ...reads,
  ...sharingCalls,
  ...textureCalls,
  ...textureTrips,
  [60, createBuffer],
  [40, createTensor],
  [60, writeBuffer],
  [90, compile],
  [160, dispatch],
  [30, dispatchChecked],
  [60, run],
  [40, record],
  [60, replay],
  [25, onDevice(({ device }) => right('idle()', () => device.idle()))],
  [25, onDevice(({ device }) => right('submit()', () => device.submit()))],
  [30, dispose],
  [5, convert],
  [1, () => right('listAdapters()', () => listAdapters())],
];

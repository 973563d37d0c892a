/** Recordings whose function does what it must not, and replays of recordings that lack something or whose device ends. */
import { DirectMLError, Recording } from 'node-directml';
import { revoked } from '../parity/crash-values.js';
import type { Random } from '../random.js';
import { bindAll } from './actions.js';
import { call, hostile, trapped } from './hostile.js';
import { spoil } from './hostile-actions.js';
import { any, onDevice, onLive, pickLive, refused, type Weighted } from './make.js';
import { anyDescriptor } from './operators.js';
import { WrongResult } from './tracker.js';
import { Meddled } from './traps.js';
import { end, endDevice, isLive, removeDevice, type Held, type HeldDevice, type World } from './world.js';

/** What a function does while it is recorded. */
type Step = () => unknown;

/** A function to record, and whether the engine throws a TypeError when it is called. */
type Work = readonly [label: string, work: unknown, throwsTypeError?: true];

/** The share of recordings that remove their device: each has to be replaced. */
const REMOVES = 1 / 60;

const recordHostile = onDevice((owner, random, world) => {
  const { device } = owner;
  const needs: Held<object>[] = [];
  const steps = Array.from({ length: random.int(1, 4) }, () => stepOf(random, world, owner, needs));
  const promises: Promise<void>[] = [];
  const [label, work, throwsTypeError = false] = workOf(random, world, steps, promises);
  const options = random.pick<() => unknown>([
    () => ({ reuseCommandLists: random.chance(0.5) }),
    () => ({ reuseCommandLists: random.chance(0.5) }),
    () => hostile(random, world),
    () => trapped(random, world, { label: 'recording' }, ['reuseCommandLists']),
  ])();
  return any(`record(${label})`, () => {
    try {
      const value: unknown = call(device.record, device, [work, options]);
      if (!(value instanceof Recording)) throw new WrongResult('no recording');
      world.keep(random, world.recordings, { value, owner, needs, isGone: false });
      if (random.chance(0.5)) value.replay();
    } catch (error) {
      if (!throwsTypeError || !(error instanceof TypeError)) throw error;
    }
    return Promise.all(promises);
  });
});

/** Errors of the package are right here. Any other one is what the call ends in, or an unhandled rejection. */
async function withTypedError(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof DirectMLError)) throw error;
  }
}

function workOf(random: Random, world: World, steps: readonly Step[], promises: Promise<void>[]): Work {
  // A program may catch what a method throws, but the recording is refused nevertheless.
  const catches = random.chance(0.5);
  const take = (step: Step): void => {
    try {
      const result = step();
      if (result instanceof Promise) promises.push(withTypedError(() => result));
    } catch (error) {
      if (!catches || !(error instanceof DirectMLError)) throw error;
    }
  };
  const all = () => {
    steps.forEach(take);
  };
  const later = async (): Promise<void> => {
    for (const step of steps) {
      take(step);
      await Promise.resolve();
    }
  };
  const label = `${steps.length} steps`;
  const thenable = () => {
    all();
    return trapped(random, world, { then: all }, []);
  };
  return random.pick<Work>([
    [label, all],
    [label, all],
    [`${label}, most of them later`, () => void promises.push(withTypedError(later))],
    [`${label}, async`, later],
    [`${label} in a proxy`, new Proxy(all, { apply: all })],
    ['a proxy that throws', new Proxy(all, { apply: meddle, get: meddle, has: meddle })],
    [`${label}, bound`, all.bind(null)],
    [`${label}, a thenable`, thenable],
    ['a generator', generator],
    ['a class', class {}, true],
    ['a revoked function', revoked(all), true],
    ['a hostile value', hostile(random, world), true],
  ]);
}

function meddle(): never {
  throw new Meddled('from the function');
}

function* generator(): Generator<number> {
  yield 1;
}

function stepOf(random: Random, world: World, owner: HeldDevice, needs: Held<object>[]): Step {
  const { device } = owner;
  const isOwn = (held: Held<unknown>) => held.owner === owner;
  const operator = pickLive(random, world.operators.filter(isOwn));
  const buffer = pickLive(random, world.buffers.filter(isOwn));
  const tensor = pickLive(random, world.tensors.filter(isOwn));
  const recording = pickLive(random, world.recordings.filter(isOwn));
  const net = pickLive(random, world.compiledGraphs.filter(isOwn));
  const bind = operator && bindAll(random, world, operator);
  const dispatch = () => {
    if (operator === null || bind === null) return;
    const { bindings, buffer: memory } = bind();
    operator.value.dispatch(bindings);
    needs.push(operator, ...world.buffers.filter(({ value }) => value === memory));
  };
  const removes = random.chance(REMOVES);
  return random.pick<Step>([
    dispatch,
    dispatch,
    dispatch,
    () => operator && bind && call(operator.value.dispatch, operator.value, [spoil(random, world, bind().bindings)]),
    () => operator && bind && operator.value.dispatchChecked(bind().bindings),
    () => net?.value.run({}),
    () => buffer?.value.read(),
    () => buffer?.value.readInto(new Uint8Array(4)),
    () => buffer?.value.write(new Uint8Array(1)),
    () => tensor?.value.read(),
    () => tensor && device.run({ type: 'elementWiseIdentity', inputTensor: tensor.value }),
    () => device.compile(anyDescriptor(random)),
    () => world.keep(random, world.buffers, { value: device.createBuffer(16), owner, isGone: false }),
    () => device.submit(),
    () => device.idle(),
    () => device.profile(() => operator && bind && operator.value.dispatch(bind().bindings)),
    () => device.record(() => operator && bind && operator.value.dispatch(bind().bindings)),
    () => recording?.value.replay(),
    () => recording && end(recording),
    () => operator && end(operator),
    () => {
      const last = needs.at(-1);
      if (last !== undefined) end(last);
    },
    () => random.chance(0.1) && endDevice(owner),
    () => removes && removeDevice(owner),
    () => random.chance(0.3) && meddle(),
  ]);
}

/** A recording whose operator, buffer, or which itself is disposed. */
const replayWithout = onLive(
  'recordings',
  (held, random) => {
    const lost = random.pick([held, ...held.needs]);
    const isAfter = random.chance(0.5);
    const when = isAfter ? 'before and after' : 'after';
    return refused(`recording of ${held.value.dispatchCount}: replay ${when} a disposal`, () => {
      if (isAfter && held.needs.every((need) => isLive(need))) held.value.replay();
      end(lost);
      held.value.replay();
    });
  },
  ({ needs, value }) => needs.length > 0 && value.dispatchCount > 0,
);

/** Replays until the device is gone, and then again. */
const replayAcrossLoss = onLive('recordings', (held, random) => {
  const { value: recording, owner } = held;
  const times = random.int(0, 4);
  const isRemoved = owner.backend === 'directml' && random.chance(0.5);
  const label = `recording of ${recording.dispatchCount}: replay, ${isRemoved ? 'loss' : 'device.dispose()'}, replay`;
  return refused(label, async () => {
    const replay = async () => recording.replay();
    for (let i = 0; i < times; i++) await withTypedError(replay);
    if (isRemoved) removeDevice(owner);
    else endDevice(owner);
    await withTypedError(replay);
    await owner.device.lost;
    if (random.chance(0.3)) end(held);
    recording.replay();
  });
});

export const hostileRecords: Weighted = [
  [40, recordHostile],
  [15, replayWithout],
  [1, replayAcrossLoss],
];

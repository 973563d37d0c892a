/** Recordings whose function does something forbidden, and replays of recordings that lack an object or whose device ends. */
import { DirectMLError, Recording } from 'node-directml';
import { springing } from '../../malformed/values.js';
import type { Random } from '../../harness/random.js';
import { bindAll, rightCalls } from '../actions.js';
import { rightGraphCalls } from '../graph-actions.js';
import { call, spoiled } from './values.js';
import { any, onDevice, oneOf, onLive, pickLive, refused, type Weighted } from '../make.js';
import { profiles } from '../profiles.js';
import { WrongResult } from '../wrong-result.js';
import { Meddled } from '../meddled.js';
import type { Held, HeldDevice } from '../held.js';
import { disasters, end, endDevice, isLive, removeDevice, type World } from '../world.js';

/** One step of a function that is being recorded. */
type Step = () => unknown;

/** The probability that a step that may remove the device does so. It is low, because each removed device has to be replaced. */
const REMOVES = 1 / 60;

const recordMalformed = onDevice((owner, random, world) => {
  const { device } = owner;
  const needs: Held<object>[] = [];
  const steps = Array.from({ length: random.int(1, 4) }, () => stepOf(random, world, owner, needs));
  const promises: Promise<void>[] = [];
  const right = [workOf(random, world, steps, promises), { label: 'recording', reuseCommandLists: random.chance(0.5) }];
  const args = random.chance(0.7) ? right : spoiled(random, world, right);
  return any(`record(${steps.length} steps)`, () => {
    const value: unknown = call(device.record, device, args);
    if (!(value instanceof Recording)) throw new WrongResult('no recording');
    world.keep(random, world.recordings, { value, owner, needs, isGone: false });
    if (random.chance(0.5)) value.replay();
    return Promise.all(promises);
  });
});

/**
 * Ignores errors of the package, which are correct here. Any other error rejects, and fails the call or is an unhandled rejection.
 */
async function withTypedError(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof DirectMLError)) throw error;
  }
}

function workOf(random: Random, world: World, steps: readonly Step[], promises: Promise<void>[]): () => unknown {
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
  const thenable = () => {
    all();
    return springing({ then: all }, 'then', random.pick(disasters(random, world)));
  };
  return random.pick<() => unknown>([
    all,
    all,
    // Makes all steps but the first after the function has returned.
    () => void promises.push(withTypedError(later)),
    later,
    new Proxy(all, { apply: all }),
    new Proxy(all, { apply: meddle, get: meddle, has: meddle }),
    all.bind(null),
    thenable,
    function* generator() {
      yield 1;
    },
  ]);
}

function meddle(): never {
  throw new Meddled('from the function');
}

/** Any valid call. Few are allowed in a recording. */
const anyCall = oneOf([...rightCalls, ...rightGraphCalls, ...profiles]);

function stepOf(random: Random, world: World, owner: HeldDevice, needs: Held<object>[]): Step {
  const own = world.operators.filter((held) => held.owner === owner);
  const operator = pickLive(random, own);
  const bind = operator && bindAll(random, world, operator);
  const dispatch = () => {
    if (operator === null || bind === null) return;
    const { bindings, buffer: memory } = bind();
    operator.value.dispatch(bindings);
    needs.push(operator, ...world.buffers.filter(({ value }) => value === memory));
  };
  const other = anyCall(random, world);
  const removes = random.chance(REMOVES);
  return random.pick<Step>([
    ...new Array<Step>(3).fill(dispatch),
    ...new Array<Step>(14).fill(() => other?.run()),
    () => operator && bind && call(operator.value.dispatch, operator.value, spoiled(random, world, [bind().bindings])),
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

/** Replays a recording after it, its operator or its buffer is disposed. */
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

export const malformedRecords: Weighted = [
  [40, recordMalformed],
  [15, replayWithout],
  [1, replayAcrossLoss],
];

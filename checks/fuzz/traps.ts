/**
 * The actions of hostile surroundings in the middle of a call: they throw, end objects and devices, or take memory away. A trap
 * uses only functions that it took when the program began, because the current ones may be replaced.
 */
import { types } from 'node:util';
import type { Random } from '../harness/random.js';
import { Meddled } from './meddled.js';
import { disasters, endDevice, type World } from './world.js';

/** Called with the object that was read or written, and with the values given to it. */
export type Trap = (receiver: unknown, given: readonly unknown[]) => void;

const clone = structuredClone;
const { isView } = ArrayBuffer;
const { isBuffer } = Buffer;
const { isArrayBuffer } = types;

/** The number of times that a trap lets pass before it acts. */
const DELAYS = [0, 0, 0, 1, 2, 3, 5, 10, 30, 100];

export function trapOf(random: Random, world: World): Trap {
  const act = actOf(random, world);
  const isOnce = random.chance(0.5);
  let delay = random.pick(DELAYS);
  let isBusy = false;
  return (receiver, given) => {
    if (isBusy || delay-- > 0) return;
    if (isOnce && delay < -1) return;
    isBusy = true;
    try {
      act(receiver, given);
    } finally {
      isBusy = false;
    }
  };
}

function actOf(random: Random, world: World): Trap {
  const live = world.live();
  const device = live.length === 0 ? null : random.pick(live);
  return random.pick<() => Trap>([
    () => () => {
      throw new Meddled('from the surroundings');
    },
    () => transferAll(world),
    () => random.pick(disasters(random, world)),
    () => () => device !== null && endDevice(device),
    () => () => {
      // Its outcome does not matter here.
      device?.device.idle().then(ignore, ignore);
    },
  ])();
}

function ignore(): void {
  // Nothing.
}

/** Detaches all memory within reach: the object's, that of the given values, and the targets of pending reads. */
function transferAll(world: World): Trap {
  return (receiver, given) => {
    transfer(receiver);
    for (let i = 0; i < given.length; i++) transfer(given[i]);
    for (let i = 0; i < world.targets.length; i++) transfer(world.targets[i]);
  };
}

/** Detaches memory if it can be. Leaves Node.js' pool of small buffers alone. */
export function transfer(value: unknown): void {
  try {
    const memory: unknown = isView(value) && !isBuffer(value) ? value.buffer : value;
    if (isArrayBuffer(memory)) clone(memory, { transfer: [memory] });
  } catch {
    // This memory cannot be transferred.
  }
}

/**
 * What hostile surroundings do in the middle of a call: throw, end objects and devices, or take memory away. A trap uses only
 * functions that it took when the program began, because the others may be replaced at the moment.
 */
import { types } from 'node:util';
import type { Random } from '../random.js';
import { disasters, endDevice, type World } from './world.js';

/** Called with the object that was read or written, and with what was given to it. */
export type Trap = (receiver: unknown, given: readonly unknown[]) => void;

/**
 * The error that traps throw. A call may end in this very error, because it is the script's own: only what the package makes of
 * it, such as a TypeError or a promise that never settles, is a failure.
 */
export class Meddled extends Error {}

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
      // What becomes of it does not matter here.
      device?.device.idle().then(ignore, ignore);
    },
  ])();
}

function ignore(): void {
  // Nothing.
}

/** Takes away the memory that is at hand: of the object, of what was given, and of reads that are under way. */
function transferAll(world: World): Trap {
  return (receiver, given) => {
    transfer(receiver);
    for (let i = 0; i < given.length; i++) transfer(given[i]);
    for (let i = 0; i < world.targets.length; i++) transfer(world.targets[i]);
  };
}

/** Node.js' own pool of small buffers stays where it is. */
function transfer(value: unknown): void {
  try {
    const memory: unknown = isView(value) && !isBuffer(value) ? value.buffer : value;
    if (isArrayBuffer(memory)) clone(memory, { transfer: [memory] });
  } catch {
    // It cannot be transferred.
  }
}

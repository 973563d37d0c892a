/** Actions that end devices at work (disposal, removal, terminated worker threads) and that open new ones. */
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { onDevice, right, type Make } from './make.js';
import { TOOLS } from '../harness/children.js';
import type { Play, PlayName } from './round.js';
import { WrongResult } from './wrong-result.js';
import { endDevice, removeDevice } from './world.js';

/** The maximum number of calls of a worker thread. */
const CALLS = 500;
const MOST_WORKERS = 2;
/** The longest life of a worker thread. Opening a device takes a part of it. */
const LONGEST_LIFE_MS = 3_000;

const disposeDevice: Make = onDevice((held, random) => {
  if (random.chance(0.7)) return right('device.dispose()', () => endDevice(held));
  return right('device[Symbol.asyncDispose]()', async () => {
    held.isEnding = true;
    await held.device[Symbol.asyncDispose]();
    held.isGone = true;
  });
});

const remove: Make = (random, world) => {
  const live = world.live('directml');
  if (live.length === 0) return null;
  const held = random.pick(live);
  return right('the device is removed', () => {
    removeDevice(held);
    return held.device.lost;
  });
};

const open: Make = (random, world) => {
  const backend = random.pick(['directml', 'directml', 'reference'] as const);
  return right(`createDevice({ backend: '${backend}' })`, () => world.open(backend));
};

/** Makes calls in another thread, which is terminated at a random moment. */
const terminate =
  (play: PlayName): Make =>
  (random, world) => {
    if (world.workers >= MOST_WORKERS) return null;
    const life = random.int(0, LONGEST_LIFE_MS);
    const order = { seed: random.int(0, 0x7fffffff), from: 0, count: CALLS, isMainThread: false };
    const run = () =>
      new Promise<void>((resolve, reject) => {
        world.workers += 1;
        const worker = new Worker(join(TOOLS, 'fuzz', 'worker.js'), { workerData: { play, order } });
        const timer = setTimeout(() => void worker.terminate(), life);
        worker.on('message', (failure: unknown) => reject(new WrongResult(`in a worker thread: ${JSON.stringify(failure)}`)));
        worker.on('error', reject);
        worker.on('exit', () => {
          clearTimeout(timer);
          world.workers -= 1;
          resolve();
        });
      });
    return right(`a worker thread, terminated after ${life} ms`, run);
  };

/** How probable each ending is, and a new device if few are left. */
type Odds = Readonly<Record<'dispose' | 'remove' | 'open' | 'terminate', number>>;
/** With fewer live devices, a new one may be opened. */
const FEWEST_DEVICES = 2;

/** Draws an ending now and then, and other actions otherwise. */
export function withEndings(play: PlayName, odds: Odds, other: Make): Play['next'] {
  const terminateWorker = terminate(play);
  return (random, world, isMainThread) => {
    const makes: Make[] = [];
    if (random.chance(odds.dispose)) makes.push(disposeDevice);
    if (random.chance(odds.remove)) makes.push(remove);
    if (isMainThread && random.chance(odds.terminate)) makes.push(terminateWorker);
    if (world.live('directml').length < FEWEST_DEVICES && random.chance(odds.open)) makes.push(open);
    makes.push(other);
    for (const make of makes) {
      const action = make(random, world);
      if (action !== null) return action;
    }
    return right('nothing', () => undefined);
  };
}

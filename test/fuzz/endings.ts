/** Actions that end devices at work (disposal, removal, terminated worker threads) and that open new ones. */
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { onDevice, right, type Make, type Action } from './make.js';
import { hostileCall, rightCall } from './calls.js';
import { TOOLS } from '../harness/children.js';
import type { Random } from '../random.js';
import { WrongResult } from './tracker.js';
import { endDevice, removeDevice, type World } from './world.js';

/** The maximum number of calls of a worker thread. */
const CALLS = 500;
const MOST_WORKERS = 2;
/** The longest life of a worker thread. Opening a device takes a part of it. */
const LONGEST_LIFE_MS = 3_000;

const disposeDevice = onDevice((held, random) => {
  if (random.chance(0.7)) return right('device.dispose()', () => endDevice(held));
  return right('device[Symbol.asyncDispose]()', () => held.device[Symbol.asyncDispose]().then(() => (held.isGone = true)));
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
const terminate: Make = (random, world) => {
  if (world.workers >= MOST_WORKERS) return null;
  const life = random.int(0, LONGEST_LIFE_MS);
  const order = { seed: random.int(0, 0x7fffffff), from: 0, count: CALLS, isMainThread: false };
  const run = () =>
    new Promise<void>((resolve, reject) => {
      world.workers += 1;
      const worker = new Worker(join(TOOLS, 'fuzz', 'worker.js'), { workerData: order });
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

const PROBABILITY = { dispose: 1 / 900, remove: 1 / 900, open: 1 / 300, terminate: 1 / 1200, right: 0.6 } as const;
/** With fewer live devices, a new one may be opened. */
const FEWEST_DEVICES = 2;

/** The next action. It depends only on the random numbers and the world. */
export function nextAction(random: Random, world: World, isMainThread: boolean): Action {
  const makes: Make[] = [];
  if (random.chance(PROBABILITY.dispose)) makes.push(disposeDevice);
  if (random.chance(PROBABILITY.remove)) makes.push(remove);
  if (isMainThread && random.chance(PROBABILITY.terminate)) makes.push(terminate);
  if (world.live('directml').length < FEWEST_DEVICES && random.chance(PROBABILITY.open * 10)) makes.push(open);
  makes.push(random.chance(PROBABILITY.right) ? rightCall : hostileCall);
  for (const make of makes) {
    const action = make(random, world);
    if (action !== null) return action;
  }
  return right('nothing', () => undefined);
}

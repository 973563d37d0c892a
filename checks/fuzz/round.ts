/** A round of calls on its own devices. Afterwards, no promise, no native object and no pooled byte may be left. */
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { loadAddon } from '#lib/backends/directml/addon.js';
import type { LiveObjects } from '../../binding.js';
import { Random } from '../harness/random.js';
import type { Action } from './make.js';
import { Tracker, type Failure } from './tracker.js';
import { World } from './world.js';

/** What rounds consist of: random calls of the API, sessions, or files. */
export type PlayName = 'calls' | 'sessions' | 'files';

export interface Play {
  /** Called in each process, before the first round. */
  readonly prepare?: () => Promise<void>;
  /** The share of rounds that leave their devices to garbage collection. */
  readonly forgets: number;
  /** The next action. It depends only on the random numbers and the world. */
  readonly next: (random: Random, world: World, isMainThread: boolean) => Action;
}

export interface RoundOrder {
  readonly seed: number;
  /** The number of the first call. */
  readonly from: number;
  readonly count: number;
  readonly isMainThread: boolean;
}

export interface Watcher {
  /** Called before each call. */
  begin(index: number, label: string): void;
  fail(failure: Failure): void;
}

export interface RoundResult {
  readonly succeeded: number;
  readonly refused: number;
  /** The number of DirectML devices that were opened, without those of worker threads. */
  readonly opened: number;
  /** Resident memory in bytes, after everything was freed. */
  readonly resident: number;
}

/** With this many pending promises, the next call waits for all of them first. */
const MOST_PENDING = 60;
const SETTLE_MS = 20_000;
const COLLECT_MS = 20_000;

export async function runRound(play: Play, order: RoundOrder, watcher: Watcher): Promise<RoundResult> {
  const tracker = new Tracker((failure) => watcher.fail(failure));
  const last = order.from + order.count - 1;
  const onUnhandled = (error: unknown) => tracker.reportForeign(last, 'unhandled', error);
  process.on('unhandledRejection', onUnhandled).on('uncaughtException', onUnhandled);
  let opened: number;
  try {
    // A separate function, because an async function that waits here would keep its variables alive.
    opened = await makeCalls(play, order, watcher, tracker);
    await tracker.settle(SETTLE_MS);
    tracker.reportUnsettled();
    if (order.isMainThread) await collect(last, watcher);
  } finally {
    process.off('unhandledRejection', onUnhandled).off('uncaughtException', onUnhandled);
  }
  return { succeeded: tracker.succeeded, refused: tracker.refused, opened, resident: process.memoryUsage.rss() };
}

/** Makes the calls. Returns the number of devices that were opened. */
async function makeCalls(
  play: Play,
  { seed, from, count, isMainThread }: RoundOrder,
  { begin }: Watcher,
  tracker: Tracker,
): Promise<number> {
  const world = new World();
  for (const backend of ['directml', 'directml', 'reference'] as const) await world.open(backend);
  for (let index = from; index < from + count; index++) {
    const random = Random.of(seed, 'fuzz', index);
    const action = play.next(random, world, isMainThread);
    if (action.isAlone === true) await tracker.settle(SETTLE_MS);
    begin(index, action.label);
    tracker.run(index, action);
    if (action.isAlone === true || random.chance(0.3)) await tracker.settle(SETTLE_MS, index);
    else if (random.chance(0.1)) await setImmediate();
    if (tracker.pending >= MOST_PENDING) await tracker.settle(SETTLE_MS);
  }
  // `lost` must resolve for every device that is gone.
  const lost = world.devices.filter(({ isGone }) => isGone).map(({ device }) => device.lost);
  tracker.run(-1, { label: 'lost of what is gone', outcome: 'succeeds', run: () => Promise.all(lost) });
  tracker.run(-2, { label: 'release of the sessions', outcome: 'succeeds', run: () => world.releaseSessions() });
  world.close(Random.of(seed, 'close', from).chance(play.forgets));
  return world.opened;
}

/** Collects garbage until nothing of the round is left, or fails after COLLECT_MS. */
async function collect(last: number, { fail }: Watcher): Promise<void> {
  const { liveObjects } = loadAddon().binding;
  const isLeft = (live: LiveObjects) => Object.values(live).some((count) => count !== 0);
  const began = performance.now();
  do {
    globalThis.gc?.();
    if (!isLeft(liveObjects())) return;
    await sleep(10);
  } while (performance.now() - began <= COLLECT_MS);
  fail({ index: last, kind: 'alive', text: JSON.stringify(liveObjects()) });
}

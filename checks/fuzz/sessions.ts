/** Draws calls of sessions on ONNX models. Their devices and contexts end at any moment. */
import { types } from 'node:util';
import { DirectMLError } from 'node-directml';
import { InferenceSession, Tensor } from 'node-directml/onnxruntime';
import { ml } from 'node-directml/webnn';
import type { Random } from '../harness/random.js';
import { sharedDimensions, unnamedDimensions } from '../networks/small-models.js';
import type { Model } from '../networks/model-writer.js';
import { distance, expectedOf, numbersOf, read } from '../networks/sessions.js';
import { withEndings } from './endings.js';
import { any, oneOf, onDevice, pickLive, refused, right, type Make } from './make.js';
import { oddArguments } from './odd-feeds.js';
import type { Play } from './round.js';
import { WrongResult } from './wrong-result.js';
import { isLive, type HeldSession, type ModelKind, type World } from './world.js';

const kinds: readonly ModelKind[] = [sharedDimensions, unnamedDimensions];
const LARGEST = 3;
/** Of sessions, and of contexts. */
const MOST = 6;

/** A device or context of the program, or none. */
function placeOf(random: Random, world: World): [InferenceSession.SessionOptions, HeldSession['hasLostDevice'], string] {
  const held = pickLive(random, world.contexts);
  if (held !== null && random.chance(0.4))
    return [{ context: held.value }, () => held.owner.isEnding || !isLive(held), 'of a context'];
  const live = world.live();
  if (live.length > 0 && random.chance(0.5)) {
    const owner = random.pick(live);
    return [{ device: owner.device }, () => owner.isEnding || owner.isGone, `of a ${owner.backend} device`];
  }
  const backend = random.pick(['directml', 'reference', 'wasm'] as const);
  return [{ backend }, () => false, `on ${backend}`];
}

const create: Make = (random, world) => {
  if (world.sessions.length >= MOST) return null;
  const [place, hasLostDevice, name] = placeOf(random, world);
  const kind = random.pick(kinds);
  const options = {
    maxGraphs: random.int(1, 3),
    ...(random.chance(0.3) && { preferredOutputLocation: 'ml-tensor' as const }),
    ...place,
  };
  return right(`InferenceSession.create ${name}`, async () => {
    const value = await InferenceSession.create(kind(1, 1).bytes, options);
    if (world.isEnding) await value.release();
    else world.sessions.push({ value, kind, place: name, hasLostDevice, isGone: false });
  });
};

const createWrongly: Make = (random, world) => {
  const bytes = Uint8Array.from(random.pick(kinds)(1, 1).bytes);
  const at = random.int(0, bytes.length - 1);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << random.int(0, 7));
  const [place] = placeOf(random, world);
  return any('InferenceSession.create of a damaged model', async () => {
    const session = await InferenceSession.create(
      random.chance(0.8) ? bytes : bytes.subarray(0, random.int(0, bytes.length)),
      place,
    );
    await session.release();
  });
};

const run: Make = (random, world) =>
  onSession(random, world, (held) => {
    const model = held.kind(random.int(1, LARGEST), random.int(1, LARGEST));
    const disposes = random.chance(0.5);
    return right('session.run', async () => {
      try {
        await runAndCompare(held.value, model, disposes);
      } catch (error) {
        const isEnded = error instanceof DirectMLError && error.code === 'ERR_DISPOSED';
        if (isEnded && !held.isGone && !held.hasLostDevice())
          throw new WrongResult(`of a live session ${held.place}: ${error.message}`);
        throw error;
      }
    });
  });

async function runAndCompare(session: InferenceSession, model: Model, disposes: boolean): Promise<void> {
  const outputs = await session.run(model.feeds);
  try {
    const far = distance(await read(outputs), await expectedOf(model));
    if (far > model.tolerance) throw new WrongResult(`differs from onnxruntime's wasm by ${far}`);
  } finally {
    // Outputs on a device stay there until they are disposed of.
    for (const output of Object.values(outputs)) if (disposes || output.location !== 'cpu') output.dispose();
  }
}

const runWrongly: Make = (random, world) =>
  onSession(random, world, ({ kind, value }) => {
    const [name = '', tensor] = Object.entries(kind(2, 3).feeds)[0] ?? [];
    const feeds = random.pick([{}, { [name]: tensor?.reshape([tensor.size]) }, { [name]: null }]);
    return refused('session.run with wrong inputs', () => value.run(feeds as InferenceSession.FeedsType));
  });

/** Whatever a feed is or becomes, the run settles, and its result is right if there is one. */
const runOddly: Make = (random, world) =>
  onSession(random, world, ({ kind, value }) => {
    const [first, second] = [random.int(1, LARGEST), random.int(1, LARGEST)];
    const model = kind(first, second);
    return any('session.run with odd inputs or outputs', async () => {
      const expected = await expectedOf(model);
      const width = (expected['y']?.length ?? 0) / (first * second);
      const { feeds, fetches, afterwards } = oddArguments(random, model.feeds, [first, second, width]);
      const run = fetches === undefined ? value.run(feeds) : value.run(feeds, fetches);
      afterwards();
      const { y } = await run;
      // A caller's own object may be a revoked proxy by now, or a tensor that was disposed of.
      if (types.isProxy(y) || y?.location === 'none') return;
      if (y?.location === 'ml-tensor') y.dispose();
      // What the run has filled may be any object of the caller, whose `getData` need not settle.
      else if (y instanceof Tensor && distance(numbersOf({ y }), expected) > model.tolerance)
        throw new WrongResult('of odd inputs');
    });
  });

const release: Make = (random, world) =>
  onSession(random, world, (held) =>
    right('session.release', () => {
      held.isGone = true;
      world.sessions.splice(world.sessions.indexOf(held), 1);
      return held.value.release();
    }),
  );

const createContext: Make = onDevice((owner, _, world) =>
  world.contexts.length >= MOST
    ? null
    : right('ml.createContext(device)', async () => {
        const value = await ml.createContext(owner.device);
        if (world.isEnding) value.destroy();
        else world.contexts.push({ value, owner, isGone: false });
      }),
);

const destroyContext: Make = (random, world) => {
  const held = pickLive(random, world.contexts);
  return (
    held &&
    right('context.destroy()', () => {
      held.isGone = true;
      world.contexts.splice(world.contexts.indexOf(held), 1);
      held.value.destroy();
    })
  );
};

function onSession(random: Random, world: World, make: (held: HeldSession) => ReturnType<Make>): ReturnType<Make> {
  return world.sessions.length === 0 ? null : make(random.pick(world.sessions));
}

const call = oneOf([
  [5, create],
  [1, createWrongly],
  [20, run],
  [2, runWrongly],
  [6, runOddly],
  [3, release],
  [2, createContext],
  [1, destroyContext],
]);

export const sessions: Play = {
  // After a failed run, onnxruntime keeps tensors of the context, and with them its device.
  forgets: 0,
  /** Computes what is expected, because onnxruntime's wasm does one thing at a time. */
  async prepare() {
    for (const kind of kinds) {
      for (let first = 1; first <= LARGEST; first++) {
        for (let second = 1; second <= LARGEST; second++) await expectedOf(kind(first, second));
      }
    }
  },
  next: withEndings('sessions', { dispose: 1 / 25, remove: 1 / 60, open: 1 / 4, terminate: 1 / 80 }, call),
};

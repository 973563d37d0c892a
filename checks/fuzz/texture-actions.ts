/** Calls that copy between textures of another addon and tensors or buffers. Whatever arrives is compared with a model. */
import {
  DirectMLError,
  type DirectMLTexture,
  type PixelOptions,
  type PreparedCopy,
  type SharedSource,
  type Tensor,
} from 'node-directml';
import { interop } from '../interop/addon.js';
import type { Random } from '../harness/random.js';
import { untyped } from '../malformed/objects.js';
import { any, onLive, right, type Make, type Weighted } from './make.js';
import { onDirectML, sourceOf } from './sharing-actions.js';
import { follow, TextureMemory, type HeldCopy } from './texture-memory.js';
import {
  decoded,
  encoded,
  expectSame,
  randomElements,
  randomPlan,
  randomSize,
  randomTexels,
  type Plan,
  type TextureSize,
} from './texture-model.js';
import { WrongResult } from './wrong-result.js';
import { isA } from './tracker.js';
import type { Held, HeldDevice } from './held.js';
import { end, isLive, type World } from './world.js';

const told = ({ format, width, height }: TextureSize) => `${format} ${width} × ${height}`;

/** A call that must not say that something is disposed of while all this is alive. */
export function whileLive(needs: readonly Held<unknown>[], run: () => unknown): () => Promise<void> {
  return async () => {
    try {
      await run();
    } catch (error) {
      const isEnded = isA(DirectMLError, error) && error.code === 'ERR_DISPOSED';
      if (isEnded && needs.every(isLive)) throw new WrongResult(`of what is live: ${error.message}`);
      throw error;
    }
  };
}

function keepTexture(random: Random, world: World, owner: HeldDevice, memory: TextureMemory, source: SharedSource): void {
  const value = owner.device.importTexture(source);
  world.keep(random, world.textures, { value, owner, memory, isGone: false });
  const { format, width, height } = memory.size;
  if (value.format !== format || value.width !== width || value.height !== height)
    throw new WrongResult(`it is ${String(value)}`);
}

const importTexture = onDirectML((owner, random, world) => {
  const size = randomSize(random);
  const texels = randomTexels(random, size);
  const form = random.pick(['external', 'external', 'handle', 'name'] as const);
  const name = `Local\\node-directml-fuzz-texture-${process.pid}-${random.int(0, 2 ** 52)}`;
  return right(`importTexture(${form} of ${told(size)})`, () => {
    const memory = new TextureMemory(owner, size, form !== 'external');
    const { external } = memory;
    if (external === null) return;
    memory.write(texels);
    if (form !== 'external') {
      memory.handle = world.keepOpen(interop.createHandle(external, form === 'name' ? name : undefined));
    }
    const source = memory.handle === null ? { external } : form === 'name' ? { name } : sourceOf(random, memory.handle.value);
    keepTexture(random, world, owner, memory, source);
  });
});

/** Imports a texture again, perhaps to another device. */
const importAgain = onLive('textures', ({ memory }, random, world) => {
  const isExternal = !memory.owner.isGone && random.chance(0.5);
  const owner = isExternal ? memory.owner : random.pick(world.live('directml'));
  return right(`importTexture(${isExternal ? 'external' : 'handle'} of ${told(memory.size)} again)`, () => {
    const { external, handle } = memory;
    if (isExternal ? external === null : handle?.isOpen !== true) return;
    const source = isExternal || handle === null ? { external } : sourceOf(random, handle.value);
    // Nothing orders the commands of several devices, or of several COM objects of a device.
    if (owner !== memory.owner || isExternal === memory.isByHandle) memory.unordered += 1;
    keepTexture(random, world, owner, memory, source);
  });
});

const closeHandle: Make = (random, world) => {
  if (world.openHandles.length === 0) return null;
  const handle = random.pick(world.openHandles);
  return right('the other addon closes a handle', () => world.closeHandle(handle));
};

const letGo = onLive('textures', ({ memory }) =>
  right('the other addon lets go of a texture', () => {
    memory.external = null;
  }),
);

/** The other addon reads or writes, after all commands. */
const accessElsewhere = onLive('textures', ({ owner, memory }, random) => {
  const texels = random.chance(0.5) ? randomTexels(random, memory.size) : null;
  return right(`the other addon ${texels === null ? 'reads' : 'writes'} ${told(memory.size)}`, async () => {
    const { uses } = memory;
    await owner.device.idle();
    if (owner.isGone || memory.uses !== uses || memory.unordered > 0 || memory.external === null) return;
    if (texels === null) memory.check('the texture');
    else memory.write(texels);
  });
});

/** A tensor or a buffer of zeros for the copy. */
export function createTarget({ device }: HeldDevice, { tensor, dataType, span }: Plan) {
  return tensor === null
    ? device.createBuffer(span * (dataType === 'float16' ? 2 : 1))
    : device.createTensor({ dataType, sizes: tensor.sizes, strides: tensor.strides });
}

// The overloads take a tensor or a buffer, with its own options.
type Verb<Result> = (texture: DirectMLTexture, plan: Plan, target: object) => Promise<Result>;

const prepareCopy: Verb<PreparedCopy> = (texture, { toTarget, options }, target) =>
  texture[toTarget ? 'prepareCopyTo' : 'prepareCopyFrom'](untyped<Tensor>(target), untyped<PixelOptions>(options));

const copyOnce: Verb<void> = (texture, { toTarget, options }, target) =>
  texture[toTarget ? 'copyTo' : 'copyFrom'](untyped<Tensor>(target), untyped<PixelOptions>(options));

const name = ({ toTarget, dataType, tensor }: Plan) =>
  `${toTarget ? 'To' : 'From'}(${tensor === null ? 'buffer' : `${dataType} [${tensor.sizes.join()}]`})`;

const prepare = onLive('textures', (texture, random, world) => {
  const { owner, memory } = texture;
  const plan = randomPlan(random, memory.size);
  return right(
    `texture.prepareCopy${name(plan)} of ${told(memory.size)}`,
    whileLive([texture], async () => {
      const target = { value: createTarget(owner, plan), owner, elements: new Float64Array(plan.span), isGone: false };
      const value = await prepareCopy(texture.value, plan, target.value);
      world.keep(random, world.copies, { value, owner, texture, plan, target, isGone: false });
    }),
  );
});

const isWhole = ({ texture, target }: HeldCopy) => isLive(texture) && isLive(target);

const prepareAgain = onLive('copies', (held, random, world) => {
  const { texture, target, plan } = held;
  return (isWhole(held) ? right : any)(
    `texture.prepareCopy${name(plan)} again`,
    whileLive([texture, target], async () => {
      const value = await prepareCopy(texture.value, plan, target.value);
      world.keep(random, world.copies, { ...held, value, isGone: false });
    }),
  );
});

const copyAgain = onLive('copies', (held) => {
  const { texture, target, plan } = held;
  return (isWhole(held) ? right : any)(
    `texture.copy${name(plan)}`,
    whileLive([texture, target], () => texture.memory.apart(() => copyOnce(texture.value, plan, target.value))),
  );
});

/** Writes to the targets that are copied from, runs the copies so often, and compares what arrives in the others. */
async function runCopies(
  copies: readonly HeldCopy[],
  written: readonly Float64Array[],
  times: number,
  run: () => void,
): Promise<void> {
  copies.forEach(({ plan, target }, i) => {
    if (plan.toTarget) return;
    target.elements = written[i] ?? target.elements;
    target.value.write(encoded(plan.dataType, target.elements));
  });
  let expected = follow(copies, run);
  for (let i = 1; i < times; i++) expected = follow(copies, run);
  // Several copies may write to one target.
  const last = new Map(copies.map(({ target }, i) => [target, i]));
  const readings = [...last.values()].map(async (i) => {
    const [copy, elements] = [copies[i], expected[i]];
    if (copy === undefined || !copy.plan.toTarget || !elements) return;
    expectSame(`copy${name(copy.plan)}`, decoded(copy.plan.dataType, await copy.target.value.read()), elements);
  });
  await Promise.all(readings);
}

const drawWritten = (random: Random, copies: readonly HeldCopy[]) =>
  copies.map(({ texture, plan }) => randomElements(random, texture.memory.size, plan));

const dispatch = onLive('copies', (held, random) => {
  const { texture, target, plan, value } = held;
  const written = drawWritten(random, [held]);
  const times = random.chance(0.1) ? random.int(2, 20) : 1;
  return (isWhole(held) ? right : any)(
    `a copy${name(plan)}: dispatch, ${times} times`,
    whileLive([held, texture, target], () => runCopies([held], written, times, () => value.dispatch())),
  );
});

const record = onLive(
  'copies',
  ({ owner }, random, world) => {
    const among = world.copies.filter((held) => held.owner === owner && isLive(held) && isWhole(held));
    const copies = Array.from({ length: random.int(1, 4) }, () => random.pick(among));
    const options = random.chance(0.2) ? { reuseCommandLists: random.chance(0.5) } : undefined;
    const work = () => copies.forEach(({ value }) => value.dispatch());
    return right(`record(${copies.map(({ plan }) => `copy${name(plan)}`).join()})`, () => {
      const value = owner.device.record(work, options);
      world.keep(random, world.copyRecordings, { value, owner, copies, isGone: false });
    });
  },
  isWhole,
);

const replay = onLive('copyRecordings', (held, random) => {
  const { value, copies } = held;
  const written = drawWritten(random, copies);
  const times = random.int(1, 3);
  return (copies.every(isWhole) ? right : any)(
    `a recording of ${copies.length} copies: replay, ${times} times`,
    whileLive([held, ...copies.flatMap(({ texture, target }) => [texture, target])], () =>
      runCopies(copies, written, times, () => value.replay()),
    ),
  );
});

const disposeTarget: Make = (random, world) => {
  if (world.copies.length === 0) return null;
  const { target, plan } = random.pick(world.copies);
  return right(`dispose() of what is copied ${plan.toTarget ? 'to' : 'from'}`, () => end(target));
};

export const textureCalls: Weighted = [
  [60, importTexture],
  [10, importAgain],
  [4, closeHandle],
  [4, letGo],
  [160, accessElsewhere],
  [80, prepare],
  [10, prepareAgain],
  [15, copyAgain],
  [200, dispatch],
  [20, record],
  [60, replay],
  [3, disposeTarget],
];

/** Invalid calls of textures and of copies. */
import { onLive, pickLive, refused, type Make, type Weighted } from '../make.js';
import { malformedCall, call } from './values.js';
import { createTarget } from '../texture-actions.js';
import { randomPlan } from '../texture-model.js';
import type { Held } from '../held.js';

const METHODS = ['copyTo', 'copyFrom', 'prepareCopyTo', 'prepareCopyFrom'] as const;

const WRONG_PIXELS: readonly unknown[] = [
  ...['', 'x', 'rr', 'rgbar', 5, null].map((channels) => ({ channels })),
  ...[NaN, Infinity, '1', [], [1, 1, 1, 1, 1], [NaN], {}].flatMap((value) => [{ scale: value }, { offset: value }]),
  ...['chw', '', 1].map((layout) => ({ layout })),
  { bytesPerRow: 256 },
  { color: 'rgb' },
  5,
  'rgb',
];
const WRONG_ROWS: readonly unknown[] = [
  ...[256, -512, 1.5, 2 ** 40, 2 ** 53, NaN, '0'].map((offset) => ({ offset })),
  ...[0, 100, 255, -256, 2 ** 53, NaN, '256', null].map((bytesPerRow) => ({ bytesPerRow })),
  { channels: 'r' },
  { scale: 1 },
  5,
];
const wrongRegions = (width: number, height: number): readonly unknown[] =>
  [
    { x: width, width: 1, height: 1 },
    { y: height, width: 1, height: 1 },
    { width: width + 1, height: 1 },
    { x: 2 ** 32, y: 2 ** 32, width: 1, height: 1 },
    { x: Number.MAX_SAFE_INTEGER, width: Number.MAX_SAFE_INTEGER, height: 1 },
    { width: 0, height: 1 },
    { width: 1 },
    { x: -1, width: 1, height: 1 },
    { x: 0.5, width: 1, height: 1 },
    [],
    null,
    1,
  ].map((region) => ({ region }));

/** Passes the method what its types do not allow. */
function copy(texture: object, method: (typeof METHODS)[number], args: readonly unknown[]): unknown {
  return call(Object(Reflect.get(texture, method)), texture, args);
}

const wrongOptions = onLive('copies', ({ texture: { value, memory }, target, plan }, random) => {
  const { width, height } = memory.size;
  const options = random.pick([...(plan.tensor === null ? WRONG_ROWS : WRONG_PIXELS), ...wrongRegions(width, height)]);
  const method = random.pick(METHODS);
  return refused(`texture.${method} with ${JSON.stringify(options)}`, () => copy(value, method, [target.value, options]));
});

/** The other device may be one of the reference backend. */
const otherDevice = onLive('textures', ({ value, owner }, random, world) => {
  const lists = [world.tensors, world.buffers].map((list) => list.filter((held) => held.owner !== owner));
  const other = pickLive(random, random.pick(lists));
  const method = random.pick(METHODS);
  return other && refused(`texture.${method} with memory of another device`, () => copy(value, method, [other.value]));
});

const whileRecording = onLive('copies', ({ owner, texture, target }, random) => {
  const method = random.pick(METHODS);
  return refused(`texture.${method} within record()`, () =>
    owner.device.record(() => void copy(texture.value, method, [target.value])),
  );
});

const gone: Make = (random, world) => {
  const method = random.pick(METHODS);
  const isOver = (held: Held<unknown>) => held.isGone || held.owner.hasEnded;
  const told = (held: Held<unknown>) => (held.isGone ? 'disposed' : held.owner.isGone ? 'gone with its device' : 'live');
  const calls = [
    ...world.textures.filter(isOver).map(({ value }) => [`texture.${method}`, () => copy(value, method, [])] as const),
    ...world.copies
      .filter((held) => [held, held.texture, held.target].some(isOver))
      .map((held) => {
        const label = `dispatch of a copy that is ${told(held)}, texture ${told(held.texture)}, target ${told(held.target)}`;
        return [label, () => held.value.dispatch()] as const;
      }),
    ...world.copies
      .filter(({ texture, target }) => [texture, target].some(isOver))
      .map(({ texture, target, plan }) => {
        const label = `texture.${method}, texture ${told(texture)}, target ${told(target)}`;
        return [label, () => copy(texture.value, method, [target.value, plan.options])] as const;
      }),
  ];
  return calls.length === 0 ? null : refused(...random.pick(calls));
};

/** Only calls that leave the texture as it is. */
const malformedCalls = onLive('textures', ({ value, owner, memory }, random, world) => {
  const plan = randomPlan(random, memory.size);
  const args = () => [createTarget(owner, plan), { ...plan.options, region: plan.region }];
  return random.pick([
    () => malformedCall(random, world, 'texture', value, { copyTo: args, prepareCopyTo: args, prepareCopyFrom: args }),
    () =>
      malformedCall(random, world, 'device', owner.device, {
        importTexture: () => [{ external: memory.external, label: 'texture' }],
        importBuffer: () => [{ handle: random.pick([0n, ...world.handles]), offset: 0, sizeInBytes: 16, label: 'buffer' }],
        importFence: () => [{ handle: random.pick([0n, ...world.handles]), label: 'fence' }],
      }),
  ])();
});

export const malformedTextures: Weighted = [
  [15, wrongOptions],
  [5, otherDevice],
  [3, whileRecording],
  [10, gone],
  [30, malformedCalls],
];

/** A call of a round, and the makers that draw it and pick its objects. */
import type { Random } from '../harness/random.js';
import type { HeldDevice } from './held.js';
import { isLive, type World } from './world.js';

export interface Action {
  readonly label: string;
  /**
   * The required outcome. `'succeeds'`: success, unless the device ends or memory runs out. `'refused'`: an error. `'any'`:
   * success or an error of the package.
   */
  readonly outcome: 'succeeds' | 'refused' | 'any';
  /** True if no other call may be pending. */
  readonly isAlone?: boolean;
  run(): unknown;
}

/**
 * Draws a call and its arguments; the call is made later, when the world may have changed. Null if the world has no objects
 * for such a call at the moment.
 */
export type Make = (random: Random, world: World) => Action | null;

export type Weighted = readonly (readonly [weight: number, make: Make])[];

/** Draws one of the makers by its weight, and then its call. */
export function oneOf(makers: Weighted): Make {
  const tickets = makers.flatMap(([weight, make]) => new Array<Make>(weight).fill(make));
  return (random, world) => random.pick(tickets)(random, world);
}

export function pickLive<T extends Parameters<typeof isLive>[0]>(random: Random, held: readonly T[]): T | null {
  const live = held.filter(isLive);
  return live.length === 0 ? null : random.pick(live);
}

/** Calls of a live device. */
export function onDevice(make: (owner: HeldDevice, random: Random, world: World) => Action | null): Make {
  return (random, world) => {
    const live = world.live();
    return live.length === 0 ? null : make(random.pick(live), random, world);
  };
}

type Kind =
  | 'buffers'
  | 'tensors'
  | 'operators'
  | 'graphs'
  | 'compiledGraphs'
  | 'recordings'
  | 'shared'
  | 'fences'
  | 'textures'
  | 'copies'
  | 'copyRecordings';

/** Calls of a live object that fits. */
export function onLive<K extends Kind>(
  kind: K,
  make: (held: World[K][number], random: Random, world: World) => Action | null,
  fits: (held: World[K][number]) => boolean = () => true,
): Make {
  return (random, world) => {
    const all: readonly World[K][number][] = world[kind];
    const held = pickLive(random, all.filter(fits));
    return held && make(held, random, world);
  };
}

const ending = (outcome: Action['outcome']) => (label: string, run: Action['run']) => ({ label, outcome, run });

/** A call that succeeds, unless its device ends or memory runs out. */
export const right = ending('succeeds');
/** A call that may also end in an error of the package. */
export const any = ending('any');
/** A call that ends in an error. */
export const refused = ending('refused');

/** Calls of a live object that must be refused, because an argument belongs to another device. */
export function withForeign<K extends Kind, O extends 'buffers' | 'tensors'>(
  kind: K,
  others: O,
  method: string,
  run: (held: World[K][number], other: World[O][number]['value'], random: Random, world: World) => unknown,
): Make {
  return onLive(kind, (held, random, world) => {
    const all: readonly World[O][number][] = world[others];
    const other = pickLive(
      random,
      all.filter(({ owner }) => owner !== held.owner),
    );
    return other && refused(`${method} with ${others} of another device`, () => run(held, other.value, random, world));
  });
}

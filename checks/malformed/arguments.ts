/**
 * Breaks one part of the valid arguments of a call: a whole argument, or any value inside one. A caller adds the breaks that only
 * its own arguments can have.
 */
import type { Random } from '../harness/random.js';
import {
  detached,
  disguised,
  throwingProxy,
  resizable,
  revoked,
  springing,
  throwSomething,
  malformedValueBut,
} from './values.js';

/** A part of the arguments. */
export interface Spot {
  readonly args: readonly unknown[];
  /** The list of arguments, or the object or array inside it that holds the part. */
  readonly owner: object;
  readonly key: string;
  /** Begins with the index of the argument, such as `0.sizes.1`. */
  readonly path: string;
  readonly right: unknown;
}

export interface Break {
  readonly label: string;
  /** True if the arguments may be right nevertheless. */
  readonly mayPass: boolean;
  /** True if the break cannot apply to a whole argument, because the engine and not the function reads the list of arguments. */
  readonly isOfOwner?: boolean;
  apply(random: Random, spot: Spot): void;
}

/** The probability that an object or array is malformed as a whole instead of a part inside it. */
const WHOLE = 0.2;

/** Copies the arguments and breaks one part, with a break for any call or one of the caller's `own`. */
export function malformedArguments(random: Random, right: readonly unknown[], own: (spot: Spot) => readonly Break[] = () => []) {
  const args = right.map(copyOf);
  const spot = anySpot(random, args);
  const breaks = [...breaksOf(spot), ...own(spot)].filter(({ isOfOwner }) => isOfOwner !== true || spot.owner !== args);
  const { label, mayPass, apply } = random.pick(breaks);
  apply(random, spot);
  return { args, path: spot.path, label: `${spot.path}: ${label}`, mayPass };
}

/** Puts another value in the place of the right one. */
export function instead(label: string, make: (random: Random, spot: Spot) => unknown): Break {
  return {
    label,
    mayPass: false,
    apply(random, spot) {
      const value = make(random, spot);
      Object.defineProperty(spot.owner, spot.key, { value, writable: true, configurable: true, enumerable: true });
    },
  };
}

/** Replaces the value by one that may be valid, too. */
export function perhaps(...given: Parameters<typeof instead>): Break {
  return { ...instead(...given), mayPass: true };
}

/** Puts a getter there, which does something before it returns the right value. */
export function onRead(label: string, act: (random: Random, spot: Spot) => unknown, mayPass = true): Break {
  return {
    label: `a getter that ${label}`,
    mayPass,
    isOfOwner: true,
    apply(random, spot) {
      const get = () => {
        act(random, spot);
        return spot.right;
      };
      Object.defineProperty(spot.owner, spot.key, { get, configurable: true, enumerable: random.chance(0.8) });
    },
  };
}

/** Copies plain objects and arrays. Everything else, such as a device's objects, is kept. */
function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, copyOf(inner)]));
}

/** True for an object that is neither an array nor an instance of a class. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function anySpot(random: Random, args: readonly unknown[], owner: object = args, path = ''): Spot {
  const key = random.pick(Object.keys(owner));
  const right: unknown = Reflect.get(owner, key);
  const hasParts = (Array.isArray(right) || isPlain(right)) && Object.keys(right).length > 0;
  if (hasParts && !random.chance(WHOLE)) return anySpot(random, args, right, `${path}${key}.`);
  return { args, owner, key, path: path + key, right };
}

function breaksOf(spot: Spot): readonly Break[] {
  const { right } = spot;
  return [
    ...anywhere,
    ...(laterNumbers(spot).length > 0 ? [takesMemory] : []),
    ...(isNumbers(right) ? numbers(right) : typeof right === 'object' && right !== null ? objects(right) : []),
    ...(Array.isArray(right) ? lists(right) : []),
  ];
}

const anywhere: readonly Break[] = [
  instead('a malformed value', malformedFor),
  perhaps('another part', (random, { args }) => anySpot(random, args).right),
  { label: 'missing', mayPass: false, apply: (_, { owner, key }) => Reflect.deleteProperty(owner, key) },
  onRead('throws', throwSomething, false),
  onRead('breaks its owner', (_, { owner }) => {
    for (const key of Object.keys(owner)) Reflect.deleteProperty(owner, key);
    if (Array.isArray(owner)) owner.length = 0;
  }),
  instead('what it is in', (random, { args, owner, path }) => {
    const whole = random.pick<unknown>(owner === args ? [args] : [owner, args[parseInt(path)]]);
    return random.chance(0.5) ? whole : new Array(random.pick([2, 1_000, 65_536])).fill(whole);
  }),
];

/**
 * A value that cannot be valid. In place of a string, boolean or function it is of another type, because others of the same type
 * may be valid.
 */
function malformedFor(random: Random, { right }: Spot): unknown {
  const mayBeRight = typeof right !== 'object' && typeof right !== 'number';
  return malformedValueBut(random, (value) => !mayBeRight || typeof value !== typeof right);
}

/** Typed arrays in the same object that are read after this part. */
function laterNumbers({ owner, key }: Spot): Numbers[] {
  const keys = Object.keys(owner);
  const later = keys.slice(keys.indexOf(key) + 1).map((other): unknown => Reflect.get(owner, other));
  return later.filter(isNumbers);
}

const takesMemory = onRead('takes memory away', (_, spot) => laterNumbers(spot).forEach(detached), false);

function objects(right: object): readonly Break[] {
  return [
    instead('in a proxy that throws', (random) => random.pick([revoked(right), throwingProxy(random, right)])),
    (isPlain(right) ? perhaps : instead)('in disguise', (random) => disguised(random, right)),
    instead('its properties in something else', (random) => random.pick([Object.entries(right), new Map(Object.entries(right))])),
  ];
}

function lists(right: readonly unknown[]): readonly Break[] {
  const many = [65_537, 70_000, 2 ** 31, 2 ** 32 - 1];
  return [
    perhaps('another length', (random) => Object.assign([...right], { length: random.pick([0, 1, 3, 65_536, ...many]) })),
    instead('a list that empties itself', () => {
      const list: unknown[] = [right[0], ...right];
      return springing(list, 0, () => (list.length = 0));
    }),
    instead('too many elements', (random) => {
      const list: unknown[] = new Array(random.pick(many));
      return list.length < 2 ** 20 ? list.fill(right[0]) : list;
    }),
  ];
}

const TYPES = [
  ...[Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array],
  ...[Float32Array, Float64Array],
] as const;

type Numbers = InstanceType<(typeof TYPES)[number]>;

function isNumbers(value: unknown): value is Numbers {
  return TYPES.some((type) => value instanceof type);
}

function numbers(right: Numbers): readonly Break[] {
  const { length, byteLength, constructor } = right;
  const prototype = Object.getPrototypeOf(right);
  const others = TYPES.filter((type) => type !== constructor);
  // A prefix of the bytes may be valid; a prefix of a row of numbers is not.
  const fewer = right instanceof Uint8Array ? perhaps : instead;
  const over = (...given: readonly unknown[]): Numbers => Reflect.construct(constructor, given);
  const within = (memory: ArrayBufferLike): Numbers => {
    const copy = over(memory);
    copy.set(right);
    return copy;
  };
  const cut = (random: Random, make: (memory: ArrayBuffer) => unknown) => {
    const memory = resizable(byteLength, 2 * byteLength);
    const made = make(memory);
    Reflect.apply(Reflect.get(memory, 'resize'), memory, [random.int(0, byteLength - 1)]);
    return made;
  };
  return [
    instead('numbers of another type', (random) => random.pick(others).from(right)),
    instead('numbers in something else', (random) =>
      random.pick<() => unknown>([
        () => [...right],
        () => right.buffer,
        () => new DataView(right.buffer),
        () => new DataView(new SharedArrayBuffer(byteLength)),
        () => cut(random, (memory) => new DataView(memory, byteLength >> 1, 1)),
        () => BigInt64Array.from([...right].map(BigInt)),
        () => Object.setPrototypeOf(random.pick(others).from(right), prototype),
        () => Object.setPrototypeOf({ length }, prototype),
        () => disguised(random, right),
        () => disguised(random, right),
      ])(),
    ),
    instead('numbers without memory', (random) => {
      const gone = detached(over([...right]));
      return random.pick<object>([gone, gone, gone.buffer]);
    }),
    fewer('numbers whose memory shrank', (random) => cut(random, random.pick([within, (memory) => over(memory, 0, length)]))),
    instead('too many numbers', (random) => {
      const added = random.int(1, 3);
      const shared = new SharedArrayBuffer((byteLength / length) * (length + added));
      return over(random.pick([shared, [...right, ...new Array<number>(added).fill(0)]]));
    }),
    fewer('too few numbers', (random) => right.slice(0, random.int(0, length - 1))),
    perhaps('shared or resizable memory', (random) =>
      within(random.pick([new SharedArrayBuffer(byteLength), resizable(byteLength, 2 * byteLength)])),
    ),
    perhaps('numbers with a wrong property', (random) => {
      const value = random.pick<unknown>([-1, 2 ** 40, 1n, {}]);
      return Object.defineProperty(over([...right]), random.pick(['byteLength', 'byteOffset', 'length', 'buffer']), { value });
    }),
  ];
}

/** Malformed values and objects: of the wrong kind, of other devices, disposed, or with code that runs when they are read. */
import type { Random } from '../../harness/random.js';
import { malformedArguments, instead, onRead, type Break, type Spot } from '../../malformed/arguments.js';
import { disguised, throwSomething, malformedValue } from '../../malformed/values.js';
import { any, type Action } from '../make.js';
import { Meddled } from '../meddled.js';
import { disasters, type World } from '../world.js';

function malformedOrForeign(random: Random, world: World): unknown {
  return random.pick<() => unknown>([
    () => malformedValue(random),
    () => malformedValue(random),
    () => malformedValue(random),
    () => anyObject(random, world),
    () => disguised(random, anyObject(random, world)),
    () => spoiled(random, world, [{ then: 1, type: 1, buffer: 1, length: 1 }])[0],
    () => spoiled(random, world, [new Uint8Array(16)])[0],
  ])();
}

/** Right arguments by the name of the method. They are made when the method is called. */
export type Rights = Readonly<Record<string, () => readonly unknown[]>>;

/** Breaks that only some arguments can have. */
export type Own = (spot: Spot) => readonly Break[];

/** Calls one of the methods with one malformed part in its arguments. */
export function malformedCall(random: Random, world: World, what: string, object: object, rights: Rights, own?: Own): Action {
  const [name, right] = random.pick(Object.entries(rights));
  const method: object = Reflect.get(object, name);
  if (!random.chance(0.05)) {
    return any(`${what}.${name}(malformed)`, () => call(method, object, spoiled(random, world, right(), own)));
  }
  const other = anyObject(random, world);
  const receiver = random.chance(0.5) && other.constructor !== object.constructor ? other : malformedValue(random);
  return any(`${what}.${name} of another object`, async () => {
    try {
      await call(method, receiver, right());
    } catch (error) {
      // JavaScript throws a TypeError itself if the object is of another class. Code of a malformed one may throw anything.
      if (receiver === other && !(error instanceof TypeError)) throw error;
    }
  });
}

/** The arguments with one part malformed. */
export function spoiled(random: Random, world: World, right: readonly unknown[], own: Own = () => []): unknown[] {
  const breaks = (spot: Spot) => [...breaksOf(random, world), ...own(spot)];
  return malformedArguments(random, right, breaks).args.map(ownFunction);
}

function breaksOf(random: Random, world: World): Break[] {
  const act = random.pick([...disasters(random, world), () => throwSomething(random)]);
  const accident = onRead('has an accident', act);
  const property = () => random.pick([{ get: act }, { value: malformedOrForeign(random, world) }]);
  return [
    accident,
    accident,
    instead('a malformed value', () => malformedOrForeign(random, world)),
    instead('any object', () => anyObject(random, world)),
    instead('a number', () => random.int(0, 1000)),
    instead('a name', () => random.pick(NAMES)),
    instead('one property more', (_, { right }) => withProperty(Object(right), random.pick(NAMES), property())),
    instead('something without an end', () => random.pick([deep, wide, cyclic, manyTimes])()),
  ];
}

/** Adds an own property, even if its name is `__proto__`. */
export function withProperty(object: object, name: string, property: PropertyDescriptor): Record<string, unknown> {
  return Object.defineProperty({ ...object }, name, { ...property, enumerable: true });
}

/**
 * Wraps a function so that its errors, such as the TypeError of a revoked proxy, are thrown as the script's own. Returns other
 * values unchanged.
 */
function ownFunction(value: unknown): unknown {
  if (typeof value !== 'function') return value;
  return (...args: readonly unknown[]): unknown => {
    try {
      return Reflect.apply(value, undefined, args);
    } catch (error) {
      throw new Meddled('from a function', { cause: error });
    }
  };
}

export const NAMES = [
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'then', 'toJSON', 'length', '0', '-1'],
  ...['', ' ', '.', '..', 'a.', '.outputTensor', 'a.outputTensor', 'a.outputTensors[0]', 'a.outputTensors[99999999999]'],
  ...['\0', '\ud800', '\u{1f600}', 'x'.repeat(1_000), 'x'.repeat(1_001), 'x'.repeat(1_000_000), '.'.repeat(10_000)],
  ...['label', 'strides', 'flags', 'sizes', 'data', 'value', 'type', 'offset', 'reuseCommandLists', 'featureLevel'],
  ...['x', 'w', 'a', 'b', 'c', 'y', 'x.outputTensor', 'y.outputTensor', 'b.outputTensor', 'c.outputTensor'],
];

/** Nests a value in this many levels of arrays and objects. */
function nested(levels: number, around: (inner: unknown) => unknown): unknown {
  let value: unknown = 1;
  for (let i = 0; i < levels; i++) value = around(value);
  return value;
}

/** More levels than any stack has room for. */
const deep = () => nested(10_000, (inner) => [{ type: 'activationRelu', alpha: inner }]);

/** Levels that each contain the next one twice: more paths than can be walked. */
const wide = () => nested(60, (inner) => [{ scale: inner, bias: inner }]);

function cyclic(): unknown {
  const self = { type: 'activationRelu' };
  return Object.assign(self, { alpha: self });
}

/** One object at four million places, each of which is read. */
const manyTimes = () => new Array(2_000).fill(new Array(2_000).fill({ type: 'activationRelu' }));

/** Calls a method with arguments that its types do not allow. */
export function call(method: object, receiver: unknown, args: readonly unknown[]): unknown {
  if (typeof method !== 'function') throw new Error('no function');
  return Reflect.apply(method, receiver, args);
}

/** A device, an object of one, or a value of a graph, live or not. */
export function anyObject(random: Random, world: World): object {
  const all: readonly object[] = [
    ...world.devices.map(({ device }) => device),
    ...world.buffers.map(({ value }) => value),
    ...world.tensors.map(({ value }) => value),
    ...world.operators.map(({ value }) => value),
    ...world.graphs.flatMap(({ value, values }) => [value, ...values.slice(0, 1)]),
    ...world.compiledGraphs.map(({ value }) => value),
    ...world.recordings.map(({ value }) => value),
    ...world.textures.map(({ value }) => value),
    ...world.copies.map(({ value }) => value),
    ...world.fences.map(({ value }) => value),
  ];
  return all.length === 0 ? {} : random.pick(all);
}

/** Makes the call while all objects inherit a property. */
export function polluted(name: string, value: unknown, isEnumerable: boolean, call: () => unknown): unknown {
  Object.defineProperty(Object.prototype, name, { value, configurable: true, writable: true, enumerable: isEnumerable });
  try {
    return call();
  } finally {
    Reflect.deleteProperty(Object.prototype, name);
  }
}

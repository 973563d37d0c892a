/** Values that no argument and no field accepts: wrong types, malformed objects, detached memory. */
import type { Random } from '../harness/random.js';

/** Anything that a getter may throw. */
export function throwSomething(random: Random): never {
  throw pickAny(random, [
    new Error('from a getter'),
    new RangeError('from a getter'),
    'text',
    undefined,
    null,
    Symbol('thrown'),
    10n,
    Object.freeze({ code: 'ERR_OF_A_SCRIPT' }),
    revoked({}),
    Object.create(Error.prototype),
  ]);
}

/** Returns the object, with a getter that acts whenever the property is read. */
export function springing<T extends object>(object: T, key: keyof T, act: () => unknown): T {
  const value = object[key];
  const get = () => {
    act();
    return value;
  };
  return Object.defineProperty(object, key, { get, configurable: true });
}

export function revoked(target: object): object {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

/** Detaches the array's memory, and returns the array. */
export function detached<T extends ArrayBufferView<ArrayBuffer>>(array: T): T {
  structuredClone(array.buffer, { transfer: [array.buffer] });
  return array;
}

/** A SharedArrayBuffer that may grow. */
export function growable(length: number, maxByteLength: number): SharedArrayBuffer {
  return Reflect.construct(SharedArrayBuffer, [length, { maxByteLength }]);
}

/** Changes the length of a buffer that allows it. */
export function resize(buffer: ArrayBufferLike, length: number): void {
  const method: unknown = Reflect.get(buffer, buffer instanceof SharedArrayBuffer ? 'grow' : 'resize');
  if (typeof method === 'function') Reflect.apply(method, buffer, [length]);
}

/** Resizable memory, which the ES2023 library types do not have. */
export function resizable(length: number, maxByteLength: number): ArrayBuffer {
  return Reflect.construct(ArrayBuffer, [length, { maxByteLength }]);
}

/** Like `Random.pick`, for values that may be undefined. */
function pickAny(random: Random, values: readonly unknown[]): unknown {
  return values[random.int(0, values.length - 1)];
}

const TRAPS = ['get', 'has', 'ownKeys', 'getPrototypeOf', 'getOwnPropertyDescriptor', 'set', 'defineProperty'];

/** A proxy whose every trap throws. */
export function throwingProxy(random: Random, target: object): object {
  const refuse = () => throwSomething(random);
  return new Proxy(target, Object.fromEntries(TRAPS.map((name) => [name, refuse])));
}

/**
 * An object that only looks like the given one: a proxy, an object that inherits from it, or one with only its class or its
 * properties.
 */
export function disguised(random: Random, object: object): object {
  return random.pick<() => object>([
    () => new Proxy(object, {}),
    () => Object.create(object),
    () => revoked(object),
    () => throwingProxy(random, object),
    () => Object.setPrototypeOf({}, Object.getPrototypeOf(object)),
    () => Object.assign(Object.create(null), object),
  ])();
}

const numbers = [-1, -0.5, 0.5, NaN, Infinity, -Infinity, 2 ** 53, 2 ** 64, 1e300, -(2 ** 31) - 1];

const primitives: readonly unknown[] = [
  ...[undefined, null, true, false, '', '5', 'text', '\0', '\ud800', 'x'.repeat(100_000)],
  ...[-1n, 2n ** 64n, 2n ** 4000n, Symbol('value'), Symbol.iterator, Symbol.for('value')],
];

const objects: readonly ((random: Random) => unknown)[] = [
  () => ({}),
  () => Object.create(null),
  () => Object.freeze({ length: 4_294_967_295 }),
  () => [[]],
  () => [undefined, , Symbol('element')],
  () => new Array(4_294_967_295),
  () => new Array(70_000).fill(1),
  () => () => 1,
  () => class {},
  () => function* generator() {},
  (random) => disguised(random, random.pick<object>([{}, [], () => 1])),
  (random) => throwingProxy(random, random.pick<object>([{}, [], () => 1])),
  (random) => revoked(random.pick<object>([{}, [], () => 1])),
  () => new ArrayBuffer(8),
  () => resizable(8, 64),
  () => new SharedArrayBuffer(8),
  () => new DataView(new ArrayBuffer(8)),
  () => new Float64Array(1),
  () => new BigInt64Array(1),
  () => new Uint8ClampedArray(8),
  () => new Uint16Array(new SharedArrayBuffer(8)),
  () => detached(new Uint8Array(8)),
  () => detached(new Uint8Array(8)).buffer,
  () => new DataView(new ArrayBuffer(8), 8),
  () => Object.setPrototypeOf({}, Uint8Array.prototype),
  () => Object.setPrototypeOf({}, Array.prototype),
  () => Object.create(Number.prototype),
  (random) => Object(random.pick([5, 5n, true, 'text', Symbol('wrapped')])),
  () => new Date(0),
  () => /expression/,
  () => new Map([['type', 1]]),
  () => new WeakRef({}),
  () => Promise.resolve(1),
  () => new Error('a value'),
  () => globalThis,
  () => Reflect,
  (random) => ({ valueOf: () => throwSomething(random) }),
  (random) => ({ [Symbol.toPrimitive]: () => throwSomething(random) }),
  (random) => ({ then: () => throwSomething(random) }),
  (random) => Object.defineProperty({}, random.pick(['type', 'buffer', 'addonDirectory']), { get: () => throwSomething(random) }),
  () => {
    const self = { type: 1 };
    return Object.assign(self, { inputTensor: self });
  },
];

/** A malformed value: never a non-negative integer, and never a live native object. */
export function malformedValue(random: Random): unknown {
  const kind = random.int(0, 9);
  if (kind < 2) return random.pick(numbers);
  return kind < 4 ? pickAny(random, primitives) : random.pick(objects)(random);
}

/** A malformed value for which `refused` is true. */
export function malformedValueBut(random: Random, refused: (value: unknown) => boolean): unknown {
  for (;;) {
    const value = malformedValue(random);
    if (refused(value)) return value;
  }
}

/**
 * Changes of built-in objects that can be taken back: setters and accessors on prototypes, methods and constructors that spring
 * a trap and then do what they always did.
 */
import * as workerThreads from 'node:worker_threads';
import type { Random } from '../harness/random.js';
import type { Trap } from './traps.js';

/** A change to make later; `put` makes it and returns a function that undoes it. */
export interface Patch {
  readonly label: string;
  put(): () => void;
}

const { apply, construct, defineProperty, deleteProperty, get, getOwnPropertyDescriptor, setPrototypeOf } = Reflect;

const typedArray = prototypeOf(Uint8Array);
const typedArrayPrototype = prototypeOf(Uint8Array.prototype);

function prototypeOf(object: object): object {
  return Object(Reflect.getPrototypeOf(object));
}

/** The words of a text. */
export function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

/** Prototypes, and names of properties to put on them: those that the package, the addon or Node.js reads and writes on objects. */
const inherited: readonly (readonly [string, object, readonly string[]])[] = [
  [
    'Object.prototype',
    Object.prototype,
    words(`
      code message field call hresult hresultName debugMessages cause name stack operator expected given then toJSON signal env
      eval execArgv argv resourceLimits workerData featureLevel luid description directmlPath directmlVersion tensorDataTypes
      counts gpuMs buffer offset size sizes strides dataType length label type flags data kind inputs outputs constants nodes
      outputTensor inputTensor aTensor bTensor index 0 1 2 buffers persistent temporary staging descriptors inUse idle done next
      return maxByteLength channels scale layout region bytesPerRow x y width height format external handle shared`),
  ],
  ['Error.prototype', Error.prototype, words('code name message field call hresult hresultName cause stack')],
  ['Array.prototype', Array.prototype, words('0 1 2 3 7 outputTensor buffer then')],
  ['Promise.prototype', Promise.prototype, words('code buffer value')],
  ['TypedArray.prototype', typedArrayPrototype, words('offset size then maxByteLength')],
  ['ArrayBuffer.prototype', ArrayBuffer.prototype, words('offset size then buffer')],
  ['Function.prototype', Function.prototype, words('then code buffer')],
];

/** Objects with methods and accessors of their own. */
const owned: readonly (readonly [string, object])[] = [
  ...words(`
    Array Promise ArrayBuffer SharedArrayBuffer DataView Map Set WeakMap WeakRef FinalizationRegistry Function String`).map(
    (name) => [`${name}.prototype`, objectIn(objectIn(globalThis, name), 'prototype')] as const,
  ),
  ...words('Promise ArrayBuffer Error Object Reflect Array Number Math JSON Atomics').map(
    (name) => [name, objectIn(globalThis, name)] as const,
  ),
  ['TypedArray.prototype', typedArrayPrototype],
  ['TypedArray', typedArray],
  ['array iterators', prototypeOf([][Symbol.iterator]())],
  ['map iterators', prototypeOf(new Map()[Symbol.iterator]())],
  ['iterators', prototypeOf(prototypeOf([][Symbol.iterator]()))],
];

function objectIn(object: object, name: string): object {
  return Object(get(object, name));
}

/** Names of globals that are replaced; not every version of Node.js has all of them. */
const globals = words(`
  ArrayBuffer SharedArrayBuffer DataView Float16Array Float32Array Float64Array Uint8Array Uint16Array Uint32Array Int32Array
  BigInt64Array BigUint64Array Promise Error TypeError RangeError Map Set WeakMap WeakRef FinalizationRegistry Proxy Symbol Array
  Object String Number BigInt Function structuredClone queueMicrotask setTimeout setImmediate clearTimeout MessageChannel Buffer
  TextDecoder`);

const original = new Map<string, unknown>(globals.map((name) => [name, get(globalThis, name)]));

export function drawPatch(random: Random, trap: Trap): Patch {
  return random.pick([accessorOn, accessorOn, method, method, global, memory, species, species, worker])(random, trap);
}

/**
 * A setter that swallows each written value, or makes it an own property. Reads give undefined, as if nothing were there. Elements
 * of arrays are never swallowed, because no script could work then, not even Node.js' own.
 */
function accessorOn(random: Random, trap: Trap): Patch {
  const [owner, target, names] = random.pick(inherited);
  const name = random.pick(names);
  const swallows = random.chance(0.3) && Number.isNaN(Number(name));
  const accessor = {
    get(this: unknown): unknown {
      trap(this, []);
      return undefined;
    },
    set(this: unknown, value: unknown): void {
      trap(this, [value]);
      if (!swallows && typeof this === 'object' && this !== null) defineProperty(this, name, ownValue(value));
    },
  };
  return {
    label: `an accessor ${owner}.${name}${swallows ? ' that swallows' : ''}`,
    put: () => change(target, name, bare({ get: accessor.get, set: accessor.set, enumerable: random.chance(0.1) })),
  };
}

function ownValue(value: unknown): PropertyDescriptor {
  return bare({ value, writable: true, enumerable: true, configurable: true });
}

/** A method, an accessor or a species of a built-in object. */
function method(random: Random, trap: Trap): Patch {
  const [owner, target] = random.pick(owned);
  const name = random.pick(Reflect.ownKeys(target).filter((key) => key !== 'prototype' && key !== 'name' && key !== 'length'));
  return {
    label: `${owner}.${String(name)}`,
    put() {
      const old = getOwnPropertyDescriptor(target, name);
      if (old === undefined) return nothing;
      if (old.get !== undefined) return change(target, name, bare({ ...old, get: accessed(old.get, trap) }));
      return change(target, name, bare({ value: wrapped(old.value, trap), writable: true }));
    },
  };
}

function global(random: Random, trap: Trap): Patch {
  const name = random.pick(globals);
  return {
    label: `another ${name}`,
    put() {
      const old = original.get(name);
      if (typeof old !== 'function') return nothing;
      return change(globalThis, name, bare({ value: wrapped(old, trap), writable: true }));
    },
  };
}

/** Replaces a constructor of memory, both as a global and as the `constructor` of its memory. */
function memory(random: Random, trap: Trap): Patch {
  const type = random.pick([ArrayBuffer, SharedArrayBuffer]);
  const name = type === ArrayBuffer ? 'ArrayBuffer' : 'SharedArrayBuffer';
  return {
    label: `another ${name} that its prototype names`,
    put() {
      const made = wrapped(type, trap);
      const asGlobal = change(globalThis, name, bare({ value: made, writable: true }));
      const asOwn = change(type.prototype, 'constructor', bare({ value: made, writable: true }));
      return () => {
        asOwn();
        asGlobal();
      };
    },
  };
}

/**
 * Constructors of memory and of arrays, whose methods such as `slice` make their results with the species. Most of the package's
 * memory is in Uint8Arrays.
 */
const withSpecies = words(`
  Uint8Array Uint8Array Uint8Array Uint8Array ArrayBuffer SharedArrayBuffer Int8Array Int16Array Uint16Array Int32Array Uint32Array Float32Array Float64Array
  BigInt64Array BigUint64Array`).map((name) => [name, get(globalThis, name)] as const);

/**
 * Another species, which springs the trap with what it makes: what it should, or something that the caller does not expect. V8
 * does not notice a change of the species that all typed arrays inherit.
 */
function species(random: Random, trap: Trap): Patch {
  const [name, type] = random.pick(withSpecies);
  const other = random.pick([type, type, type, Uint8Array, Float64Array, ArrayBuffer, SharedArrayBuffer]);
  const isOnPrototype = random.chance(0.5);
  return {
    label: `the species of ${name}${isOnPrototype ? `'s prototype` : ''}`,
    put() {
      if (typeof type !== 'function' || typeof other !== 'function') return nothing;
      function replacement(this: unknown, ...given: unknown[]): unknown {
        trap(this, given);
        const result: unknown = construct(other, given);
        trap(result, given);
        return result;
      }
      const value: unknown = replacement;
      const on = bare({ value, writable: true });
      if (!isOnPrototype) return change(type, Symbol.species, on);
      return change(objectIn(type, 'prototype'), 'constructor', bare({ value: bareWith(Symbol.species, value), writable: true }));
    },
  };
}

/** An object with one property and without a prototype. */
function bareWith(name: PropertyKey, value: unknown): object {
  const object = {};
  defineProperty(object, name, bare({ value, writable: true, configurable: true }));
  return Object.setPrototypeOf(object, null);
}

function worker(_random: Random, trap: Trap): Patch {
  return {
    label: 'another Worker',
    put: () => change(workerThreads, 'Worker', bare({ value: wrapped(workerThreads.Worker, trap), writable: true })),
  };
}

/** The same accessor, which springs the trap before each read, and again with what was read. */
function accessed(old: () => unknown, trap: Trap): () => unknown {
  return function (this: unknown) {
    trap(this, []);
    const value: unknown = apply(old, this, []);
    trap(value, []);
    return value;
  };
}

/** The same function, which springs the trap before each call, and again with the result. Other values stay as they are. */
function wrapped(old: unknown, trap: Trap): unknown {
  if (typeof old !== 'function') return old;
  const own = old;
  function replacement(this: unknown, ...given: unknown[]): unknown {
    trap(this, given);
    // `new.target` is undefined in a call without `new`.
    const called: unknown = new.target;
    const target = called === replacement ? own : called;
    const result: unknown = typeof target === 'function' ? construct(own, given, target) : apply(own, this, given);
    trap(result, given);
    return result;
  }
  setPrototypeOf(replacement, old);
  const prototype = getOwnPropertyDescriptor(old, 'prototype');
  if (prototype !== undefined) replacement.prototype = prototype.value;
  return replacement;
}

export function nothing(): void {
  // There is nothing to take back.
}

/**
 * Changes a property and keeps it configurable. Does nothing if the property cannot be changed. Returns a function that undoes it.
 */
function change(target: object, name: PropertyKey, descriptor: PropertyDescriptor): () => void {
  const old = getOwnPropertyDescriptor(target, name);
  if (old !== undefined) bare(old);
  descriptor.configurable = true;
  if (!defineProperty(target, name, descriptor)) return nothing;
  return () => {
    if (old === undefined) deleteProperty(target, name);
    else defineProperty(target, name, old);
  };
}

/** Removes the prototype, because Object.prototype may have a `get` or a `value`. */
function bare(descriptor: PropertyDescriptor): PropertyDescriptor {
  return Object.setPrototypeOf(descriptor, null);
}

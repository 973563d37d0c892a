/** Hostile values and objects: of the wrong kind, of other devices, disposed, or with code that runs when they are read. */
import type { Random } from '../random.js';
import { detached, disguised, resizable, resized, throwSomething, weird } from '../parity/crash-values.js';
import { end, endDevice, type World } from './world.js';

export function hostile(random: Random, world: World): unknown {
  return random.pick<() => unknown>([
    () => weird(random),
    () => weird(random),
    () => weird(random),
    () => anyObject(random, world),
    () => disguised(random, anyObject(random, world)),
    () => trapped(random, world, {}, ['then', 'type', 'buffer', 'length']),
    () => bytes(random),
  ])();
}

/** Calls a method with arguments that its types do not allow. */
export function call(method: object, receiver: unknown, args: readonly unknown[]): unknown {
  if (typeof method !== 'function') throw new Error('no function');
  return Reflect.apply(method, receiver, args);
}

/** A device, buffer, tensor, operator, graph or value of a graph, live or not. */
export function anyObject(random: Random, world: World): object {
  const all: readonly object[] = [
    ...world.devices.map(({ device }) => device),
    ...world.buffers.map(({ value }) => value),
    ...world.tensors.map(({ value }) => value),
    ...world.operators.map(({ value }) => value),
    ...world.graphs.flatMap(({ value, values }) => [value, ...values.slice(0, 1)]),
    ...world.compiledGraphs.map(({ value }) => value),
    ...world.recordings.map(({ value }) => value),
  ];
  return all.length === 0 ? {} : random.pick(all);
}

/** Bytes that are detached, shared, or resizable. */
export function bytes(random: Random): unknown {
  const memory = () => resizable(64, 128);
  const own = (name: string, value: unknown) => Object.defineProperty(new Uint8Array(16), name, { value });
  return random.pick<() => unknown>([
    () => detached(new Uint8Array(16)),
    () => detached(new Uint8Array(16)).buffer,
    memory,
    () => new Uint8Array(memory()),
    () => resized(memory(), 8, (buffer) => new Uint8Array(buffer, 32, 16)),
    () => resized(memory(), 8, (buffer) => new DataView(buffer, 32, 16)),
    () => resized(memory(), 8, (buffer) => new Float32Array(buffer)),
    () => own('byteLength', -1),
    () => own('byteLength', 2 ** 40),
    () => own('byteOffset', 2 ** 40),
    () => own('buffer', {}),
    () => own('length', 1n),
    () => new Uint8Array(new SharedArrayBuffer(16)),
    () => new DataView(new SharedArrayBuffer(16)),
    () => new Proxy(new Uint8Array(16), {}),
    () => Object.create(new Uint8Array(16)),
  ])();
}

/** The object with some of its properties, and `names`, replaced by getters that dispose of something or throw. */
export function trapped(random: Random, world: World, object: object, names: readonly string[]): object {
  const all = [...Object.keys(object), ...names];
  const made: object = Object.assign(random.chance(0.2) ? Object.create(null) : {}, object);
  if (all.length === 0) return made;
  for (let count = random.int(1, 2); count > 0; count--) {
    const name = random.pick(all);
    const value: unknown = Reflect.get(object, name);
    const happen = random.pick([...disasters(random, world), () => throwSomething(random)]);
    Object.defineProperty(made, name, {
      configurable: true,
      enumerable: random.chance(0.8),
      get() {
        happen();
        return value;
      },
    });
  }
  return made;
}

/** Actions that a script may take while its arguments are read. */
export function disasters(random: Random, world: World): readonly (() => unknown)[] {
  const list = random.pick([world.buffers, world.tensors, world.operators, world.compiledGraphs, world.recordings]);
  const one = list.length === 0 ? null : random.pick<(typeof list)[number]>(list);
  const device = world.devices.length === 0 || random.chance(0.9) ? null : random.pick(world.devices);
  return [() => one && end(one), () => device && endDevice(device), () => device?.device.submit()];
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

/** Invalid calls of the public API. Those of graphs are in `graph-hostile.ts`. */
import { createDevice, fromFloat16Bits, minimumTensorSizeInBytes, toFloat16Bits } from 'node-directml';
import { operatorTypes } from '../operators/cases.js';
import { candidateOf } from '../parity/operators.js';
import type { Random } from '../random.js';
import { bindAll, smallTensor } from './actions.js';
import { any, onDevice, onLive, pickLive, refused, type Make, type Weighted } from './make.js';
import { anyObject, bytes, call, hostile, trapped } from './hostile.js';
import { anyDescriptor, type LooseBindings } from './operators.js';
import { Meddled } from './traps.js';
import { isLive, type Held, type World } from './world.js';

/** A function that is called throws the script's own errors: a revoked one, a TypeError. Returns all else as it is. */
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

/** Sizes beyond all memory. Wine takes a minute to refuse 2⁴⁴ bytes, but refuses these at once. */
const HUGE = [2 ** 48, 2 ** 50, Number.MAX_SAFE_INTEGER];
/**
 * Not used with the reference backend: Node.js 22 creates an ArrayBuffer of this length if nothing writes to it. Wine then
 * keeps a byte for each of its pages forever, which looks like a leak.
 */
const LARGER_THAN_MEMORY = 2 ** 36;

const deviceCalls = onDevice(({ device, backend }, random, world) => {
  const value = () => hostile(random, world);
  const some = (right: unknown) => (random.chance(0.5) ? right : value());
  const springing = (object: object, names: readonly string[]) => trapped(random, world, object, names);
  const tensor = pickLive(random, world.tensors)?.value;
  const huge = backend === 'directml' ? [LARGER_THAN_MEMORY, ...HUGE] : HUGE;
  const place = () => ({ buffer: anyObject(random, world), offset: 16 });
  const options = () => springing({}, ['label', 'disableMetacommands', 'initializationInputs']);
  const { createBuffer, createTensor, record, profile, run, compile } = device;
  const [label, method, given] = random.pick<readonly [string, object, () => readonly unknown[]]>([
    ['createBuffer(hostile)', createBuffer, () => [some(16), value()]],
    ['createBuffer(huge)', createBuffer, () => [random.pick(huge)]],
    ['createTensor(hostile)', createTensor, () => [some(smallTensor(random)), value()]],
    ['createTensor(trapped)', createTensor, () => [springing(smallTensor(random), ['strides', 'flags']), bytes(random)]],
    ['createTensor(trapped place)', createTensor, () => [smallTensor(random), springing(place(), [])]],
    ['record(hostile)', record, () => [ownFunction(value()), value()]],
    ['profile(hostile)', profile, () => [ownFunction(value()), value()]],
    ['run(hostile)', run, () => [value()]],
    ['run(trapped)', run, () => [springing({ type: 'elementWiseIdentity', inputTensor: some(tensor) }, ['type'])]],
    ['compile(hostile)', compile, () => [some(anyDescriptor(random)), value()]],
    ['compile(trapped)', compile, () => [springing(anyDescriptor(random), ['type']), random.chance(0.5) ? undefined : options()]],
  ]);
  return any(label, () => call(method, device, given()));
});

const viewCalls = onLive('tensors', ({ value: tensor }, random, world) => {
  const value = () => hostile(random, world);
  const method = random.pick([tensor.view, tensor.reshape, tensor.transpose, tensor.broadcastTo]);
  return any('tensor.view(hostile)', () =>
    call(method, tensor, [random.chance(0.5) ? { sizes: value(), strides: value(), offset: value() } : value()]),
  );
});

const compileCandidate = onDevice(({ device }, random) => {
  const { descriptor, rule } = candidateOf(random.pick(operatorTypes))(random);
  return any(`compile(${descriptor.type}: ${rule})`, () => call(device.compile, device, [descriptor]));
});

/** Compiles an operator with arbitrary weights. */
const compileOwned = onDevice(({ device }, random, world) => {
  const descriptor = anyDescriptor(random);
  const [name, tensor] = random.pick(
    Object.entries(descriptor)
      .filter(([field]) => field.endsWith('Tensor'))
      .concat([['', {}]]),
  );
  const weights = random.chance(0.5) ? hostile(random, world) : anyObject(random, world);
  const initializationInputs = trapped(random, world, { [name]: weights }, []);
  const owning = { ...descriptor, [name]: { ...Object(tensor), flags: 'ownedByDml' } };
  return any(`compile(${descriptor.type}, initializationInputs)`, () =>
    call(device.compile, device, [owning, { initializationInputs }]),
  );
});

const bufferCalls: Make = (random, world) => {
  const held = world.buffers.length === 0 ? null : random.pick(world.buffers);
  const tensor = world.tensors.length === 0 ? null : random.pick(world.tensors);
  if (held === null || tensor === null) return null;
  const value = () => hostile(random, world);
  return random.pick([
    any('buffer.write(hostile)', () => call(held.value.write, held.value, [value(), value()])),
    any('buffer.write(hostile bytes)', () => call(held.value.write, held.value, [bytes(random)])),
    any('buffer.read(hostile)', () => call(held.value.read, held.value, [value(), value()])),
    any('tensor.write(hostile)', () => call(tensor.value.write, tensor.value, [value()])),
    any('tensor.write(hostile bytes)', () => call(tensor.value.write, tensor.value, [bytes(random)])),
  ]);
};

/** Valid bindings with one made invalid. */
export function spoil(random: Random, world: World, bindings: LooseBindings): object {
  const names = Object.keys(bindings);
  if (names.length === 0) return bindings;
  const name = random.pick(names);
  const spoiled: Record<string, unknown> = { ...bindings };
  const value: unknown = spoiled[name];
  const range = Array.isArray(value) ? value[0] : value;
  const wrong = random.pick<() => unknown>([
    () => hostile(random, world),
    () => anyObject(random, world),
    () => undefined,
    () => ({ ...range, offset: hostile(random, world) }),
    () => ({ ...range, size: hostile(random, world) }),
    () => ({ ...range, buffer: anyObject(random, world) }),
    () => trapped(random, world, range, []),
    () => ({ ...range, offset: random.int(0, 1000) }),
    () => ({ ...range, size: random.int(0, 64) }),
    () => bindings[random.pick(names)],
  ])();
  spoiled[name] = Array.isArray(value) && random.chance(0.7) ? [wrong, ...value.slice(1)] : wrong;
  return random.chance(0.2) ? trapped(random, world, spoiled, []) : spoiled;
}

const dispatches = onLive('operators', (held, random, world) => {
  const { value } = held;
  const method = random.pick(['dispatch', 'dispatchChecked'] as const);
  const bind = bindAll(random, world, held);
  return any(`${value.type}: ${method}(hostile)`, () => {
    if (random.chance(0.2)) return call(value[method], value, [hostile(random, world)]);
    const { bindings } = bind();
    const result = call(value[method], value, [spoil(random, world, bindings)]);
    // This is too late to affect a dispatch, but falls between the two halves of a checked dispatch.
    if (random.chance(0.3)) Object.assign(bindings, { [Object.keys(bindings)[0] ?? '']: anyObject(random, world) });
    return result;
  });
});

const otherDevice = onLive('operators', (operator, random, world) => {
  const isForeign = ({ owner }: Held<unknown>) => owner !== operator.owner;
  const buffer = pickLive(random, world.buffers.filter(isForeign))?.value;
  if (buffer === undefined) return null;
  const bind = bindAll(random, world, operator);
  return refused(`${operator.value.type}: dispatch with a buffer of another device`, () => {
    const { bindings } = bind();
    const [name = ''] = Object.keys(bindings);
    operator.value.dispatch({ ...bindings, [name]: Array.isArray(bindings[name]) ? [buffer] : buffer });
  });
});

/** By what is called. */
type Calls = Readonly<Record<string, () => unknown>>;

const goneObject: Make = (random, world) => {
  const isOver = (held: Held<unknown>) => !isLive(held);
  const gone = [
    world.buffers.filter(isOver).map(({ value }): Calls => ({
      'buffer.read': () => value.read(),
      'buffer.write': () => value.write(new Uint8Array(1)),
    })),
    world.operators.filter(isOver).map(({ value }): Calls => ({
      [`${value.type}: dispatch`]: () => value.dispatch({}),
      [`${value.type}: dispatchChecked`]: () => value.dispatchChecked({}),
    })),
    world.compiledGraphs.filter(isOver).map(({ value }): Calls => ({
      'graph: dispatch': () => value.dispatch({}),
      'graph: dispatchChecked': () => value.dispatchChecked({}),
      'graph: run': () => value.run({}),
      'graph: createOutputs': () => value.createOutputs(),
      'graph: initialize': () => value.initialize({}),
    })),
    // A disposed tensor in a buffer of the caller lives on with that buffer, so only those of gone devices are refused.
    world.tensors.filter(({ owner }) => owner.isGone).map(({ value }): Calls => ({ 'tensor.read': () => value.read() })),
    world.devices
      .filter(({ isGone }) => isGone)
      .map(({ backend, device }): Calls => ({
        [`idle, ${backend}`]: () => device.idle(),
        [`createBuffer, ${backend}`]: () => device.createBuffer(16),
        [`compile, ${backend}`]: () => device.compile(anyDescriptor(random)),
      })),
  ];
  const calls = gone.flat().flatMap((methods) => Object.entries(methods));
  if (calls.length === 0) return null;
  const [what, run] = random.pick(calls);
  return refused(`${what} of what is gone`, run);
};

const functions: Make = (random, world) => {
  const value = smallEnough(hostile(random, world));
  const size = () => [random.chance(0.5) ? 'float32' : value, random.chance(0.5) ? [1, 2] : value, value];
  return any('a function with hostile arguments', () =>
    random.pick([
      () => call(toFloat16Bits, undefined, [value]),
      () => call(fromFloat16Bits, undefined, [value]),
      () => call(minimumTensorSizeInBytes, undefined, size()),
    ])(),
  );
};

/** The value; instead of more than a million elements, an empty array: converting billions is valid but slow. */
function smallEnough(value: unknown): unknown {
  try {
    const length: unknown = Object(value) === value ? Reflect.get(Object(value), 'length') : 0;
    return Number(length) > 1e6 ? [] : value;
  } catch {
    return value;
  }
}

const openHostile: Make = (random, world) => {
  const names = ['backend', 'adapter', 'featureLevel', 'debug', 'directmlPath', 'addonPath'];
  // Most of these are refused before a device is created.
  const options = random.pick<() => unknown>([
    () => ({ [random.pick(names)]: hostile(random, world) }),
    () => ({ directmlPath: random.pick(['Z:\\nothing\\DirectML.dll', 'DirectML.dll', 'Z:\\a.dll\0b', '', process.execPath]) }),
    () => trapped(random, world, { backend: 'reference' }, names),
    () => ({ adapter: '00000000-ffffffff' }),
    () => hostile(random, world),
  ])();
  return any('createDevice(hostile)', async () => {
    const device: unknown = await call(createDevice, undefined, [options]);
    if (typeof device === 'object' && device !== null) call(Reflect.get(device, 'dispose'), device, []);
  });
};

export const hostileCalls: Weighted = [
  [55, deviceCalls],
  [5, viewCalls],
  [20, compileCandidate],
  [10, compileOwned],
  [50, bufferCalls],
  [80, dispatches],
  [30, otherDevice],
  [20, goneObject],
  [10, functions],
  [3, openHostile],
];

/** Invalid calls of the public API. Those of graphs are in `graphs.ts`. */
import { createDevice, fromFloat16Bits, minimumTensorSizeInBytes, toFloat16Bits, type Value } from 'node-directml';
import { operatorTypes } from '../../operators/cases.js';
import { isTensor } from '../../descriptors/candidate.js';
import { candidateOf } from '../../descriptors/operators.js';
import { bindAll } from '../actions.js';
import { any, onDevice, onLive, pickLive, refused, withForeign, type Make, type Weighted } from '../make.js';
import { anyObject, malformedCall, call, spoiled, type Own, type Rights } from './values.js';
import { instead } from '../../malformed/arguments.js';
import { anyDescriptor } from '../operators.js';
import type { Held } from '../held.js';
import { isLive } from '../world.js';

/** Sizes beyond all memory. Wine takes a minute to refuse 2⁴⁴ bytes, but refuses these at once. */
const HUGE = [2 ** 48, 2 ** 50, Number.MAX_SAFE_INTEGER];
/**
 * Not used with the reference backend: Node.js 22 creates an ArrayBuffer of this length if nothing writes to it. Wine then
 * keeps a byte for each of its pages forever, which looks like a leak.
 */
const LARGER_THAN_MEMORY = 2 ** 36;

const hugeBuffer = onDevice(({ device, backend }, random) => {
  const size = random.pick(backend === 'directml' ? [LARGER_THAN_MEMORY, ...HUGE] : HUGE);
  return any(`createBuffer(${size})`, () => device.createBuffer(size));
});

/** Of 16 bytes. */
export const TENSOR = { dataType: 'uint8', sizes: [4, 4], strides: [4, 1], flags: 'none' };
export const bytes = () => new Uint8Array(16);

const deviceCalls = onDevice(({ device }, random, world) => {
  const tensor = pickLive(random, world.tensors)?.value;
  const data = () => random.pick([bytes(), { buffer: anyObject(random, world), offset: 16 }]);
  return malformedCall(random, world, 'device', device, {
    createBuffer: () => [16, { label: 'buffer' }],
    createTensor: () => [TENSOR, data(), { label: 'tensor' }],
    record: () => [() => undefined, { label: 'recording', reuseCommandLists: true }],
    profile: () => [() => undefined, { perDispatch: true }],
    run: () => [{ type: 'elementWiseIdentity', inputTensor: tensor }],
    compile: () => [anyDescriptor(random), { label: 'operator', disableMetacommands: true }],
  });
});

/** Compiles an operator with a tensor that DirectML owns. */
const compileOwned = onDevice(({ device }, random, world) => {
  const descriptor = anyDescriptor(random);
  const [name, tensor] = random.pick(Object.entries(descriptor).filter(([, value]) => isTensor(value)));
  const owning = { ...descriptor, [name]: { ...Object(tensor), flags: 'ownedByDml' } };
  const inputs = { [name]: random.chance(0.5) ? bytes() : anyObject(random, world) };
  return malformedCall(random, world, 'device', device, { compile: () => [owning, { initializationInputs: inputs }] });
});

/** Valid arguments of the methods that make views of a tensor or value. */
export const viewsOf = ({ sizes, strides }: Pick<Value, 'sizes' | 'strides'>): Rights => ({
  view: () => [{ sizes, strides, offset: 0 }],
  reshape: () => [sizes],
  transpose: () => [[...sizes.keys()]],
  broadcastTo: () => [[2, ...sizes]],
});

/** Views take no memory, so they may be of any size. */
export const anySize: Own = ({ right }) =>
  typeof right === 'number' ? [instead('any size', (random) => random.int(0, 2 ** 33))] : [];

const viewCalls = onLive('tensors', ({ value: tensor }, random, world) =>
  malformedCall(random, world, 'tensor', tensor, viewsOf(tensor), anySize),
);

const compileCandidate = onDevice(({ device }, random) => {
  const { descriptor, rule } = candidateOf(random.pick(operatorTypes))(random);
  return any(`compile(${descriptor.type}: ${rule})`, () => call(device.compile, device, [descriptor]));
});

const bufferCalls: Make = (random, world) => {
  if (world.buffers.length === 0 || world.tensors.length === 0) return null;
  const [buffer, tensor] = [random.pick(world.buffers).value, random.pick(world.tensors).value];
  if (random.chance(0.5)) {
    return malformedCall(random, world, 'tensor', tensor, { write: () => [bytes(), { offset: 0 }], read: () => [{ length: 1 }] });
  }
  return malformedCall(random, world, 'buffer', buffer, {
    write: () => [bytes(), 0],
    read: () => [0, 16],
    readInto: () => [bytes(), 0],
  });
};

const dispatches = onLive('operators', (held, random, world) => {
  const bind = bindAll(random, world, held);
  const right = () => [bind().bindings];
  return malformedCall(random, world, held.value.type, held.value, { dispatch: right, dispatchChecked: right });
});

/** Changes the bindings between the two halves of a checked dispatch. */
const changedBindings = onLive('operators', (held, random, world) => {
  const bind = bindAll(random, world, held);
  return any(`${held.value.type}: dispatchChecked, and other bindings`, () => {
    const { bindings } = bind();
    const result = held.value.dispatchChecked(bindings);
    Object.assign(bindings, { [random.pick(Object.keys(bindings))]: anyObject(random, world) });
    return result;
  });
});

const otherDevice = withForeign('operators', 'buffers', 'dispatch', (operator, buffer, random, world) => {
  const { bindings } = bindAll(random, world, operator)();
  const [name = ''] = Object.keys(bindings);
  operator.value.dispatch({ ...bindings, [name]: Array.isArray(bindings[name]) ? [buffer] : buffer });
});

/** An object, and the arguments of its methods by their names. */
type Calls = readonly [object, Readonly<Record<string, readonly unknown[]>>];

const goneObject: Make = (random, world) => {
  const isOver = (held: Held<unknown>) => !isLive(held);
  const dispatch = { dispatch: [{}], dispatchChecked: [{}] };
  const gone = [
    ...world.buffers.filter(isOver).map(({ value }): Calls => [value, { read: [], write: [bytes()] }]),
    ...world.operators.filter(isOver).map(({ value }): Calls => [value, dispatch]),
    ...world.compiledGraphs
      .filter(isOver)
      .map(({ value }): Calls => [value, { ...dispatch, run: [{}], createOutputs: [], initialize: [{}] }]),
    // A disposed tensor in a caller's buffer stays usable while that buffer lives, so only tensors of gone devices are refused.
    ...world.tensors.filter(({ owner }) => owner.isGone).map(({ value }): Calls => [value, { read: [] }]),
    ...world.devices
      .filter(({ isGone }) => isGone)
      .map(({ device }): Calls => [device, { idle: [], createBuffer: [16], compile: [anyDescriptor(random)] }]),
  ];
  if (gone.length === 0) return null;
  const [object, calls] = random.pick(gone);
  const [name, args] = random.pick(Object.entries(calls));
  const method: object = Reflect.get(object, name);
  return refused(`${object.constructor.name}.${name} of what is gone`, () => call(method, object, args));
};

const functions: Make = (random, world) => {
  const [method, right] = random.pick<readonly [object, readonly unknown[]]>([
    [toFloat16Bits, [[1, 2]]],
    [fromFloat16Bits, [Uint16Array.of(1, 2)]],
    [minimumTensorSizeInBytes, ['float32', [1, 2], [2, 1]]],
  ]);
  const args = spoiled(random, world, right).map(smallEnough);
  return any('a function with malformed arguments', () => call(method, undefined, args));
};

/** Replaces a value of more than a million elements by an empty array: converting billions is valid but slow. */
function smallEnough(value: unknown): unknown {
  try {
    const length: unknown = Object(value) === value ? Reflect.get(Object(value), 'length') : 0;
    return Number(length) > 1e6 ? [] : value;
  } catch {
    return value;
  }
}

/** Options with which no device is created, or one that needs no memory. */
const OPTIONS = [
  { backend: 'reference' },
  { adapter: '00000000-ffffffff' },
  { featureLevel: '99.0' },
  { debug: 1 },
  { addonPath: 'Z:\\nothing' },
  ...['Z:\\nothing\\DirectML.dll', 'DirectML.dll', 'Z:\\a.dll\0b', '', process.execPath].map((directmlPath) => ({
    directmlPath,
  })),
];

const openMalformed: Make = (random, world) => {
  const right = [random.pick(OPTIONS)];
  const args = random.chance(0.3) ? right : spoiled(random, world, right);
  return any('createDevice(malformed)', async () => {
    const device: unknown = await call(createDevice, undefined, args);
    if (typeof device === 'object' && device !== null) call(Reflect.get(device, 'dispose'), device, []);
  });
};

export const malformedCalls: Weighted = [
  [5, hugeBuffer],
  [50, deviceCalls],
  [5, viewCalls],
  [20, compileCandidate],
  [10, compileOwned],
  [50, bufferCalls],
  [75, dispatches],
  [5, changedBindings],
  [30, otherDevice],
  [20, goneObject],
  [10, functions],
  [3, openMalformed],
];

/**
 * Reads a tensor of the program once, so that nothing that its objects do later reaches a run. Any object with the properties of
 * onnxruntime-common's tensors is a tensor, because there may be several copies of that package.
 */
import type { Tensor } from 'onnxruntime-common';
import type { DeviceContext } from '../api/device-context.js';
import { Tensor as DeviceTensor } from '../api/memory/tensor.js';
import { arraysOf, bitsOf, isDataType } from '../tensors/data-types.js';
import { typedArrayLength, typedArrayName } from '../values/typed-array-name.js';
import { at, describe, DirectMLError, fieldError, list, oneOf, type Place } from '../values/errors.js';
import type { DataType } from '../tensors/generated/enums.js';
import { guard, unreadable } from '../values/input.js';
import { productOf } from '../tensors/tensor-size.js';
import { tensorType } from '../webnn/interface-types.js';

export interface GivenTensor {
  /** Its place in the arguments, for errors. */
  readonly place: Place;
  readonly type: Tensor.Type;
  readonly dims: readonly number[];
  /** An array with the elements, or a tensor on a device. */
  readonly content: object;
}

/** A tensor whose elements in memory are not checked yet. */
interface Unchecked extends Omit<GivenTensor, 'content'> {
  readonly content: unknown;
}

const code = 'ERR_INVALID_ARGUMENT';
/** onnxruntime-web copies the sizes to the stack of its wasm without a check, as 32-bit numbers. */
const maxDimensions = 64;
const maxSize = 2 ** 31 - 1;

/** The engine's own, saved now because a program may replace the globals later. */
const constructors = new Map(
  ['Float16Array', 'BigInt64Array', 'BigUint64Array', 'Float32Array', 'Float64Array']
    .concat(['Int8Array', 'Int16Array', 'Int32Array', 'Uint8Array', 'Uint8ClampedArray', 'Uint16Array', 'Uint32Array'])
    .map((name) => [name, Reflect.get(globalThis, name) as unknown]),
);

/** Reads the properties of a tensor. @throws {DirectMLError} that names the place. */
export function readTensor(place: Place, value: unknown): Unchecked {
  if (typeof value !== 'object' || value === null) throw fieldError(code, place, 'a tensor', describe(value));
  const location = readProperty(place, value, 'location');
  if (location === undefined) throw fieldError(code, place, 'a tensor', describe(value));
  if (location === 'none') throw disposed(place);
  const isOnDevice = location === 'ml-tensor';
  if (!isOnDevice && location !== 'cpu' && location !== 'cpu-pinned')
    throw fieldError(code, at(place, 'location'), "'cpu' or 'ml-tensor'", describe(location));
  const type = readProperty(place, value, 'type');
  if (!isTensorType(type)) throw fieldError(code, at(place, 'type'), 'the data type of a tensor', describe(type));
  const dims = sizesOf(at(place, 'dims'), readProperty(place, value, 'dims'));
  const content = readProperty(place, value, isOnDevice ? 'mlTensor' : 'data');
  if (!isOnDevice) return { place, type, dims, content };
  const tensor = onDevice(at(place, 'mlTensor'), content);
  if (tensor.dataType !== elementsOf(type))
    throw fieldError('ERR_DATA_TYPE', at(place, 'type'), `${tensor.dataType}, as its tensor on the device`, type);
  const isFitting = tensor.strides === null ? productOf(tensor.sizes) === productOf(dims) : list(tensor.sizes) === list(dims);
  if (!isFitting) throw fieldError('ERR_SIZES', at(place, 'dims'), `the elements of ${list(tensor.sizes)}`, list(dims));
  return { place, type, dims, content: tensor };
}

function readProperty(place: Place, object: object, name: string): unknown {
  try {
    return Reflect.get(object, name);
  } catch (cause) {
    throw unreadable(code, at(place, name), cause);
  }
}

/** A tensor of this package, or that of an MLTensor. */
function onDevice(place: Place, content: unknown): DeviceTensor {
  if (DeviceTensor.is(content)) return content;
  const made = tensorType.implementationOf(content);
  if (made === undefined) throw fieldError(code, place, 'a tensor or an MLTensor of this package', describe(content));
  return made.tensor;
}

/** The tensor, if its elements in memory are as many as its sizes say, and of its type. @throws {DirectMLError} */
export function checked(given: Unchecked): GivenTensor {
  const { place, type, dims, content } = given;
  return { place, type, dims, content: DeviceTensor.is(content) ? content : checkedData(given) };
}

/** The checked tensor with a copy of its elements or strings in memory. */
export function copied(given: Unchecked): GivenTensor {
  const { place, type, dims, content } = given;
  if (DeviceTensor.is(content)) return checked(given);
  if (elementsOf(type) === undefined) return { place, type, dims, content: textsOf(given) };
  // It is checked afterwards: another thread may make a buffer longer meanwhile.
  const copy = guard(code, at(place, 'data'), () => copyOfArray(content));
  return checked({ place, type, dims, content: copy ?? content });
}

/** A copy of the strings. */
function textsOf(given: Unchecked): readonly string[] {
  const { place, dims } = given;
  const inside = at(place, 'data');
  const content = checkedData(given);
  const texts = guard(code, inside, () => Array.from({ length: productOf(dims) }, (_, i): unknown => Reflect.get(content, i)));
  return texts.map((text, i) => {
    if (typeof text === 'string') return text;
    throw fieldError('ERR_DATA_TYPE', at(inside, i), 'a string', describe(text));
  });
}

/** @throws {DirectMLError} if the device cannot use the tensor. Null is onnxruntime-web. */
export function checkDevice({ place, content }: GivenTensor, context: DeviceContext | null): void {
  if (!DeviceTensor.is(content)) return;
  if (context === null) {
    const details = { why: 'onnxruntime-web computes the model on the CPU' };
    throw fieldError('ERR_WRONG_DEVICE', place, 'a tensor in memory', 'one on a device', details);
  }
  if (!content.buffer.belongsTo(context))
    throw fieldError('ERR_WRONG_DEVICE', place, "a tensor of the session's device", 'one of another device');
  // If the device itself has ended, the session says how.
  if (content.buffer.isDisposed && context.state === '') throw disposed(place);
}

function disposed(place: Place): DirectMLError {
  return new DirectMLError('ERR_DISPOSED', `${place.operator}: ${place.field}: the tensor was disposed of.`, place);
}

function sizesOf(place: Place, value: unknown): readonly number[] {
  const read: unknown[] | undefined = guard(code, place, () => {
    if (!Array.isArray(value) || value.length > maxDimensions) return undefined;
    return Array.from({ length: value.length }, (_, i): unknown => value[i]);
  });
  if (read?.every(isSize) === true) return read;
  throw fieldError(code, place, `an array of at most ${maxDimensions} sizes`, describe(value));
}

function isSize(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= maxSize;
}

/** True for the data types of onnxruntime-common. */
export function isTensorType(value: unknown): value is Tensor.Type {
  return value === 'bool' || value === 'string' || isDataType(value);
}

/** The data type of the elements on a device; undefined for strings. */
export function elementsOf(type: Tensor.Type): DataType | undefined {
  const name = type === 'bool' ? 'uint8' : type;
  return isDataType(name) ? name : undefined;
}

/** The array or list if it has the elements of the tensor. */
function checkedData({ place, type, dims, content: data }: Unchecked): object {
  const count = productOf(dims);
  const dataType = elementsOf(type);
  if (dataType === undefined) {
    const inside = at(place, 'data');
    const isArray = guard(code, inside, () => Array.isArray(data));
    if (!isArray || typeof data !== 'object' || data === null)
      throw fieldError(code, inside, 'an array of strings', describe(data));
    const length = guard(code, inside, (): unknown => Reflect.get(data, 'length'));
    checkLength(place, dims, count, length);
    return data;
  }
  const name = typedArrayName(data);
  if (name === undefined || typeof data !== 'object' || data === null || !arraysOf(dataType).includes(name))
    throw fieldError('ERR_DATA_TYPE', at(place, 'data'), oneOrMore(arraysOf(dataType)), describe(data));
  checkLength(place, dims, bitsOf(dataType) < 8 ? Math.ceil(count / 2) : count, typedArrayLength(data));
  return data;
}

function oneOrMore(names: readonly string[]): string {
  return names.length === 1 ? `a ${names[0] ?? ''}` : oneOf(names);
}

function checkLength(place: Place, dims: readonly number[], expected: number, given: unknown): void {
  if (given === expected) return;
  throw fieldError('ERR_SIZES', at(place, 'data'), `${expected} elements for the sizes ${list(dims)}`, String(given));
}

/** Undefined for what is no typed array. */
function copyOfArray(array: unknown): unknown {
  const constructor = constructors.get(typedArrayName(array) ?? '');
  if (typeof constructor !== 'function') return undefined;
  // A view that lies outside its buffer cannot be copied.
  return Reflect.construct(constructor, [typedArrayLength(array) === 0 ? 0 : array]);
}

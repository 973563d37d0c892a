/**
 * Reads a tensor of the program once, so that nothing that its objects do later reaches a run: the run waits for its turn, and
 * shares onnxruntime's wasm with all sessions. Any object with the properties of onnxruntime-common's tensors is a tensor, because
 * there may be several copies of that package.
 */
import type { Tensor } from 'onnxruntime-web/webgpu';
import { arraysOf, bitsOf, isDataType } from '../data-types/table.js';
import { typedArrayLength, typedArrayName } from '../data-types/typed-array-name.js';
import { at, describe, DirectMLError, fieldError, list, oneOf, type Place } from '../errors.js';
import type { DataType } from '../schema/generated/enums.js';
import { guard } from '../validation/input.js';
import { tensorType } from '../webnn/interface-types.js';
import type { Context } from '../webnn/ml-context.js';
import { sameShape } from '../webnn/ml-operand.js';
import type { ContextTensor } from '../webnn/ml-tensor.js';
import { isTypeName } from './metadata.js';
import { ort } from './runtime.js';

export interface GivenTensor {
  /** Its place in the arguments, for errors. */
  readonly place: Place;
  readonly type: Tensor.Type;
  readonly dims: readonly number[];
  /** The program's array with the elements, or its MLTensor. */
  readonly content: object;
  /** What the MLTensor stands for; undefined if the elements are in an array. */
  readonly onDevice: ContextTensor | undefined;
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

/** Reads the properties of a tensor, and checks that its content fits. @throws {DirectMLError} that names the place. */
export function readTensor(place: Place, value: unknown): GivenTensor {
  if (typeof value !== 'object' || value === null) throw fieldError(code, place, 'a tensor', describe(value));
  const read = (name: string): unknown => guard(code, at(place, name), (): unknown => Reflect.get(value, name));
  const location = read('location');
  if (location === undefined) throw fieldError(code, place, 'a tensor', describe(value));
  if (location === 'none') throw disposed(place);
  const isOnDevice = location === 'ml-tensor';
  if (!isOnDevice && location !== 'cpu' && location !== 'cpu-pinned')
    throw fieldError(code, at(place, 'location'), "'cpu' or 'ml-tensor'", describe(location));
  const type = read('type');
  if (!isTypeName(type)) throw fieldError(code, at(place, 'type'), 'the data type of a tensor', describe(type));
  const dims = sizesOf(at(place, 'dims'), read('dims'));
  const content = read(isOnDevice ? 'mlTensor' : 'data');
  const given = { place, type, dims };
  if (!isOnDevice) return { ...given, content: checkedData(given, content), onDevice: undefined };
  const onDevice = tensorType.implementationOf(content);
  if (typeof content !== 'object' || content === null || onDevice === undefined)
    throw fieldError(code, at(place, 'mlTensor'), 'an MLTensor of this package', describe(content));
  const { dataType, shape } = onDevice;
  if (dataType !== elementsOf(type)) throw fieldError('ERR_DATA_TYPE', at(place, 'type'), `${dataType}, as its MLTensor`, type);
  if (!sameShape(shape, dims)) throw fieldError('ERR_SIZES', at(place, 'dims'), `${list(shape)}, as its MLTensor`, list(dims));
  return { ...given, content, onDevice };
}

/** The tensor for onnxruntime, with a copy of the elements, or with the same MLTensor. */
export function ownTensor({ content, onDevice, ...given }: GivenTensor): Tensor {
  const { place, type, dims } = given;
  if (onDevice !== undefined) return newTensor({ location: 'ml-tensor', type, mlTensor: content, dims });
  const inside = at(place, 'data');
  // Another thread may have made a buffer longer.
  if (type !== 'string')
    return newTensor(
      type,
      checkedData(
        given,
        guard(code, inside, () => copyOfArray(content)),
      ),
      dims,
    );
  const texts = guard(code, inside, () => Array.from({ length: countOf(dims) }, (_, i): unknown => Reflect.get(content, i)));
  const other = texts.findIndex((text) => typeof text !== 'string');
  if (other >= 0) throw fieldError('ERR_DATA_TYPE', at(inside, other), 'a string', describe(texts[other]));
  return newTensor(type, texts, dims);
}

/** @throws {DirectMLError} if onnxruntime could not use the MLTensor in this context. Null is onnxruntime's wasm. */
export function checkDevice({ place, onDevice }: GivenTensor, context: Context | null): void {
  if (onDevice === undefined) return;
  if (context === null) {
    const details = { why: "onnxruntime's wasm computes the model" };
    throw fieldError('ERR_WRONG_DEVICE', place, 'a tensor in memory', 'one on a device', details);
  }
  if (onDevice.context !== context)
    throw fieldError('ERR_WRONG_DEVICE', place, "an MLTensor of the session's context", 'one of another context');
  // If the context itself has ended, the session says how.
  if (onDevice.isDestroyed && !context.isLost) throw disposed(place);
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

/** The data type of the elements on a device; undefined for strings. */
function elementsOf(type: Tensor.Type): DataType | undefined {
  const name = type === 'bool' ? 'uint8' : type;
  return isDataType(name) ? name : undefined;
}

/** The array if it has the elements of the tensor. */
function checkedData({ place, type, dims }: Omit<GivenTensor, 'content' | 'onDevice'>, data: unknown): object {
  const inside = at(place, 'data');
  const count = countOf(dims);
  const dataType = elementsOf(type);
  if (dataType === undefined) {
    const isArray = guard(code, inside, () => Array.isArray(data));
    if (!isArray || typeof data !== 'object' || data === null)
      throw fieldError(code, inside, 'an array of strings', describe(data));
    checkLength(
      inside,
      dims,
      count,
      guard(code, inside, (): unknown => Reflect.get(data, 'length')),
    );
    return data;
  }
  const name = typedArrayName(data);
  if (name === undefined || typeof data !== 'object' || data === null || !arraysOf(dataType).includes(name))
    throw fieldError('ERR_DATA_TYPE', inside, oneOrMore(arraysOf(dataType)), describe(data));
  checkLength(inside, dims, bitsOf(dataType) < 8 ? Math.ceil(count / 2) : count, typedArrayLength(data));
  return data;
}

function newTensor(...args: readonly unknown[]): Tensor {
  const made: unknown = Reflect.construct(ort.Tensor, args);
  if (made instanceof ort.Tensor) return made;
  throw new TypeError('a tensor is created');
}

function countOf(dims: readonly number[]): number {
  return dims.reduce((product, size) => product * size, 1);
}

function oneOrMore(names: readonly string[]): string {
  return names.length === 1 ? `a ${names[0] ?? ''}` : oneOf(names);
}

function checkLength(place: Place, dims: readonly number[], expected: number, given: unknown): void {
  if (given === expected) return;
  throw fieldError('ERR_SIZES', place, `${expected} elements for the sizes ${list(dims)}`, String(given));
}

function copyOfArray(array: object): unknown {
  const constructor = constructors.get(typedArrayName(array) ?? '');
  // A view that lies outside its buffer cannot be copied.
  const source = typedArrayLength(array) === 0 ? 0 : array;
  return typeof constructor === 'function' ? Reflect.construct(constructor, [source]) : undefined;
}

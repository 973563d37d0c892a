/** Makes a tensor of numbers whose sizes and data type follow from how they are given: `device.tensor`. */
import { argumentError, labelOption, readOptions } from '../../values/arguments.js';
import { at, describe, fieldError, list, type Place } from '../../values/errors.js';
import { readOwn } from '../../values/input.js';
import { typedArrayLength, typedArrayName } from '../../values/typed-array-name.js';
import { arraysOf, bitsOf, dataTypes, isDataType } from '../../tensors/data-types.js';
import { codecs } from '../../tensors/element.js';
import type { DataType } from '../../tensors/generated/enums.js';
import { productOf } from '../../tensors/tensor-size.js';
import type { TensorLayout } from '../../tensors/views.js';
import { readScalar } from '../../descriptors/scalar.js';
import { resolveTensor } from '../../descriptors/tensor.js';
import type { DeviceContext } from '../device-context.js';
import { ElementPlace, isPlainArray } from './array-data.js';
import { newTensor } from './new-tensor.js';
import type { Tensor } from './tensor.js';
import { bytesOfTensor } from './tensor-data.js';
import type { TypedArrays } from './typed-arrays.js';

/** What {@link Device.tensor} takes an element from: a number, or a typed array of them. */
export type ElementSource = number | bigint | boolean | TypedArrays[DataType] | Uint8ClampedArray;

/** Arrays in one level for each dimension. */
export type Levels<Element> = readonly (Element | Levels<Element>)[];

interface DataTypes {
  readonly Float64Array: 'float64';
  readonly Float32Array: 'float32';
  readonly Float16Array: 'float16';
  readonly BigInt64Array: 'int64';
  readonly BigUint64Array: 'uint64';
  readonly Int32Array: 'int32';
  readonly Int16Array: 'int16';
  readonly Int8Array: 'int8';
  readonly Uint32Array: 'uint32';
  readonly Uint16Array: 'uint16';
  readonly Uint8Array: 'uint8';
  readonly Uint8ClampedArray: 'uint8';
}

/** The data type of elements for which none is given. */
export type DataTypeOf<Element> = Element extends { readonly [Symbol.toStringTag]: infer Name extends keyof DataTypes }
  ? DataTypes[Name]
  : Element extends boolean
    ? 'uint8'
    : Element extends bigint
      ? 'int64'
      : Element extends number
        ? 'float32'
        : never;

/** Options of {@link Device.tensor}. */
export interface TensorOfOptions<T extends DataType | undefined> {
  /** Default: that of the typed array; `'float32'` for numbers, `'int64'` for bigints, `'uint8'` for booleans. */
  readonly dataType?: T;
  /** Sizes of as many elements. Default: the lengths of the arrays, `[1]` for a single number. */
  readonly sizes?: readonly number[] | undefined;
  /** Name of the tensor and its buffer in error messages and debuggers. Default: `''`. */
  readonly label?: string | undefined;
}

const method = 'device.tensor';
const data: Place = { operator: method, field: 'data' };
const expected = 'a number, a typed array, or arrays of them';

export function tensorOf(context: DeviceContext, given: unknown, options: unknown): Tensor {
  const read = readOptions(method, options, ['dataType', 'sizes', 'label']);
  const label = labelOption(method, read.get('label'));
  const { lengths, first } = shapeOf(given);
  const dataType = read.get('dataType') ?? first;
  if (!isDataType(dataType)) throw argumentError(method, 'options.dataType', `one of ${dataTypes.join(', ')}`, dataType);
  const wanted = { dataType, sizes: read.get('sizes') ?? (lengths.length === 0 ? [1] : lengths) };
  const desc = resolveTensor(wanted, { operator: method, field: 'options' }, 'any', context.featureLevel);
  const bytes = isOwnArray(given, dataType) ? bytesOfTensor(data, desc, given) : bytesOfElements(given, desc, lengths);
  context.refuseWhileRecording(method);
  const tensor = newTensor(context, desc, dataType, label);
  try {
    tensor.buffer.write(bytes);
    return tensor;
  } catch (error) {
    tensor.dispose();
    throw error;
  }
}

/** True for a typed array whose bytes are those of the data type. */
function isOwnArray(given: unknown, dataType: DataType): boolean {
  const name = typedArrayName(given);
  return name !== undefined && arraysOf(dataType).includes(name);
}

interface Shape {
  /** The lengths of the outermost array, of its first one, and so on; none for a number. */
  readonly lengths: readonly number[];
  /** The data type of the first element. */
  readonly first: DataType;
}

function shapeOf(given: unknown): Shape {
  const lengths: number[] = [];
  let inner = given;
  let place = data;
  let name = typedArrayName(inner);
  while (isList(inner, place)) {
    if (lengths.length === 8) throw fieldError('ERR_DIMENSION_COUNT', data, 'arrays in at most 8 levels', 'more');
    const length = lengthOf(inner, place);
    if (length === 0) {
      throw fieldError('ERR_SIZES', place, 'at least one element', '[]', { why: 'DirectML has no empty tensors' });
    }
    lengths.push(length);
    inner = elementOf(inner, 0, place);
    place = at(place, 0);
    name ??= typedArrayName(inner);
  }
  const type = typeof inner;
  const ofArray = dataTypes.find((each) => arraysOf(each)[0] === name) ?? (name === undefined ? undefined : 'uint8');
  const first =
    ofArray ?? (type === 'number' ? 'float32' : type === 'bigint' ? 'int64' : type === 'boolean' ? 'uint8' : undefined);
  if (first === undefined) throw argumentError(method, place.field, expected, inner);
  return { lengths, first };
}

function bytesOfElements(given: unknown, { dataType, sizes }: TensorLayout, lengths: readonly number[]): Uint8Array {
  const count = productOf(lengths);
  if (productOf(sizes) !== count) {
    const place = { operator: method, field: 'options.sizes' };
    throw fieldError('ERR_SIZES', place, `sizes of ${count} elements, as data has`, list(sizes));
  }
  const bytes = new Uint8Array(Math.ceil((count * bitsOf(dataType)) / 8));
  const view = new DataView(bytes.buffer);
  const { write } = codecs[dataType];
  let next = 0;
  const fill = (value: unknown, level: number, place: Place): void => {
    const length = lengths[level];
    if (length === undefined) {
      const number = typeof value === 'boolean' ? Number(value) : value;
      if (typeof number !== 'number' && typeof number !== 'bigint') throw argumentError(method, place.field, 'a number', value);
      write(view, next++, readScalar(number, place, dataType));
      return;
    }
    if (!isList(value, place) || lengthOf(value, place) !== length) {
      throw fieldError('ERR_SIZES', place, `${length} elements, as the first array of its level has`, describe(value));
    }
    const inner = new ElementPlace(place);
    for (let i = 0; i < length; i++) {
      inner.index = i;
      fill(elementOf(value, i, place), level + 1, inner);
    }
  };
  fill(given, 0, data);
  return bytes;
}

function isList(value: unknown, place: Place): value is object {
  return typedArrayName(value) !== undefined || isPlainArray(place, value);
}

function lengthOf(array: object, place: Place): number {
  const length =
    typedArrayName(array) === undefined ? readOwn(array, 'length', place, 'ERR_INVALID_ARGUMENT') : typedArrayLength(array);
  return typeof length === 'number' ? length : 0;
}

function elementOf(array: object, i: number, place: Place): unknown {
  return readOwn(array, i, place, 'ERR_INVALID_ARGUMENT');
}

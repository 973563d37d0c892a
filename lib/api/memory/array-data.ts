/** Converts a plain array of numbers to the bytes of a tensor's elements. */
import { argumentError } from '../../values/arguments.js';
import { at, describe, fieldError, type Place } from '../../values/errors.js';
import { codecs } from '../../tensors/element.js';
import { bitsOf } from '../../tensors/data-types.js';
import type { DataType } from '../../tensors/generated/enums.js';
import { isArray, readOwn } from '../../values/input.js';
import { readScalar } from '../../descriptors/scalar.js';

/** The engine's own, saved now because a program may replace the global later. */
const { DataView } = globalThis;

/**
 * The place of an element, one object for all of them, which writes `data[i]` only for an error. It is a class, because the engine
 * makes a hidden class for each literal with a getter, which keeps what the getter uses.
 */
export class ElementPlace implements Place {
  index = 0;
  readonly operator: string;
  readonly #array: Place;

  constructor(array: Place) {
    this.operator = array.operator;
    this.#array = array;
  }

  get field(): string {
    return at(this.#array, this.index).field;
  }
}

/** True for an array; false for a typed array. */
export function isPlainArray(place: Place, data: unknown): data is readonly unknown[] {
  return typeof data === 'object' && data !== null && isArray(data, place, 'ERR_INVALID_ARGUMENT');
}

/**
 * The elements of a plain array as bytes of the data type, little-endian. Numbers are rounded to float data types.
 *
 * @param count The required number of elements.
 * @throws {DirectMLError} ERR_SIZES for another number of elements, ERR_INVALID_ARGUMENT for an element that is not a number,
 * ERR_OUT_OF_RANGE for a number that the data type cannot represent.
 */
export function bytesOfArray(place: Place, data: readonly unknown[], dataType: DataType, count: number): Uint8Array {
  const length = readOwn(data, 'length', place, 'ERR_INVALID_ARGUMENT');
  if (length !== count) {
    const given = describe(data);
    const why = given.endsWith('arrays') || given.endsWith('array') ? 'all elements in one array, without inner ones' : undefined;
    throw fieldError('ERR_SIZES', place, `${count} elements`, given, { why });
  }
  const bytes = new Uint8Array(Math.ceil((count * bitsOf(dataType)) / 8));
  const view = new DataView(bytes.buffer);
  const { write } = codecs[dataType];
  const elementPlace = new ElementPlace(place);
  for (let i = 0; i < count; i++) {
    elementPlace.index = i;
    const element = readOwn(data, i, place, 'ERR_INVALID_ARGUMENT');
    if (typeof element !== 'number' && typeof element !== 'bigint') {
      throw argumentError(place.operator, elementPlace.field, `a number for ${dataType}`, element);
    }
    write(view, i, readScalar(element, elementPlace, dataType));
  }
  return bytes;
}

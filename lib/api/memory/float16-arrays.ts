/** Converts arrays to and from the bits of float16, for tensors of `'float16'` if the runtime has no `Float16Array`. */
import { argumentError } from '../../values/arguments.js';
import { typedArrayLength, typedArrayName } from '../../values/typed-array-name.js';
import { DirectMLError } from '../../values/errors.js';
import { float16FromBits, float16ToBits } from '../../tensors/float16.js';
import { readOwn } from '../../values/input.js';
import type { Float16ArrayLike } from './typed-arrays.js';

/** The engine's own, saved now because a program may replace the globals later. */
const { Float32Array, Uint16Array } = globalThis;

/** `Uint16Array<ArrayBuffer>`; before TypeScript 5.7, where typed arrays are not generic, `Uint16Array`. */
type NewUint16Array = ReturnType<typeof Uint16Array.of>;

/** The same of `Float32Array`. */
type NewFloat32Array = ReturnType<typeof Float32Array.of>;

/**
 * Converts numbers to the bits of float16. Rounds to nearest, ties to even; numbers that are too large become infinite.
 *
 * @param values Numbers in an array, a typed array or an array-like object.
 * @throws {DirectMLError} ERR_INVALID_ARGUMENT for anything else, ERR_OUT_OF_MEMORY.
 */
export function toFloat16Bits(values: ArrayLike<number>): NewUint16Array {
  const numbers = numbersOf('toFloat16Bits', 'values', values);
  const bits = new Uint16Array(numbers.length);
  for (let i = 0; i < bits.length; i++) bits[i] = float16ToBits(numbers[i] ?? NaN);
  return bits;
}

/**
 * Converts the bits of float16 to numbers. The conversion is exact. It accepts any result of {@link Tensor.read} for float16:
 * from a `Float16Array` it copies the numbers.
 *
 * @param bits The bits in a `Uint16Array`, or as whole numbers from 0 to 65535 in an array or an array-like object; or a
 * `Float16Array`.
 * @throws {DirectMLError} ERR_INVALID_ARGUMENT for anything else, such as a `Float32Array`; ERR_OUT_OF_MEMORY.
 */
export function fromFloat16Bits(bits: Float16ArrayLike | Uint16Array | readonly number[]): NewFloat32Array;
export function fromFloat16Bits(bits: unknown): NewFloat32Array {
  const name = typedArrayName(bits);
  if (name !== undefined && name !== 'Uint16Array' && name !== 'Float16Array') {
    throw argumentError('fromFloat16Bits', 'bits', 'a Uint16Array of bits or a Float16Array', bits);
  }
  const numbers = numbersOf('fromFloat16Bits', 'bits', bits);
  if (name === 'Float16Array') return Float32Array.from(numbers);
  const values = new Float32Array(numbers.length);
  for (let i = 0; i < values.length; i++) {
    const number = numbers[i] ?? NaN;
    if (number !== (number & 0xffff)) {
      throw argumentError('fromFloat16Bits', `bits[${i}]`, 'a whole number from 0 to 65535', number);
    }
    values[i] = float16FromBits(number);
  }
  return values;
}

/** Copies the numbers, so that no code of the user can change them later. */
function numbersOf(method: string, name: string, values: unknown): Float64Array {
  const refused = () => argumentError(method, name, 'an array or typed array of numbers', values);
  if (typeof values !== 'object' || values === null) throw refused();
  if (typedArrayName(values) !== undefined) {
    // Throws for a detached array and for an array of bigints.
    // eslint-disable-next-line @typescript-eslint/no-unsafe-return -- Reflect.construct does not say what it makes
    const copy = (): Float64Array => Reflect.construct(Float64Array, [values]);
    return allocate(method, Number(typedArrayLength(values)), copy, refused);
  }
  const place = { operator: method, field: name };
  const length = readOwn(values, 'length', place, 'ERR_INVALID_ARGUMENT');
  if (typeof length !== 'number' || !Number.isSafeInteger(length) || length < 0) throw refused();
  const numbers = allocate(method, length, () => new Float64Array(length), refused);
  for (let i = 0; i < length; i++) {
    const value = readOwn(values, i, place, 'ERR_INVALID_ARGUMENT');
    if (typeof value !== 'number') throw argumentError(method, `${name}[${i}]`, 'a number', value);
    numbers[i] = value;
  }
  return numbers;
}

function allocate(method: string, count: number, make: () => Float64Array, refused: () => DirectMLError): Float64Array {
  try {
    return make();
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw refused();
    throw new DirectMLError('ERR_OUT_OF_MEMORY', `${method}: not enough memory for ${count} numbers`, { cause });
  }
}

/** The typed array for the elements of each data type. */
import { DirectMLError } from '../../values/errors.js';
import { typedArrayName } from '../../values/typed-array-name.js';
import type { DataType } from '../../tensors/generated/enums.js';

/** The part of `Float16Array` that this package uses. Not every runtime and not every TypeScript library has `Float16Array`. */
export interface Float16ArrayLike extends ArrayBufferView {
  readonly [Symbol.toStringTag]: 'Float16Array';
  readonly length: number;
  readonly BYTES_PER_ELEMENT: number;
  readonly [index: number]: number;
}

/** The typed array of each data type. */
export interface TypedArrays {
  float64: Float64Array;
  float32: Float32Array;
  /** `Float16Array` if the runtime has it, else the bits: see {@link fromFloat16Bits} and {@link toFloat16Bits}. */
  float16: Float16ArrayLike | Uint16Array;
  int64: BigInt64Array;
  int32: Int32Array;
  int16: Int16Array;
  int8: Int8Array;
  /** Two elements per byte, the first one in the low bits. */
  int4: Uint8Array;
  uint64: BigUint64Array;
  uint32: Uint32Array;
  uint16: Uint16Array;
  uint8: Uint8Array;
  /** Two elements per byte, the first one in the low bits. */
  uint4: Uint8Array;
}

/** The typed array of a data type. */
export type TypedArrayFor<T extends DataType> = TypedArrays[T];

/** The engine's own, saved now because a program may replace the globals later. */
const {
  BigInt64Array,
  BigUint64Array,
  Float32Array,
  Float64Array,
  Int16Array,
  Int32Array,
  Int8Array,
  Uint16Array,
  Uint32Array,
  Uint8Array,
} = globalThis;

const makers: { readonly [T in DataType]: (buffer: ArrayBuffer, length: number) => TypedArrays[T] } = {
  float64: (buffer, length) => new Float64Array(buffer, 0, length),
  float32: (buffer, length) => new Float32Array(buffer, 0, length),
  float16: makeFloat16,
  int64: (buffer, length) => new BigInt64Array(buffer, 0, length),
  int32: (buffer, length) => new Int32Array(buffer, 0, length),
  int16: (buffer, length) => new Int16Array(buffer, 0, length),
  int8: (buffer, length) => new Int8Array(buffer, 0, length),
  int4: (buffer, length) => new Uint8Array(buffer, 0, Math.ceil(length / 2)),
  uint64: (buffer, length) => new BigUint64Array(buffer, 0, length),
  uint32: (buffer, length) => new Uint32Array(buffer, 0, length),
  uint16: (buffer, length) => new Uint16Array(buffer, 0, length),
  uint8: (buffer, length) => new Uint8Array(buffer, 0, length),
  uint4: (buffer, length) => new Uint8Array(buffer, 0, Math.ceil(length / 2)),
};

/**
 * A view of the first `length` elements.
 *
 * @throws {DirectMLError} ERR_INVALID_ARGUMENT if a script has transferred the buffer.
 */
export function viewElements<T extends DataType>(dataType: T, buffer: ArrayBuffer, length: number): TypedArrays[T] {
  try {
    return makers[dataType](buffer, length);
  } catch (cause) {
    const why = 'tensor.read: a changed prototype or global transferred the bytes before they were returned';
    throw new DirectMLError('ERR_INVALID_ARGUMENT', why, { operator: 'tensor.read', cause });
  }
}

const float16Array: unknown = Reflect.get(globalThis, 'Float16Array');
const { construct } = Reflect;

function makeFloat16(buffer: ArrayBuffer, length: number): Float16ArrayLike | Uint16Array {
  if (typeof float16Array === 'function') {
    const array: unknown = construct(float16Array, [buffer, 0, length]);
    if (isFloat16Array(array)) return array;
  }
  return new Uint16Array(buffer, 0, length);
}

function isFloat16Array(value: unknown): value is Float16ArrayLike {
  return typedArrayName(value) === 'Float16Array';
}

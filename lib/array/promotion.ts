/** Which data type two arrays have together: the table of the array API standard, and PyTorch's rule for an integer and a float. */
import { bitsOf, isFloat, isUnsigned } from '../tensors/data-types.js';
import type { DataType } from '../tensors/generated/enums.js';
import { fieldError } from '../values/errors.js';

/** The signed integers with twice as many bits. */
const twice: Partial<Record<DataType, DataType>> = { uint8: 'int16', uint16: 'int32', uint32: 'int64' };

export function promoted(method: string, a: DataType, b: DataType): DataType {
  if (a === b) return a;
  if (isFloat(a) !== isFloat(b)) return isFloat(a) ? a : b;
  const wide = bitsOf(a) > bitsOf(b) ? a : b;
  if (isFloat(a) || isUnsigned(a) === isUnsigned(b)) return wide;
  const [signed, unsigned] = isUnsigned(a) ? [b, a] : [a, b];
  if (bitsOf(signed) > bitsOf(unsigned)) return signed;
  const both = twice[unsigned];
  if (both !== undefined) return both;
  const why = 'no data type has the integers of both; cast one of them';
  throw fieldError('ERR_DATA_TYPE', { operator: method, field: 'y' }, 'data types that have a common one', `${a} and ${b}`, {
    why,
  });
}

/** The same for the compiler. */
export type Promoted<A, B> = [A] extends [never]
  ? B
  : [B] extends [never]
    ? A
    : A extends Float
      ? B extends Float
        ? WiderFloat<A, B>
        : A
      : B extends Float
        ? B
        : CommonInteger<A, B>;

type Float = 'float16' | 'float32' | 'float64';
type WiderFloat<A, B> = 'float64' extends A | B ? 'float64' : 'float32' extends A | B ? 'float32' : A;
type CommonInteger<A, B> = A extends keyof Integers
  ? B extends keyof Integers[A]
    ? Integers[A][B]
    : B extends keyof Integers
      ? A extends keyof Integers[B]
        ? Integers[B][A]
        : never
      : never
  : never;

/** Of integers, in any order. */
interface Integers {
  readonly int8: {
    int8: 'int8';
    int16: 'int16';
    int32: 'int32';
    int64: 'int64';
    uint8: 'int16';
    uint16: 'int32';
    uint32: 'int64';
  };
  readonly int16: { int16: 'int16'; int32: 'int32'; int64: 'int64'; uint8: 'int16'; uint16: 'int32'; uint32: 'int64' };
  readonly int32: { int32: 'int32'; int64: 'int64'; uint8: 'int32'; uint16: 'int32'; uint32: 'int64' };
  readonly int64: { int64: 'int64'; uint8: 'int64'; uint16: 'int64'; uint32: 'int64' };
  readonly uint8: { uint8: 'uint8'; uint16: 'uint16'; uint32: 'uint32'; uint64: 'uint64' };
  readonly uint16: { uint16: 'uint16'; uint32: 'uint32'; uint64: 'uint64' };
  readonly uint32: { uint32: 'uint32'; uint64: 'uint64' };
  readonly uint64: { uint64: 'uint64' };
}

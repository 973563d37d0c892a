/**
 * Reads and writes integers of any width as bigints, indices, and keys.
 *
 * Keys are for everything that compares 64-bit integers. Where DirectML emulates them, it compares the high halves of INT64 and
 * then the low ones, both as signed numbers: 2147483648 is less than 0. The order of the keys is that order. UINT64 is compared
 * as it should be, and is its own key.
 */
import { wrapped } from '../tensors/data-types.js';
import { readBigInts, readNumbers, writeBigInts, writeNumbers, type TensorView } from './tensor-view.js';

export function integersOf(input: TensorView): BigInt64Array | BigUint64Array {
  if (input.wordsPerElement === 2) return readBigInts(input);
  return BigInt64Array.from(readNumbers(input), BigInt);
}

export function writeIntegers(output: TensorView, values: readonly bigint[]): void {
  if (output.wordsPerElement === 2) {
    writeBigInts(
      output,
      BigInt64Array.from(values, (value) => BigInt.asIntN(64, value)),
    );
  } else {
    writeNumbers(
      output,
      Float64Array.from(values, (value) => Number(wrapped(output.dataType, value))),
    );
  }
}

/** The sign of the low half. */
const LOW_SIGN = 0x8000_0000n;

export function readKeys(input: TensorView): BigInt64Array | BigUint64Array {
  return exchanged(readBigInts(input), input);
}

export function writeKeys(output: TensorView, keys: BigInt64Array | BigUint64Array): void {
  writeBigInts(output, exchanged(keys, output));
}

/** The key of a number that is no element, such as a limit. The key of a key is the number again. */
export function keyOf(value: bigint, { dataType }: TensorView): bigint {
  return dataType === 'int64' ? value ^ LOW_SIGN : value;
}

/** Makes elements keys, and keys elements, in place. */
function exchanged(values: BigInt64Array | BigUint64Array, { dataType }: TensorView): BigInt64Array | BigUint64Array {
  if (dataType !== 'int64') return values;
  const halves = new Int32Array(values.buffer, values.byteOffset, 2 * values.length);
  for (let low = 0; low < halves.length; low += 2) halves[low] = (halves[low] ?? 0) ^ -0x8000_0000;
  return values;
}

export function writeIndices(output: TensorView, positions: Uint32Array): void {
  if (output.wordsPerElement === 2) writeBigInts(output, BigInt64Array.from(Array.from(positions, BigInt)));
  else writeNumbers(output, new Float64Array(positions));
}

/** Reads and writes integers of any width as bigints, and indices. */
import { wrapped } from '../../../data-types/table.js';
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

export function writeIndices(output: TensorView, positions: Uint32Array): void {
  if (output.wordsPerElement === 2) writeBigInts(output, BigInt64Array.from(Array.from(positions, BigInt)));
  else writeNumbers(output, new Float64Array(positions));
}

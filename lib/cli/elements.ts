/** The elements of tensors as JavaScript numbers, whatever the data type. */
import { fromFloat16Bits, type Tensor } from '../index.js';

/** All elements in memory order. Two of int4 or uint4 are in one byte, the first one in the low bits. */
export async function readElements(tensor: Tensor): Promise<(number | bigint)[]> {
  const { dataType, elementSpan } = tensor;
  const array = await tensor.read();
  if (array instanceof BigInt64Array || array instanceof BigUint64Array) return Array.from(array);
  if (dataType === 'float16' && array instanceof Uint16Array) return Array.from(fromFloat16Bits(array));
  const numbers = Array.from(array);
  if (dataType !== 'int4' && dataType !== 'uint4') return numbers;
  const nibbles = numbers.flatMap((byte) => [byte & 15, byte >> 4]).slice(0, elementSpan);
  return dataType === 'uint4' ? nibbles : nibbles.map((nibble) => (nibble << 28) >> 28);
}

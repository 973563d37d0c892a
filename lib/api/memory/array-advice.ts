/** How to pass the elements of a typed array to a tensor of another data type. */
import { isNodeBuffer } from '../../values/given.js';
import { arraysOf } from '../../tensors/data-types.js';
import { typedArrayName } from '../../values/typed-array-name.js';
import type { Place } from '../../values/errors.js';
import type { DataType } from '../../tensors/generated/enums.js';

/** @param place That of the array. Errors of `tensor.readInto` call it `target`. */
export function arrayAdvice({ field }: Place, dataType: DataType, given: unknown): string {
  const from = typedArrayName(given) ?? '';
  const bytes = `new DataView(${field}.buffer, ${field}.byteOffset, ${field}.byteLength) stands for its bytes`;
  if (field === 'target' || isNodeBuffer(given)) return bytes;
  const numbers = `${copyOf(field, dataType, from)} has its numbers`;
  return from === 'Uint8Array' ? `${numbers}, ${bytes}` : numbers;
}

/** An expression that converts the numbers. The numbers of a plain array are checked when they are written. */
function copyOf(field: string, dataType: DataType, from: string): string {
  if (dataType === 'float16' && !from.startsWith('Big')) return `toFloat16Bits(${field})`;
  const isFloat = dataType === 'float32' || dataType === 'float64';
  return isFloat && !from.startsWith('Big') ? `${arraysOf(dataType)[0] ?? ''}.from(${field})` : `Array.from(${field})`;
}

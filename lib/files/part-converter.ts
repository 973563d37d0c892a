/** Converts elements between float data types on their way from a file into a tensor. */
import { codecs } from '../tensors/element.js';
import { bitsOf, isFloat } from '../tensors/data-types.js';
import type { DataType } from '../tensors/generated/enums.js';

/** A data type of elements in files: bfloat16 has the upper 16 bits of a float32. */
export type FileDataType = DataType | 'bfloat16';

/** Writes as many elements of the part as there are to the target. Numbers are rounded to nearest, ties to even. */
type Converter = (part: Uint8Array, target: Uint8Array, count: number) => void;

export function isFloatInFile(from: FileDataType): boolean {
  return from === 'bfloat16' || isFloat(from);
}

export function bytesPerElement(fileDataType: FileDataType): number {
  return fileDataType === 'bfloat16' ? 2 : bitsOf(fileDataType) / 8;
}

/** Null if the bytes stay as they are. */
export function converterOf(from: FileDataType, to: DataType): Converter | null {
  if (from === to) return null;
  if (from === 'bfloat16') {
    if (to === 'float32') return widen;
    const narrow = elementByElement('float32', to);
    return (part, target, count) => {
      const words = new Uint8Array(count * 4);
      widen(part, words, count);
      narrow(words, target, count);
    };
  }
  return elementByElement(from, to);
}

/**
 * Moves bits, so that NaNs keep theirs. Both begin at the start of their memory, and all machines that Node.js and DirectML share
 * are little-endian.
 */
function widen(part: Uint8Array, target: Uint8Array, count: number): void {
  const halves = new Uint16Array(part.buffer, part.byteOffset, count);
  const words = new Uint32Array(target.buffer, target.byteOffset, count);
  for (let i = 0; i < count; i++) words[i] = (halves[i] ?? 0) << 16;
}

function elementByElement(from: DataType, to: DataType): Converter {
  const { read } = codecs[from];
  const { write } = codecs[to];
  return (part, target, count) => {
    const source = viewOf(part);
    const result = viewOf(target);
    for (let i = 0; i < count; i++) write(result, i, read(source, i));
  };
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

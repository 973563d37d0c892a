/**
 * Direct3D flushes float32 subnormals: arithmetic and comparisons may replace a subnormal input or result by a zero with the
 * same sign. Operators that move elements keep subnormals, and float16 subnormals are never flushed.
 */
import type { TensorDesc } from 'node-directml';
import { base64, fromBase64, type ConformanceCase } from './case.js';

/** The case with its inputs' subnormals replaced by zeros; null if it has none. */
export function withoutSubnormals(test: ConformanceCase): ConformanceCase | null {
  let found = false;
  const flushed = (tensor: unknown, text: string): string => {
    if (!isFloat32(tensor)) return text;
    const bytes = fromBase64(text);
    const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2);
    words.forEach((word, i) => {
      if (!isSubnormal(word)) return;
      words[i] = word & 0x8000_0000;
      found = true;
    });
    return base64(bytes);
  };
  const data = Object.entries(test.data).map(([name, text]) => {
    const tensor: unknown = Reflect.get(test.descriptor, name);
    if (typeof text === 'string') return [name, flushed(tensor, text)];
    return [name, text.map((part, i) => flushed(Array.isArray(tensor) ? tensor[i] : null, part))];
  });
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- set in flushed()
  return found ? { ...test, data: Object.fromEntries(data) } : null;
}

function isSubnormal(word: number): boolean {
  return (word & 0x7f80_0000) === 0 && (word & 0x7f_ffff) !== 0;
}

function isFloat32(value: unknown): value is TensorDesc {
  return typeof value === 'object' && value !== null && 'dataType' in value && value.dataType === 'float32';
}

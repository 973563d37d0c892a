/**
 * Direct3D flushes float32 subnormals: arithmetic and comparisons may replace a subnormal input or result by a zero with the
 * same sign. Operators that move elements keep subnormals, and float16 subnormals are never flushed.
 */
import { isDeepStrictEqual } from 'node:util';
import { base64, fromBase64, type ConformanceCase } from '../cases/case.js';
import { isTensor } from '../cases/layout.js';

/** The case with its inputs' subnormals replaced by zeros; null if it has none. */
export function withoutSubnormals(test: ConformanceCase): ConformanceCase | null {
  const flushed = (tensor: unknown, text: string): string => {
    if (!isTensor(tensor) || tensor.dataType !== 'float32') return text;
    const bytes = fromBase64(text);
    const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2);
    words.forEach((word, i) => {
      if ((word & 0x7f80_0000) === 0) words[i] = word & 0x8000_0000;
    });
    return base64(bytes);
  };
  const entries = Object.entries(test.data).map(([name, text]) => {
    const tensor: unknown = Reflect.get(test.descriptor, name);
    if (typeof text === 'string') return [name, flushed(tensor, text)];
    return [name, text.map((part, i) => flushed(Array.isArray(tensor) ? tensor[i] : null, part))];
  });
  const data: ConformanceCase['data'] = Object.fromEntries(entries);
  return isDeepStrictEqual(data, test.data) ? null : { ...test, data };
}

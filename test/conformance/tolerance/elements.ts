/** What a tolerance may depend on: the elements of a case's outputs, beside the inputs' and the descriptor's fields. */
import type { TensorDesc } from 'node-directml';
import { base64, BYTES, fromBase64, type ConformanceCase } from '../case.js';
import { elementAt } from '../decode.js';
import { product } from '../layout.js';
import type { Element } from './row.js';

/** Gives the element of an output by its row-major number; `magnitudes` are the bytes that {@link Element} speaks of. */
export function elementsOf(
  { descriptor, data }: ConformanceCase,
  output: TensorDesc,
  expected: Uint8Array,
  magnitudes: Uint8Array | null,
): (element: number) => Element {
  const count = product(output.sizes);
  const inputs = Object.entries(descriptor).flatMap(([name, tensor]: [string, unknown]) => {
    const bytes = data[name];
    if (!isTensor(tensor) || typeof bytes !== 'string' || product(tensor.sizes) !== count) return [];
    return [{ tensor, bytes: fromBase64(bytes) }];
  });
  return (element) => ({
    y: elementAt(output, expected, element),
    x: inputs.map(({ tensor, bytes }) => elementAt(tensor, bytes, element)),
    ofMagnitudes: magnitudes === null ? 0 : elementAt(output, magnitudes, element),
    field: (name) => fieldOf(descriptor, name),
  });
}

/** Looks into `scaleBias` and `fusedActivation` too. */
function fieldOf(descriptor: object, name: string): number {
  for (const fields of [descriptor, Reflect.get(descriptor, 'scaleBias'), Reflect.get(descriptor, 'fusedActivation')]) {
    const value: unknown = typeof fields === 'object' && fields !== null ? Reflect.get(fields, name) : undefined;
    if (typeof value === 'number') return value;
  }
  return 0;
}

/** The case with the sign of every element of its floating-point inputs taken away. */
export function withMagnitudes(test: ConformanceCase): ConformanceCase {
  const data = Object.entries(test.data).map(([name, text]) => {
    const tensor: unknown = Reflect.get(test.descriptor, name);
    if (typeof text !== 'string' || !isTensor(tensor) || !tensor.dataType.startsWith('float')) return [name, text];
    const bytes = fromBase64(text);
    const width = BYTES[tensor.dataType];
    for (let high = width - 1; high < bytes.length; high += width) bytes[high] = (bytes[high] ?? 0) & 0x7f;
    return [name, base64(bytes)];
  });
  return { ...test, data: Object.fromEntries(data) };
}

function isTensor(value: unknown): value is TensorDesc {
  return typeof value === 'object' && value !== null && 'dataType' in value && 'sizes' in value;
}

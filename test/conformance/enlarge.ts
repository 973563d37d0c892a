/** Makes cases with many elements from small cases, so that a failure prints only the small case. */
import type { TensorDesc } from 'node-directml';
import { base64, bytesPerElement, fromBase64, type ConformanceCase } from './case.js';
import { isTensor, offsetOf, product, sizeInBytes } from './layout.js';

/** A tensor with large gaps would need more bytes; its case stays small. */
const MAX_BYTES = 2 ** 26;

/** Repeats the longest axis of all tensors with the sizes of the output, so that they have at least `elementCount` elements. */
export function enlarged(test: ConformanceCase, elementCount: number): ConformanceCase {
  const fields = Object.entries(test.descriptor).flatMap(([name, tensor]: [string, unknown]) =>
    isTensor(tensor) ? [{ name, tensor }] : [],
  );
  const output = fields.find(({ name }) => !(name in test.data))?.tensor;
  if (output === undefined) throw new TypeError(`${test.descriptor.type}: the case has no output`);
  const { sizes } = output;
  const axis = sizes.indexOf(Math.max(...sizes));
  const times = Math.ceil(elementCount / product(sizes));
  const descriptor = { ...test.descriptor };
  const data = { ...test.data };
  for (const { name, tensor } of fields) {
    if (tensor.sizes.join() !== sizes.join()) continue;
    const large = largeTensor(tensor, axis, times);
    if (sizeInBytes(large.dataType, large.sizes, large.strides ?? null) > MAX_BYTES) return test;
    Reflect.set(descriptor, name, large);
    const text = data[name];
    if (typeof text === 'string') data[name] = base64(repeated(tensor, fromBase64(text), large, axis));
  }
  return { ...test, descriptor, data };
}

/** The description with the axis repeated. Larger strides than that of the axis grow by the same factor. */
function largeTensor({ dataType, sizes, strides }: TensorDesc, axis: number, times: number): TensorDesc {
  const large = { dataType, sizes: sizes.with(axis, (sizes[axis] ?? 1) * times) };
  if (strides === undefined || strides === null) return large;
  const own = strides[axis] ?? 0;
  return { ...large, strides: strides.map((stride) => (own > 0 && stride > own ? stride * times : stride)) };
}

/** The bytes of the large tensor: the elements of the small one, repeated along the axis. */
function repeated(small: TensorDesc, elements: Uint8Array, large: TensorDesc, axis: number): Uint8Array<ArrayBuffer> {
  const width = bytesPerElement(small.dataType);
  const inner = product(small.sizes.slice(axis + 1));
  const [length, largeLength] = [small.sizes[axis] ?? 1, large.sizes[axis] ?? 1];
  const bytes = new Uint8Array(sizeInBytes(large.dataType, large.sizes, large.strides ?? null));
  const count = product(large.sizes);
  for (let i = 0; i < count; i++) {
    const line = Math.floor(i / inner);
    const along = (line % largeLength) % length;
    const from = offsetOf(small, (Math.floor(line / largeLength) * length + along) * inner + (i % inner)) * width;
    const to = offsetOf(large, i) * width;
    for (let byte = 0; byte < width; byte++) bytes[to + byte] = elements[from + byte] ?? 0;
  }
  return bytes;
}

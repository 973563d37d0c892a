/** Makes cases with many elements from small cases, so that a failure prints only the small case. */
import type { TensorDesc } from 'node-directml';
import { base64, type ConformanceCase } from '../cases/case.js';
import { inputIn, isTensor, product, relaid, repeatedAlong, tensorSize } from '../cases/layout.js';

/** The maximum size of a tensor. A tensor with large gaps would exceed it, so its case stays small. */
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
    if (tensorSize(large) > MAX_BYTES) return test;
    Reflect.set(descriptor, name, large);
    const input = inputIn(test, name);
    if (input !== null) data[name] = base64(relaid(repeatedAlong(tensor, axis, times), input.bytes, large));
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

/** Element-wise operators whose cases are given the sizes of a value, so that they read it without glue. */
import type { OperatorType, TensorDesc } from 'node-directml';
import { base64, bytesPerElement, fromBase64, type ConformanceCase } from '../conformance/case.js';
import { offsetOf, product, tensorSize } from '../conformance/layout.js';
import { operatorTypes } from '../operators/cases.js';
import type { Random } from '../random.js';
import { addCase, candidates, type Making } from './add-case.js';
import { domainOf } from './domains.js';
import { drawCase, portsOf } from './draw-case.js';
import { bounded, packed } from './glue.js';
import { spanOf, type Source } from './graph-writer.js';
import { isFloat } from '#lib/data-types/table.js';

const NOT_ELEMENT_WISE = /softmax|hardmax|QuantizedLinearAdd/i;
/** All tensors of such an operator have the same sizes. */
export const elementWiseTypes: readonly OperatorType[] = operatorTypes.filter(
  (type) => /^(elementWise|activation)/.test(type) && !NOT_ELEMENT_WISE.test(type),
);
const ATTEMPTS = 12;

/** Adds an operator that reads the value. Returns its outputs; null if no operator was found that takes it. */
export function addElementWise(making: Making, source: Source, types = elementWiseTypes): Source[] | null {
  const { random } = making;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const test = drawCase(random, random.pick(types));
    const fields = portsOf(test.descriptor)
      .filter(({ role, tensors }) => role === 'input' && tensors[0]?.dataType === source.tensor.dataType)
      .filter(({ field }) => domainOf(test, field) !== 'own');
    if (fields.length > 0) return addResized(making, source, test, random.pick(fields).field);
  }
  return null;
}

function addResized(making: Making, source: Source, test: ConformanceCase, field: string): Source[] {
  const { writer, random } = making;
  const domain = domainOf(test, field);
  const isLimited = typeof domain === 'object' && isFloat(source.tensor.dataType);
  const isCompact = (source.hasGaps && isLimited) || (source.isRaw && !test.descriptor.type.startsWith('elementWiseBit'));
  const compact = isCompact ? packed(writer, source) : source;
  const plain = isLimited ? bounded(writer, random, compact, domain) : compact;
  const layout = plain.hasGaps ? plain.tensor : reshaped(random, plain);
  const resized = withSizes(random, test, layout.sizes);
  const given = { [field]: writer.read(plain, layout) };
  // Sometimes the same value twice, or another one of the same sizes.
  for (const port of portsOf(resized.descriptor)) {
    if (port.role !== 'input' || port.field === field || !random.chance(0.4)) continue;
    const other = random.chance(0.4) ? plain : random.pick(candidates(making));
    const isFitting = !other.hasGaps && !other.isRaw && other.tensor.dataType === port.tensors[0]?.dataType;
    if (!isFitting || domainOf(test, port.field) !== 'any' || spanOf(other.tensor) !== product(layout.sizes)) continue;
    given[port.field] = writer.read(other, { sizes: layout.sizes });
  }
  return addCase(making, resized, 'any', given);
}

/** A packed layout of the value's elements: its own sizes, one dimension, or any that divide their number. */
function reshaped(random: Random, { tensor }: Source): { sizes: readonly number[] } {
  const count = spanOf(tensor);
  const own = product(tensor.sizes) === count ? tensor.sizes : [count];
  const divisor = random.int(1, 8);
  return { sizes: random.pick([own, own, [count], count % divisor === 0 ? [1, divisor, count / divisor] : own]) };
}

/** The case with other sizes: its own elements, repeated. Tensors are packed, or permuted, or inputs are repeated by stride 0. */
function withSizes(random: Random, test: ConformanceCase, sizes: readonly number[]): ConformanceCase {
  const descriptor = { ...test.descriptor };
  const data = { ...test.data };
  for (const { field, role, tensors } of portsOf(test.descriptor)) {
    const [tensor] = tensors;
    if (tensor === undefined) continue;
    const resized: TensorDesc = { dataType: tensor.dataType, sizes, ...stridesFor(random, sizes, role === 'input') };
    Reflect.set(descriptor, field, resized);
    const text = data[field];
    if (typeof text === 'string') data[field] = base64(repeated(tensor, fromBase64(text), resized));
  }
  return { ...test, descriptor, data };
}

function stridesFor(random: Random, sizes: readonly number[], mayRepeat: boolean): { strides?: number[] } {
  if (random.chance(0.7)) return {};
  const strides = sizes.map(() => 0);
  let stride = 1;
  for (const axis of random.distinct(sizes.length, sizes.length)) {
    if (mayRepeat && random.chance(0.3)) continue;
    strides[axis] = stride;
    stride *= sizes[axis] ?? 1;
  }
  return { strides };
}

/** The elements of one tensor, repeated in the layout of another. */
function repeated(from: TensorDesc, elements: Uint8Array, to: TensorDesc): Uint8Array<ArrayBuffer> {
  const width = bytesPerElement(from.dataType);
  const bytes = new Uint8Array(tensorSize(to));
  const count = product(from.sizes);
  for (let element = 0; element < product(to.sizes); element++) {
    const at = offsetOf(from, element % count) * width;
    bytes.set(elements.subarray(at, at + width), offsetOf(to, element) * width);
  }
  return bytes;
}

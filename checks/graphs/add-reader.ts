/** Adds operators that read a value as it is, without glue: ones that compute each element alone, and ones that move elements. */
import type { OperatorType, TensorDesc } from 'node-directml';
import { isFloat } from '#lib/tensors/data-types.js';
import { base64, type ConformanceCase } from '../cases/case.js';
import { inputIn, product, relaid, repeatedAlong, stridesInOrder } from '../cases/layout.js';
import { operatorTypes } from '../operators/cases.js';
import { isTensor, spanOf } from '../descriptors/candidate.js';
import type { Random } from '../harness/random.js';
import { addCase, candidates } from './add-case.js';
import { bounded, packed } from './glue.js';
import type { GraphWriter, Source } from './graph-writer.js';
import { isFourBit, slotsOf } from './loose-graph.js';
import { shapeCase, transposed } from './shapes.js';

const NOT_ELEMENT_WISE = /softmax|hardmax|QuantizedLinearAdd/i;
/** Operators whose tensors all have the same sizes. */
export const elementWiseTypes: readonly OperatorType[] = operatorTypes.filter(
  (type) => /^(elementWise|activation)/.test(type) && !NOT_ELEMENT_WISE.test(type),
);
const ATTEMPTS = 12;
/** The maximum number of elements of a tensor that is read by operators that may enlarge it. */
const MOST_ELEMENTS = 2_000;

/** Adds an operator that moves the elements of the value. Returns its outputs; null if the value has 4 bits or is too large. */
export function addShape(writer: GraphWriter, source: Source): Source[] | null {
  if (isFourBit(source.tensor) || product(source.tensor.sizes) > MOST_ELEMENTS) return null;
  const plain = source.isRaw ? packed(writer, source) : source;
  const { dataType, sizes, strides = null } = plain.tensor;
  const tensor = writer.random.chance(0.2) ? transposed(writer.random, plain.tensor) : { dataType, sizes, strides };
  const test = shapeCase(writer.random, tensor);
  const [first] = slotsOf(test.descriptor, 'input');
  return addCase(writer, test, 'any', { [first?.path ?? '']: writer.read(plain, tensor) });
}

/** Adds an operator that computes each element of the value. Returns its outputs; null if none was found that takes it. */
export function addElementWise(writer: GraphWriter, source: Source, types = elementWiseTypes): Source[] | null {
  const { random, purpose } = writer;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const test = purpose.draw(random, random.pick(types));
    const fields = slotsOf(test.descriptor, 'input')
      .filter(({ value }) => isTensor(value) && value.dataType === source.tensor.dataType)
      .filter(({ field }) => purpose.domainOf(test, field) !== 'own');
    if (fields.length > 0) return addResized(writer, source, test, random.pick(fields).field);
  }
  return null;
}

function addResized(writer: GraphWriter, source: Source, test: ConformanceCase, field: string): Source[] {
  const { random, purpose } = writer;
  const domain = purpose.domainOf(test, field);
  const isLimited = typeof domain === 'object' && isFloat(source.tensor.dataType);
  const isCompact = (source.hasGaps && isLimited) || (source.isRaw && !test.descriptor.type.startsWith('elementWiseBit'));
  const compact = isCompact ? packed(writer, source) : source;
  const plain = isLimited ? bounded(writer, compact, domain) : compact;
  const layout = plain.hasGaps ? plain.tensor : reshaped(random, plain);
  const resized = withSizes(random, test, layout.sizes);
  const given = { [field]: writer.read(plain, layout) };
  // Sometimes another input reads the same value, or one with as many elements.
  for (const { field: beside, value } of slotsOf(resized.descriptor, 'input')) {
    if (!isTensor(value) || beside === field || !random.chance(0.4)) continue;
    const other = random.chance(0.4) ? plain : random.pick(candidates(writer));
    const isFitting = !other.hasGaps && !other.isRaw && other.tensor.dataType === value.dataType;
    if (!isFitting || purpose.domainOf(test, beside) !== 'any' || spanOf(other.tensor) !== product(layout.sizes)) continue;
    given[beside] = writer.read(other, { sizes: layout.sizes });
  }
  return addCase(writer, resized, 'any', given);
}

/**
 * A packed layout of the value's elements, with its own sizes, one dimension, or three dimensions whose second divides their
 * number.
 */
function reshaped(random: Random, { tensor }: Source): { sizes: readonly number[] } {
  const count = spanOf(tensor);
  const own = product(tensor.sizes) === count ? tensor.sizes : [count];
  const divisor = random.int(1, 8);
  return { sizes: random.pick([own, own, [count], count % divisor === 0 ? [1, divisor, count / divisor] : own]) };
}

/**
 * The case with other sizes, for which its elements are repeated. Tensors are packed or permuted, and inputs may repeat elements by
 * a stride of 0.
 */
function withSizes(random: Random, test: ConformanceCase, sizes: readonly number[]): ConformanceCase {
  const descriptor = { ...test.descriptor };
  const data = { ...test.data };
  for (const { field, role, value: tensor } of slotsOf(test.descriptor)) {
    if (!isTensor(tensor)) continue;
    const resized: TensorDesc = { dataType: tensor.dataType, sizes, ...stridesFor(random, sizes, role === 'input') };
    Reflect.set(descriptor, field, resized);
    const input = inputIn(test, field);
    if (input === null) continue;
    const times = Math.ceil(product(sizes) / product(tensor.sizes));
    data[field] = base64(relaid(repeatedAlong(tensor, 0, times), input.bytes, resized));
  }
  return { ...test, descriptor, data };
}

function stridesFor(random: Random, sizes: readonly number[], mayRepeat: boolean): { strides?: number[] } {
  if (random.chance(0.7)) return {};
  const order = random.distinct(sizes.length, sizes.length);
  const isRepeated = () => mayRepeat && random.chance(0.3);
  return { strides: stridesInOrder(sizes, order, isRepeated, () => 0) };
}

/** Cases that are dispatched a second time in place: outputs share the memory of inputs, by the pairs of the operator table. */
import type { OperatorType } from 'node-directml';
import { operatorTable } from '#lib/descriptors/generated/table.js';
import type { Random } from '../harness/random.js';
import { base64, type ConformanceCase } from '../cases/case.js';
import { inputIn, isTensor, relaid, tensorSize } from '../cases/layout.js';

export type InPlace = NonNullable<ConformanceCase['inPlace']>;

/** The share of an operator's cases that are dispatched in place too. */
const SHARE = 0.25;
/** The share of the in-place cases that have many elements. */
const LARGE_SHARE = 0.03;
/** The number of elements of these. */
const LARGE = 2 ** 20;

/** The inputs that each output may be written over; empty for an operator that cannot work in place. */
export function pairsOf(operator: OperatorType): InPlace {
  const outputs = operatorTable[operator].fields.filter(({ inPlace }) => inPlace !== undefined);
  return Object.fromEntries(outputs.map(({ name, inPlace = [] }) => [name, inPlace]));
}

/** Returns the case unchanged, or sometimes in place: some outputs overwrite some of their inputs, rarely with many elements. */
export function inPlaceNowAndThen(random: Random, test: ConformanceCase): ConformanceCase {
  const all = Object.entries(pairsOf(test.descriptor.type));
  if (all.length === 0 || !random.chance(SHARE)) return test;
  const chosen = random.distinct(random.int(1, all.length), all.length).flatMap((i) => all.slice(i, i + 1));
  const pairs = chosen.map(([output, inputs]) => {
    const numbers = random.distinct(random.int(1, inputs.length), inputs.length);
    return [output, inputs.filter((_, i) => numbers.includes(i))] as const;
  });
  const placed = placedCase(random, test, Object.fromEntries(pairs));
  return random.chance(LARGE_SHARE) ? { ...placed, enlargedTo: LARGE } : placed;
}

/**
 * The case in place with these pairs. Each input gets the layout of its output. If an output has several inputs, all of them get
 * the elements of the last one, whose values are the most restricted: a divisor is not 0, and a shift amount is small.
 */
export function placedCase(random: Random, test: ConformanceCase, pairs: InPlace): ConformanceCase {
  const descriptor = { ...test.descriptor };
  const data = { ...test.data };
  for (const [output, inputs] of Object.entries(pairs)) {
    const bytes = bytesOver(random, test, inputs.at(-1) ?? '', output);
    for (const input of inputs) {
      Reflect.set(descriptor, input, Reflect.get(descriptor, output));
      data[input] = base64(bytes);
    }
  }
  return { ...test, descriptor, data, inPlace: pairs };
}

/** The bytes of an input in the layout of the output, with random bytes in the gaps. */
function bytesOver(random: Random, test: ConformanceCase, input: string, output: string): Uint8Array<ArrayBuffer> {
  const from = inputIn(test, input);
  const to: unknown = Reflect.get(test.descriptor, output);
  if (from === null || !isTensor(to) || from.tensor.dataType !== to.dataType) {
    throw new TypeError(`${test.descriptor.type}: ${output} and ${input} are no pair of tensors of one data type`);
  }
  return relaid(from.tensor, from.bytes, to, random.bytes(tensorSize(to)));
}

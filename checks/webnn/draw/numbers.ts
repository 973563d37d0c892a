/** Draws elements of tensors. */
import type { MLOperandDataType } from 'node-directml/webnn';
import { isWide } from '#lib/tensors/data-types.js';
import type { Random } from '../../harness/random.js';
import { castNumber, isFloatType, largestOf, limitsOf, natural, roundTo, wrappedTo, type FloatType } from '../elements.js';
import type { Element } from '../plain-tensor.js';

/** Makes elements of one tensor. */
export type Draw = () => Element;

/** The random source and the data type for the elements of a tensor. */
export interface Elements {
  readonly random: Random;
  readonly dataType: MLOperandDataType;
}

const specials = [0, -0, Infinity, -Infinity, NaN];

/** Floats at which behaviour may change: zeros, infinities, NaN, subnormals, the largest, halves, and limits of integers. */
function floatEdges(dataType: FloatType): readonly number[] {
  const largest = largestOf(dataType);
  const [tiny, normal] = dataType === 'float32' ? [2 ** -149, 2 ** -126] : [2 ** -24, 2 ** -14];
  const positive = [
    ...[tiny, 3 * tiny, normal - tiny, normal, 1.5 * normal, largest, largest / 2, 1, 0.5, 1.5, 2.5, 3.5, 0.49999997, 1e-3],
    ...[2, 3, 10, 100, 127, 128, 255, 256, 1023.5, 1024.5, 2047, 2048, 2049, 4096, 65504, 65519, 65520, 8388607.5, 16777216],
  ];
  const all = [...specials, ...positive.flatMap((x) => [x, -x])];
  return all.map((x) => roundTo(dataType, x));
}

/** Integers at which behaviour may change: the limits of every integer size, and values that test both halves of 64 bits. */
function integerEdges(dataType: MLOperandDataType): readonly Element[] {
  const powers = [0n, 4n, 7n, 8n, 15n, 16n, 24n, 31n, 32n, 33n, 53n, 63n].map((exponent) => 2n ** exponent);
  const near = powers.flatMap((power) => [power - 1n, power, power + 1n, -power, 1n - power]);
  const halves = [2n ** 40n + 2n ** 31n, 2n ** 40n + 1n, -(2n ** 40n) + 2n ** 31n, -4147483648n, 2n ** 62n + 2n ** 32n - 1n];
  const { low, high } = limitsOf(dataType);
  const inRange = [...near, ...halves, low, low + 1n, high, high - 1n].filter((x) => x >= low && x <= high);
  return [...new Set(inRange)].map((x) => natural(dataType, x));
}

export function edgesOf(dataType: MLOperandDataType): readonly Element[] {
  return isFloatType(dataType) ? floatEdges(dataType) : integerEdges(dataType);
}

/** Any integer of the type. A float has any significand and a moderate exponent. */
export function anyElement({ random, dataType }: Elements): Element {
  if (isFloatType(dataType)) {
    const range = random.pick(dataType === 'float32' ? [1, 4, 20, 100] : [1, 4, 12]);
    return roundTo(dataType, (random.chance(0.5) ? -1 : 1) * (1 + random.fraction()) * 2 ** random.int(-range, range));
  }
  return wrappedTo(dataType, isWide(dataType) ? random.int64() : BigInt(random.int(-(2 ** 31), 2 ** 31 - 1)));
}

/** Small integers, and floats up to 16. */
export function ordinaryElement({ random, dataType }: Elements): Element {
  if (isFloatType(dataType)) return roundTo(dataType, (random.fraction() * 2 - 1) * 2 ** random.int(-4, 4));
  return natural(dataType, BigInt(dataType.startsWith('u') ? random.int(0, 15) : random.int(-15, 15)));
}

/** Draws, for a whole tensor, either ordinary or any numbers, sometimes mixed with edges. */
export function drawElements(elements: Elements): Draw {
  const { random, dataType } = elements;
  const edges = edgesOf(dataType);
  const share = random.pick([0, 0, 0.1, 0.5, 1]);
  const usual = random.chance(0.5) ? ordinaryElement : anyElement;
  return () => (random.chance(share) ? random.pick(edges) : usual(elements));
}

/** Eighths up to 8: sums of a hundred of their products are exact in float32. */
export function eighths({ random }: Elements): Draw {
  return () => random.int(-64, 64) / 8;
}

/**
 * Draws, for a whole tensor, eighths, ordinary numbers or small numbers, sometimes mixed with a few infinities and NaN. Nothing
 * overflows, because the specification does not give the precision of partial sums.
 */
export function drawFactors(elements: Elements, hasSpecials = true): Draw {
  const { random, dataType } = elements;
  // Near 2^-10, so that products of float16 are subnormal.
  const small = () => castNumber((random.fraction() * 2 - 1) * 2 ** random.int(-10, -5), dataType);
  const usual = random.pick([eighths(elements), () => ordinaryElement(elements), small]);
  const share = hasSpecials ? random.pick([0, 0, 0, 0.05, 0.3]) : 0;
  return () => (random.chance(share) ? random.pick(specials) : usual());
}

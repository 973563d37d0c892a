/**
 * Integers of 64 bits. Where an adapter has none, DirectML emulates them, and compares the lower 32 bits of int64 as if these had
 * a sign. It compares uint64 rightly everywhere, so int64 becomes uint64 in the same order wherever numbers are compared. A cast
 * between the two keeps the bits.
 */
import { isWide, wideRangeOf } from '../../tensors/data-types.js';
import type { Value } from '../../graph/value.js';
import { abs, bitAnd, bitOr, bitXor, choose, equals, lessThan, multiply } from './arithmetic.js';
import { plainCast } from './cast.js';
import type { Step } from './step.js';

const lowest = 2n ** 63n;

/** int64 as uint64 in the same order: -2^63 becomes 0. Other numbers as they are. */
export function ascending(step: Step, value: Value): Value {
  return value.dataType === 'int64' ? flipped(step, plainCast(step, value, 'uint64')) : value;
}

/** The result of an operator that picks numbers by comparing them. */
export function picked(step: Step, input: Value, pick: (input: Value) => Value): Value {
  return input.dataType === 'int64' ? plainCast(step, flipped(step, pick(ascending(step, input))), 'int64') : pick(input);
}

/** uint8: 1 where a is less than b. Both have the same sizes. */
function isLess(step: Step, a: Value, b: Value): Value {
  const [aTensor, bTensor] = [ascending(step, a), ascending(step, b)];
  return lessThan(step, aTensor, bTensor);
}

export function lesserOf(step: Step, a: Value, b: Value): Value {
  return choose(step, isLess(step, a, b), a, b);
}

export function greaterOf(step: Step, a: Value, b: Value): Value {
  return choose(step, isLess(step, a, b), b, a);
}

/** The elements, none of which is less or greater than these numbers. */
export function clip(step: Step, input: Value, min: number | bigint, max: number | bigint): Value {
  const [low, high] = input.dataType === 'int64' ? [BigInt(min) + lowest, BigInt(max) + lowest] : [min, max];
  if (isWide(input.dataType) && isWholeRange(input, min, max)) return input;
  return picked(step, input, (inputTensor) => {
    return step.add({ type: 'elementWiseClip1', inputTensor, min: low, max: high }).outputTensor;
  });
}

/** Numbers that are not negative; 0 for the others. */
export function relu(step: Step, input: Value): Value {
  return clip(step, input, 0, wideRangeOf(input.dataType).high);
}

export function prelu(step: Step, input: Value, slope: Value): Value {
  return choose(step, isNegative(step, input), multiply(step, input, slope), input);
}

/**
 * Powers by squaring, as DirectML has them of smaller integers: modulo 2^64, and 0 for a negative exponent unless the base is 1
 * or -1. Exponents from 64 on count as 62 or 63: they give the same for 0, 1 and -1, and overflow for any other base.
 */
export function pow(step: Step, base: Value, exponent: Value): Value {
  const { sizes } = base;
  const fill = (number: bigint) => step.fill('uint64', sizes, number);
  const one = fill(1n);
  const whole = exponent.dataType === 'int64' ? plainCast(step, abs(step, exponent), 'uint64') : exponent;
  const small = choose(step, isLess(step, whole, fill(64n)), whole, bitOr(step, bitAnd(step, whole, one), fill(62n)));
  let power = one;
  let square = plainCast(step, base, 'uint64');
  for (let bit = 1n; bit < 64n; bit *= 2n) {
    const isUnset = equals(step, bitAnd(step, small, fill(bit)), fill(0n));
    power = multiply(step, power, choose(step, isUnset, one, square));
    if (bit < 32n) square = multiply(step, square, square);
  }
  if (base.dataType === 'uint64') return power;
  const signed = plainCast(step, power, 'int64');
  const fillSigned = (number: bigint) => step.fill('int64', sizes, number);
  const inverse = choose(step, equals(step, abs(step, base), fillSigned(1n)), signed, fillSigned(0n));
  return choose(step, isNegative(step, exponent), inverse, signed);
}

/** Of int64. */
function isNegative(step: Step, value: Value): Value {
  return isLess(step, value, step.fill('int64', value.sizes, 0n));
}

function isWholeRange({ dataType }: Value, min: number | bigint, max: number | bigint): boolean {
  const { low, high } = wideRangeOf(dataType);
  return BigInt(min) === low && BigInt(max) === high;
}

/** With the highest bit turned over. */
function flipped(step: Step, value: Value): Value {
  return bitXor(step, value, step.fill('uint64', value.sizes, lowest));
}

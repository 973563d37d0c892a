/**
 * Compares integers of 64 bits. Where an adapter has no such integers, DirectML compares their lower 32 bits as if these had a
 * sign; arithmetic on bits is right everywhere.
 */
import { isWide, wideRangeOf } from '../../data-types/table.js';
import type { Value } from '../../graph/value.js';
import type { Step } from './step.js';

/** uint8: 1 where a is less than b. Both have the same sizes. */
export function isLess(step: Step, a: Value, b: Value): Value {
  const { dataType, sizes } = a;
  const and = (aTensor: Value, bTensor: Value) => step.add({ type: 'elementWiseBitAnd', aTensor, bTensor }).outputTensor;
  const or = (aTensor: Value, bTensor: Value) => step.add({ type: 'elementWiseBitOr', aTensor, bTensor }).outputTensor;
  const xor = (aTensor: Value, bTensor: Value) => step.add({ type: 'elementWiseBitXor', aTensor, bTensor }).outputTensor;
  const not = (inputTensor: Value) => step.add({ type: 'elementWiseBitNot', inputTensor }).outputTensor;
  const rest = step.add({ type: 'elementWiseSubtract', aTensor: a, bTensor: b }).outputTensor;
  // The highest bit is that of the difference, unless the difference overflows.
  const result =
    dataType === 'int64' ? or(and(a, not(b)), and(not(xor(a, b)), rest)) : or(and(not(a), b), and(or(not(a), b), rest));
  const highest = step.fill(dataType, sizes, dataType === 'int64' ? -(2n ** 63n) : 2n ** 63n);
  const bTensor = highest;
  const aTensor = and(result, highest);
  return step.add({ type: 'elementWiseLogicalEquals', aTensor, bTensor, outputTensor: { dataType: 'uint8' } }).outputTensor;
}

export function lesserOf(step: Step, a: Value, b: Value): Value {
  return step.add({ type: 'elementWiseIf', conditionTensor: isLess(step, a, b), aTensor: a, bTensor: b }).outputTensor;
}

export function greaterOf(step: Step, a: Value, b: Value): Value {
  return step.add({ type: 'elementWiseIf', conditionTensor: isLess(step, a, b), aTensor: b, bTensor: a }).outputTensor;
}

/** The elements, none of which is less or greater than these numbers. */
export function clip(step: Step, input: Value, min: number | bigint, max: number | bigint): Value {
  if (!isWide(input.dataType)) return step.add({ type: 'elementWiseClip1', inputTensor: input, min, max }).outputTensor;
  const { dataType, sizes } = input;
  const { low, high } = wideRangeOf(dataType);
  const raised = BigInt(min) === low ? input : greaterOf(step, input, step.fill(dataType, sizes, min));
  return BigInt(max) === high ? raised : lesserOf(step, raised, step.fill(dataType, sizes, max));
}

/**
 * Lowers pow. DirectML has 0 for 0 to any power, NaN for infinity to the power of 0, and takes exponents from 2^31 on for odd
 * ones.
 */
import { isFloat, largestFloat16 } from '../../tensors/data-types.js';
import type { Value } from '../../graph/value.js';
import { abs, add, choose, equals, greaterThan, lessThan } from './arithmetic.js';
import type { Step } from './step.js';

export function power(step: Step, base: Value, exponent: Value): Value {
  const [inputTensor, own] = [step.broadcast(base), step.broadcast(exponent)];
  const plain = (exponentTensor: Value) => step.add({ type: 'elementWisePow', inputTensor, exponentTensor }).outputTensor;
  if (!isFloat(base.dataType) || isOrdinary(step, exponent)) return plain(own);
  const { dataType, sizes } = own;
  const fill = (number: number) => step.fill(dataType, sizes, number);
  const limit = limitOf(dataType);
  const limited = step.add({ type: 'elementWiseClip1', inputTensor: own, min: -limit, max: limit }).outputTensor;
  // The infinity of 0 to negative powers.
  const [aTensor, bTensor] = [equals(step, inputTensor, fill(0)), lessThan(step, own, fill(0))];
  const isBoth = step.add({ type: 'elementWiseLogicalAnd', aTensor, bTensor, outputTensor: { dataType: 'uint8' } }).outputTensor;
  const whole = choose(step, isBoth, fill(Infinity), plain(limited));
  // 1 for an exponent of 0, and NaN for NaN: neither has a magnitude above 0.
  const isUsual = greaterThan(step, abs(step, own), fill(0));
  return choose(step, isUsual, whole, add(step, own, fill(1)));
}

/** An even number, so large that powers with any larger exponent are the same. */
function limitOf(dataType: Value['dataType']): number {
  return dataType === 'float16' ? largestFloat16 : 2 ** 31 - 128;
}

/** True of a constant of positive exponents up to the limit. */
function isOrdinary(step: Step, exponent: Value): boolean {
  const numbers = step.constantNumbers(exponent);
  const limit = limitOf(exponent.dataType);
  return numbers?.every((x) => x > 0 && x <= limit) ?? false;
}

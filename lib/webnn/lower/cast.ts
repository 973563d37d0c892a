/** Casts values. DirectML cuts numbers off when it makes float16 of them, and WebNN rounds them to the nearest. */
import type { Value } from '../../graph/value.js';
import { isFloat, bitsOf } from '../../data-types/table.js';
import type { DataType } from '../../schema/generated/enums.js';
import type { Step } from './step.js';

export function castValue(step: Step, input: Value, dataType: DataType): Value {
  if (input.dataType === dataType) return input;
  if (dataType !== 'float16' || (!isFloat(input.dataType) && bitsOf(input.dataType) === 8))
    return plainCast(step, input, dataType);
  const float32 = input.dataType === 'float32' ? input : plainCast(step, input, 'float32');
  return plainCast(step, roundedToFloat16(step, float32), 'float16');
}

/** As DirectML casts. */
export function plainCast(step: Step, inputTensor: Value, dataType: DataType): Value {
  if (inputTensor.dataType === dataType) return inputTensor;
  return step.add({ type: 'cast', inputTensor, outputTensor: { dataType } }).outputTensor;
}

/**
 * The float32 numbers rounded to those that float16 has, halves to even. Adding 1.5 · 2^13 times the power of two of a number
 * leaves no room for the bits that float16 lacks, so that the addition rounds them away; then it is taken off again.
 */
function roundedToFloat16(step: Step, input: Value): Value {
  const { sizes } = input;
  const fill = (number: number) => step.fill('float32', sizes, number);
  // The bits of infinity are those of the exponent alone, and those of -0 the sign.
  const power = step.add({ type: 'elementWiseBitAnd', aTensor: input, bTensor: fill(Infinity) }).outputTensor;
  const sign = step.add({ type: 'elementWiseBitAnd', aTensor: input, bTensor: fill(-0) }).outputTensor;
  // Below 2^-14 the numbers of float16 lie equally far apart.
  const least = step.add({ type: 'elementWiseMax', aTensor: power, bTensor: fill(2 ** -14) }).outputTensor;
  const large = step.add({ type: 'elementWiseMultiply', aTensor: least, bTensor: fill(1.5 * 2 ** 13) }).outputTensor;
  const sum = step.add({ type: 'elementWiseAdd', aTensor: input, bTensor: large }).outputTensor;
  const rounded = step.add({ type: 'elementWiseSubtract', aTensor: sum, bTensor: large }).outputTensor;
  const signed = step.add({ type: 'elementWiseBitOr', aTensor: rounded, bTensor: sign }).outputTensor;
  // From halfway between 65504 and 65536 on.
  const magnitude = step.add({ type: 'elementWiseAbs', inputTensor: input }).outputTensor;
  const conditionTensor = step.add({
    type: 'elementWiseLogicalGreaterThanOrEqual',
    aTensor: magnitude,
    bTensor: fill(65520),
    outputTensor: { dataType: 'uint8' },
  }).outputTensor;
  const infinite = step.add({ type: 'elementWiseBitOr', aTensor: fill(Infinity), bTensor: sign }).outputTensor;
  return step.add({ type: 'elementWiseIf', conditionTensor, aTensor: infinite, bTensor: signed }).outputTensor;
}

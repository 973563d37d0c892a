/**
 * The extremes of 64-bit integers. Where an adapter has no such integers, DirectML compares their lower halves as if these had a
 * sign. So the higher halves are compared first, as 32-bit integers, and then the lower halves of those that have the extreme.
 */
import type { Value } from '../../graph/value.js';
import type { DataType } from '../../schema/generated/enums.js';
import type { Step } from './step.js';

export type Extreme = 'max' | 'min';

/** The greatest or least elements along the axes, which keep a dimension of 1. */
export function wideExtreme(step: Step, extreme: Extreme, input: Value, axes: readonly number[]): Value {
  const { high, low } = extremeHalves(step, extreme, input, axes);
  const shifted = step.add({
    type: 'elementWiseBitShiftLeft',
    aTensor: cast(step, cast(step, high, 'uint32'), 'uint64'),
    bTensor: step.fill('uint64', high.sizes, 32n),
  }).outputTensor;
  const aTensor = cast(step, low, 'uint64');
  return cast(step, step.add({ type: 'elementWiseBitOr', aTensor, bTensor: shifted }).outputTensor, input.dataType);
}

/** uint8: 1 for each element that is the greatest or least along the axes. */
export function isWideExtreme(step: Step, extreme: Extreme, input: Value, axes: readonly number[]): Value {
  const { isHighest, lows, low } = extremeHalves(step, extreme, input, axes);
  const bTensor = equal(step, lows, low);
  const outputTensor = { dataType: 'uint8' } as const;
  return step.add({ type: 'elementWiseLogicalAnd', aTensor: isHighest, bTensor, outputTensor }).outputTensor;
}

interface Halves {
  /** The extreme of the higher halves: int32 for signed numbers. */
  readonly high: Value;
  /** uint8: which elements have it. */
  readonly isHighest: Value;
  /** The lower halves of these; others have a number that is no extreme. */
  readonly lows: Value;
  readonly low: Value;
}

function extremeHalves(step: Step, extreme: Extreme, input: Value, axes: readonly number[]): Halves {
  const { sizes } = input;
  const aTensor = cast(step, input, 'uint64');
  const bTensor = step.fill('uint64', sizes, 32n);
  const shifted = step.add({ type: 'elementWiseBitShiftRight', aTensor, bTensor }).outputTensor;
  const highs = cast(step, shifted, input.dataType === 'int64' ? 'int32' : 'uint32');
  const reduce = (inputTensor: Value) => step.add({ type: 'reduce', function: extreme, inputTensor, axes }).outputTensor;
  const high = reduce(highs);
  const isHighest = equal(step, highs, high);
  const others = step.fill('uint32', sizes, extreme === 'max' ? 0 : 2 ** 32 - 1);
  const own = cast(step, aTensor, 'uint32');
  const lows = step.add({ type: 'elementWiseIf', conditionTensor: isHighest, aTensor: own, bTensor: others }).outputTensor;
  return { high, isHighest, lows, low: reduce(lows) };
}

function equal(step: Step, aTensor: Value, b: Value): Value {
  const bTensor = b.broadcastTo(aTensor.sizes);
  return step.add({ type: 'elementWiseLogicalEquals', aTensor, bTensor, outputTensor: { dataType: 'uint8' } }).outputTensor;
}

function cast(step: Step, inputTensor: Value, dataType: DataType): Value {
  if (inputTensor.dataType === dataType) return inputTensor;
  return step.add({ type: 'cast', inputTensor, outputTensor: { dataType } }).outputTensor;
}

/** Lowers quantization. An element of scale and zeroPoint serves a block of the input. */
import type { Value } from '../../graph/value.js';
import { bitsOf, wideRangeOf } from '../../tensors/data-types.js';
import { elementCount } from '../ml-operand.js';
import { castValue } from './cast.js';
import { clip } from './wide.js';
import { withRank, type Lowerings, type Step } from './step.js';

export const quantization: Lowerings<'quantizeLinear' | 'dequantizeLinear'> = {
  quantizeLinear: (step, input, scale, zeroPoint) => {
    const bits = bitsOf(zeroPoint.dataType);
    if (bits === 4) {
      const quantizationTensors = parametersOf(step, scale, zeroPoint);
      return step.add({ type: 'quantize', inputTensor: step.packed(input), quantizationTensors }).outputTensor;
    }
    const [scaleTensor, zeroPointTensor] = [repeated(step, scale), repeated(step, zeroPoint)];
    if (bits === 32) return quantizeWide(step, input, scaleTensor, zeroPointTensor);
    return step.add({ type: 'elementWiseQuantizeLinear', inputTensor: input, scaleTensor, zeroPointTensor }).outputTensor;
  },
  dequantizeLinear: (step, input, scale, zeroPoint) => {
    if (bitsOf(input.dataType) === 4) {
      const quantizationTensors = parametersOf(step, scale, zeroPoint);
      return step.add({ type: 'dequantize', inputTensor: input, quantizationTensors }).outputTensor;
    }
    const [scaleTensor, zeroPointTensor] = [repeated(step, scale), repeated(step, zeroPoint)];
    return step.add({ type: 'elementWiseDequantizeLinear', inputTensor: input, scaleTensor, zeroPointTensor }).outputTensor;
  },
};

/** Scale and zeroPoint for the operators that know blocks. */
function parametersOf(step: Step, scale: Value, zeroPoint: Value): readonly Value[] {
  const rank = step.sizes.length;
  return [withRank(step.packed(scale), rank), withRank(zeroPoint, rank)];
}

/** DirectML's operator has 8 bits only. In 64 bits the sum cannot overflow before it is cut to the range of its 32. */
function quantizeWide(step: Step, input: Value, scale: Value, zeroPoint: Value): Value {
  const wide = { dataType: 'int64' } as const;
  const [dividend, divisor] = [castValue(step, input, 'float32'), castValue(step, scale, 'float32')];
  const quotient = step.add({ type: 'elementWiseDivide', aTensor: dividend, bTensor: divisor }).outputTensor;
  const whole = step.add({ type: 'elementWiseRound', inputTensor: quotient }).outputTensor;
  const limited = clip(step, whole, -(2 ** 34), 2 ** 34);
  const aTensor = step.add({ type: 'cast', inputTensor: limited, outputTensor: wide }).outputTensor;
  const bTensor = step.add({ type: 'cast', inputTensor: zeroPoint, outputTensor: wide }).outputTensor;
  const sum = step.add({ type: 'elementWiseAdd', aTensor, bTensor }).outputTensor;
  const { low, high } = wideRangeOf(step.dataType);
  const inRange = clip(step, sum, low, high);
  return step.add({ type: 'cast', inputTensor: inRange, outputTensor: { dataType: step.dataType } }).outputTensor;
}

/** Each element as often as its block has elements, in the sizes of the output. */
function repeated(step: Step, value: Value): Value {
  let whole = withRank(value, step.sizes.length);
  for (const [axis, size] of step.sizes.entries()) {
    const own = whole.sizes[axis] ?? 1;
    if (own === 1 || own === size) continue;
    const outer = elementCount(whole.sizes.slice(0, axis));
    const inner = elementCount(whole.sizes.slice(axis + 1));
    const blocks = step.reshape(whole, [outer, own, 1, inner]).broadcastTo([outer, own, size / own, inner]);
    whole = step.reshape(blocks, whole.sizes.with(axis, size));
  }
  return whole.broadcastTo(step.sizes);
}

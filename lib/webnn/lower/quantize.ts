/** Lowers quantization. An element of scale and zeroPoint serves a block of the input. */
import type { Value } from '../../graph/value.js';
import { bitsOf } from '../../data-types/table.js';
import { elementCount } from '../operand.js';
import type { Lowerings, Step } from './step.js';

export const quantization: Lowerings<'quantizeLinear' | 'dequantizeLinear'> = {
  quantizeLinear: (step, input, scale, zeroPoint) => {
    if (bitsOf(zeroPoint.dataType) === 4) {
      const quantizationTensors = [step.packed(scale), zeroPoint];
      return step.add({ type: 'quantize', inputTensor: step.packed(input), quantizationTensors }).outputTensor;
    }
    const [scaleTensor, zeroPointTensor] = [repeated(step, scale), repeated(step, zeroPoint)];
    return step.add({ type: 'elementWiseQuantizeLinear', inputTensor: input, scaleTensor, zeroPointTensor }).outputTensor;
  },
  dequantizeLinear: (step, input, scale, zeroPoint) => {
    if (bitsOf(input.dataType) === 4) {
      const quantizationTensors = [step.packed(scale), zeroPoint];
      return step.add({ type: 'dequantize', inputTensor: input, quantizationTensors }).outputTensor;
    }
    const [scaleTensor, zeroPointTensor] = [repeated(step, scale), repeated(step, zeroPoint)];
    return step.add({ type: 'elementWiseDequantizeLinear', inputTensor: input, scaleTensor, zeroPointTensor }).outputTensor;
  },
};

/** Each element as often as its block has elements, in the sizes of the output. */
function repeated(step: Step, value: Value): Value {
  let whole = value;
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

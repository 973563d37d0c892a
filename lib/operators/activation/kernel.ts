/** Activations, element by element. Floats are computed in float64 and rounded once. */
import { isFloat, rangeOf, roundToEven } from '../../tensors/data-types.js';
import { applyActivation, type ActivationType } from '../../compute/activations.js';
import { byBlocks } from '../../compute/blocks.js';
import { saturateToFloat16 } from '../../compute/numbers.js';
import { mapped } from '../../compute/scratch.js';
import { moveElements, readNumbers, writeNumbers, type TensorView } from '../../compute/tensor-view.js';
import type { Kernel } from '../../compute/kernel.js';

/** Integers are computed in float32; the result is rounded to the nearest integer and saturates. */
export const activationShrink: Kernel<'activationShrink'> = byBlocks((operator, tensors) => {
  const input = tensors.inputTensor;
  if (isFloat(input.dataType)) return elementWise(operator, tensors);
  const { low, high } = rangeOf(input.dataType);
  const values = mapped(readNumbers(input), Math.fround);
  applyActivation(operator, values);
  writeNumbers(
    tensors.outputTensor,
    mapped(values, (value) => Math.min(Math.max(roundToEven(Math.fround(value)), low), high)),
  );
});

/** Finite float32 results saturate when they become float16. */
const elementWise: Kernel<ActivationType> = byBlocks((operator, { inputTensor, outputTensor: output }) => {
  const values = readNumbers(inputTensor);
  applyActivation(operator, values);
  writeNumbers(output, output.dataType === 'float16' ? mapped(values, saturateToFloat16) : values);
});

export const activationIdentity: Kernel<'activationIdentity'> = (_operator, { inputTensor, outputTensor }) => {
  moveElements(inputTensor, 0, outputTensor, 0, inputTensor.elementCount);
};

export const activationParameterizedRelu: Kernel<'activationParameterizedRelu'> = byBlocks(
  (_operator, { inputTensor, slopeTensor, outputTensor }) => {
    const multiply = isFloat(inputTensor.dataType) ? (a: number, b: number) => a * b : Math.imul;
    combine(inputTensor, slopeTensor, outputTensor, (x, slope) => (x < 0 ? multiply(x, slope) : x));
  },
);

export const activationReluGrad: Kernel<'activationReluGrad'> = byBlocks((_operator, tensors) => {
  const { inputTensor, inputGradientTensor, outputGradientTensor } = tensors;
  combine(inputTensor, inputGradientTensor, outputGradientTensor, (x, gradient) => (x > 0 ? gradient : 0));
});

function combine(a: TensorView, b: TensorView, output: TensorView, apply: (a: number, b: number) => number): void {
  const values = readNumbers(a);
  const others = readNumbers(b);
  for (let i = 0; i < values.length; i++) values[i] = apply(values[i] ?? 0, others[i] ?? 0);
  writeNumbers(output, values);
}

export const activationCelu = elementWise;
export const activationElu = elementWise;
export const activationGelu = elementWise;
export const activationHardSigmoid = elementWise;
export const activationHardSwish = elementWise;
export const activationLeakyRelu = elementWise;
export const activationLinear = elementWise;
export const activationParametricSoftplus = elementWise;
export const activationRelu = elementWise;
export const activationScaledElu = elementWise;
export const activationScaledTanh = elementWise;
export const activationSigmoid = elementWise;
export const activationSoftplus = elementWise;
export const activationSoftsign = elementWise;
export const activationSwish = elementWise;
export const activationTanh = elementWise;
export const activationThresholdedRelu = elementWise;

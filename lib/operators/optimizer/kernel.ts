/** Updates of weights in training. Computed in float32 step by step, because infinities show where DirectML's steps overflow. */
import { byBlocks } from '../../compute/blocks.js';
import { readNumbers, writeNumbers } from '../../compute/tensor-view.js';
import type { Kernel } from '../../compute/kernel.js';

export const adamOptimizer: Kernel<'adamOptimizer'> = byBlocks((operator, tensors) => {
  const { learningRate: rate, beta1, beta2, epsilon } = operator;
  const weights = readNumbers(tensors.inputParametersTensor);
  const first = readNumbers(tensors.inputFirstMomentTensor);
  const second = readNumbers(tensors.inputSecondMomentTensor);
  const gradient = readNumbers(tensors.gradientTensor);
  const [time = 0] = readNumbers(tensors.trainingStepTensor);
  // At training step 0 there is no bias correction.
  const alpha = time === 0 ? 1 : Math.sqrt(1 - decay(beta2, time)) / (1 - decay(beta1, time));
  const step = Math.fround(rate * Math.fround(alpha));
  for (let i = 0; i < weights.length; i++) {
    const g = gradient[i] ?? 0;
    const m = movingAverage(first[i] ?? 0, g, beta1);
    const v = movingAverage(second[i] ?? 0, Math.fround(g * g), beta2);
    const divisor = Math.fround(Math.fround(Math.sqrt(v)) + epsilon);
    weights[i] = (weights[i] ?? 0) - Math.fround(Math.fround(step * m) / divisor);
    first[i] = m;
    second[i] = v;
  }
  writeNumbers(tensors.outputParametersTensor, weights);
  writeNumbers(tensors.outputFirstMomentTensor, first);
  writeNumbers(tensors.outputSecondMomentTensor, second);
});

/** Moves a moment towards the gradient. If their difference is infinite, the result is infinite or NaN. */
function movingAverage(moment: number, gradient: number, beta: number): number {
  const difference = Math.fround(gradient - moment);
  return Math.fround(moment + Math.fround(Math.fround(1 - beta) * difference));
}

/** beta^time. DirectML computes it with logarithms, for which a negative base gives NaN. */
function decay(beta: number, time: number): number {
  return beta < 0 ? NaN : beta ** time;
}

/** Updates of weights in training. Computed in float32, step by step: infinities show where DirectML's steps end. */
import { readNumbers, writeNumbers } from '../tensor-view.js';
import { numberField, required, type Kernel } from './kernel.js';

export const adamOptimizer: Kernel = (operator, inputs, outputs) => {
  const values = (position: number) => readNumbers(required(inputs, position));
  const [weights, first, second, gradient] = [values(0), values(1), values(2), values(3)];
  const [time = 0] = values(4);
  const float = (name: string) => Math.fround(numberField(operator, name));
  const [rate, beta1, beta2, epsilon] = [float('learningRate'), float('beta1'), float('beta2'), float('epsilon')];
  // Before the first step nothing is corrected.
  const alpha = time === 0 ? 1 : Math.sqrt(1 - decay(beta2, time)) / (1 - decay(beta1, time));
  const step = Math.fround(rate * Math.fround(alpha));
  for (let i = 0; i < weights.length; i++) {
    const g = gradient[i] ?? 0;
    const m = between(first[i] ?? 0, g, beta1);
    const v = between(second[i] ?? 0, Math.fround(g * g), beta2);
    const divisor = Math.fround(Math.fround(Math.sqrt(v)) + epsilon);
    weights[i] = (weights[i] ?? 0) - Math.fround(Math.fround(step * m) / divisor);
    first[i] = m;
    second[i] = v;
  }
  writeNumbers(required(outputs, 0), weights);
  writeNumbers(required(outputs, 1), first);
  writeNumbers(required(outputs, 2), second);
};

/** A step from the moment to the gradient: where their difference is infinite, the result is infinite or NaN. */
function between(moment: number, gradient: number, beta: number): number {
  const way = Math.fround(gradient - moment);
  return Math.fround(moment + Math.fround(Math.fround(1 - beta) * way));
}

/** By logarithms, as DirectML does, for which a negative base is NaN. */
function decay(beta: number, time: number): number {
  return beta < 0 ? NaN : beta ** time;
}

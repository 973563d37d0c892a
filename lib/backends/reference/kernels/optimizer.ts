/** Updates of weights in training. */
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
  for (let i = 0; i < weights.length; i++) {
    const g = gradient[i] ?? 0;
    const m = beta1 * (first[i] ?? 0) + (1 - beta1) * g;
    const v = beta2 * (second[i] ?? 0) + (1 - beta2) * g * g;
    weights[i] = (weights[i] ?? 0) - (rate * alpha * m) / (Math.sqrt(v) + epsilon);
    first[i] = m;
    second[i] = v;
  }
  writeNumbers(required(outputs, 0), weights);
  writeNumbers(required(outputs, 1), first);
  writeNumbers(required(outputs, 2), second);
};

/** By logarithms, as DirectML does, for which a negative base is NaN. */
function decay(beta: number, time: number): number {
  return beta < 0 ? NaN : beta ** time;
}

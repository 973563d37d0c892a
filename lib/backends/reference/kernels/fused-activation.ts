/** Activations that another operator applies to its results before they are rounded. */
import type { ResolvedValue } from '../../../validation/resolved.js';
import { larger, smaller } from '../numbers.js';
import { applyActivation } from './activation.js';
import { isOperator, numberField } from './kernel.js';
import { applySoftmax } from './softmax.js';

/** Applies a `fusedActivation` field in place to values of these sizes; does nothing where there is none. */
export function applyFusedActivation(
  activation: ResolvedValue | undefined,
  values: Float64Array,
  sizes: readonly number[],
): void {
  if (!isOperator(activation)) return;
  switch (activation.type) {
    case 'activationRelu':
      // DirectML multiplies negative values by 0 here, so that NaN stays and a negative infinity becomes NaN.
      values.forEach((x, i) => (values[i] = x < 0 ? x * 0 : x));
      break;
    case 'activationSoftmax':
    case 'activationSoftmax1':
      applySoftmax(values, sizes, activation.fields['axes']);
      break;
    case 'elementWiseClip': {
      const [low, high] = [numberField(activation, 'min'), numberField(activation, 'max')].map(Math.fround);
      values.forEach((x, i) => (values[i] = larger(low ?? 0, smaller(x, high ?? 0))));
      break;
    }
    default:
      applyActivation(activation, values);
  }
}

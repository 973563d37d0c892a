/** Activations that another operator applies to its results before they are rounded. */
import type { ResolvedActivation } from '../../../validation/resolved.js';
import { cutToFloat16, larger, smaller } from './numbers.js';
import type { TensorView } from './tensor-view.js';
import { applyActivation } from './activations.js';
import { applySoftmax } from './softmax.js';

/** Applies a `fusedActivation` field in place to values of these sizes; does nothing where there is none. */
export function applyFusedActivation(
  activation: ResolvedActivation | null,
  values: Float64Array,
  sizes: readonly number[],
): void {
  if (activation === null) return;
  // DirectML multiplies negative values by 0 here, so that NaN stays and a negative infinity becomes NaN.
  if (activation.type === 'activationRelu') values.forEach((x, i) => (values[i] = x < 0 ? x * 0 : x));
  else applyActivationTo(activation, values, sizes);
}

/** Whether the shaders of products and convolutions apply it themselves; all others have passes of their own. */
export function isFusedActivation(activation: ResolvedActivation | null): boolean {
  return activation?.type === 'activationRelu' || activation?.type === 'activationLeakyRelu';
}

/** The same in a pass of its own: float16 is cut before it by `cut`, and a relu does what it does alone. */
export function applyActivationApart(
  activation: ResolvedActivation | null,
  values: Float64Array,
  { dataType, sizes }: TensorView,
  cut = cutToFloat16,
): void {
  if (activation === null) return;
  if (dataType === 'float16') values.set(cut(values));
  applyActivationTo(activation, values, sizes);
}

function applyActivationTo(activation: ResolvedActivation, values: Float64Array, sizes: readonly number[]): void {
  switch (activation.type) {
    case 'activationSoftmax':
      applySoftmax(values, sizes);
      break;
    case 'activationSoftmax1':
      applySoftmax(values, sizes, activation.axes);
      break;
    case 'elementWiseClip': {
      const [low, high] = [activation.min, activation.max];
      values.forEach((x, i) => (values[i] = larger(low, smaller(x, high))));
      break;
    }
    default:
      applyActivation(activation, values);
  }
}

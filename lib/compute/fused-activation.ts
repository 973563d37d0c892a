/** Activations that another operator applies to its results before they are rounded. */
import type { ResolvedActivation } from '../descriptors/resolved.js';
import { maxNumber, minNumber, truncateToFloat16 } from './numbers.js';
import type { TensorView } from './tensor-view.js';
import { applyActivation } from './activations.js';
import { applySoftmax } from './softmax.js';

/** Applies a `fusedActivation` field to the values in place; does nothing if it is null. `sizes` are those of the values. */
export function applyFusedActivation(
  activation: ResolvedActivation | null,
  values: Float64Array,
  sizes: readonly number[],
): void {
  if (activation === null) return;
  // DirectML multiplies negative values by 0 here: NaN stays NaN, and negative infinity becomes NaN.
  if (activation.type !== 'activationRelu') return applyActivationTo(activation, values, sizes);
  for (let i = 0; i < values.length; i++) {
    const x = values[i] ?? 0;
    if (x < 0) values[i] = x * 0;
  }
}

/**
 * True if the shaders of matrix products and convolutions apply the activation themselves. All others run in a pass of their own.
 */
export function isAppliedInShader(activation: ResolvedActivation | null): boolean {
  return activation?.type === 'activationRelu' || activation?.type === 'activationLeakyRelu';
}

/**
 * Applies an activation in a pass of its own: before it, `toFloat16` rounds float16 values, and relu acts as the operator
 * activationRelu does.
 */
export function applyActivationInOwnPass(
  activation: ResolvedActivation | null,
  values: Float64Array,
  { dataType, sizes }: TensorView,
  toFloat16 = truncateToFloat16,
): void {
  if (activation === null) return;
  if (dataType === 'float16') values.set(toFloat16(values));
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
      values.forEach((x, i) => (values[i] = maxNumber(low, minNumber(x, high))));
      break;
    }
    default:
      applyActivation(activation, values);
  }
}

/** Operators that resample along any dimension, their gradients, and the older one for images only. */
import type { ResolvedTensor } from '../../descriptors/resolved.js';
import { hasSizes, sameDataType, sameDimensionCount } from '../../descriptors/checks.js';
import { refuse, type Rule, type Typed } from '../../descriptors/rule.js';

/** Every scale is greater than this: the distance from 1 to the next float32. */
const EPSILON = 2 ** -23;

/**
 * Both tensors have the same data type and dimension count. `scaleSize.width` and `scaleSize.height` are at least 1.
 * `outputTensor` has the sizes of `inputTensor`, with the height and the width multiplied by `scaleSize`.
 */
export const upsample2d: Rule<'upsample2d'> = (operator) => {
  sameDataType(operator, 'inputTensor', 'outputTensor');
  sameDimensionCount(operator, 'inputTensor', 'outputTensor');
  const scale = operator.scaleSize;
  for (const name of ['width', 'height'] as const) {
    if (scale[name] < 1) throw refuse(operator, 'ERR_OUT_OF_RANGE', `scaleSize.${name}`, 'at least 1', `${scale[name]}`);
  }
  const { sizes } = operator.inputTensor;
  const [height = 1, width = 1] = sizes.slice(-2);
  const expected = [...sizes.slice(0, -2), height * scale.height, width * scale.width];
  hasSizes(operator, 'outputTensor', expected, 'the input with its last two sizes scaled');
};

/**
 * Both tensors have the same data type and dimension count. {@inheritDoc scalesFit} `outputTensor` may have any
 * sizes: positions outside the input take the nearest edge element. The sizes of `outputTensor` must be given.
 */
export const resample: Rule<'resample' | 'resample1' | 'resample2' | 'resample3'> = (operator) => {
  sameDataType(operator, 'inputTensor', 'outputTensor');
  sameDimensionCount(operator, 'inputTensor', 'outputTensor');
  scalesFit(operator, 'inputTensor', operator.inputTensor);
};
export const resample1 = resample;
export const resample2 = resample;
export const resample3 = resample;

/**
 * Both tensors have the same data type and dimension count. {@inheritDoc scalesFit}
 * The sizes of `outputGradientTensor` must be given.
 */
export const resampleGrad: Rule<'resampleGrad' | 'resampleGrad1'> = (operator) => {
  sameDataType(operator, 'inputGradientTensor', 'outputGradientTensor');
  sameDimensionCount(operator, 'inputGradientTensor', 'outputGradientTensor');
  scalesFit(operator, 'inputGradientTensor', operator.inputGradientTensor);
};
export const resampleGrad1 = resampleGrad;

interface Scaled extends Typed {
  readonly scales: readonly number[];
  readonly inputPixelOffsets?: readonly number[];
  readonly outputPixelOffsets?: readonly number[];
}

/**
 * `scales` has one element for each dimension, each greater than 2⁻²³. `inputPixelOffsets` and `outputPixelOffsets`
 * have one element for each dimension.
 */
function scalesFit(operator: Scaled, input: string, { sizes: { length } }: ResolvedTensor): void {
  for (const name of ['scales', 'inputPixelOffsets', 'outputPixelOffsets'] as const) {
    const values = operator[name];
    if (values === undefined || values.length === length) continue;
    const why = `one for each dimension of ${input}`;
    throw refuse(operator, 'ERR_FIELD_COMBINATION', name, `${length} numbers`, `${values.length}`, why);
  }
  const { scales } = operator;
  const i = scales.findIndex((scale) => !(scale > EPSILON));
  if (i >= 0) throw refuse(operator, 'ERR_OUT_OF_RANGE', `scales[${i}]`, 'more than 2⁻²³', `${scales[i]}`);
}

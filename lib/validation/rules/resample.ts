/** Operators that resample along any dimension, their gradients, and the older one for images alone. */
import {
  hasSizes,
  numbersField,
  refuse,
  sameDataType,
  sameDimensionCount,
  sizeField,
  tensorField,
  type ResolvedOperator,
  type Rule,
} from './rule.js';

/** No scale is as small as that: the float after 1 is as far from it. */
const EPSILON = 2 ** -23;

/**
 * Both tensors have one data type and one dimension count.
 * `outputTensor` has the sizes of `inputTensor`, with the height and the width times `scaleSize`, which is at least 1.
 */
export const upsample2d: Rule = (operator) => {
  alike(operator, 'inputTensor', 'outputTensor');
  const scale = sizeField(operator, 'scaleSize');
  for (const name of ['width', 'height'] as const) {
    if (scale[name] < 1) throw refuse(operator, 'ERR_OUT_OF_RANGE', `scaleSize.${name}`, 'at least 1', `${scale[name]}`);
  }
  const { sizes } = tensorField(operator, 'inputTensor');
  const [height = 1, width = 1] = sizes.slice(-2);
  const expected = [...sizes.slice(0, -2), height * scale.height, width * scale.width];
  hasSizes(operator, 'outputTensor', expected, 'the input with its last two sizes scaled');
};

/**
 * Both tensors have one data type and one dimension count.
 * There is one scale for each dimension, each above 2⁻²³. The sizes of the output are free: what lies outside repeats the edge.
 * The sizes of `outputTensor` must be given.
 */
export const resample: Rule = (operator) => resamples(operator, 'inputTensor', 'outputTensor', ['scales']);

/**
 * Both tensors have one data type and one dimension count.
 * There is one scale and one offset of each kind for each dimension, and each scale is above 2⁻²³.
 * The sizes of the output are free: what lies outside repeats the edge.
 * The sizes of `outputTensor` must be given.
 */
export const resample1: Rule = (operator) =>
  resamples(operator, 'inputTensor', 'outputTensor', ['scales', 'inputPixelOffsets', 'outputPixelOffsets']);
export const resample2 = resample1;
export const resample3 = resample1;

/**
 * Both tensors have one data type and one dimension count.
 * There is one scale and one offset of each kind for each dimension, and each scale is above 2⁻²³.
 * The sizes of `outputGradientTensor` must be given.
 */
export const resampleGrad: Rule = (operator) =>
  resamples(operator, 'inputGradientTensor', 'outputGradientTensor', ['scales', 'inputPixelOffsets', 'outputPixelOffsets']);
export const resampleGrad1 = resampleGrad;

function resamples(operator: ResolvedOperator, input: string, output: string, arrays: readonly string[]): void {
  alike(operator, input, output);
  const { length } = tensorField(operator, input).sizes;
  for (const name of arrays) {
    const values = numbersField(operator, name);
    if (values.length !== length) {
      const why = `one for each dimension of ${input}`;
      throw refuse(operator, 'ERR_FIELD_COMBINATION', name, `${length} numbers`, `${values.length}`, why);
    }
  }
  const scales = numbersField(operator, 'scales').map(Math.fround);
  const i = scales.findIndex((scale) => !(scale > EPSILON));
  if (i >= 0) throw refuse(operator, 'ERR_OUT_OF_RANGE', `scales[${i}]`, 'more than 2⁻²³', `${scales[i]}`);
}

function alike(operator: ResolvedOperator, input: string, output: string): void {
  sameDataType(operator, input, output);
  sameDimensionCount(operator, input, output);
}

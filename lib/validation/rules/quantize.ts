/** Quantization in blocks, and with a scale that the operator finds itself. */
import { list } from '../input.js';
import {
  dataTypeUnlessGiven,
  equal,
  hasSizes,
  refuse,
  sameDataType,
  sameDimensionCount,
  sameSizes,
  tensorField,
  tensorsField,
  type ResolvedOperator,
  type Rule,
} from './rule.js';

/**
 * `outputTensor` has the sizes of `inputTensor`.
 * `quantizationTensors` are the scale and, with `'scaleZeroPoint'`, the zero point; `'none'` is for other operators.
 * The scale has the data type of `inputTensor`, the zero point that of `outputTensor`.
 * Both have the same sizes, each of which divides the input's: a block of elements shares one scale and zero point.
 * The data type of `outputTensor` must be given where there is no zero point.
 */
export const quantize: Rule = (operator) => quantized(operator, 'inputTensor', 'outputTensor');

/**
 * `outputTensor` has the sizes of `inputTensor`.
 * `quantizationTensors` are the scale and, with `'scaleZeroPoint'`, the zero point; `'none'` is for other operators.
 * The scale has the data type of `outputTensor`, the zero point that of `inputTensor`.
 * Both have the same sizes, each of which divides the input's: a block of elements shares one scale and zero point.
 */
export const dequantize: Rule = (operator) => quantized(operator, 'outputTensor', 'inputTensor');

/**
 * `outputTensor` has the sizes of `inputTensor`, and the data type of `outputZeroPointTensor`.
 * `outputScaleTensor` and `outputZeroPointTensor` have one element, and the dimension count of `inputTensor`.
 * The data type of `outputTensor` or of `outputZeroPointTensor` must be given.
 */
export const dynamicQuantizeLinear: Rule = (operator) => {
  const results = ['outputTensor', 'outputScaleTensor', 'outputZeroPointTensor'];
  sameDimensionCount(operator, 'inputTensor', ...results);
  sameSizes(operator, 'inputTensor', 'outputTensor');
  sameDataType(operator, 'outputTensor', 'outputZeroPointTensor');
  const one = tensorField(operator, 'inputTensor').sizes.map(() => 1);
  for (const name of results.slice(1)) hasSizes(operator, name, one, 'one for all elements');
};

function quantized(operator: ResolvedOperator, real: string, integer: string): void {
  sameDimensionCount(operator, 'inputTensor', 'outputTensor');
  sameSizes(operator, 'inputTensor', 'outputTensor');
  const tensors = tensorsField(operator, 'quantizationTensors');
  const count = { none: 0, scale: 1, scaleZeroPoint: 2 }[String(operator.fields['quantizationType'])] ?? 0;
  if (count === 0) {
    throw refuse(operator, 'ERR_OUT_OF_RANGE', 'quantizationType', `'scale' or 'scaleZeroPoint'`, `'none'`);
  }
  if (tensors.length !== count) {
    const expected = count === 1 ? 'the scale' : 'the scale and the zero point';
    throw refuse(operator, 'ERR_FIELD_COMBINATION', 'quantizationTensors', expected, `${tensors.length} tensors`);
  }
  const [scale, zeroPoint] = tensors;
  if (scale === undefined) return;
  const field = 'quantizationTensors';
  for (const [i, [tensor, name]] of [[scale, real] as const, [zeroPoint, integer] as const].entries()) {
    if (tensor !== undefined) dataTypeUnlessGiven(operator, name, tensor.dataType);
    const { dataType } = tensorField(operator, name);
    if (tensor === undefined || tensor.dataType === dataType) continue;
    const expected = `'${dataType}', as ${name} has`;
    throw refuse(operator, 'ERR_DATA_TYPE', `${field}[${i}].dataType`, expected, `'${tensor.dataType}'`);
  }
  const { sizes } = tensorField(operator, 'inputTensor');
  const divides = scale.sizes.length === sizes.length && scale.sizes.every((size, axis) => (sizes[axis] ?? 1) % size === 0);
  if (!divides) {
    throw refuse(operator, 'ERR_SIZES', `${field}[0].sizes`, `sizes that divide ${list(sizes)}`, list(scale.sizes), 'to make blocks');
  }
  if (zeroPoint !== undefined && !equal(zeroPoint.sizes, scale.sizes)) {
    throw refuse(operator, 'ERR_SIZES', `${field}[1].sizes`, list(scale.sizes), list(zeroPoint.sizes), 'as the scale has');
  }
}

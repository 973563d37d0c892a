/** Quantization in blocks, and quantization whose scale the operator computes from the range of the input. */
import type { QuantizationType } from '../../tensors/generated/enums.js';
import { list } from '../../values/errors.js';
import { needDataType, stateDataType, type Drafted } from '../../descriptors/drafted.js';
import { equal, hasSizes, sameDataType, sameDimensionCount, sameSizes } from '../../descriptors/checks.js';
import { refuse, type Rule } from '../../descriptors/rule.js';

/**
 * {@inheritDoc quantized} The scale has the data type of `inputTensor`, and the zero point that of `outputTensor`.
 * The data type of `outputTensor` must be given if there is no zero point.
 */
export const quantize: Rule<'quantize'> = (operator) => quantized(operator, 'inputTensor', 'outputTensor');

/** {@inheritDoc quantized} The scale has the data type of `outputTensor`, and the zero point that of `inputTensor`. */
export const dequantize: Rule<'dequantize'> = (operator) => quantized(operator, 'outputTensor', 'inputTensor');

/**
 * All tensors have the same dimension count. `outputTensor` has the sizes of `inputTensor`, and the data type of
 * `outputZeroPointTensor`. All sizes of `outputScaleTensor` and `outputZeroPointTensor` are 1.
 * The data type of `outputTensor` or of `outputZeroPointTensor` must be given.
 */
export const dynamicQuantizeLinear: Rule<'dynamicQuantizeLinear'> = (operator) => {
  const parameters = ['outputScaleTensor', 'outputZeroPointTensor'] as const;
  sameDimensionCount(operator, 'inputTensor', 'outputTensor', ...parameters);
  sameSizes(operator, 'inputTensor', 'outputTensor');
  sameDataType(operator, 'outputTensor', 'outputZeroPointTensor');
  const one = operator.inputTensor.sizes.map(() => 1);
  for (const name of parameters) hasSizes(operator, name, one, 'one for all elements');
};

/** How many quantization tensors each quantization type has. The type of descriptors leaves out `'none'`, a program may not. */
const COUNTS: Readonly<Record<QuantizationType, number>> = { none: 0, scale: 1, scaleZeroPoint: 2 };

type Side = 'inputTensor' | 'outputTensor';

/**
 * Both tensors and all `quantizationTensors` have the same dimension count, and `outputTensor` has the sizes of
 * `inputTensor`. `quantizationTensors` are the scale and, if `quantizationType` is `'scaleZeroPoint'`, the zero
 * point. `quantizationType` must not be `'none'`. The scale and the zero point have the same sizes, each of which
 * divides that of `inputTensor`: a block of elements shares one scale and one zero point.
 */
function quantized(operator: Drafted<'quantize' | 'dequantize'>, real: Side, integer: Side): void {
  sameDimensionCount(operator, 'inputTensor', 'outputTensor');
  sameSizes(operator, 'inputTensor', 'outputTensor');
  const { quantizationTensors: tensors, quantizationType } = operator;
  const count = COUNTS[quantizationType];
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
    const dataType = tensor === undefined ? needDataType(operator[name]) : stateDataType(operator[name], tensor.dataType);
    if (tensor === undefined || tensor.dataType === dataType) continue;
    const expected = `'${dataType}', as ${name} has`;
    throw refuse(operator, 'ERR_DATA_TYPE', `${field}[${i}].dataType`, expected, `'${tensor.dataType}'`);
  }
  const { sizes } = operator.inputTensor;
  const divides = scale.sizes.length === sizes.length && scale.sizes.every((size, axis) => (sizes[axis] ?? 1) % size === 0);
  if (!divides) {
    throw refuse(
      operator,
      'ERR_SIZES',
      `${field}[0].sizes`,
      `sizes that divide ${list(sizes)}`,
      list(scale.sizes),
      'to make blocks',
    );
  }
  if (zeroPoint !== undefined && !equal(zeroPoint.sizes, scale.sizes)) {
    throw refuse(operator, 'ERR_SIZES', `${field}[1].sizes`, list(scale.sizes), list(zeroPoint.sizes), 'as the scale has');
  }
}

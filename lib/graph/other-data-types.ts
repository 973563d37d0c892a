/**
 * The outputs that may have another data type than the first input: `aTensor`, `inputTensor` or `inputTensors`. The outputs of
 * all other operators with such an input always have its data type.
 */
import type { OperatorType } from '../schema/generated/descriptors.js';

export const otherOutputs = {
  argmax: ['outputTensor'],
  argmin: ['outputTensor'],
  cast: ['outputTensor'],
  convolutionInteger: ['outputTensor'],
  dequantize: ['outputTensor'],
  dynamicQuantizeLinear: ['outputScaleTensor', 'outputTensor', 'outputZeroPointTensor'],
  elementWiseBitCount: ['outputTensor'],
  elementWiseDequantizeLinear: ['outputTensor'],
  elementWiseIsInfinity: ['outputTensor'],
  elementWiseIsNan: ['outputTensor'],
  elementWiseLogicalEquals: ['outputTensor'],
  elementWiseLogicalGreaterThan: ['outputTensor'],
  elementWiseLogicalGreaterThanOrEqual: ['outputTensor'],
  elementWiseLogicalLessThan: ['outputTensor'],
  elementWiseLogicalLessThanOrEqual: ['outputTensor'],
  elementWiseQuantizeLinear: ['outputTensor'],
  elementWiseQuantizedLinearAdd: ['outputTensor'],
  matrixMultiplyInteger: ['outputTensor'],
  matrixMultiplyIntegerToFloat: ['outputTensor'],
  maxPooling1: ['outputIndicesTensor'],
  maxPooling2: ['outputIndicesTensor'],
  nonzeroCoordinates: ['outputCoordinatesTensor', 'outputCountTensor'],
  quantize: ['outputTensor'],
  quantizedLinearConvolution: ['outputTensor'],
  quantizedLinearMatrixMultiply: ['outputTensor'],
  reduce: ['outputTensor'],
  topK: ['outputIndexTensor'],
  topK1: ['outputIndexTensor'],
} as const satisfies Partial<Record<OperatorType, readonly string[]>>;

/** By operator, the names of these outputs. */
export type OtherOutputs = { readonly [Type in keyof typeof otherOutputs]: (typeof otherOutputs)[Type][number] };

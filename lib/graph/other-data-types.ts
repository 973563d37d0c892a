/**
 * The outputs that may have another data type than the operator's first input. The outputs of all other operators with a first
 * input always have its data type.
 */
import type { OperatorType } from '../descriptors/generated/descriptors.js';
import type { DataType } from '../tensors/generated/enums.js';

/** Each with the data type that it has if the descriptor gives none; null if that does not follow from the operator alone. */
export const otherOutputs = {
  argmax: { outputTensor: 'uint32' },
  argmin: { outputTensor: 'uint32' },
  cast: { outputTensor: null },
  convolutionInteger: { outputTensor: 'int32' },
  dequantize: { outputTensor: null },
  dynamicQuantizeLinear: { outputScaleTensor: 'float32', outputTensor: null, outputZeroPointTensor: null },
  elementWiseBitCount: { outputTensor: 'uint8' },
  elementWiseDequantizeLinear: { outputTensor: null },
  elementWiseIsInfinity: { outputTensor: 'uint8' },
  elementWiseIsNan: { outputTensor: 'uint8' },
  elementWiseLogicalEquals: { outputTensor: 'uint8' },
  elementWiseLogicalGreaterThan: { outputTensor: 'uint8' },
  elementWiseLogicalGreaterThanOrEqual: { outputTensor: 'uint8' },
  elementWiseLogicalLessThan: { outputTensor: 'uint8' },
  elementWiseLogicalLessThanOrEqual: { outputTensor: 'uint8' },
  elementWiseQuantizeLinear: { outputTensor: null },
  elementWiseQuantizedLinearAdd: { outputTensor: null },
  matrixMultiplyInteger: { outputTensor: 'int32' },
  matrixMultiplyIntegerToFloat: { outputTensor: null },
  maxPooling1: { outputIndicesTensor: 'uint32' },
  maxPooling2: { outputIndicesTensor: 'uint32' },
  nonzeroCoordinates: { outputCoordinatesTensor: 'uint32', outputCountTensor: 'uint32' },
  quantize: { outputTensor: null },
  quantizedLinearConvolution: { outputTensor: null },
  quantizedLinearMatrixMultiply: { outputTensor: null },
  randomGenerator: { outputStateTensor: 'uint32', outputTensor: 'uint32' },
  reduce: { outputTensor: null },
  topK: { outputIndexTensor: 'uint32' },
  topK1: { outputIndexTensor: 'uint32' },
} as const satisfies Partial<Record<OperatorType, Readonly<Record<string, DataType | null>>>>;

export type OtherOutputs = typeof otherOutputs;

/**
 * The inputs that may have another data type than the operator's first input, though they support the same ones. All other inputs
 * that support the same ones always have its data type.
 */
export const otherInputs = {
  convolutionInteger: ['filterTensor', 'filterZeroPointTensor'],
  elementWisePow: ['exponentTensor'],
  elementWiseQuantizedLinearAdd: ['bTensor', 'bZeroPointTensor', 'outputZeroPointTensor'],
  matrixMultiplyInteger: ['bTensor', 'bZeroPointTensor'],
  matrixMultiplyIntegerToFloat: ['bTensor', 'bZeroPointTensor'],
  quantizedLinearConvolution: ['filterTensor', 'filterZeroPointTensor', 'outputZeroPointTensor'],
  quantizedLinearMatrixMultiply: ['bTensor', 'bZeroPointTensor', 'outputZeroPointTensor'],
} as const satisfies Partial<Record<OperatorType, readonly string[]>>;

/** An operator's first input in this sense is the first of these fields that it has. */
export const firstInputs: readonly string[] = [
  'aTensor',
  'inputTensor',
  'inputTensors',
  'inputGradientTensor',
  'valuesTensor',
  'inputParametersTensor',
];

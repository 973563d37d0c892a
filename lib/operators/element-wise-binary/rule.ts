/** Operators that compute each output element from two or three input elements at the same position. */
import { alike, sameDataType, sameDimensionCount, sameSizes } from '../../descriptors/checks.js';
import type { WithTensors } from '../../descriptors/rule.js';

/** All of `tensors` have the same sizes; those of `typed` also have the same data type. */
function elementWise<Name extends string>(
  tensors: readonly Name[],
  typed: readonly Name[],
): (operator: WithTensors<Name>) => void {
  return (operator) => {
    sameDimensionCount(operator, ...tensors);
    sameSizes(operator, ...tensors);
    sameDataType(operator, ...typed);
  };
}

const binary = ['aTensor', 'bTensor', 'outputTensor'] as const;
const pow = ['inputTensor', 'exponentTensor', 'outputTensor'] as const;

// Also for the logical operators AND, OR and XOR.
const arithmetic = alike(...binary);
/**
 * All tensors have the same dimension count and sizes. `aTensor` and `bTensor` have the same data type.
 * `outputTensor` holds truth values, 0 or 1.
 */
const comparison = elementWise(binary, ['aTensor', 'bTensor']);

export const elementWiseAdd = arithmetic;
export const elementWiseAtanYx = arithmetic;
export const elementWiseBitAnd = arithmetic;
export const elementWiseBitOr = arithmetic;
export const elementWiseBitShiftLeft = arithmetic;
export const elementWiseBitShiftRight = arithmetic;
export const elementWiseBitXor = arithmetic;
export const elementWiseDifferenceSquare = arithmetic;
export const elementWiseDivide = arithmetic;
/**
 * All tensors have the same dimension count and sizes. `aTensor`, `bTensor` and `outputTensor` have the same data type.
 */
export const elementWiseIf = elementWise(['conditionTensor', ...binary], binary);
export const elementWiseLogicalAnd = arithmetic;
export const elementWiseLogicalEquals = comparison;
export const elementWiseLogicalGreaterThan = comparison;
export const elementWiseLogicalGreaterThanOrEqual = comparison;
export const elementWiseLogicalLessThan = comparison;
export const elementWiseLogicalLessThanOrEqual = comparison;
export const elementWiseLogicalOr = arithmetic;
export const elementWiseLogicalXor = arithmetic;
export const elementWiseMax = arithmetic;
export const elementWiseMean = arithmetic;
export const elementWiseMin = arithmetic;
export const elementWiseModulusFloor = arithmetic;
export const elementWiseModulusTruncate = arithmetic;
export const elementWiseMultiply = arithmetic;
/**
 * All tensors have the same dimension count and sizes. `inputTensor` and `outputTensor` have the same data type;
 * `exponentTensor` may have another one.
 */
export const elementWisePow = elementWise(pow, ['inputTensor', 'outputTensor']);
export const elementWiseSubtract = arithmetic;

/** The case generators of all operators. An operator without one does not compile. */
import type { OperatorType } from 'node-directml';
import { isOperatorType } from '#lib/validation/index.js';
import type { CaseGenerator, ConformanceCase } from '../conformance/case.js';
import * as fixed from '../conformance/fixed.js';
import { signedNans } from './element-wise/cases.js';
import { byOperator } from './families.js';
import { specificationExamples } from './scatter-gather/cases.js';

export const generators: Readonly<Record<OperatorType, CaseGenerator>> = byOperator('cases');

/** Cases that run before the random ones. */
export const fixedCases: Readonly<Partial<Record<OperatorType, () => ConformanceCase[]>>> = {
  argmax: fixed.extremesAmongNaN('argmax'),
  argmin: fixed.extremesAmongNaN('argmin'),
  batchNormalization: () => [fixed.differencesBeyondFloat32()],
  cast: () => [...signedNans(), fixed.castToSubnormals()],
  elementWisePow: fixed.largePowers,
  elementWiseQuantizeLinear: fixed.nanInFilledRows,
  matrixMultiplyIntegerToFloat: fixed.biasesBeyondFloat16,
  scatterNd: specificationExamples,
};

export const operatorTypes: readonly OperatorType[] = Object.keys(generators).filter(isOperatorType);

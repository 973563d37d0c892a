/** The case generators of all operators. An operator without one does not compile. */
import type { OperatorType } from 'node-directml';
import { isOperatorType } from '#lib/operators/resolve.js';
import type { CaseGenerator, ConformanceCase } from '../cases/case.js';
import * as fixed from './fixed.js';
import { ties } from './ties.js';
import { signedNans } from './element-wise/cases.js';
import { byOperator } from './families.js';
import { specificationExamples } from './scatter-gather/cases.js';

export const generators: Readonly<Record<OperatorType, CaseGenerator>> = byOperator('cases');

export const operatorTypes: readonly OperatorType[] = Object.keys(generators).filter(isOperatorType);

type FixedCases = Readonly<Partial<Record<OperatorType, () => ConformanceCase[]>>>;

const known: FixedCases = {
  argmax: fixed.extremesAmongNaN('argmax'),
  argmin: fixed.extremesAmongNaN('argmin'),
  batchNormalization: () => [fixed.differencesBeyondFloat32()],
  cast: () => [...signedNans(), fixed.castToSubnormals()],
  elementWisePow: fixed.largePowers,
  elementWiseQuantizeLinear: fixed.nanInFilledRows,
  gather: fixed.wideGathers,
  matrixMultiplyIntegerToFloat: fixed.biasesBeyondFloat16,
  multiheadAttention: () => fixed.attentionScales('multiheadAttention'),
  multiheadAttention1: () => fixed.attentionScales('multiheadAttention1'),
  scatterNd: specificationExamples,
};

/** Cases that run before the random ones. */
export const fixedCases: FixedCases = Object.fromEntries(
  operatorTypes.map((type) => [type, () => [...(known[type]?.() ?? []), ...(ties[type]?.() ?? [])]]),
);

/**
 * Which values an operator of a graph may read from other nodes. The tolerance of an operator holds for the data of its
 * generated cases. Some operators take any values with it; others take only what their cases have: moderate numbers, numbers
 * that are exact in sums, indices in range. The table names what an input takes besides the data of its own case.
 */
import type { OperatorType } from 'node-directml';
import { isFloat } from '#lib/data-types/table.js';
import type { ConformanceCase } from '../conformance/case.js';
import { numbersOf } from '../conformance/tolerance/elements.js';
import { fromBase64 } from '../conformance/case.js';
import { isTensor } from '../conformance/layout.js';
import { isStepwise } from '../operators/recurrent/values.js';

/** Floats from `low` to `high`, of which none is NaN; with a step, only multiples of it. */
export interface Bounds {
  readonly low: number;
  readonly high: number;
  readonly step?: number;
}

/** `own` is only the data of the case. Bounds are for floats: an integer input with bounds takes any integers. */
export type Domain = 'own' | 'any' | Bounds;

type Descriptor = ConformanceCase['descriptor'];
type Fields = Readonly<Record<string, Domain>>;
type Rule = Fields | ((descriptor: Descriptor) => Fields);

/** The inputs that an operator may read from other nodes, by type. */
export function domainOf({ descriptor, data }: ConformanceCase, field: string): Domain {
  const rule = RULES[descriptor.type];
  if (rule === undefined) return 'own';
  const domain = (typeof rule === 'function' ? rule(descriptor) : rule)[field] ?? 'own';
  // A case with numbers that overflow or are not finite has been made so that these decide nothing open; other data may.
  return isBounded(domain) && isFar({ descriptor, data }) ? 'own' : domain;
}

function isBounded(domain: Domain): boolean {
  return typeof domain === 'object';
}

/** True if an input of the case has infinities, NaN or numbers from the limit on. */
export function isFar({ descriptor, data }: ConformanceCase, limit = 1e5): boolean {
  return Object.entries(data).some(([field, text]) => {
    const tensor: unknown = Reflect.get(descriptor, field);
    if (!isTensor(tensor) || typeof text !== 'string' || !isFloat(tensor.dataType)) return false;
    return numbersOf(tensor, fromBase64(text)).some((x) => !(Math.abs(x) < limit));
  });
}

function within(limit: number, step?: number): Bounds {
  return step === undefined ? { low: -limit, high: limit } : { low: -limit, high: limit, step };
}

/** The same rule for some operators. */
function each(types: readonly OperatorType[], rule: Rule): Partial<Record<OperatorType, Rule>> {
  return Object.fromEntries(types.map((type) => [type, rule]));
}

const INPUT: Fields = { inputTensor: 'any' };
const BOTH: Fields = { aTensor: 'any', bTensor: 'any' };

/** They move elements, or compute with each element alone and any number. */
const takesAnyInput: readonly OperatorType[] = [
  ...(['gather', 'gatherElements', 'gatherNd', 'gatherNd1', 'maxUnpooling', 'cast', 'elementWiseIf'] as const),
  ...(['depthToSpace', 'depthToSpace1', 'spaceToDepth', 'spaceToDepth1', 'slice', 'slice1', 'split', 'unfold'] as const),
  ...(['padding', 'padding1', 'tile', 'diagonalMatrix1', 'quantize', 'dequantize', 'argmin', 'argmax'] as const),
  ...(['elementWiseAbs', 'elementWiseCeil', 'elementWiseFloor', 'elementWiseNegate', 'elementWiseSign'] as const),
  ...(['elementWiseRound', 'elementWiseThreshold', 'elementWiseIsNan'] as const),
  ...(['elementWiseIsInfinity', 'elementWiseLogicalNot', 'elementWiseBitNot', 'elementWiseBitCount'] as const),
  ...(['elementWiseIdentity', 'maxPooling', 'maxPooling1', 'maxPooling2'] as const),
  ...(['activationCelu', 'activationElu', 'activationGelu', 'activationHardSigmoid', 'activationHardSwish'] as const),
  ...(['activationIdentity', 'activationLeakyRelu', 'activationLinear', 'activationParametricSoftplus'] as const),
  ...(['activationRelu', 'activationScaledElu', 'activationScaledTanh', 'activationShrink', 'activationSigmoid'] as const),
  ...(['activationSoftplus', 'activationSoftsign', 'activationSwish', 'activationTanh', 'activationThresholdedRelu'] as const),
  ...(['activationHardmax', 'activationHardmax1', 'activationLogSoftmax', 'activationLogSoftmax1'] as const),
  ...(['activationSoftmax', 'activationSoftmax1'] as const),
];

/** A rounded product with `scale` would be amplified; a multiple of 1/64 is scaled exactly. */
const unlessScaled =
  (domain: Domain, scaled: Domain = within(16, 1 / 64)): Rule =>
  (descriptor) => ({ inputTensor: 'scaleBias' in descriptor && descriptor.scaleBias ? scaled : domain });

const takesAnyPair: readonly OperatorType[] = [
  ...(['elementWiseAdd', 'elementWiseSubtract', 'elementWiseMultiply'] as const),
  ...(['elementWiseMean', 'elementWiseDifferenceSquare', 'elementWiseBitAnd', 'elementWiseBitOr', 'elementWiseBitXor'] as const),
  ...(['elementWiseLogicalAnd', 'elementWiseLogicalOr', 'elementWiseLogicalXor', 'elementWiseLogicalEquals'] as const),
  ...(['elementWiseLogicalGreaterThan', 'elementWiseLogicalGreaterThanOrEqual'] as const),
  ...(['elementWiseLogicalLessThan', 'elementWiseLogicalLessThanOrEqual'] as const),
];

/** With 64 bits, a division by 0 depends on the adapter. */
const divided: Rule = (descriptor) => {
  const isWide = 'bTensor' in descriptor && descriptor.bTensor.dataType.endsWith('64');
  return { aTensor: 'any', bTensor: isWide ? 'own' : 'any' };
};

/** Without 64-bit shader operations, DirectML compares the low halves of int64 as signed numbers (docs/differences.md). */
const limited: Rule = (descriptor) => {
  const tensor = 'aTensor' in descriptor ? descriptor.aTensor : 'inputTensor' in descriptor ? descriptor.inputTensor : null;
  return tensor?.dataType === 'int64' ? {} : { ...BOTH, ...INPUT, inputGradientTensor: 'any' };
};

const quantized: Fields = {
  ...BOTH,
  inputTensor: 'any',
  filterTensor: 'any',
  inputZeroPointTensor: 'any',
  filterZeroPointTensor: 'any',
  outputZeroPointTensor: 'any',
  aZeroPointTensor: 'any',
  bZeroPointTensor: 'any',
  zeroPointTensor: 'any',
};

const activated =
  (fields: Fields): Rule =>
  (descriptor) => {
    const fused = 'fusedActivation' in descriptor ? descriptor.fusedActivation : null;
    const steps = ['activationThresholdedRelu', 'activationShrink'];
    // At a step, an error of one unit becomes a large one, and bounded values often give the same sums.
    return fused && steps.includes(fused.type) ? {} : fields;
  };

const reduced: Rule = (descriptor) => {
  if (descriptor.type !== 'reduce') return {};
  const isHalf = descriptor.inputTensor.dataType === 'float16';
  switch (descriptor.function) {
    case 'argmax':
    case 'argmin':
    case 'max':
    case 'min':
      return INPUT;
    case 'multiply':
      return isFloat(descriptor.inputTensor.dataType) ? {} : INPUT;
    case 'logSum':
      return { inputTensor: { low: 0.01, high: 4 } };
    case 'l2':
    case 'sumSquare':
      return { inputTensor: within(isHalf ? 3 : 100) };
    default:
      return { inputTensor: within(8) };
  }
};

const normalized = activated({
  inputTensor: within(4),
  scaleTensor: within(2),
  biasTensor: within(2),
  meanTensor: within(2),
  fusedAddTensor: within(2),
  inputGradientTensor: within(2),
});

/** Powers of many elements overflow or underflow by design of their cases. */
const powers: Rule = (descriptor) =>
  'p' in descriptor && descriptor.p > 0 && descriptor.p < 3 ? { inputTensor: within(8) } : {};

/** Cases with activations that map integers to integers have only integers, so that every step is exact. */
const recurrent: Rule = (descriptor) => {
  const isWhole = 'activationDescs' in descriptor && isStepwise(descriptor.activationDescs);
  const state = isWhole ? within(2, 1) : within(1);
  return { inputTensor: state, hiddenInitTensor: state, cellMemInitTensor: state };
};

const attention: Fields = Object.fromEntries(
  ['query', 'key', 'value', 'stackedQueryKey', 'stackedKeyValue', 'stackedQueryKeyValue', 'bias', 'pastKey', 'pastValue']
    .map((name) => `${name}Tensor`)
    .map((field) => [field, within(1, 1 / 4)]),
);

const RULES: Partial<Record<OperatorType, Rule>> = {
  ...each(takesAnyInput, INPUT),
  ...each(takesAnyPair, BOTH),
  ...each(['elementWiseDivide', 'elementWiseModulusTruncate', 'elementWiseModulusFloor'], divided),
  ...each(['elementWiseAcos', 'elementWiseAcosh', 'elementWiseAsin', 'elementWiseAsinh', 'elementWiseAtan'], unlessScaled('any')),
  ...each(['elementWiseAtanh', 'elementWiseCosh', 'elementWiseErf', 'elementWiseExp', 'elementWiseRecip'], unlessScaled('any')),
  ...each(['elementWiseSinh', 'elementWiseSqrt', 'elementWiseTanh'], unlessScaled('any')),
  ...each(['elementWiseSin', 'elementWiseCos'], unlessScaled(within(64))),
  elementWiseTan: unlessScaled(within(1.25), 'own'),
  // Subnormals have any logarithm.
  elementWiseLog: unlessScaled({ low: 0.015625, high: 60000 }),
  elementWiseAtanYx: { aTensor: within(64), bTensor: within(64) },
  elementWiseAdd1: activated({ aTensor: within(16, 1 / 32), bTensor: within(16, 1 / 32) }),
  ...each(['elementWiseBitShiftLeft', 'elementWiseBitShiftRight'], { aTensor: 'any' }),
  elementWiseIf: { ...BOTH, conditionTensor: 'any' },
  ...each(['elementWiseMax', 'elementWiseMin', 'elementWiseClip', 'elementWiseClip1'], limited),
  ...each(['elementWiseClipGrad', 'elementWiseClipGrad1'], limited),
  activationReluGrad: { ...INPUT, inputGradientTensor: 'any' },
  // A power of a subnormal may be that of any other one, or of zero.
  elementWiseConstantPow: { inputTensor: within(64, 1 / 64) },
  activationParameterizedRelu: { ...INPUT, slopeTensor: 'any' },
  ...each(['scatterElements', 'scatterNd'], { ...INPUT, updatesTensor: 'any' }),
  oneHot: { valuesTensor: 'any', indicesTensor: 'any' },
  reverseSubsequences: { ...INPUT, sequenceLengthsTensor: 'any' },
  join: { inputTensors: 'any' },
  sliceGrad: { inputGradientTensor: 'any' },
  ...each(['topK', 'topK1'], { inputTensor: within(1000) }),
  ...each(['elementWiseQuantizeLinear', 'elementWiseDequantizeLinear', 'elementWiseQuantizedLinearAdd'], quantized),
  ...each(
    ['convolutionInteger', 'quantizedLinearConvolution', 'matrixMultiplyInteger', 'matrixMultiplyIntegerToFloat'],
    quantized,
  ),
  ...each(['quantizedLinearMatrixMultiply', 'quantizedLinearAveragePooling'], quantized),
  dynamicQuantizeLinear: { inputTensor: within(100) },
  reduce: reduced,
  ...each(['cumulativeSummation', 'fold'], { inputTensor: within(8) }),
  cumulativeProduct: (descriptor) =>
    descriptor.type === 'cumulativeProduct' && isFloat(descriptor.inputTensor.dataType) ? {} : INPUT,
  ...each(['averagePooling', 'averagePooling1', 'valueScale2d'], { inputTensor: within(16) }),
  averagePoolingGrad: { inputGradientTensor: within(16) },
  ...each(['lpPooling', 'lpPooling1'], powers),
  // Gradients are multiples of one number, so that their sums are exact.
  maxPoolingGrad: { inputTensor: 'any', inputGradientTensor: within(32, 1) },
  gemm: activated({ aTensor: within(2), bTensor: within(2), cTensor: within(2) }),
  convolution: activated({ inputTensor: within(2), filterTensor: within(2), biasTensor: within(2) }),
  ...each(['batchNormalization', 'batchNormalizationTraining', 'meanVarianceNormalization'], normalized),
  ...each(['meanVarianceNormalization1', 'meanVarianceNormalization2', 'batchNormalizationGrad'], normalized),
  ...each(['batchNormalizationTrainingGrad', 'localResponseNormalization', 'localResponseNormalizationGrad'], normalized),
  lpNormalization: normalized,
  adamOptimizer: { inputParametersTensor: within(4), inputFirstMomentTensor: within(1), gradientTensor: within(1) },
  ...each(['multiheadAttention', 'multiheadAttention1'], attention),
  ...each(['rnn', 'gru', 'lstm'], recurrent),
  ...each(['resample', 'resample1', 'resample2', 'resample3', 'upsample2d'], { inputTensor: within(8) }),
  ...each(['resampleGrad', 'resampleGrad1'], { inputGradientTensor: within(8) }),
  ...each(['roiPooling', 'roiAlign', 'roiAlign1'], { inputTensor: within(8) }),
  roiAlignGrad: { inputGradientTensor: within(8) },
  // Float32 subnormals may count as zeros.
  nonzeroCoordinates: { inputTensor: within(8, 1 / 4) },
};

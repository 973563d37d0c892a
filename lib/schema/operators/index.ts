/** All operators, by family, and in the order in which docs/operators/README.md lists them. */
import { activation } from './activation.js';
import { alongAxis } from './along-axis.js';
import { attention } from './attention.js';
import { batchNormalization } from './batch-normalization.js';
import { convolution } from './convolution.js';
import { depthSpace } from './depth-space.js';
import { elementWise } from './element-wise.js';
import { elementWiseBinary } from './element-wise-binary.js';
import { elementWiseQuantize } from './element-wise-quantize.js';
import { elementWiseUnary } from './element-wise-unary.js';
import type { Family } from './facts.js';
import { fillJoin } from './fill-join.js';
import { fold } from './fold.js';
import { matrixMultiply } from './matrix-multiply.js';
import { nonzero } from './nonzero.js';
import { normalization } from './normalization.js';
import { optimizer } from './optimizer.js';
import { padding } from './padding.js';
import { pooling } from './pooling.js';
import { quantize } from './quantize.js';
import { random } from './random.js';
import { recurrent } from './recurrent.js';
import { reduce } from './reduce.js';
import { resample } from './resample.js';
import { roi } from './roi.js';
import { scan } from './scan.js';
import { scatterGather } from './scatter-gather.js';
import { sequence } from './sequence.js';
import { slice } from './slice.js';
import { softmax } from './softmax.js';
import { topK } from './top-k.js';

/** A family has one name: that of its rules, its kernels and its cases, too. */
export const families: Readonly<Record<string, Family>> = {
  activation,
  'along-axis': alongAxis,
  attention,
  'batch-normalization': batchNormalization,
  convolution,
  'depth-space': depthSpace,
  'element-wise': elementWise,
  'element-wise-binary': elementWiseBinary,
  'element-wise-quantize': elementWiseQuantize,
  'element-wise-unary': elementWiseUnary,
  'fill-join': fillJoin,
  fold,
  'matrix-multiply': matrixMultiply,
  nonzero,
  normalization,
  optimizer,
  padding,
  pooling,
  quantize,
  random,
  recurrent,
  reduce,
  resample,
  roi,
  scan,
  'scatter-gather': scatterGather,
  sequence,
  slice,
  softmax,
  'top-k': topK,
};

/** The operators under each heading of the index. */
export const headings: Readonly<Record<string, readonly string[]>> = {
  'Element-wise arithmetic': [
    'elementWiseIdentity',
    'elementWiseAbs',
    'elementWiseNegate',
    'elementWiseSign',
    'elementWiseAdd',
    'elementWiseAdd1',
    'elementWiseSubtract',
    'elementWiseMultiply',
    'elementWiseDivide',
    'elementWiseModulusTruncate',
    'elementWiseModulusFloor',
    'elementWiseRecip',
    'elementWiseMax',
    'elementWiseMin',
    'elementWiseMean',
    'elementWiseDifferenceSquare',
    'elementWiseCeil',
    'elementWiseFloor',
    'elementWiseRound',
    'elementWiseClip',
    'elementWiseClip1',
    'elementWiseClipGrad',
    'elementWiseClipGrad1',
    'elementWiseThreshold',
    'elementWiseSqrt',
    'elementWiseExp',
    'elementWiseLog',
    'elementWisePow',
    'elementWiseConstantPow',
    'elementWiseErf',
  ],
  'Element-wise trigonometry': [
    'elementWiseSin',
    'elementWiseCos',
    'elementWiseTan',
    'elementWiseAsin',
    'elementWiseAcos',
    'elementWiseAtan',
    'elementWiseAtanYx',
    'elementWiseSinh',
    'elementWiseCosh',
    'elementWiseTanh',
    'elementWiseAsinh',
    'elementWiseAcosh',
    'elementWiseAtanh',
  ],
  'Element-wise logic and comparison': [
    'elementWiseLogicalAnd',
    'elementWiseLogicalOr',
    'elementWiseLogicalXor',
    'elementWiseLogicalNot',
    'elementWiseLogicalEquals',
    'elementWiseLogicalGreaterThan',
    'elementWiseLogicalLessThan',
    'elementWiseLogicalGreaterThanOrEqual',
    'elementWiseLogicalLessThanOrEqual',
    'elementWiseIsNan',
    'elementWiseIsInfinity',
    'elementWiseIf',
  ],
  'Element-wise bits': [
    'elementWiseBitAnd',
    'elementWiseBitOr',
    'elementWiseBitXor',
    'elementWiseBitNot',
    'elementWiseBitCount',
    'elementWiseBitShiftLeft',
    'elementWiseBitShiftRight',
  ],
  Activations: [
    'activationIdentity',
    'activationLinear',
    'activationRelu',
    'activationReluGrad',
    'activationLeakyRelu',
    'activationParameterizedRelu',
    'activationThresholdedRelu',
    'activationElu',
    'activationScaledElu',
    'activationCelu',
    'activationGelu',
    'activationSigmoid',
    'activationHardSigmoid',
    'activationSwish',
    'activationHardSwish',
    'activationTanh',
    'activationScaledTanh',
    'activationSoftplus',
    'activationParametricSoftplus',
    'activationSoftsign',
    'activationShrink',
    'activationSoftmax',
    'activationSoftmax1',
    'activationLogSoftmax',
    'activationLogSoftmax1',
    'activationHardmax',
    'activationHardmax1',
  ],
  'Reductions, scans and sorting': ['reduce', 'argmin', 'argmax', 'cumulativeSummation', 'cumulativeProduct', 'topK', 'topK1'],
  'Filling and generating': [
    'fillValueConstant',
    'fillValueSequence',
    'diagonalMatrix',
    'diagonalMatrix1',
    'oneHot',
    'randomGenerator',
  ],
  'Moving data': [
    'cast',
    'join',
    'split',
    'slice',
    'slice1',
    'sliceGrad',
    'padding',
    'padding1',
    'tile',
    'spaceToDepth',
    'spaceToDepth1',
    'depthToSpace',
    'depthToSpace1',
    'reverseSubsequences',
    'valueScale2d',
    'fold',
    'unfold',
  ],
  'Gather and scatter': [
    'gather',
    'gatherElements',
    'gatherNd',
    'gatherNd1',
    'scatterElements',
    'scatterNd',
    'nonzeroCoordinates',
  ],
  Quantization: [
    'elementWiseQuantizeLinear',
    'elementWiseDequantizeLinear',
    'elementWiseQuantizedLinearAdd',
    'dynamicQuantizeLinear',
    'quantize',
    'dequantize',
  ],
  'Matrix products': ['gemm', 'matrixMultiplyInteger', 'matrixMultiplyIntegerToFloat', 'quantizedLinearMatrixMultiply'],
  Convolution: ['convolution', 'convolutionInteger', 'quantizedLinearConvolution'],
  Pooling: [
    'averagePooling',
    'averagePooling1',
    'averagePoolingGrad',
    'quantizedLinearAveragePooling',
    'lpPooling',
    'lpPooling1',
    'maxPooling',
    'maxPooling1',
    'maxPooling2',
    'maxPoolingGrad',
    'maxUnpooling',
    'roiPooling',
  ],
  Normalization: [
    'batchNormalization',
    'batchNormalizationGrad',
    'batchNormalizationTraining',
    'batchNormalizationTrainingGrad',
    'meanVarianceNormalization',
    'meanVarianceNormalization1',
    'meanVarianceNormalization2',
    'localResponseNormalization',
    'localResponseNormalizationGrad',
    'lpNormalization',
  ],
  'Resampling and regions of interest': [
    'upsample2d',
    'resample',
    'resample1',
    'resample2',
    'resample3',
    'resampleGrad',
    'resampleGrad1',
    'roiAlign',
    'roiAlign1',
    'roiAlignGrad',
  ],
  'Recurrent networks': ['rnn', 'lstm', 'gru'],
  Attention: ['multiheadAttention', 'multiheadAttention1'],
  Training: ['adamOptimizer'],
};

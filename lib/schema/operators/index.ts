/** All operators, by family, and the headings under which docs/operators/README.md lists them. */
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
import type { Family } from '../../descriptors/facts.js';
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

/** The headings of docs/operators/README.md, in order. */
export const headings: readonly string[] = [
  'Element-wise arithmetic',
  'Element-wise trigonometry',
  'Element-wise logic and comparison',
  'Element-wise bits',
  'Activations',
  'Reductions, scans and sorting',
  'Filling and generating',
  'Moving data',
  'Gather and scatter',
  'Quantization',
  'Matrix products',
  'Convolution',
  'Pooling',
  'Normalization',
  'Resampling and regions of interest',
  'Recurrent networks',
  'Attention',
  'Training',
];

/** All operators, by family, and the headings under which docs/operators/README.md lists them. */
import { activation } from './activation/facts.js';
import { alongAxis } from './along-axis/facts.js';
import { attention } from './attention/facts.js';
import { batchNormalization } from './batch-normalization/facts.js';
import { convolution } from './convolution/facts.js';
import { depthSpace } from './depth-space/facts.js';
import { elementWise } from './element-wise/facts.js';
import { elementWiseBinary } from './element-wise-binary/facts.js';
import { elementWiseQuantize } from './element-wise-quantize/facts.js';
import { elementWiseUnary } from './element-wise-unary/facts.js';
import type { Family } from '../descriptors/facts.js';
import { fillJoin } from './fill-join/facts.js';
import { fold } from './fold/facts.js';
import { matrixMultiply } from './matrix-multiply/facts.js';
import { nonzero } from './nonzero/facts.js';
import { normalization } from './normalization/facts.js';
import { optimizer } from './optimizer/facts.js';
import { padding } from './padding/facts.js';
import { pooling } from './pooling/facts.js';
import { quantize } from './quantize/facts.js';
import { random } from './random/facts.js';
import { recurrent } from './recurrent/facts.js';
import { reduce } from './reduce/facts.js';
import { resample } from './resample/facts.js';
import { roi } from './roi/facts.js';
import { scan } from './scan/facts.js';
import { scatterGather } from './scatter-gather/facts.js';
import { sequence } from './sequence/facts.js';
import { slice } from './slice/facts.js';
import { softmax } from './softmax/facts.js';
import { topK } from './top-k/facts.js';

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

/** Every example of ours. */
import * as activation from './activation.js';
import * as attention from './attention.js';
import * as convolution from './convolution.js';
import * as data from './data.js';
import * as elementWise from './element-wise.js';
import * as logic from './logic.js';
import * as matrixMultiply from './matrix-multiply.js';
import * as normalization from './normalization.js';
import type { OwnExample } from './own.js';
import * as pooling from './pooling.js';
import * as quantize from './quantize.js';
import * as recurrent from './recurrent.js';
import * as resample from './resample.js';
import * as roi from './roi.js';

const families: readonly Readonly<Record<string, readonly OwnExample[]>>[] = [
  activation,
  attention,
  convolution,
  data,
  elementWise,
  logic,
  matrixMultiply,
  pooling,
  normalization,
  quantize,
  recurrent,
  resample,
  roi,
];

export const ownExamples: readonly OwnExample[] = families.flatMap((family) => Object.values(family).flat());

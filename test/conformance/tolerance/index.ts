/** The tolerance of every operator. An operator without one does not compile. */
import type { OperatorType } from 'node-directml';
import type { ConformanceCase } from '../case.js';
import { activationTolerances, fusableTolerances, linear } from './activation.js';
import { attentionTolerances } from './attention.js';
import { convolutionTolerances } from './convolution.js';
import { elementWiseTolerances } from './element-wise.js';
import { fusable } from './fused.js';
import { batchNormalizationTolerances } from './batch-normalization.js';
import { matrixTolerances } from './matrix.js';
import { normalizationTolerances } from './normalization.js';
import { optimizerTolerances } from './optimizer.js';
import { movementTolerances } from './movement.js';
import { poolingTolerances } from './pooling.js';
import { reductionTolerances } from './reduction.js';
import { recurrentTolerances } from './recurrent.js';
import { resampleTolerances } from './resample.js';
import { roiTolerances } from './roi.js';
import { EXACT, SAME_VALUE, type OperatorTolerance, type ToleranceRow, type Variants } from './row.js';

const elementWiseAdd1 = fusable({ ulp: 0, reason: 'one sum, rounded to the nearest' }, Object.keys(fusableTolerances));

const elementWiseIdentity: Variants = {
  pick: (descriptor) => (descriptor.type === 'elementWiseIdentity' && descriptor.scaleBias ? 'scaleBias' : 'alone'),
  rows: { alone: EXACT, scaleBias: linear('scale', 'bias') },
};

export const TOLERANCES: Readonly<Record<OperatorType, OperatorTolerance>> = {
  ...activationTolerances,
  ...attentionTolerances,
  ...convolutionTolerances,
  ...elementWiseTolerances,
  ...batchNormalizationTolerances,
  ...matrixTolerances,
  ...normalizationTolerances,
  ...optimizerTolerances,
  ...movementTolerances,
  ...poolingTolerances,
  ...recurrentTolerances,
  ...reductionTolerances,
  ...resampleTolerances,
  ...roiTolerances,
  cast: EXACT,
  elementWiseAdd1,
  elementWiseIdentity,
  nonzeroCoordinates: EXACT,
  quantize: SAME_VALUE,
  dequantize: SAME_VALUE,
  dynamicQuantizeLinear: SAME_VALUE,
  randomGenerator: EXACT,
  unfold: EXACT,
};

/** `output` is the field's name. */
export function toleranceOf({ descriptor }: ConformanceCase, output: string): ToleranceRow {
  const own = TOLERANCES[descriptor.type];
  return 'rows' in own ? (own.rows[own.pick(descriptor, output)] ?? EXACT) : own;
}

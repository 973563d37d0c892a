/** The operators of ONNX that are expressed by operators of DirectML, or computed in memory. */
import { attentionOperators } from './attention.js';
import { convolutionOperators } from './convolution.js';
import { elementWiseOperators } from './element-wise.js';
import { gatherOperators } from './gather.js';
import type { Lowering } from './lowering.js';
import { matrixOperators } from './matrix.js';
import { microsoftAttention } from './microsoft-attention.js';
import { fusedOperators } from './microsoft-fused.js';
import { quantizedOperators } from './microsoft-quantized.js';
import { moveOperators } from './move.js';
import { normalizationOperators } from './normalization.js';
import { poolingOperators } from './pooling.js';
import { quantizeOperators } from './quantize.js';
import { recurrentOperators } from './recurrent.js';
import { reduceOperators } from './reduce.js';
import { resizeOperators } from './resize.js';
import { scriptOperators } from './script.js';
import { sequenceOperators } from './sequence.js';
import { shapeOperators } from './shape.js';

export const operators: Readonly<Record<string, Lowering | undefined>> = {
  __proto__: null as never,
  ...attentionOperators,
  ...convolutionOperators,
  ...elementWiseOperators,
  ...gatherOperators,
  ...matrixOperators,
  ...microsoftAttention,
  ...fusedOperators,
  ...quantizedOperators,
  ...moveOperators,
  ...normalizationOperators,
  ...poolingOperators,
  ...quantizeOperators,
  ...recurrentOperators,
  ...reduceOperators,
  ...resizeOperators,
  ...scriptOperators,
  ...sequenceOperators,
  ...shapeOperators,
  'com.microsoft:Trilu': moveOperators['Trilu'],
};

/** The draws of all families, by operator. */
import { attentionDraws } from './attention.js';
import type { Draws } from './case.js';
import { contribDraws } from './contrib.js';
import { elementDraws } from './elements.js';
import { graphDraws } from './graphs.js';
import { matrixDraws } from './matrices.js';
import { mlDraws } from './ml.js';
import { moveDraws } from './moves.js';
import { quantizationDraws } from './quantization.js';
import { recurrentDraws } from './recurrents.js';
import { reductionDraws } from './reductions.js';
import { resizeDraws } from './resizes.js';
import { scriptDraws } from './script.js';
import { shapeDraws } from './shapes.js';
import { windowDraws } from './windows.js';

export const draws: Draws = {
  ...elementDraws,
  ...reductionDraws,
  ...shapeDraws,
  ...quantizationDraws,
  ...windowDraws,
  ...recurrentDraws,
  ...attentionDraws,
  ...graphDraws,
  ...matrixDraws,
  ...moveDraws,
  ...resizeDraws,
  ...scriptDraws,
  ...mlDraws,
  ...contribDraws,
};

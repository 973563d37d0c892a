/** The lowering of every operator. */
import type { OperatorName } from '../ml-operand.js';
import { elementWise } from './element-wise.js';
import { gathers } from './gather.js';
import { matrices } from './matrix.js';
import { normalizations } from './normalization.js';
import { quantization } from './quantize.js';
import { recurrent } from './recurrent.js';
import { shaping } from './shape.js';
import type { Lowerings } from './step.js';
import { windows } from './window.js';

export const lowerings: Lowerings<OperatorName> = {
  ...elementWise,
  ...gathers,
  ...matrices,
  ...normalizations,
  ...quantization,
  ...recurrent,
  ...shaping,
  ...windows,
};

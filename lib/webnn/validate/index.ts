/** The validation of every operator. */
import type { OperatorName } from '../ml-operand.js';
import type { Validators } from './check.js';
import { elementWise } from './element-wise.js';
import { matrices } from './matrix.js';
import { recurrent } from './recurrent.js';
import { shape } from './shape.js';
import { windows } from './window.js';

export const validators: Validators<OperatorName> = { ...elementWise, ...matrices, ...recurrent, ...shape, ...windows };

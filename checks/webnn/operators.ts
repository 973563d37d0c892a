/** The operators that are checked, by the families of their formulas. */
import { activations } from './draw/activation.js';
import { binary } from './draw/binary.js';
import { casting } from './draw/casting.js';
import { gathers } from './draw/gather.js';
import { logical } from './draw/logical.js';
import { movements } from './draw/movement.js';
import { normalizations } from './draw/normalization.js';
import { products } from './draw/product.js';
import { quantization } from './draw/quantization.js';
import { recurrent } from './draw/recurrent.js';
import { reductions } from './draw/reduction.js';
import { resampling } from './draw/resample.js';
import { unary } from './draw/unary.js';
import { windows } from './draw/window.js';
import type { CheckedOperators } from './operator.js';
import type { OperatorName } from './webnn-case.js';

export const operators: Partial<CheckedOperators> = {
  ...activations,
  ...binary,
  ...casting,
  ...logical,
  ...quantization,
  ...reductions,
  ...unary,
  ...recurrent,
  ...gathers,
  ...movements,
  ...resampling,
  ...normalizations,
  ...products,
  ...windows,
} satisfies CheckedOperators;

export const operatorNames = Object.keys(operators) as readonly OperatorName[];

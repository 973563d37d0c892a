/** The operators that are checked, by the families of their formulas. */
import { activations } from './draw/activation.js';
import { binary } from './draw/binary.js';
import { casting } from './draw/casting.js';
import { logical } from './draw/logical.js';
import { quantization } from './draw/quantization.js';
import { reductions } from './draw/reduction.js';
import { unary } from './draw/unary.js';
import { windows } from './draw/window.js';
import { products } from './draw/product.js';
import { normalizations } from './draw/normalization.js';
import { resampling } from './draw/resample.js';
import { movements } from './draw/movement.js';
import { gathers } from './draw/gather.js';
import { recurrent } from './draw/recurrent.js';
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
};

export const operatorNames: readonly OperatorName[] = Object.keys(operators).filter(isName);

function isName(name: string): name is OperatorName {
  return name in operators;
}

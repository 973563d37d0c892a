/** The rules of gradients. */
import type { OperatorType } from '../descriptors/generated/descriptors.js';
import type { GradientRule } from '../descriptors/gradient.js';
import { gradients } from '../operators/generated/gradients.js';

/** The rule of an operator. A text says why there is none. */
export function gradientRuleOf(type: OperatorType): GradientRule | string {
  return gradients[type] as GradientRule | string;
}

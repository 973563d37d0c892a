/** Gradients of attention. */
import { noRule, type GradientRules } from '../../descriptors/gradient.js';

export const gradients: GradientRules<'multiheadAttention' | 'multiheadAttention1'> = {
  multiheadAttention: noRule,
  multiheadAttention1: noRule,
};

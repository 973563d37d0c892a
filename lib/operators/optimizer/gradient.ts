/** Optimizers have no gradients. */
import type { GradientRules } from '../../descriptors/gradient.js';

export const gradients: GradientRules<'adamOptimizer'> = { adamOptimizer: 'it changes parameters by a gradient' };

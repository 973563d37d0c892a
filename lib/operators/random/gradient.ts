/** Random numbers have no gradients. */
import type { GradientRules } from '../../descriptors/gradient.js';

export const gradients: GradientRules<'randomGenerator'> = { randomGenerator: 'its input and its output are integers' };

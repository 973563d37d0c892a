/** Coordinates have no gradients. */
import type { GradientRules } from '../../descriptors/gradient.js';

export const gradients: GradientRules<'nonzeroCoordinates'> = { nonzeroCoordinates: 'its outputs are coordinates' };

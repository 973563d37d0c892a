/** The gradient of the largest elements: it goes back to where they were. */
import type { GradientRule, GradientRules } from '../../descriptors/gradient.js';

const toPlaces: GradientRule<'topK' | 'topK1'> = ({ inputTensor, outputIndexTensor, axis }, g, o) => ({
  inputTensor: () => o.scatterElements(o.zeros(inputTensor), outputIndexTensor, g, { axis }),
});

export const gradients: GradientRules<'topK' | 'topK1'> = { topK: toPlaces, topK1: toPlaces };

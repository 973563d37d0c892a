/** The gradient of the largest elements: it goes back to where they were. */
import type { Expression, GradientRules, InputGradients, Operations } from '../../descriptors/gradient.js';

interface Node {
  readonly inputTensor: Expression;
  readonly outputIndexTensor: Expression;
  readonly axis: number;
}

function toPlaces({ inputTensor, outputIndexTensor, axis }: Node, g: Expression, o: Operations): InputGradients {
  return { inputTensor: () => o.scatterElements(o.zeros(inputTensor), outputIndexTensor, g, { axis }) };
}

export const gradients: GradientRules<'topK' | 'topK1'> = { topK: toPlaces, topK1: toPlaces };

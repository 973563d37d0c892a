/** The parts of the family softmax: see ../families.ts. */
export { softmaxCases as cases } from './cases.js';
export * as examples from './examples.js';
export { tolerances } from './tolerance.js';

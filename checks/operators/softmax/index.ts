/** The parts of the family softmax: see ../families.ts. */
export { softmaxCases as cases, tolerances } from './cases.js';
export * as examples from './examples.js';

/** The parts of the family activation: see ../families.ts. */
export { activationCases as cases, tolerances } from './cases.js';
export * as examples from './examples.js';

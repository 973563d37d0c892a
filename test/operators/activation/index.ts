/** The parts of the family activation: see ../families.ts. */
export { activationCases as cases } from './cases.js';
export * as examples from './examples.js';
export { tolerances } from './tolerance.js';

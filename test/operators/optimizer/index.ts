/** The parts of the family optimizer: see ../families.ts. */
export * as cases from './cases.js';
export * as examples from './examples.js';
export { tolerances } from './tolerance.js';

/** The parts of the family fold: see ../families.ts. */
import { fold, unfold } from './cases.js';
export * as examples from './examples.js';
export { tolerances } from './tolerance.js';

export const cases = { fold, unfold };

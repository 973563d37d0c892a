/** The parts of the family fold: see ../families.ts. */
import { fold, unfold } from './cases.js';
export * as examples from './examples.js';
export { tolerances } from './cases.js';

export const cases = { fold, unfold };

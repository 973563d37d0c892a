/** The parts of the family nonzero: see ../families.ts. */
import * as all from './cases.js';
export * as examples from './examples.js';

export const { tolerances, ...cases } = all;

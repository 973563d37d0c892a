/** The parts of the family random: see ../families.ts. */
import * as all from './cases.js';
export * as examples from './examples.js';

export const { tolerances, ...cases } = all;

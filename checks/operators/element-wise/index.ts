/** The parts of the family element-wise: see ../families.ts. */
import { cast, elementWiseAdd1, elementWiseIdentity } from './cases.js';
export * as examples from './examples.js';
export { tolerances } from './cases.js';

export const cases = { cast, elementWiseAdd1, elementWiseIdentity };

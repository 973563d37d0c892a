/** The parts of the family scatter-gather: see ../families.ts. */
import { gather, gatherNd, gatherNd1, scatterNd } from './cases.js';
export * as examples from './examples.js';
export { tolerances } from './cases.js';

export const cases = { gather, gatherNd, gatherNd1, scatterNd };

/**
 * Functions of arrays by the names and rules of the Python array API standard, as NumPy has them.
 * @module node-directml/array
 */
export * from './arrangement.js';
export * from './compound-elements.js';
export * from './creation.js';
export * from './cumulative.js';
export * from './einsum.js';
export * from './elements.js';
export * from './indexing.js';
export * from './linear-algebra.js';
export type { Part } from './parts.js';
export { norm, type NormOptions } from './norms.js';
export * from './products.js';
export * from './reductions.js';
export * from './sets.js';
export * from './shape.js';
export * from './sorting.js';
export * as random from './random.js';
export * as fft from './fft.js';
export * as linalg from './linalg.js';

/** `node-directml/array`: functions of arrays by the names and rules of the Python array API standard, as NumPy has them. */
export * from './elements.js';
export * from './linear-algebra.js';
export * from './reductions.js';
export * from './shape.js';

/** The formulas of all operators. */
export * from './activation.js';
export * from './binary.js';
export * from './casting.js';
export * from './gather.js';
export * from './logical.js';
export * from './movement.js';
export * from './normalization.js';
export * from './product.js';
export * from './quantization.js';
export * from './recurrent.js';
export * from './reduction.js';
export * from './resample.js';
export * from './unary.js';
export * from './window.js';

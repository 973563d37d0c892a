/**
 * `node-directml/webnn` for `import`: re-exports index.ts, so that `import` and `require` share one copy. A test compares the
 * names.
 */
export { createML, install, ml, ML, MLContext, MLGraph, MLGraphBuilder, MLOperand, MLTensor, tensorOf } from './index.js';
export type * from './index.js';

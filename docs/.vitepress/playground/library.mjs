// @ts-check
// The entries of the library that a program can import. Each is loaded when a program first imports it.

/** @type {import('./imports.mjs').Library} */
export const library = {
  'node-directml': () => import('../../../lib/index.js'),
  'node-directml/operators': () => import('../../../lib/functions/index.js'),
  'node-directml/array': () => import('../../../lib/array/index.js'),
  'node-directml/gradients': () => import('../../../lib/gradients/index.js'),
  'node-directml/nn': () => import('../../../lib/nn/index.js'),
  'node-directml/webnn': () => import('../../../lib/webnn/index.js'),
};

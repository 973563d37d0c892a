/** `node-directml/nn` for `import`: re-exports index.ts, so that `import` and `require` share one copy. */
export * from './index.js';

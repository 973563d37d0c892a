/** The same surface for `import`: one copy of the package, however it is loaded. */
export * from './index.js';

/** `node-directml/onnxruntime` for `import`: re-exports index.ts, so that `import` and `require` share one copy. */
export { env, InferenceSession, Tensor } from './index.js';
export type * from './index.js';

/** The public API for `import`: re-exports index.ts, so that `import` and `require` share one copy. A test compares the names. */
export {
  broadcastTo,
  CompiledOperator,
  createDevice,
  Device,
  DirectMLBuffer,
  DirectMLError,
  Dispatchable,
  fromFloat16Bits,
  listAdapters,
  minimumTensorSizeInBytes,
  reshape,
  Tensor,
  toFloat16Bits,
  transpose,
} from './index.js';
export type * from './index.js';

/** The public API for `import`: re-exports index.ts, so that `import` and `require` share one copy. A test compares the names. */
export {
  broadcastTo,
  CompiledGraph,
  CompiledOperator,
  createDevice,
  default,
  Device,
  DirectMLBuffer,
  DirectMLError,
  Dispatchable,
  Recording,
  fromFloat16Bits,
  Graph,
  listAdapters,
  minimumTensorSizeInBytes,
  reshape,
  Tensor,
  toFloat16Bits,
  transpose,
  Value,
} from './index.js';
export type * from './index.js';

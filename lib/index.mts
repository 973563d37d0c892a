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
  fromFloat16Bits,
  Graph,
  listAdapters,
  minimumTensorSizeInBytes,
  PreparedOperator,
  Recording,
  reshape,
  Tensor,
  toFloat16Bits,
  transpose,
  Value,
} from './index.js';
export type * from './index.js';

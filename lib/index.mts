/** The same surface for `import`: one copy of the package, however it is loaded. A test holds the names together. */
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

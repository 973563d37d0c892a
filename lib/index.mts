/** The same surface for `import`: one copy of the package, however it is loaded. A test holds the names together. */
export {
  CompiledOperator,
  createDevice,
  Device,
  DirectMLBuffer,
  DirectMLError,
  fromFloat16Bits,
  listAdapters,
  minimumTensorSizeInBytes,
  Tensor,
  toFloat16Bits,
} from './index.js';
export type * from './index.js';

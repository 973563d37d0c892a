/** The public surface of node-directml. */
export { createDevice, listAdapters, type DeviceOptions } from './create-device.js';
export { Device, type BufferOptions, type CompileOptions, type TensorPlace } from './device.js';
export type { AdapterInfo, DeviceInfo, DeviceLostInfo } from './device-info.js';
export { DirectMLBuffer } from './buffer.js';
export type { BufferSource } from './buffer-source.js';
export { Tensor } from './tensor.js';
export type { Float16ArrayLike, TypedArrayFor, TypedArrays } from './typed-arrays.js';
export { CompiledOperator } from './compiled-operator.js';
export type { Binding, Bindings, BufferBinding } from './bindings.js';
export { DirectMLError, type DirectMLErrorDetails, type ErrorCode } from './errors.js';
export { fromFloat16Bits, toFloat16Bits } from './float16-arrays.js';
export { minimumTensorSizeInBytes } from './minimum-tensor-size.js';
export type { OutputTensorDesc, ResolvedTensorDesc, TensorDesc } from './schema/tensor-desc.js';
export type { ResolvedDescriptor } from './resolved-descriptor.js';
export type * from './schema/generated/descriptors.js';
export type {
  AxisDirection,
  ConvolutionDirection,
  ConvolutionMode,
  DataType,
  DepthSpaceOrder,
  FeatureLevel,
  InterpolationMode,
  IsInfinityMode,
  MatrixTransform,
  MultiheadAttentionMaskType,
  PaddingMode,
  QuantizationType,
  RandomGeneratorType,
  RecurrentNetworkDirection,
  ReduceFunction,
  RoundingMode,
  TensorFlags,
} from './schema/generated/enums.js';

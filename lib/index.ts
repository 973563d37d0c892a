/** The public API of node-directml. */
export { createDevice, listAdapters, type DeviceOptions, type ListAdaptersOptions } from './api/create-device.js';
export { Device, type BufferOptions } from './api/device.js';
export type { CompileOptions, ExecutionOptions } from './api/compile-options.js';
export type { TensorOptions, TensorPlace } from './api/create-tensor.js';
export type { AdapterInfo, DeviceInfo, DeviceLostInfo } from './backends/device-info.js';
export type { DeviceMemory, MemoryPool, MemorySegment } from './backends/device-memory.js';
export { DirectMLBuffer } from './api/buffer.js';
export type { BufferSource } from './api/buffer-source.js';
export { Tensor, type ViewLayout } from './api/tensor.js';
export type { TensorPart, TensorPartOffset } from './api/tensor-part.js';
export type { TensorData } from './api/tensor-data.js';
export { broadcastTo, reshape, transpose, type ViewDesc } from './api/views.js';
export type { Float16ArrayLike, TypedArrayFor, TypedArrays } from './api/typed-arrays.js';
export { CompiledOperator } from './api/compiled-operator.js';
export type { Binding, Bindings, BufferBinding } from './api/bindings.js';
export {
  CompiledGraph,
  type ConstantsData,
  type GraphMemory,
  type GraphOutputs,
  type OutputDataTypes,
  type TensorDescriptions,
} from './api/compiled-graph.js';
export { Dispatchable } from './api/dispatchable.js';
export { Recording, type RecordOptions } from './api/recording.js';
export type { ProfileOptions } from './api/profile.js';
export type { DispatchProfile, Profile, ProfiledDispatch } from './api/profiling.js';
export { Graph, type CompileGraphOptions, type NameOptions } from './api/graph.js';
export type { GraphConstantDesc, GraphDescriptor, NodeDesc, ValueReference } from './graph/graph-descriptor.js';
export type { NodeDescriptor, OutputValues } from './graph/typed-values.js';
export { Value, type ValueLayout } from './graph/value.js';
export type { DispatchBindings, InitializationInputs, InputName, OutputTensors, RunDescriptor } from './api/typed-bindings.js';
export { DirectMLError, type DirectMLErrorDetails, type ErrorCode } from './errors.js';
export { fromFloat16Bits, toFloat16Bits } from './api/float16-arrays.js';
export { minimumTensorSizeInBytes } from './api/minimum-tensor-size.js';
// For the declarations of the classes: their `Symbol.dispose`.
export type * from './api/disposable.js';
export type { OutputTensorDesc, ResolvedTensorDesc, TensorDesc } from './schema/tensor-desc.js';
export type { ResolvedDescriptor } from './api/resolved-descriptor.js';
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
// For `import directml from 'node-directml'`.
export * as default from './index.js';

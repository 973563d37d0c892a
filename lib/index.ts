/**
 * The public API of node-directml.
 * @module node-directml
 */
export { createDevice, listAdapters, type DeviceOptions, type ListAdaptersOptions } from './api/create-device.js';
export { Device, type BufferOptions } from './api/device.js';
export type { CompileOptions, ExecutionOptions } from './api/operators/compile-options.js';
export type { AbortSignalLike, WaitOptions } from './api/abortable.js';
export type { TensorOptions, TensorPlace } from './api/memory/create-tensor.js';
export type { AdapterInfo, DeviceInfo, DeviceLostInfo, PowerPreference } from './backends/device-info.js';
export type { DeviceMemory, MemoryPool, MemorySegment } from './backends/device-memory.js';
export { DirectMLBuffer } from './api/memory/buffer.js';
export { DirectMLFence, type FenceOptions } from './api/sharing/fence.js';
export type { SharedSource } from './api/sharing/handles.js';
export type { ForeignBufferSource } from './api/sharing/import.js';
export type { PixelOptions, RowOptions } from './api/sharing/pixel-options.js';
export { PreparedCopy } from './api/sharing/prepared-copy.js';
export { DirectMLTexture } from './api/sharing/texture.js';
export type { Rectangle } from './backends/backend.js';
export type { TextureFormat } from './backends/texture-formats.js';
export type { BufferSource } from './api/memory/buffer-source.js';
export { Tensor, type ViewLayout } from './api/memory/tensor.js';
export type { TensorPart, TensorPartOffset } from './api/memory/tensor-part.js';
export type { TensorData } from './api/memory/tensor-data.js';
export type { DataTypeOf, ElementSource, Levels, TensorOfOptions } from './api/memory/tensor-of.js';
export { broadcastTo, reshape, transpose, type ViewDesc } from './api/memory/views.js';
export type { ElementOf, NestedArray } from './api/memory/nested-array.js';
export type { Float16ArrayLike, TypedArrayFor, TypedArrays } from './api/memory/typed-arrays.js';
export { PreparedOperator } from './api/operators/prepared-operator.js';
export { CompiledOperator } from './api/operators/compiled-operator.js';
export type { Binding, Bindings, BufferBinding } from './api/operators/bindings.js';
export {
  CompiledGraph,
  type ConstantsData,
  type GraphBindings,
  type GraphMemory,
  type GraphOutputs,
  type OutputDataTypes,
  type TensorDescriptions,
} from './api/graphs/compiled-graph.js';
export type { DequantizedGemmCounts } from './backends/backend.js';
export { Dispatchable } from './api/operators/dispatchable.js';
export { Recording, type RecordOptions } from './api/recording/recording.js';
export type { ProfileOptions } from './api/recording/profile.js';
export type { DispatchProfile, Profile, ProfiledDispatch } from './api/recording/profiling.js';
export type { JitOptions } from './api/graphs/jit.js';
export type {
  JitArguments,
  JitDescriptions,
  JitFunction,
  JitOutput,
  JitParameter,
  JitResult,
  JitReturn,
} from './api/graphs/jit-types.js';
export type { Settled } from './api/scope.js';
export type { Optimize } from './graph/optimize.js';
export type { GraphOptions } from './api/graphs/graph-options.js';
export { Graph, type CompileGraphOptions, type ConstantOptions, type NameOptions } from './api/graphs/graph.js';
export type { GraphConstantDesc, GraphDescriptor, NodeDesc, ValueReference } from './graph/graph-descriptor.js';
export type { ConstantOwnership } from './graph/resolved-graph.js';
export type { NodeDescriptor, OutputValues } from './graph/typed-values.js';
export { Value, type ValueLayout } from './graph/value.js';
export type {
  DispatchBindings,
  InitializationInputs,
  InputName,
  OutputTensors,
  RunDescriptor,
} from './api/operators/typed-bindings.js';
export { DirectMLError, type DirectMLErrorDetails, type ErrorCode } from './values/errors.js';
export { fromFloat16Bits, toFloat16Bits } from './api/memory/float16-arrays.js';
export { minimumTensorSizeInBytes } from './api/memory/minimum-tensor-size.js';
// For the declarations of the classes: their `Symbol.dispose`.
export type * from './api/disposable.js';
export type { OutputTensorDesc, ResolvedTensorDesc, TensorDesc } from './tensors/tensor-desc.js';
export type { ResolvedDescriptor } from './api/operators/resolved-descriptor.js';
export type * from './descriptors/generated/descriptors.js';
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
} from './tensors/generated/enums.js';
// For `import directml from 'node-directml'`.
export * as default from './index.js';

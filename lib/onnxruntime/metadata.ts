/** Inputs and outputs in the words of onnxruntime-common. */
import type { InferenceSession, Tensor } from 'onnxruntime-web/webgpu';
import type { ModelValue } from './onnx.js';

/** The data types by their numbers in onnx.proto. Those without a name are none of onnxruntime-common. */
const dataTypes: readonly (Tensor.Type | undefined)[] = [
  ...([undefined, 'float32', 'uint8', 'int8', 'uint16', 'int16', 'int32', 'int64', 'string', 'bool', 'float16'] as const),
  ...(['float64', 'uint32', 'uint64'] as const),
  ...Array.from({ length: 7 }, () => undefined),
  ...(['uint4', 'int4'] as const),
];

/** The name in onnxruntime-common of a data type of onnx.proto; undefined if it has none. */
export function typeNameOf(elementType: number): Tensor.Type | undefined {
  return dataTypes[elementType];
}

export function isTypeName(value: unknown): value is Tensor.Type {
  return value !== undefined && dataTypes.some((name) => name === value);
}

/** As onnxruntime-node: a dynamic dimension without a name is -1, and the shape is empty if the model has none. */
export function metadataOf({ name, elementType, dims = [], unnamed }: ModelValue): InferenceSession.ValueMetadata {
  const type = typeNameOf(elementType);
  if (type === undefined) return { name, isTensor: false };
  return { name, isTensor: true, type, shape: dims.map((dim, axis) => (unnamed.has(axis) ? -1 : dim)) };
}

/**
 * ONNX models as functions on the device.
 * @module node-directml/onnx
 */
export { loadOnnx, type OnnxOptions } from './load-onnx.js';
export type { EmptyTensor, OnnxCall, OnnxInput, OnnxModel, OnnxResult, OnnxValue } from './types.js';
// For the declarations of tensors: their `Symbol.dispose`.
export type * from '../api/disposable.js';

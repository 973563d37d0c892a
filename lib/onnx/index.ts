/** `node-directml/onnx`: ONNX models as functions on the device. */
export { loadOnnx } from './load-onnx.js';
export type { OnnxCall, OnnxInput, OnnxModel, OnnxResult, OnnxValue } from './model.js';
export type { EmptyTensor } from './plan.js';
// For the declarations of tensors: their `Symbol.dispose`.
export type * from '../api/disposable.js';

// @ts-check
// The parts of ONNX models that the benchmark writes.
import onnxProto from 'onnx-proto';

export const { onnx } = onnxProto;

/** A value of a data type. @param {string} name @param {number} elemType @param {...(number | string)} sizes */
export function value(name, elemType, ...sizes) {
  const dim = sizes.map((size) => (typeof size === 'string' ? { dimParam: size } : { dimValue: size }));
  return { name, type: { tensorType: { elemType, shape: { dim } } } };
}

/** @param {import('onnx-proto').onnx.IGraphProto} graph */
export function modelOf(graph) {
  const opsetImport = ['', 'com.microsoft'].map((domain) => ({ domain, version: domain === '' ? 17 : 1 }));
  return onnx.ModelProto.encode({ irVersion: 8, opsetImport, graph }).finish();
}

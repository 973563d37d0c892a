/** Tensors of ONNX as onnxruntime and this package take and give them. */
import type { InferenceSession, OnnxValue, Tensor as OrtTensor } from 'onnxruntime-common';
import { Tensor, type DataType, type Device } from 'node-directml';
import type { EmptyTensor, OnnxResult } from 'node-directml/onnx';
import { elementsOf, HostData } from '#lib/onnx/operand.js';
import { onnxruntime } from '../networks/onnxruntime.js';
import { arrayOf, type Weight } from '../networks/small-model.js';

type Numbers = readonly (number | bigint)[];

export interface Computed {
  readonly type: string;
  readonly sizes: readonly number[];
  readonly elements: Numbers;
}

/** onnxruntime computes each node by itself, as the model says. */
export const options: InferenceSession.SessionOptions = {
  executionProviders: ['cpu'],
  graphOptimizationLevel: 'disabled',
  intraOpNumThreads: 1,
  logSeverityLevel: 4,
};

export function feedOf([type, dims, elements]: Weight): OrtTensor {
  const { Tensor: Made } = onnxruntime();
  return new Made(type, arrayOf(type, elements) as never, dims);
}

export function readOrt(value: OnnxValue): Computed {
  const { type, dims, data } = value;
  const bytes = data as Exclude<OrtTensor.DataType, string[]>;
  const dataType = (type === 'bool' ? 'uint8' : type) as DataType;
  return computedFrom(dataType, dims, new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength));
}

function computedFrom(dataType: DataType, dims: readonly number[], bytes: Uint8Array): Computed {
  const operand = { dataType, isBool: false, dims, strides: null, data: new HostData(bytes) };
  return { type: dataType, sizes: dims.length === 0 ? [1] : dims, elements: elementsOf(operand) };
}

export function inputOf(device: Device, [type, dims, elements]: Weight): Tensor | EmptyTensor {
  const desc = { dataType: (type === 'bool' ? 'uint8' : type) as DataType, sizes: dims.length === 0 ? [1] : dims };
  if (dims.includes(0)) return desc;
  const tensor = device.createTensor(desc);
  tensor.buffer.write(new Uint8Array(arrayOf(type, elements).buffer));
  return tensor;
}

export async function read(result: OnnxResult): Promise<Computed> {
  if (!(result instanceof Tensor)) {
    if (result === null || !('sizes' in result)) throw new Error('an output is no tensor');
    return computedFrom(result.dataType, result.sizes, new Uint8Array());
  }
  const { buffer, byteOffset, byteLength } = await result.read();
  result.dispose();
  return computedFrom(result.dataType, result.sizes, new Uint8Array(buffer, byteOffset, byteLength));
}

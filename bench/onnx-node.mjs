// @ts-check
// Runs an operator on onnxruntime's CPU provider, as a model with one node.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import onnxProto from 'onnx-proto';
import { checkout } from '../scripts/shared/common.mjs';

/** @type {typeof import('onnxruntime-common')} onnxruntime-node of native/, from which the addon's build takes DirectML.dll */
export const ort = createRequire(join(checkout, 'native', 'package.json'))('onnxruntime-node');

/**
 * Prepares a model of one node. All tensors are float32 and allocated in advance, including the output.
 * @param {import('onnx-proto').onnx.INodeProto} node without inputs and outputs
 * @param {object} descriptor has the sizes of the tensors
 * @param {Record<string, Float32Array | Uint32Array>} inputs by field, in the order of the node's inputs
 */
export async function prepareNode(node, descriptor, inputs) {
  const described = /** @type {Record<string, import('node-directml').TensorDesc>} */ (descriptor);
  const sizesOf = (/** @type {string} */ field) => [...(described[field]?.sizes ?? [])];
  const model = modelOf(node, Object.keys(inputs), 'outputTensor', sizesOf);
  const session = await ort.InferenceSession.create(model, { executionProviders: ['cpu'] });
  const feeds = Object.fromEntries(
    Object.entries(inputs).map(([field, data]) => [field, new ort.Tensor('float32', Float32Array.from(data), sizesOf(field))]),
  );
  const sizes = sizesOf('outputTensor');
  const values = new Float32Array(sizes.reduce((product, size) => product * size, 1));
  const outputTensor = new ort.Tensor('float32', values, sizes);
  return {
    run: () => session.run(feeds, { outputTensor }),
    output: () => values,
    release: () => session.release(),
  };
}

function modelOf(
  /** @type {import('onnx-proto').onnx.INodeProto} */ node,
  /** @type {string[]} */ inputs,
  /** @type {string} */ output,
  /** @type {(name: string) => number[]} */ sizesOf,
) {
  const { onnx } = onnxProto;
  const value = (/** @type {string} */ name) => ({
    name,
    type: {
      tensorType: { elemType: onnx.TensorProto.DataType.FLOAT, shape: { dim: sizesOf(name).map((dimValue) => ({ dimValue })) } },
    },
  });
  return onnx.ModelProto.encode({
    irVersion: 8,
    opsetImport: [{ domain: '', version: 16 }],
    graph: {
      name: 'node',
      node: [{ ...node, input: inputs, output: [output] }],
      input: inputs.map(value),
      output: [value(output)],
    },
  }).finish();
}

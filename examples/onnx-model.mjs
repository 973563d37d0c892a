// Runs an ONNX model on WebNN with onnxruntime-web and returns its outputs. The model and the sizes of its dynamic dimensions are
// arguments: `node examples/run.mjs onnx-model model.onnx batch=1 length=8`. Without them it runs a small model of its own.
import { readFileSync } from 'node:fs';
import { install, ml } from 'node-directml/webnn';
import onnxProto from 'onnx-proto';
import * as ort from 'onnxruntime-web/webgpu';

/**
 * @param {import('node-directml').Device} device
 * @param {string[]} args the file, and sizes such as batch=1
 */
export default async function onnxModel(device, [file, ...sizes] = process.argv.slice(3)) {
  // onnxruntime-web expects WebNN where a browser has it. This puts it there.
  install();
  ort.env.wasm.numThreads = 1;

  const context = await ml.createContext(device);
  const session = await ort.InferenceSession.create(file === undefined ? smallModel() : readFileSync(file), {
    // onnxruntime computes on the CPU what WebNN has no operators for.
    executionProviders: [{ name: 'webnn', deviceType: 'gpu', context }],
    // WebNN builds graphs for tensors of fixed sizes. Without them, everything would run on the CPU.
    freeDimensionOverrides: Object.fromEntries(sizes.map((size) => size.split('=')).map(([name, size]) => [name, Number(size)])),
  });
  try {
    const feeds = Object.fromEntries(session.inputMetadata.map((input) => [input.name, madeUp(input)]));
    const results = await session.run(feeds);
    return Object.fromEntries(Object.entries(results).map(([name, { data }]) => [name, data]));
  } finally {
    await session.release();
    context.destroy();
  }
}

/**
 * Returns a tensor for an input, with made-up numbers: a wave, or zeros for integers. Use your own data here.
 * @param {ort.InferenceSession.ValueMetadata} input
 */
function madeUp(input) {
  if (!input.isTensor) throw new Error(`${input.name} is no tensor`);
  const names = input.shape.filter((size) => typeof size === 'string');
  if (names.length > 0)
    throw new Error(`${input.name} has dynamic dimensions: add ${names.map((name) => `${name}=1`).join(' ')}`);
  const sizes = input.shape.map(Number);
  const count = sizes.reduce((product, size) => product * size, 1);
  if (input.type === 'int64') return new ort.Tensor('int64', new BigInt64Array(count), sizes);
  if (input.type === 'int32') return new ort.Tensor('int32', new Int32Array(count), sizes);
  if (input.type !== 'float32') throw new Error(`${input.name} is ${input.type}: make such a tensor here`);
  return new ort.Tensor(
    'float32',
    Float32Array.from({ length: count }, (_, i) => Math.sin(i)),
    sizes,
  );
}

/** Returns the bytes of a model with one layer: y = relu(x · weights). A file from a training program has the same format. */
function smallModel() {
  const float32 = onnxProto.onnx.TensorProto.DataType.FLOAT;
  const tensorType = { elemType: float32, shape: { dim: [{ dimValue: 1 }, { dimValue: 2 }] } };
  return onnxProto.onnx.ModelProto.encode({
    irVersion: 10,
    opsetImport: [{ domain: '', version: 21 }],
    graph: {
      name: 'layer',
      initializer: [{ name: 'weights', dataType: float32, dims: [2, 2], floatData: [1, 2, -3, 4] }],
      input: [{ name: 'x', type: { tensorType } }],
      node: [
        { opType: 'MatMul', input: ['x', 'weights'], output: ['product'] },
        { opType: 'Relu', input: ['product'], output: ['y'] },
      ],
      output: [{ name: 'y', type: { tensorType } }],
    },
  }).finish();
}

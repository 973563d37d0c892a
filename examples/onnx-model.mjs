// Runs an ONNX model with onnxruntime's interface and returns its outputs. The model and the sizes of its dynamic dimensions are
// arguments: `node examples/run.mjs onnx-model model.onnx batch=1 length=8`. Without them it runs a small model of its own.
import { InferenceSession, Tensor } from 'node-directml/onnxruntime';
import onnxProto from 'onnx-proto';

/**
 * @param {import('node-directml').Device} device
 * @param {string[]} args the file, and sizes such as batch=1
 */
export default async function onnxModel(device, [file, ...sizes] = process.argv.slice(3)) {
  // It says if a node of the model has to run on the CPU.
  const session = await InferenceSession.create(file ?? smallModel(), { device });
  try {
    const known = new Map(sizes.map((size) => size.split('=')).map(([name = '', size]) => [name, Number(size)]));
    const feeds = Object.fromEntries(session.inputMetadata.map((input) => [input.name, madeUp(input, known)]));
    const results = await session.run(feeds);
    return Object.fromEntries(Object.entries(results).map(([name, { data }]) => [name, data]));
  } finally {
    await session.release();
  }
}

/**
 * Returns a tensor for an input, with made-up numbers: a wave, or zeros for integers. Use your own data here.
 * @param {InferenceSession.ValueMetadata} input
 * @param {ReadonlyMap<string, number>} known the sizes of dynamic dimensions
 */
function madeUp(input, known) {
  if (!input.isTensor) throw new Error(`${input.name} is no tensor`);
  const names = input.shape.filter((size) => typeof size === 'string' && !known.has(size));
  if (names.length > 0)
    throw new Error(`${input.name} has dynamic dimensions: add ${names.map((name) => `${name}=1`).join(' ')}`);
  const sizes = input.shape.map((size) => (typeof size === 'string' ? (known.get(size) ?? 1) : Math.max(size, 1)));
  const count = sizes.reduce((product, size) => product * size, 1);
  if (input.type === 'int64') return new Tensor('int64', new BigInt64Array(count), sizes);
  if (input.type === 'int32') return new Tensor('int32', new Int32Array(count), sizes);
  if (input.type !== 'float32') throw new Error(`${input.name} is ${input.type}: make such a tensor here`);
  return new Tensor(
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

// @ts-check
// The rows of the reference backend. Its ScatterND is compared with that of onnxruntime-node's CPU provider, on the same data.
import onnxProto from 'onnx-proto';
import { createDevice } from 'node-directml';
import { arrayRows } from './array.mjs';
import { gradientRows } from './gradients.mjs';
import { improvedRows } from './improved.mjs';
import { hashOf, large, scatterData, scatterDescriptor } from './data.mjs';
import { ort } from './onnx-node.mjs';
import { takeTurns, timed } from './rounds.mjs';
import { measureReferenceMemory } from './reference-memory.mjs';
import { measureWorker } from './worker.mjs';

/** @typedef {Omit<import('./verdict.mjs').Measurement, 'name'>} Measured */

/**
 * The rows of the reference backend that every run without --reference measures.
 * @type {readonly { name: string, measure: (effort: import('./rounds.mjs').Effort) => Promise<import('./rounds.mjs').Compared |
 * Measured> }[]}
 */
export const references = [
  {
    name: 'ScatterND of the reference, 1M floats, 100k updates, int64 indices',
    measure: compareReference,
  },
  {
    name: 'longest block of the JavaScript thread while a worker of the reference computes 20 gemm of 512³',
    measure: measureWorker,
  },
  {
    name: 'twenty operators of the reference on 128 MiB of int8, float16, float32: peak of memory beside the tensors',
    measure: measureReferenceMemory,
  },
  ...arrayRows,
  ...gradientRows,
  ...improvedRows,
];

/**
 * Each side runs in its fastest way: all tensors are allocated in advance, including the output.
 * @returns {Promise<import('./rounds.mjs').Compared>}
 */
async function compareReference(/** @type {import('./rounds.mjs').Effort} */ effort) {
  const data = scatterData(large);
  const indices = BigInt64Array.from(data.indices, BigInt);

  const device = await createDevice({ backend: 'reference', thread: 'caller' });
  const float = /** @type {const} */ ('float32');
  const bindings = {
    inputTensor: device.createTensor({ dataType: float, sizes: [1, large.elements] }, data.input),
    indicesTensor: device.createTensor({ dataType: 'int64', sizes: [large.updates, 1] }, indices),
    updatesTensor: device.createTensor({ dataType: float, sizes: [1, large.updates] }, data.updates),
    outputTensor: device.createTensor({ dataType: float, sizes: [1, large.elements] }),
  };
  const operator = await device.compile(scatterDescriptor(large, 'int64'));

  const session = await ort.InferenceSession.create(scatterModel(), { executionProviders: ['cpu'] });
  const feeds = {
    data: new ort.Tensor('float32', data.input, [large.elements]),
    indices: new ort.Tensor('int64', indices, [large.updates, 1]),
    updates: new ort.Tensor('float32', data.updates, [large.updates]),
  };
  const output = new ort.Tensor('float32', new Float32Array(large.elements), [large.elements]);

  const turns = await takeTurns(
    { ...effort, limit: 1, share: 3 },
    () =>
      timed(async () => {
        operator.dispatch(bindings);
        await device.idle();
      }),
    () => timed(() => session.run(feeds, { output })),
  );
  const theirs = output.data;
  if (!(theirs instanceof Float32Array)) throw new Error("the model's output is float32");
  const equal = hashOf(await bindings.outputTensor.read()) === hashOf(theirs);
  await session.release();
  device.dispose();
  return { ours: 'TypeScript', theirs: 'onnxruntime CPU', equal, ...turns };
}

/** Returns an ONNX model with one ScatterND node. */
function scatterModel() {
  const { onnx } = onnxProto;
  const { FLOAT, INT64 } = onnx.TensorProto.DataType;
  const value = (/** @type {string} */ name, /** @type {number} */ elemType, /** @type {number[]} */ ...sizes) => ({
    name,
    type: { tensorType: { elemType, shape: { dim: sizes.map((dimValue) => ({ dimValue })) } } },
  });
  return onnx.ModelProto.encode({
    irVersion: 8,
    opsetImport: [{ domain: '', version: 16 }],
    graph: {
      name: 'scatterNd',
      node: [{ opType: 'ScatterND', input: ['data', 'indices', 'updates'], output: ['output'] }],
      input: [
        value('data', FLOAT, large.elements),
        value('indices', INT64, large.updates, 1),
        value('updates', FLOAT, large.updates),
      ],
      output: [value('output', FLOAT, large.elements)],
    },
  }).finish();
}

/** Programs for onnxruntime-node compile with node-directml/onnxruntime. */
import * as common from 'onnxruntime-common';
import { createDevice } from 'node-directml';
import * as ort from 'node-directml/onnxruntime';
import { InferenceSession, Tensor, env } from 'node-directml/onnxruntime';
import { expectTypeOf, test } from 'vitest';

test('the program of the page of onnxruntime-node', () => {
  async function main(): Promise<void> {
    const session = await ort.InferenceSession.create('./model.onnx', {
      executionProviders: ['dml', 'cpu'],
      graphOptimizationLevel: 'all',
    });
    const tensorA = new ort.Tensor('float32', Float32Array.from([1, 2]), [1, 2]);
    const feeds: Record<string, ort.Tensor> = { a: tensorA, b: new Tensor('int64', [1n], [1]) };
    const results = await session.run(feeds, ['c'], { logSeverityLevel: 0 });
    expectTypeOf(results['c']).toEqualTypeOf<common.OnnxValue | undefined>();
    for (const metadata of session.inputMetadata) if (metadata.isTensor) expectTypeOf(metadata.type).toEqualTypeOf<Tensor.Type>();
    await session.release();
    env.logLevel = 'error';
  }
  expectTypeOf(main).toBeFunction();
});

test('sessions and options are those of onnxruntime-common, and more', () => {
  expectTypeOf<InferenceSession>().toExtend<common.InferenceSession>();
  expectTypeOf<common.InferenceSession.SessionOptions>().toExtend<InferenceSession.SessionOptions>();
  expectTypeOf<typeof InferenceSession>().toExtend<common.InferenceSessionFactory>();
  expectTypeOf<InferenceSession['placement']>().toEqualTypeOf<ort.Placement | null>();
  async function own(): Promise<void> {
    const device = await createDevice();
    await InferenceSession.create(new URL('file:///model.onnx'), { device, fallback: 'error', sizes: [{ batch: 1 }] });
    await InferenceSession.create(new ArrayBuffer(8), 1, 2, { backend: 'wasm' });
    await InferenceSession.create('model.onnx', { adapter: 1 });
    await InferenceSession.create('model.onnx', { adapter: device.info.adapter?.name });
    // @ts-expect-error: no such word
    await InferenceSession.create('model.onnx', { fallback: 'never' });
  }
  expectTypeOf(own).toBeFunction();
});

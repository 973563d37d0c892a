/** Further uses of WebNN by onnxruntime-web: tensors that stay on the device, contexts of the program, and several sessions. */
import { InferenceSession, Tensor } from 'onnxruntime-web/webgpu';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createML, install, ml, MLTensor, tensorOf, type MLContext } from 'node-directml/webnn';
import { backends, deviceOn } from '../../support/devices.js';
import type { Model } from '../../../checks/networks/model-writer.js';
import { attention } from '../../../checks/networks/models/attention.js';
import { perceptron } from '../../../checks/networks/models/perceptron.js';
import { tagger } from '../../../checks/networks/models/tagger.js';
import { counting, distance, expectedOf, onWebnn, read } from '../../../checks/networks/sessions.js';

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);
  let context: MLContext;

  beforeAll(async () => {
    install(createML({ backend }));
    context = await ml.createContext(device());
  });

  afterAll(() => context.destroy());

  const create = (model: Model, options: InferenceSession.SessionOptions = {}) =>
    InferenceSession.create(model.bytes, { ...onWebnn(model, context), ...options });

  test('keeps outputs in MLTensors, which serve as inputs of the next run', async () => {
    const model = attention();
    const session = await create(model, { preferredOutputLocation: 'ml-tensor' });
    const { y: once } = await session.run(model.feeds);
    if (once === undefined) throw new Error('the model has an output y');
    expect(once.location).toBe('ml-tensor');
    expect(once.mlTensor).toBeInstanceOf(MLTensor);
    const { mask, x } = model.feeds;
    const twice = await session.run({ ...model.feeds, x: once });
    const first = await expectedOf(model);
    const second = await expectedOf(model, {
      ...(mask === undefined ? {} : { mask }),
      x: new Tensor('float32', Float32Array.from(first['y'] ?? []), x?.dims ?? []),
    });
    expect(distance(await read(twice), second)).toBeLessThanOrEqual(2 * model.tolerance);
    expect(distance(await read({ y: once }), first)).toBeLessThanOrEqual(model.tolerance);
    await session.release();
  });

  test('uses tensors of the program as inputs and outputs, without a copy', async () => {
    const model = perceptron();
    const session = await create(model);
    const input = await context.createTensor({ dataType: 'float32', shape: [8, 32], writable: true });
    const output = await context.createTensor({ dataType: 'float32', shape: [8, 10], readable: true });
    tensorOf(input).write((await model.feeds['x']?.getData()) as Float32Array);
    const x = Tensor.fromMLTensor(input, { dataType: 'float32', dims: [8, 32] });
    const probabilities = Tensor.fromMLTensor(output, { dataType: 'float32', dims: [8, 10] });
    const { dispatches } = await counting(() => session.run({ x }, { probabilities }));
    expect(dispatches).toBe(1);
    const numbers = [...new Float32Array(await context.readTensor(output))];
    const expected = await expectedOf(model);
    expect(distance({ probabilities: numbers }, expected)).toBeLessThanOrEqual(model.tolerance);
    expect(Array.from(await tensorOf(output).read(), Number)).toEqual(numbers);
    await session.release();
    // The tensors belong to the program, so releasing the session must not destroy them.
    expect([...new Float32Array(await context.readTensor(output))]).toEqual(numbers);
  });

  test('two sessions share a context, and one still works after the other is released', async () => {
    const [first, second] = [perceptron(), tagger()];
    const sessions = [await create(first), await create(second)] as const;
    const expected = [await expectedOf(first), await expectedOf(second)] as const;
    for (let turn = 0; turn < 2; turn++) {
      expect(distance(await read(await sessions[0].run(first.feeds)), expected[0])).toBeLessThanOrEqual(first.tolerance);
      expect(distance(await read(await sessions[1].run(second.feeds)), expected[1])).toBeLessThanOrEqual(second.tolerance);
    }
    await sessions[0].release();
    expect(distance(await read(await sessions[1].run(second.feeds)), expected[1])).toBeLessThanOrEqual(second.tolerance);
    await sessions[1].release();
  });

  test('a session fails after its context is destroyed, and can then be released', async () => {
    const model = perceptron();
    const own = await ml.createContext(device());
    const session = await InferenceSession.create(model.bytes, onWebnn(model, own));
    own.destroy();
    await expect(session.run(model.feeds)).rejects.toThrow('The context is lost');
    await session.release();
  });

  test('WebNN computes nothing of a model whose dynamic dimensions have no sizes', async () => {
    const model = { ...attention(), dimensions: {} };
    const lenient = { ...onWebnn(model, context), extra: {} };
    const session = await InferenceSession.create(model.bytes, lenient);
    const { dispatches } = await counting(() => session.run(model.feeds));
    expect(dispatches).toBe(0);
    await session.release();
    await expect(create(model)).rejects.toThrow('fallback to CPU EP');
  });
});

/** A language model generates tokens, and its cache of keys and values stays on the device from step to step. */
import type { Device } from 'node-directml';
import { describe, expect, test, vi } from 'vitest';
import { InferenceSession, Tensor } from 'node-directml/onnxruntime';
import { backends, deviceOn } from '../support/devices.js';
import { decoder } from './pipelines.js';

const { bytes } = decoder('decoder', 'past_key_values.0').finish(0);
const cache = ['key', 'value'] as const;
const steps = 12;

/** Generates tokens greedily. Returns them and the logits of each step. */
async function generate(session: InferenceSession): Promise<{ tokens: number[]; logits: number[][] }> {
  const tokens = [3, 5, 7];
  const logits: number[][] = [];
  const nothing: Tensor = new Tensor('float32', new Float32Array(), [1, 1, 0, 8]);
  let past: Record<string, Tensor> = { key: nothing, value: nothing };
  let ids = tokens;
  for (let step = 0; step < steps; step++) {
    const feeds = { input_ids: new Tensor('int64', BigInt64Array.from(ids, BigInt), [1, ids.length]) };
    const inputs = Object.fromEntries(cache.map((kind) => [`past_key_values.0.${kind}`, past[kind] ?? nothing]));
    const outputs = await session.run({ ...feeds, ...inputs });
    if (step > 0) for (const tensor of Object.values(past)) tensor.dispose();
    past = Object.fromEntries(cache.map((kind) => [kind, outputs[`present.0.${kind}`] ?? nothing]));
    const all = Array.from((await outputs['logits']?.getData()) as Float32Array);
    logits.push(all);
    const last = all.slice(-16);
    ids = [last.indexOf(Math.max(...last))];
    tokens.push(...ids);
  }
  for (const tensor of Object.values(past)) tensor.dispose();
  return { tokens, logits };
}

/** The numbers of bytes that are read from tensors of the device while `work` runs. */
async function readsOf(device: Device, work: () => Promise<unknown>): Promise<number[]> {
  using tensor = device.createTensor({ dataType: 'float32', sizes: [1] });
  // Every read of a tensor goes through it.
  const read = vi.spyOn(Object.getPrototypeOf(tensor) as { readWithin: () => unknown }, 'readWithin');
  try {
    await work();
    return read.mock.contexts.map((each) => (each as typeof tensor).totalTensorSizeInBytes);
  } finally {
    read.mockRestore();
  }
}

const onDevice = { 'present.0.key': 'ml-tensor', 'present.0.value': 'ml-tensor' } as const;

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);

  test.each([1, 8])('the cache is never read with %i graphs, and the text is that of wasm', async (maxGraphs) => {
    const onWasm = await InferenceSession.create(bytes, { backend: 'wasm' });
    const expected = await generate(onWasm);
    await onWasm.release();
    const before = device().memory().buffers;
    const options = { device: device(), fallback: 'allow', preferredOutputLocation: onDevice, maxGraphs } as const;
    const session = await InferenceSession.create(bytes, options);
    let given: typeof expected | undefined;
    const reads = await readsOf(device(), async () => (given = await generate(session)));
    expect(given?.tokens).toEqual(expected.tokens);
    expect(given?.logits).toEqual(expected.logits.map((row) => row.map((number) => expect.closeTo(number, 5) as unknown)));
    // After the first step, whose empty cache is on the CPU, only the logits of one token.
    expect(reads.slice(1 - steps)).toEqual(new Array(steps - 1).fill(64));
    expect(reads.length).toBeLessThan(steps + 3);
    const kept = device().memory().buffers;
    expect(await generate(session)).toMatchObject({ tokens: expected.tokens });
    expect(device().memory().buffers).toBeLessThanOrEqual(kept);
    await session.release();
    expect(device().memory().buffers).toBe(before);
  });
});

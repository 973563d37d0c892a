/** Decoders with GroupQueryAttention generate with caches that have room: a graph for each step of the room, not for each token. */
import { onnx } from 'onnx-proto';
import { describe, expect, test } from 'vitest';
import { InferenceSession, Tensor } from 'node-directml/onnxruntime';
import { backends, deviceOn } from '../../support/devices.js';
import { drawn } from '../../support/level.js';
import { ModelWriter } from '../../webnn/clients/model-writer.js';
import { counting } from './expect-same.js';

const tokens = 24;
const [heads, keyHeads, size] = [4, 2, 16];
const names = ['key', 'value'] as const;

/** Two layers of attention between an embedding and scores, as exporters of language models write them. */
function decoder(): Uint8Array {
  const model = new ModelWriter('grouped queries');
  const ids = model.tokens('input_ids', ['batch', 'length'], tokens);
  const mask = model.tokens('attention_mask', ['batch', 'total'], 2);
  const width = heads * size;
  const constant = (value: bigint) => model.constant('int64', [], BigInt64Array.of(value));
  const lengths = model.node('ReduceSum', [mask, model.integers(1)], { keepdims: 0 });
  const last = model.node('Cast', [model.node('Sub', [lengths, constant(1n)])], { to: 6 });
  const total = model.node('Cast', [model.node('Gather', [model.node('Shape', [mask]), constant(1n)], { axis: 0 })], { to: 6 });
  let x = model.node('Gather', [model.weights([tokens, width], 1), ids]);
  const angles = Float32Array.from({ length: 256 * (size / 2) }, (_, i) => Math.floor(i / (size / 2)) / 10 ** (i % (size / 2)));
  const [cosines, sines] = [Math.cos, Math.sin].map((of) => model.constant('float32', [256, size / 2], angles.map(of)));
  for (const layer of [0, 1]) {
    const past = names.map((name) => model.input(`past.${layer}.${name}`, ['batch', keyHeads, 'past', size]));
    const parts = [width, keyHeads * size, keyHeads * size].map((to) => model.linear(x, width, to));
    const inputs = [...parts, ...past, last, total, cosines ?? '', sines ?? ''];
    const [attended = '', ...present] = model.nodes('GroupQueryAttention', inputs, 3, {
      ...{ num_heads: heads, kv_num_heads: keyHeads, do_rotary: 1 },
    });
    for (const [i, name] of names.entries()) model.output(`present.${layer}.${name}`, present[i] ?? '');
    x = model.node('Add', [x, attended]);
  }
  model.output('logits', model.linear(x, width, tokens));
  return withDirectOutputs(model.finish(0).bytes);
}

/** The model whose attentions compute its outputs themselves. */
function withDirectOutputs(bytes: Uint8Array): Uint8Array {
  const model = onnx.ModelProto.decode(bytes);
  model.opsetImport.push(onnx.OperatorSetIdProto.create({ domain: 'com.microsoft', version: 1 }));
  const nodes = model.graph?.node ?? [];
  for (const node of nodes.filter(({ opType }) => opType === 'GroupQueryAttention')) {
    node.domain = 'com.microsoft';
    for (const [i, name] of (node.output ?? []).entries()) {
      const at = nodes.findIndex(({ opType, input }) => opType === 'Identity' && input?.[0] === name);
      if (at < 0) continue;
      const [identity] = nodes.splice(at, 1);
      node.output?.splice(i, 1, identity?.output?.[0] ?? '');
    }
  }
  return onnx.ModelProto.encode(model).finish();
}

interface Generated {
  readonly tokens: readonly number[][];
  readonly logits: readonly number[][];
  /** The caches at the end. */
  readonly caches: readonly number[][];
}

/** Continues texts of the same length greedily. */
async function generate(session: InferenceSession, prompt: readonly (readonly number[])[], steps: number): Promise<Generated> {
  const batch = prompt.length;
  const all = prompt.map((text) => [...text]);
  const caches = session.inputNames.filter((name) => name.startsWith('past'));
  const nothing: Tensor = new Tensor('float32', new Float32Array(), [batch, keyHeads, 0, size]);
  let past = new Map(caches.map((name) => [name, nothing]));
  let next = all.map((text) => [...text]);
  const logits: number[][] = [];
  for (let step = 0; step < steps; step++) {
    const [length, total] = [next[0]?.length ?? 0, all[0]?.length ?? 0];
    const outputs = await session.run({
      ...Object.fromEntries(past),
      input_ids: new Tensor('int64', BigInt64Array.from(next.flat(), BigInt), [batch, length]),
      attention_mask: new Tensor('int64', new BigInt64Array(batch * total).fill(1n), [batch, total]),
    });
    for (const tensor of past.values()) if (tensor !== nothing) tensor.dispose();
    past = new Map(caches.map((name) => [name, outputs[name.replace('past', 'present')] ?? nothing]));
    const scores = Array.from((await outputs['logits']?.getData()) as Float32Array);
    logits.push(scores);
    next = all.map((text, i) => {
      const end = (i + 1) * length * tokens;
      const own = scores.slice(end - tokens, end);
      const token = own.indexOf(Math.max(...own));
      text.push(token);
      return [token];
    });
  }
  const kept: number[][] = [];
  for (const tensor of past.values()) {
    kept.push(Array.from((await tensor.getData()) as Float32Array));
    tensor.dispose();
  }
  return { tokens: all, logits, caches: kept };
}

const close = (rows: readonly (readonly number[])[]) =>
  rows.map((row) => row.map((number) => expect.closeTo(number, 4) as unknown));

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);

  test.each(['ml-tensor', 'cpu'] as const)('with caches in %s, the text is that of wasm', async (preferredOutputLocation) => {
    const steps = drawn({ quick: 40, all: 200 });
    const bytes = decoder();
    const prompt = [
      [3, 5, 7, 1],
      [2, 2, 9, 0],
    ];
    const onWasm = await InferenceSession.create(bytes, { backend: 'wasm' });
    const expected = await generate(onWasm, prompt, steps);
    await onWasm.release();
    const locations = Object.fromEntries(
      onWasm.outputNames.map((name) => [name, name === 'logits' ? 'cpu' : preferredOutputLocation]),
    );
    const before = device().memory().buffers;
    const session = await InferenceSession.create(bytes, {
      ...{ device: device(), fallback: 'error', preferredOutputLocation: locations },
    });
    const { result, builds } = await counting(() => generate(session, prompt, steps));
    expect(result.tokens).toEqual(expected.tokens);
    expect(result.logits).toEqual(close(expected.logits));
    expect(result.caches).toEqual(close(expected.caches));
    // The prompt, each step of the room, and the copies into it: of the prompt and at each step.
    const rooms = Math.ceil(Math.log2((steps + 4) / 16)) + 1;
    expect(builds).toBeLessThanOrEqual(1 + 3 * rooms);
    expect(session.placement).toMatchObject({ graphs: 1, cpu: [] });
    await session.release();
    expect(device().memory().buffers).toBe(before);
  });
});

/** Decoders generate with caches that have room: a graph for each step of the room, not for each token. */
import { onnx } from 'onnx-proto';
import { describe, expect, test } from 'vitest';
import { InferenceSession, Tensor } from 'node-directml/onnxruntime';
import { backends, deviceOn } from '../support/devices.js';
import { drawn } from '../support/level.js';
import { ModelWriter } from '../../checks/networks/model-writer.js';
import { counting } from '../support/expect-same.js';

const tokens = 24;
const [heads, size] = [4, 16];
const width = heads * size;
const names = ['key', 'value'] as const;
const constant = (model: ModelWriter, value: bigint) => model.constant('int64', [], BigInt64Array.of(value));

interface Decoder {
  readonly bytes: Uint8Array;
  /** The heads of keys and values. */
  readonly keyHeads: number;
  /** True for a mask of text that begins with padding. */
  readonly isPadded: boolean;
  readonly texts: 1 | 2;
  /** True if several tokens may follow in one run, which onnxruntime's GroupQueryAttention takes for one text only. */
  readonly takesSeveral: boolean;
}

/** Two layers of attention between an embedding and scores, as exporters of language models write them. */
function decoder(model: ModelWriter, keyHeads: number, embedded: string, attention: Attention): Uint8Array {
  let x = embedded;
  for (const layer of [0, 1]) {
    const past = names.map((name) => model.input(`past.${layer}.${name}`, ['batch', keyHeads, 'past', size]));
    const parts = [width, keyHeads * size, keyHeads * size].map((to) => model.linear(x, width, to));
    const [attended = '', ...present] = attention(parts, past);
    for (const [i, name] of names.entries()) model.output(`present.${layer}.${name}`, present[i] ?? '');
    x = model.node('Add', [x, attended]);
  }
  model.output('logits', model.linear(x, width, tokens));
  return withDirectOutputs(model.finish(0).bytes);
}

/** The output, keys and values of a layer. */
type Attention = (parts: readonly string[], past: readonly string[]) => readonly string[];

function groupQuery(texts: 1 | 2): Decoder {
  const keyHeads = 2;
  const model = new ModelWriter('grouped queries');
  const ids = model.tokens('input_ids', ['batch', 'length'], tokens);
  const mask = model.tokens('attention_mask', ['batch', 'total'], 2);
  const lengths = model.node('ReduceSum', [mask, model.integers(1)], { keepdims: 0 });
  const last = model.node('Cast', [model.node('Sub', [lengths, constant(model, 1n)])], { to: 6 });
  const count = model.node('Gather', [model.node('Shape', [mask]), constant(model, 1n)], { axis: 0 });
  const total = model.node('Cast', [count], { to: 6 });
  const embedded = model.node('Gather', [model.weights([tokens, width], 1), ids]);
  const angles = Float32Array.from({ length: 256 * (size / 2) }, (_, i) => Math.floor(i / (size / 2)) / 10 ** (i % (size / 2)));
  const [cosines, sines] = [Math.cos, Math.sin].map((of) => model.constant('float32', [256, size / 2], angles.map(of)));
  const bytes = decoder(model, keyHeads, embedded, (parts, past) =>
    model.nodes('GroupQueryAttention', [...parts, ...past, last, total, cosines ?? '', sines ?? ''], 3, {
      ...{ num_heads: heads, kv_num_heads: keyHeads, do_rotary: 1 },
    }),
  );
  return {
    bytes: texts === 1 ? withConstantNodes(bytes) : withOldSums(bytes),
    keyHeads,
    isPadded: false,
    texts,
    takesSeveral: texts === 1,
  };
}

/** The model with its small constants as nodes. */
function withConstantNodes(bytes: Uint8Array): Uint8Array {
  const model = onnx.ModelProto.decode(bytes);
  const [node, initializer] = [model.graph?.node ?? [], model.graph?.initializer ?? []];
  const isSmall = ({ rawData }: onnx.ITensorProto) => rawData?.length === 8;
  const { TENSOR } = onnx.AttributeProto.AttributeType;
  const constants = initializer.filter(isSmall).map((t) => {
    return { opType: 'Constant', output: [t.name ?? ''], attribute: [{ name: 'value', t, type: TENSOR }] };
  });
  model.graph = { ...model.graph, node: [...constants, ...node], initializer: initializer.filter((t) => !isSmall(t)) };
  return onnx.ModelProto.encode(model).finish();
}

/** The model of opset 12, in which axes of sums are attributes. */
function withOldSums(bytes: Uint8Array): Uint8Array {
  const model = onnx.ModelProto.decode(bytes);
  for (const each of model.opsetImport) if (each.domain === '') each.version = 12;
  for (const each of (model.graph?.node ?? []).filter(({ opType }) => opType === 'ReduceSum')) {
    const axes = each.input?.pop();
    const weights = model.graph?.initializer ?? [];
    weights.splice(
      weights.findIndex(({ name }) => name === axes),
      1,
    );
    each.attribute?.push({ name: 'axes', ints: [1], type: onnx.AttributeProto.AttributeType.INTS });
  }
  return onnx.ModelProto.encode(model).finish();
}

/**
 * Positions come from the length of the caches; of `sliced`, as the limits of a slice. `keys` has a mask of keys; `masked` adds a
 * bias; `sized` also one with the sizes of caches.
 */
function multiHead(kind: 'plain' | 'keys' | 'sliced' | 'masked' | 'sized'): Decoder {
  const model = new ModelWriter('multiple heads');
  const ids = model.tokens('input_ids', ['batch', 'length'], tokens);
  const sizeIn = (name: string, axis: bigint) => model.node('Gather', [model.node('Shape', [name]), constant(model, axis)]);
  const [start, count] = [sizeIn('past.0.key', 2n), sizeIn(ids, 1n)];
  const end = model.node('Add', [start, count]);
  const positions = model.node('Range', [start, end, constant(model, 1n)]);
  const [words, places] = [tokens, 256].map((length) => model.weights([length, width], 1));
  const listed = (number: string) => model.node('Unsqueeze', [number, model.integers(0)]);
  const placed =
    kind === 'sliced'
      ? model.node('Slice', [places ?? '', listed(start), listed(end)])
      : model.node('Gather', [places ?? '', positions]);
  const embedded = model.node('Add', [model.node('Gather', [words ?? '', ids]), placed]);
  const shape = (last: string) => {
    const one = model.integers(1);
    return model.node('Concat', [one, one, listed(count), last], { axis: 0 });
  };
  const masked = () => {
    const mask = model.tokens('attention_mask', ['batch', 'total'], 2);
    const apart = model.node('Cast', [model.node('Unsqueeze', [mask, model.integers(1, 2)])], { to: 1 });
    const closed = model.node('Mul', [model.node('Sub', [model.float(1), apart]), model.float(-1000)]);
    const added = model.node('Expand', [closed, shape(model.integers(1))]);
    if (kind === 'masked') return added;
    return model.node('Add', [added, model.node('ConstantOfShape', [shape(listed(end))])]);
  };
  const isPadded = kind !== 'plain' && kind !== 'sliced';
  const keys = kind === 'keys' ? model.node('Cast', [model.tokens('attention_mask', ['batch', 'total'], 2)], { to: 6 }) : '';
  const added = isPadded && kind !== 'keys' ? masked() : '';
  const bytes = decoder(model, heads, embedded, (parts, past) =>
    model.nodes('MultiHeadAttention', [...parts, '', keys, added, ...past], 3, { num_heads: heads, unidirectional: 1 }),
  );
  return { bytes, keyHeads: heads, isPadded, texts: 2, takesSeveral: true };
}

/** The model whose attentions compute its outputs themselves. */
function withDirectOutputs(bytes: Uint8Array): Uint8Array {
  const model = onnx.ModelProto.decode(bytes);
  model.opsetImport.push(onnx.OperatorSetIdProto.create({ domain: 'com.microsoft', version: 1 }));
  const nodes = model.graph?.node ?? [];
  for (const node of nodes.filter(({ opType }) => opType?.endsWith('Attention'))) {
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
async function generate(
  session: InferenceSession,
  { keyHeads, isPadded, takesSeveral }: Decoder,
  prompt: readonly (readonly number[])[],
  steps: number,
): Promise<Generated> {
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
      ...(session.inputNames.includes('attention_mask') && { attention_mask: maskOf(batch, total, isPadded) }),
    });
    for (const tensor of past.values()) if (tensor !== nothing) tensor.dispose();
    past = new Map(caches.map((name) => [name, outputs[name.replace('past', 'present')] ?? nothing]));
    const scores = Array.from((await outputs['logits']?.getData()) as Float32Array);
    logits.push(scores);
    next = all.map((text, i) => {
      const end = (i + 1) * length * tokens;
      const own = scores.slice(end - tokens, end);
      const token = own.indexOf(Math.max(...own));
      const added = takesSeveral && step === 7 ? [token, 4, 8] : [token];
      text.push(...added);
      return added;
    });
  }
  const kept: number[][] = [];
  for (const tensor of past.values()) {
    kept.push(Array.from((await tensor.getData()) as Float32Array));
    tensor.dispose();
  }
  return { tokens: all, logits, caches: kept };
}

/** With padding before the second text. */
function maskOf(batch: number, total: number, isPadded: boolean): Tensor {
  const open = BigInt64Array.from({ length: batch * total }, (_, i) => (isPadded && i === total ? 0n : 1n));
  return new Tensor('int64', open, [batch, total]);
}

const close = (rows: readonly (readonly number[])[]) =>
  rows.map((row) => row.map((number) => expect.closeTo(number, 4) as unknown));

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);

  const same = async (made: Decoder, preferredOutputLocation: 'ml-tensor' | 'cpu', steps: number) => {
    const prompt = [
      [3, 5, 7, 1],
      [2, 2, 9, 0],
    ].slice(0, made.texts);
    const onWasm = await InferenceSession.create(made.bytes, { backend: 'wasm' });
    const expected = await generate(onWasm, made, prompt, steps);
    await onWasm.release();
    const locations = Object.fromEntries(
      onWasm.outputNames.map((name) => [name, name === 'logits' ? 'cpu' : preferredOutputLocation]),
    );
    const before = device().memory().buffers;
    const session = await InferenceSession.create(made.bytes, {
      ...{ device: device(), fallback: 'error', preferredOutputLocation: locations },
    });
    expect([session.inputNames, session.outputNames]).toEqual([onWasm.inputNames, onWasm.outputNames]);
    const { result, builds } = await counting(() => generate(session, made, prompt, steps));
    expect(result.tokens).toEqual(expected.tokens);
    expect(result.logits).toEqual(close(expected.logits));
    expect(result.caches).toEqual(close(expected.caches));
    expect(session.placement).toMatchObject({ graphs: 1, cpu: [] });
    await session.release();
    expect(device().memory().buffers).toBe(before);
    return builds;
  };

  const decoders = [
    ['GroupQueryAttention', () => groupQuery(2)],
    ['GroupQueryAttention of one text', () => groupQuery(1)],
    ['MultiHeadAttention', () => multiHead('plain')],
    ['MultiHeadAttention with a mask', () => multiHead('masked')],
  ] as const;

  describe.each(decoders)('with %s', (_, make) => {
    test.each(['ml-tensor', 'cpu'] as const)('and caches in %s, the text is that of wasm', async (location) => {
      const steps = drawn({ quick: 40, all: 200 });
      // The prompt, several tokens, and each step of the room.
      const rooms = Math.ceil(Math.log2((steps + 6) / 16)) + 1;
      expect(await same(make(), location, steps)).toBeLessThanOrEqual(2 + rooms);
    });
  });

  test('with a mask of keys, the text is that of wasm', async () => {
    expect(await same(multiHead('keys'), 'ml-tensor', 12)).toBeLessThanOrEqual(4);
  });

  test('runs that go on from the same caches do not change each other', async () => {
    const { bytes, keyHeads } = groupQuery(1);
    const follow = async (session: InferenceSession) => {
      const caches = session.inputNames.filter((name) => name.startsWith('past'));
      const nothing: Tensor = new Tensor('float32', new Float32Array(), [1, keyHeads, 0, size]);
      const step = async (past: Readonly<Record<string, Tensor>>, total: number, ...ids: readonly number[]) => {
        const outputs = await session.run({
          ...Object.fromEntries(caches.map((name) => [name, past[name.replace('past', 'present')] ?? nothing])),
          input_ids: new Tensor('int64', BigInt64Array.from(ids, BigInt), [1, ids.length]),
          attention_mask: maskOf(1, total, false),
        });
        return outputs as Record<string, Tensor>;
      };
      const first = await step({}, 3, 3, 5, 7);
      const second = await step(first, 4, 1);
      const branches = await Promise.all([2, 9, 4].map((token) => step(second, 5, token)));
      const ends = [await step(branches[1] ?? {}, 6, 8), await step(branches[0] ?? {}, 7, 6, 2), await step(second, 5, 11)];
      const all = [first, second, ...branches, ...ends].flatMap((outputs) => Object.values(outputs));
      const data = [];
      for (const tensor of all) data.push(Array.from((await tensor.getData()) as Float32Array));
      for (const tensor of all) tensor.dispose();
      return data;
    };
    const onWasm = await InferenceSession.create(bytes, { backend: 'wasm' });
    const expected = await follow(onWasm);
    await onWasm.release();
    const names = onWasm.outputNames.filter((name) => name.startsWith('present'));
    const preferredOutputLocation = Object.fromEntries(names.map((name) => [name, 'ml-tensor' as const]));
    const before = device().memory().buffers;
    const session = await InferenceSession.create(bytes, { device: device(), preferredOutputLocation });
    expect(await follow(session)).toEqual(close(expected));
    await session.release();
    expect(device().memory().buffers).toBe(before);
  });

  test.each(['sliced', 'sized'] as const)('a %s model, which room does not fit, has a graph for each length', async (kind) => {
    await same(multiHead(kind), 'ml-tensor', 6);
  });
});

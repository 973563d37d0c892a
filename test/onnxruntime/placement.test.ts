/** Sessions of node-directml/onnxruntime say where their nodes run. */
import { describe, expect, test, vi } from 'vitest';
import { listAdapters } from 'node-directml';
import { InferenceSession } from 'node-directml/onnxruntime';
import { backends } from '../support/devices.js';
import { expectSame } from '../support/expect-same.js';
import { smallModel } from '../../checks/networks/small-model.js';
import { sharedDimensions, withDeterminant, withoutOperator, withRandomNumbers } from '../../checks/networks/small-models.js';

/** The warnings of this kind during `work`. */
async function warningsOf(work: () => Promise<void>): Promise<string[]> {
  const emit = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  try {
    await work();
    return emit.mock.calls.map(([warning]) => String(warning));
  } finally {
    emit.mockRestore();
  }
}

describe.each(backends)('on %s', (backend) => {
  test('names the nodes that run on the CPU, and warns once', async () => {
    const model = withDeterminant();
    const warnings = await warningsOf(async () => {
      const session = await InferenceSession.create(model.bytes, { backend });
      await expectSame(session, model);
      const why = 'DirectML has no operator for Det';
      expect(session.placement).toMatchObject({ backend, graphs: 2, operators: 2, cpu: [{ name: 'Det1', opType: 'Det', why }] });
      expect(session.placement?.nodes).toEqual([
        { name: 'Sigmoid0', opType: 'Sigmoid', where: 'graph', graph: 0, operators: ['activationSigmoid'], why: null },
        { name: 'Det1', opType: 'Det', where: 'host', graph: null, operators: [], why },
        { name: 'Exp2', opType: 'Exp', where: 'graph', graph: 1, operators: ['elementWiseExp'], why: null },
        { name: 'y', opType: 'Identity', where: 'ahead', graph: null, operators: [], why: null },
      ]);
      await session.release();
    });
    expect(warnings).toEqual(["JavaScript computes a node of the model: Det 'Det1'. See session.placement."]);
  });

  test('makes nodes on the CPU an error, or allows them, by an option', async () => {
    const model = withDeterminant();
    const warnings = await warningsOf(async () => {
      await expect(InferenceSession.create(model.bytes, { backend, fallback: 'error' })).rejects.toMatchObject({
        code: 'ERR_CPU_FALLBACK',
        message: "InferenceSession: JavaScript computes a node of the model: Det 'Det1'",
      });
      const session = await InferenceSession.create(model.bytes, { backend, fallback: 'allow' });
      await expectSame(session, model);
      await session.release();
    });
    expect(warnings).toEqual([]);
  });

  test.each([
    { name: 'Attention', heads: { q_num_heads: 2, kv_num_heads: 2 } },
    { name: 'com.microsoft:MultiHeadAttention', heads: { num_heads: 2 } },
  ])('$name without a mask is one operator', async ({ name, heads }) => {
    const bytes = smallModel(
      {
        inputs: 'float32 q [1,2,4]; float32 k [1,3,4]; float32 v [1,3,4]',
        outputs: 'float32 y [1,2,4]',
        nodes: [[name, 'q k v', 'y', heads]],
      },
      23,
    );
    const session = await InferenceSession.create(bytes, { backend });
    expect(session.placement?.nodes[0]?.operators).toEqual(['multiheadAttention1']);
    await session.release();
  });
});

test('onnxruntime-web computes a model that nothing here can, if the option says so', async () => {
  const model = withRandomNumbers();
  const refused = { code: 'ERR_INVALID_FILE', message: expect.stringContaining("node 'random' (RandomUniformLike)") as string };
  const warnings = await warningsOf(async () => {
    await expect(InferenceSession.create(model.bytes, { backend: 'reference' })).rejects.toMatchObject(refused);
    const session = await InferenceSession.create(model.bytes, { backend: 'reference', fallback: 'wasm' });
    await expectSame(session, model);
    const why = expect.stringContaining("node 'random' (RandomUniformLike)") as string;
    expect(session.placement).toMatchObject({ backend: 'wasm', graphs: 0, cpu: [{ opType: 'RandomUniformLike', why }, {}, {}] });
    await session.release();
    // If onnxruntime-web fails too, the error is that of the device.
    await expect(InferenceSession.create(withoutOperator().bytes, { fallback: 'wasm' })).rejects.toThrow("node 'odd' (Odd)");
  });
  expect(warnings).toEqual([expect.stringContaining('onnxruntime-web computes the whole model on the CPU: node')]);
});

test('onnxruntime computes everything with the backend wasm, and with the provider cpu', async () => {
  const model = sharedDimensions(2, 3);
  for (const options of [{ backend: 'wasm' }, { executionProviders: ['cpu'] }] as const) {
    const session = await InferenceSession.create(model.bytes, options);
    await expectSame(session, model);
    expect(session.placement).toMatchObject({ backend: 'wasm', adapter: null, graphs: 0, operators: 0 });
    expect(session.placement?.cpu.map(({ opType }) => opType).sort()).toEqual([
      'Gather',
      'Identity',
      'MatMul',
      'Mul',
      'Unsqueeze',
    ]);
    await session.release();
  }
});

test('takes an adapter as createDevice does, or its index or name, and names it', async () => {
  const model = sharedDimensions(2, 3);
  // Only Windows has adapters.
  const [adapter] = await listAdapters();
  for (const given of adapter === undefined ? [undefined] : [adapter, adapter.luid, 0, adapter.name]) {
    const session = await InferenceSession.create(model.bytes, { adapter: given });
    await expectSame(session, model);
    expect(session.placement).toMatchObject({ adapter: adapter?.name ?? null, cpu: [] });
    await session.release();
  }
});

test('an unknown adapter is an error', async () => {
  const model = sharedDimensions(1, 2);
  const unknown = { code: 'ERR_NO_ADAPTER', field: 'options.adapter' };
  for (const adapter of [99, -1, 0.5, 'some other', '']) {
    await expect(InferenceSession.create(model.bytes, { adapter })).rejects.toMatchObject(unknown);
  }
  for (const adapter of [null, {}, true] as readonly unknown[]) {
    const options = { adapter } as InferenceSession.SessionOptions;
    await expect(InferenceSession.create(model.bytes, options)).rejects.toMatchObject({ code: 'ERR_INVALID_ARGUMENT' });
  }
});

test('a missing adapter is an error, or another backend by an option', async () => {
  const model = sharedDimensions(1, 2);
  // Other systems than Windows have no adapters at all.
  const missing = process.platform === 'win32' ? { adapter: 'ffffffff-ffffffff' } : {};
  if ('adapter' in missing)
    await expect(InferenceSession.create(model.bytes, missing)).rejects.toMatchObject({ code: 'ERR_NO_ADAPTER' });
  for (const noAdapter of ['reference', 'wasm'] as const) {
    const session = await InferenceSession.create(model.bytes, { ...missing, noAdapter });
    await expectSame(session, model);
    expect(session.placement?.backend).toBe(noAdapter);
    await session.release();
  }
});

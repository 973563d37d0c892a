/** What `console.log` and templates show of the objects of this package; on each backend. */
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { backends, deviceOn } from '../support/devices.js';
import { createDevice } from 'node-directml';

const float32 = (...sizes: number[]) => ({ dataType: 'float32', sizes }) as const;

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);

  /** What both show. */
  const shown = (object: { toString: () => string }) => {
    const text = inspect(object);
    // eslint-disable-next-line @typescript-eslint/restrict-template-expressions -- that is what programs do
    expect(`${object}`).toBe(text);
    return text;
  };

  test('tensors show their label, data type, sizes, strides and place in memory', () => {
    const pool = device().createBuffer(64, { label: 'pool' });
    expect(shown(device().createTensor(float32(2, 3)))).toBe('Tensor float32 [2, 3]');
    expect(shown(device().createTensor(float32(2, 3), undefined, { label: 'x' }))).toBe(`Tensor 'x' float32 [2, 3]`);
    expect(shown(device().createTensor(float32(2, 3), undefined, { label: 'x' }).transpose())).toBe(
      `Tensor 'x' float32 [3, 2], strides [1, 3], bytes 0 to 24 of tensor 'x'`,
    );
    expect(shown(device().createTensor(float32(2), { buffer: pool, offset: 16 }))).toBe(
      `Tensor float32 [2], bytes 16 to 24 of buffer 'pool'`,
    );
    expect(shown(pool)).toBe(`DirectMLBuffer 'pool' of 64 bytes`);
    pool.dispose();
    expect(shown(pool)).toBe(`DirectMLBuffer 'pool' of 64 bytes (disposed)`);
  });

  test('operators, graphs and recordings show what they compute', async () => {
    const x = device().createTensor(float32(2, 2));
    const gemm = { type: 'gemm', aTensor: float32(2, 2), bTensor: { ...float32(2, 2), flags: 'ownedByDml' } } as const;
    const operator = await device().compile(gemm, { label: 'first', initializationInputs: { bTensor: x } });
    const tensors = '(aTensor float32 [2, 2], bTensor float32 [2, 2], owned by DirectML) → outputTensor float32 [2, 2]';
    expect(shown(operator)).toBe(`CompiledOperator 'first' gemm ${tensors}`);

    const graph = device().createGraph();
    const input = graph.input('x', float32(2, 2));
    const { outputTensor: y } = graph.add({ type: 'gemm', aTensor: input, bTensor: graph.constant(x) });
    expect(shown(input)).toBe(`Value 'x' float32 [2, 2]`);
    expect(shown(y.transpose())).toBe(`Value 'gemm_0.outputTensor' float32 [2, 2], strides [1, 2]`);
    expect(shown(graph)).toBe('Graph (x float32 [2, 2]) of 1 constant, 1 operator');
    const net = await graph.compile({ y }, { label: 'layer' });
    expect(shown(net)).toBe(`CompiledGraph 'layer' (x float32 [2, 2]) → y float32 [2, 2]`);

    const prepared = await device().prepare({ type: 'elementWiseAbs', inputTensor: x });
    expect(shown(prepared)).toBe('PreparedOperator elementWiseAbs (inputTensor float32 [2, 2]) → outputTensor float32 [2, 2]');
    const recording = device().record(() => prepared.dispatch(), { label: 'step' });
    expect(shown(recording)).toBe(`Recording 'step' of 1 dispatch`);
    const made = [operator, net, prepared, recording];
    for (const object of made) object.dispose();
    for (const object of made) expect(shown(object)).toContain(' (disposed)');
  });

  test('devices show their backend, and whether they are disposed', async () => {
    const own = await createDevice(backend === 'reference' ? { backend } : {});
    expect(shown(own)).toMatch(/^Device (reference|directml '.+'), feature level 6\.4$/);
    const tensor = own.createTensor(float32(1));
    own.dispose();
    expect(shown(own)).toContain(' (disposed)');
    expect(shown(tensor)).toBe('Tensor float32 [1] (disposed)');
  });

  test('nothing is cut, at any depth', () => {
    const x = device().createTensor(float32(1, 2, 3));
    expect(inspect({ a: { b: { c: { x } } } }, { depth: 3 })).toContain('Tensor float32 [1, 2, 3]');
  });

  test('objects that only look alike are shown as usual, and control characters as escapes', () => {
    const x = device().createTensor(float32(1), undefined, { label: 'a\u001b[31m' });
    expect(shown(x)).toBe(String.raw`Tensor 'a\u001b[31m' float32 [1]`);
    for (const prototype of [x, device(), x.buffer].map((object): unknown => Object.getPrototypeOf(object))) {
      expect(typeof inspect(prototype)).toBe('string');
      expect(typeof inspect(Object.create(prototype as object))).toBe('string');
    }
  });
});

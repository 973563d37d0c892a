/** Models whose inputs choose parts of them run whole: with a graph for each choice. */
import { onnx } from 'onnx-proto';
import { describe, expect, test } from 'vitest';
import { InferenceSession, Tensor } from 'node-directml/onnxruntime';
import { backends } from '../support/devices.js';
import { distance, read } from '../../checks/networks/sessions.js';

type Nodes = readonly onnx.INodeProto[];

const [float, int32, int64, bool] = [1, 6, 7, 9];

/** An If whose branches are nodes and a constant `w` of their own, and give the value `result`. */
function choice(condition: string, output: string, result: string, yes: Nodes, no: Nodes): onnx.INodeProto {
  const branch = (name: string, node: Nodes, w: number) => {
    const initializer = [{ name: 'w', dataType: float, floatData: [w] }];
    const g = { name, node: [...node], initializer, output: [{ name: result, type: { tensorType: { elemType: float } } }] };
    return { name, g, type: onnx.AttributeProto.AttributeType.GRAPH };
  };
  return {
    opType: 'If',
    input: [condition],
    output: [output],
    attribute: [branch('then_branch', yes, 3), branch('else_branch', no, 5)],
  };
}

const node = (opType: string, input: string[], output: string) => ({ opType, input, output: [output] });

/** y = rate is 16000 ? h * 3 : exp(h * 5), with h = flag ? |x - c| : -x. Nothing reads the input `unused`. */
function choosing(rateType: number): Uint8Array {
  const value = (name: string, elemType: number, ...dims: (number | string)[]) => {
    const dim = dims.map((size) => (typeof size === 'string' ? { dimParam: size } : { dimValue: size }));
    return { name, type: { tensorType: { elemType, shape: { dim } } } };
  };
  const rate = Uint8Array.from([0x80, 0x3e, 0, 0, 0, 0, 0, 0]).subarray(0, rateType === int64 ? 8 : 4);
  const graph = {
    name: 'choosing',
    initializer: [
      { name: 'c', dataType: float, floatData: [0.5] },
      { name: 'high', dataType: rateType, rawData: rate },
    ],
    input: [value('x', float, 'n', 3), value('flag', bool, 1), value('rate', rateType), value('unused', float, 2)],
    node: [
      choice('flag', 'h', 'h', [node('Sub', ['x', 'c'], 'd'), node('Abs', ['d'], 'h')], [node('Neg', ['x'], 'h')]),
      node('Equal', ['high', 'rate'], 'isHigh'),
      choice(
        'isHigh',
        'y',
        'result',
        [node('Mul', ['h', 'w'], 'result')],
        [node('Mul', ['h', 'w'], 'scaled'), node('Exp', ['scaled'], 'result')],
      ),
    ],
    output: [value('y', float, 'n', 3)],
  };
  return onnx.ModelProto.encode({ irVersion: 8, opsetImport: [{ domain: '', version: 16 }], graph }).finish();
}

describe.each(backends)('on %s', (backend) => {
  test.each([
    ['int32', int32],
    ['int64', int64],
  ] as const)('a sample rate of %s, and a flag', async (_name, rateType) => {
    const bytes = choosing(rateType);
    const session = await InferenceSession.create(bytes, { backend, fallback: 'error' });
    const wasm = await InferenceSession.create(bytes, { backend: 'wasm' });
    for (const rows of [1, 4]) {
      for (const [flag, rate] of [
        [1, 16000],
        [0, 16000],
        [1, 8000],
        [0, -1],
      ] as const) {
        const feeds = {
          x: new Tensor(
            'float32',
            Float32Array.from({ length: 3 * rows }, (_, i) => i / 4 - 1),
            [rows, 3],
          ),
          flag: new Tensor('bool', Uint8Array.of(flag), [1]),
          rate: rateType === int64 ? new Tensor('int64', [BigInt(rate)], []) : new Tensor('int32', [rate], []),
          unused: new Tensor('float32', [1, 2], [2]),
        };
        expect(distance(await read(await session.run(feeds)), await read(await wasm.run(feeds)))).toBeLessThan(1e-6);
        expect(session.placement).toMatchObject({ graphs: 1, cpu: [] });
      }
    }
    expect(session.inputNames).toEqual(['x', 'flag', 'rate', 'unused']);
    await session.release();
    await wasm.release();
  });

  test('the value that chooses is that of the call, whatever its tensor does', async () => {
    const session = await InferenceSession.create(choosing(int64), { backend, fallback: 'error' });
    const rate = Object.assign(new Tensor('int64', [16000n], []), { getData: () => new Promise(() => undefined) });
    const feeds = {
      x: new Tensor('float32', [1, 2, 3], [1, 3]),
      flag: new Tensor('bool', Uint8Array.of(1), [1]),
      rate,
      unused: new Tensor('float32', [1, 2], [2]),
    };
    const run = session.run(feeds);
    rate.data.fill(8000n);
    expect((await read(await run))['y']).toEqual([1.5, 4.5, 7.5]);
    // Larger than a number is exact.
    rate.data.fill(2n ** 63n - 1n);
    expect((await read(await session.run(feeds)))['y']?.[0]).toBeCloseTo(Math.exp(2.5));
    await session.release();
  });
});

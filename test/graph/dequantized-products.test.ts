/** Graphs that multiply by dequantized weights. DirectML alone refuses some of them, and others end its process. */
import type { Tensor, Value } from 'node-directml';
import { activationRelu, dequantize, elementWiseAdd, gemm } from 'node-directml/operators';
import { describe, expect, test } from 'vitest';
import { Random } from '../../checks/harness/random.js';
import { backends, deviceOn } from '../support/devices.js';

type Build = (x: Value, weights: Value) => Record<string, Value>;

const readers: Record<string, Build> = {
  'a product': (x, weights) => ({ y: gemm(x, weights) }),
  'a product, transposed': (x, weights) => ({ y: gemm(x, weights.transpose([1, 0])) }),
  'a product by rows': (x, weights) => ({ y: gemm(x, weights, { transB: 'transpose' }) }),
  'a product on the other side': (x, weights) => ({ y: gemm(weights, x) }),
  'two products': (x, weights) => ({ y: gemm(x, weights), z: gemm(x, weights, { transB: 'transpose' }) }),
  'a product of themselves': (x, weights) => ({ y: elementWiseAdd(gemm(weights, weights), x) }),
  'a product and a sum': (x, weights) => ({ y: elementWiseAdd(gemm(x, weights), weights) }),
  'a product and an activation': (x, weights) => ({ y: gemm(x, weights), z: activationRelu(weights) }),
  'a product and an output': (x, weights) => ({ y: gemm(x, weights), z: weights }),
};

const gaps = { sizes: [16, 16], strides: [20, 1] };

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);
  const outputsOf = async (
    build: Build,
    input: Tensor,
    floats: (graph: ReturnType<typeof createGraph>) => Value,
    others: Record<string, Tensor>,
  ) => {
    const graph = createGraph();
    const net = await graph.compile(build(graph.input('x', input), floats(graph)));
    const outputs = await net.run({ x: input, ...others });
    return Promise.all(Object.entries(outputs).map(async ([name, tensor]) => [name, await tensor.toArray()]));
  };
  const createGraph = () => device().createGraph();

  describe.each(['int4', 'uint4', 'int8', 'uint8'] as const)('%s', (dataType) => {
    test.each(Object.entries(readers))('%s', (_, build) =>
      device().scope(async () => {
        const random = Random.of('dequantized products', dataType);
        const floats = (...sizes: [number, number]) => {
          const values = Float32Array.from({ length: sizes[0] * sizes[1] }, () => random.int(-100, 100) / 7);
          return device().createTensor({ dataType: 'float32', sizes }, values);
        };
        const quantized = (...sizes: [number, number]) =>
          device().createTensor(
            { dataType, sizes },
            random.bytes((sizes[0] * sizes[1]) / (dataType.endsWith('4') ? 2 : 1)).buffer,
          );
        const [x, scales, integers, zeroPoints] = [floats(16, 16), floats(16, 2), quantized(16, 16), quantized(16, 2)];
        for (const [parameters, outputTensor] of [
          [{ scales }, {}],
          [{ scales }, gaps],
          [{ scales, zeroPoints }, {}],
          [{ scales, zeroPoints }, gaps],
        ] as const) {
          const weights = await dequantize(integers, Object.values(parameters), { outputTensor });
          const expected = await outputsOf(build, x, (graph) => graph.input('weights', weights), { weights });
          const dequantized = (graph: ReturnType<typeof createGraph>) => {
            const given = Object.entries(parameters).map(([name, tensor]) => graph.input(name, tensor));
            return dequantize(graph.input('integers', integers), given, { outputTensor });
          };
          expect(await outputsOf(build, x, dequantized, { integers, ...parameters })).toEqual(expected);
        }
      }),
    );
  });

  // Without a driver that takes them, DirectML refuses 4 bits. The second graph must not try again.
  test.each([
    ['int8', true, 1],
    ['uint4', true, 0],
    ['uint4', true, 0],
    ['int8', false, 0],
  ] as const)('%s by rows, read by nothing else: %s', (dataType, isAlone, fused) =>
    device().scope(async () => {
      const graph = createGraph();
      const weights = dequantize(graph.input('w', { dataType, sizes: [16, 16] }), [
        graph.input('s', { dataType: 'float32', sizes: [16, 2] }),
      ]);
      const y = gemm(graph.input('x', { dataType: 'float32', sizes: [3, 16] }), weights, { transB: 'transpose' });
      const outputs: Record<string, Value> = isAlone ? { y } : { y, weights };
      const { dequantizedGemms } = await graph.compile(outputs);
      expect(dequantizedGemms).toEqual(backend === 'directml' ? { fused, separate: 1 - fused } : { fused: 0, separate: 0 });
    }),
  );
});

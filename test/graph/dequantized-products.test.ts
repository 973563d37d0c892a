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
  'a product on the other side': (x, weights) => ({ y: gemm(weights, x) }),
  'two products': (x, weights) => ({ y: gemm(x, weights), z: gemm(x, weights, { transB: 'transpose' }) }),
  'a product of themselves': (x, weights) => ({ y: elementWiseAdd(gemm(weights, weights), x) }),
  'a product and a sum': (x, weights) => ({ y: elementWiseAdd(gemm(x, weights), weights) }),
  'a product and an activation': (x, weights) => ({ y: gemm(x, weights), z: activationRelu(weights) }),
  'a product and an output': (x, weights) => ({ y: gemm(x, weights), z: weights }),
};

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
        const [x, scales] = [floats(16, 16), floats(16, 2)];
        const integers = device().createTensor(
          { dataType, sizes: [16, 16] },
          random.bytes(dataType.endsWith('4') ? 128 : 256).buffer,
        );
        for (const outputTensor of [{}, { sizes: [16, 16], strides: [20, 1] }]) {
          const weights = await dequantize(integers, [scales], { outputTensor });
          const expected = await outputsOf(build, x, (graph) => graph.input('weights', weights), { weights });
          const dequantized = (graph: ReturnType<typeof createGraph>) =>
            dequantize(graph.input('integers', integers), [graph.input('scales', scales)], { outputTensor });
          expect(await outputsOf(build, x, dequantized, { integers, scales })).toEqual(expected);
        }
      }),
    );
  });
});

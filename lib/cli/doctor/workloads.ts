/**
 * The operators that the doctor computes. All numbers are small integers, so that every order of summation gives the same
 * result, in float16 too: results must be equal, not only near.
 */
import type { DataType, Device, Tensor } from '../../index.js';
import { readElements } from '../elements.js';

const size = 32;
const count = size * size;

/** A whole number from -2 to 2 for each element. */
const small = (factor: number) => Array.from({ length: count }, (_, i) => ((i * factor) % 5) - 2);

interface Workload {
  readonly name: string;
  readonly run: (device: Device) => Promise<Tensor>;
}

function gemm(dataType: 'float32' | 'float16'): Workload {
  return {
    name: `gemm in ${dataType}`,
    async run(device) {
      const matrix = { dataType, sizes: [1, 1, size, size] };
      const aTensor = device.createTensor(matrix, small(7));
      const bTensor = device.createTensor(matrix, small(3));
      const { outputTensor } = await device.run({ type: 'gemm', aTensor, bTensor, transB: 'transpose' });
      return outputTensor;
    },
  };
}

const scatterNd: Workload = {
  name: 'scatterNd',
  async run(device) {
    const { outputTensor } = await device.run({
      type: 'scatterNd',
      inputTensor: device.createTensor({ dataType: 'float32', sizes: [1, 8] }, [1, 2, 3, 4, 5, 6, 7, 8]),
      indicesTensor: device.createTensor({ dataType: 'uint32', sizes: [4, 1] }, [4, 3, 1, 7]),
      updatesTensor: device.createTensor({ dataType: 'float32', sizes: [1, 4] }, [9, 10, 11, 12]),
      inputDimensionCount: 1,
    });
    return outputTensor;
  },
};

/** The result of `scatterNd` that is known without a backend. */
export const known: Computed = { name: scatterNd.name, milliseconds: 0, values: [1, 11, 3, 10, 9, 6, 7, 12] };

const workloads: readonly Workload[] = [gemm('float32'), gemm('float16'), scatterNd];

/** Compiles one product by 4-bit weights. Null if the device has no 4-bit tensors. */
export async function fusesWeights(device: Device): Promise<boolean | null> {
  const { backend, featureLevel, tensorDataTypes } = device.info;
  if (backend === 'reference' || Number(featureLevel) < 6.3 || !tensorDataTypes.includes('uint4')) return null;
  const graph = device.createGraph();
  const input = (name: string, dataType: DataType, columns: number) =>
    graph.input(name, { dataType, sizes: [1, 1, size, columns] });
  const { outputTensor: bTensor } = graph.add({
    type: 'dequantize',
    inputTensor: input('weights', 'uint4', size),
    quantizationTensors: [input('scales', 'float16', 1), input('zero points', 'uint4', 1)],
  });
  const product = graph.add({ type: 'gemm', aTensor: input('x', 'float16', size), bTensor, transB: 'transpose' });
  const net = await graph.compile({ y: product.outputTensor });
  net.dispose();
  return net.dequantizedGemms.fused === 1;
}

export interface Computed {
  readonly name: string;
  readonly milliseconds: number;
  readonly values: readonly number[];
}

export async function compute(device: Device): Promise<Computed[]> {
  const results: Computed[] = [];
  for (const { name, run } of workloads) {
    const began = performance.now();
    const values = (await readElements(await run(device))).map(Number);
    results.push({ name, milliseconds: performance.now() - began, values });
  }
  return results;
}

/** The first difference from the expected results in words; null if there is none. */
export function difference(expected: readonly Computed[], actual: readonly Computed[]): string | null {
  for (const { name, values } of expected) {
    const given = actual.find((computed) => computed.name === name)?.values ?? [];
    const at = values.findIndex((value, element) => value !== given[element]);
    if (at >= 0) return `${name}, element ${at}: expected ${values[at]}, given ${given[at] ?? 'nothing'}`;
  }
  return null;
}

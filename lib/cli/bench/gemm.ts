/** The matrix product of the size at which the adapter is fastest: small products do not occupy a whole GPU. */
import type { Device } from '../../index.js';
import { timed, type Round } from './measure.js';
import { filled, thenIdle, type FloatType, type Workload } from './workload.js';

const sides = [512, 1024, 2048, 4096];
const tries = 3;
/** In milliseconds: a product that takes this long is large enough. */
const longEnough = 30;

export function gemm(dataType: FloatType): Workload {
  const id = `gemm-${dataType}`;
  return {
    id,
    limits: ['copy', id],
    dataType,
    async prepare(device) {
      const { side, round } = await fastest(device, dataType);
      return {
        name: `gemm ${side}×${side}, ${dataType}`,
        amounts: {
          bytes: 3 * side ** 2 * (dataType === 'float16' ? 2 : 4),
          operations: { count: operationsOf(side), dataType },
        },
        round,
      };
    },
  };
}

async function fastest(device: Device, dataType: FloatType): Promise<{ side: number; round: Round }> {
  let best = { side: 0, rate: 0, round: thenIdle(device, () => undefined) };
  for (const side of sides) {
    const round = await product(device, dataType, side);
    await round(1);
    const times: number[] = [];
    for (let i = 0; i < tries; i++) times.push(await timed(round, 1));
    const milliseconds = Math.min(...times);
    const rate = operationsOf(side) / milliseconds;
    if (rate > best.rate) best = { side, rate, round };
    if (milliseconds >= longEnough) break;
  }
  return best;
}

function operationsOf(side: number): number {
  return 2 * side ** 3;
}

async function product(device: Device, dataType: FloatType, side: number): Promise<Round> {
  const matrix = { dataType, sizes: [side, side] };
  const bindings = {
    aTensor: filled(device, matrix),
    bTensor: filled(device, matrix),
    outputTensor: device.createTensor(matrix),
  };
  const compiled = await device.compile({ type: 'gemm', aTensor: matrix, bTensor: matrix });
  return thenIdle(device, () => compiled.dispatch(bindings));
}

/** Matrix products of the reference have the same bits on several threads as on one, whatever happens to the threads. */
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { multiplyInTiles } from '#lib/compute/matrix-tiles.js';
import { BLOCK_COLUMNS, type LayOutColumns } from '#lib/compute/multiply-block.js';
import { ThreadPool, type ThreadPoolOptions } from '#lib/backends/reference/thread-pool/thread-pool.js';
import { needWorker } from '#lib/backends/reference/worker/locate.js';
import { afterEach, describe, expect, test } from 'vitest';
import { createDevice, type Device, type OperatorDescriptor, type TensorDesc } from 'node-directml';
import { writeJson } from '../../../checks/cases/case.js';
import { Random } from '../../../checks/harness/random.js';
import { drawn } from '../../support/level.js';
import { threadPoolDevice, helpAlways } from './programs/thread-pool-device.mjs';

const SEED = 20261101;

/** A product of random matrices. A failing test prints it as JSON, which can be pasted into `products`. */
interface Product {
  readonly seed: number;
  readonly rows: number;
  readonly length: number;
  readonly columns: number;
  /** The share of special elements: infinities, NaN, zeros, and numbers whose products overflow or underflow float32. */
  readonly share: number;
  readonly isInFloat32: boolean;
}

/** Random products, with sizes around those of tiles, blocks, chunks and the shared memory. */
const products: readonly Product[] = Array.from({ length: drawn({ quick: 8, all: 120 }) }, (_, seed) => {
  const random = Random.of('crew', SEED, seed);
  const [most, fewest] = random.chance(0.1) ? [3000, 900] : [200, 4];
  const rows = random.int(fewest, most);
  const length = random.int(16, random.pick([20, 600, Math.floor(2e7 / rows / 32)]));
  const columns = random.int(1, Math.max(1, Math.min(500, Math.floor(3e7 / rows / length))));
  return { seed, rows, length, columns, share: random.pick([0, 0, 0.001, 0.05, 0.5]), isInFloat32: random.chance(0.3) };
});

const SPECIAL = [NaN, Infinity, -Infinity, 0, -0, 3e38, -3e38, 1e30, 2 ** -126, -(2 ** -149)].map(Math.fround);
const SPECIAL_HALVES = [NaN, Infinity, -Infinity, 0, -0, 65504, -65504, 2 ** -14, -(2 ** -24)];

/** Makes the operands. `by` multiplies them with a given function; `expected` is the product of a single thread. */
function prepared({ seed, rows: count, length, columns, share, isInFloat32 }: Product) {
  const random = Random.of('elements', seed);
  const some = Array.from({ length: 4999 }, () =>
    random.chance(share) ? random.pick(SPECIAL) : Math.fround(random.fraction() * 4 - 2),
  );
  const elements = (size: number) => Float64Array.from({ length: size }, (_, i) => some[i % some.length] ?? 0);
  const start = random.int(0, 5);
  const rows = { values: elements(start + count * length), start, count, length };
  const right = elements(length * columns);
  const layOut: LayOutColumns = (first, width, block) => {
    for (let k = 0; k < length; k++) {
      for (let i = 0; i < width; i++) block[k * BLOCK_COLUMNS + i] = right[k * columns + first + i] ?? 0;
    }
  };
  const stride = columns + random.int(0, 3);
  const by = (multiply: ThreadPool['multiply']) => {
    const values = new Float64Array(7 + count * stride).fill(-1);
    const isDone = multiply(rows, columns, layOut, { values, start: 7, stride }, isInFloat32);
    return { values, isDone };
  };
  return { by, expected: by(multiplyInTiles) };
}

/** True if the thread pool has computed the product. If not, the calling thread has yet to compute it. */
function isComputed(threadPool: ThreadPool, product: Product): boolean {
  const { by, expected } = prepared(product);
  const { values, isDone } = by((...parts) => threadPool.multiply(...parts));
  expect(expected.isDone).toBe(true);
  if (!isDone) return false;
  const at = values.findIndex((value, i) => !Object.is(value, expected.values[i]));
  if (at !== -1) expect.fail(`element ${at} is ${values[at]}, not ${expected.values[at]}, in ${writeJson(product)}`);
  return true;
}

const pools: ThreadPool[] = [];
afterEach(() => {
  for (const threadPool of pools.splice(0)) threadPool.end();
});

function poolWith(options: Partial<ThreadPoolOptions> = {}): ThreadPool {
  const threadPool = new ThreadPool({ file: needWorker(), ...helpAlways, ...options });
  pools.push(threadPool);
  return threadPool;
}

const plain: Product = { seed: 1, rows: 300, length: 300, columns: 300, share: 0, isInFloat32: false };

/** Multiplies until other threads have computed something. */
async function helpedBy(threadPool: ThreadPool): Promise<void> {
  while (threadPool.helped === 0) {
    expect(isComputed(threadPool, plain)).toBe(true);
    await sleep(1);
  }
}

describe('products', () => {
  test.each([2, 3, 8])('by %i threads have the bits of one thread', async (threads) => {
    const threadPool = poolWith({ threads });
    await helpedBy(threadPool);
    const before = threadPool.helped;
    for (const product of products) expect(isComputed(threadPool, product), writeJson(product)).toBe(true);
    expect(threadPool.helped).toBeGreaterThan(before);
  });

  test('are left to the calling thread if they are too small, or too large for the shared memory', () => {
    const threadPool = poolWith({ least: 2 ** 21 });
    expect(isComputed(threadPool, { ...plain, rows: 127, length: 128, columns: 128 })).toBe(false);
    expect(threadPool.size).toBe(0);
    expect(isComputed(threadPool, { ...plain, rows: 4, length: 100_000, columns: 40 })).toBe(false);
    expect(isComputed(threadPool, plain)).toBe(true);
  });

  test('are left to the calling thread until there has been enough work', () => {
    const threadPool = poolWith({ worthwhile: 3 * 300 ** 3 });
    expect([1, 2, 3, 4].map(() => isComputed(threadPool, plain))).toEqual([false, false, true, true]);
    expect(threadPool.size).toBe(2);
  });

  test('are left to the calling thread on a machine with one processor', () => {
    const threadPool = poolWith({ threads: 1 });
    expect(isComputed(threadPool, plain)).toBe(false);
    expect(threadPool.size).toBe(0);
  });
});

describe('threads', () => {
  test('end when there is nothing to do, and start again', async () => {
    const threadPool = poolWith({ idle: 50 });
    for (let i = 0; i < 3; i++) {
      await helpedBy(threadPool);
      expect(threadPool.size).toBe(2);
      while (threadPool.size > 0) await sleep(5);
    }
  });

  test('that cannot be started leave all work to the calling thread', async () => {
    const missing = poolWith({ file: fileURLToPath(new URL('programs/missing.mjs', import.meta.url)) });
    while (isComputed(missing, plain)) await sleep(5);
    expect(missing.size).toBe(0);
    // Node.js refuses a relative path without './' before it starts a thread.
    expect(isComputed(poolWith({ file: 'worker.cjs' }), plain)).toBe(false);
  });

  test('that fail at once leave all work to the calling thread', async () => {
    const threadPool = poolWith({ file: fileURLToPath(new URL('programs/member-throws.mjs', import.meta.url)) });
    while (isComputed(threadPool, plain)) await sleep(5);
    expect(threadPool.size).toBe(0);
    expect(isComputed(threadPool, plain)).toBe(false);
  });

  test.each(['member-exits', 'member-stalls'])('that do not finish their chunk are given up after a while: %s', async (name) => {
    const patience = 200;
    const threadPool = poolWith({ patience, file: fileURLToPath(new URL(`programs/${name}.mjs`, import.meta.url)) });
    let took = 0;
    for (let isDone = true; isDone;) {
      const { by } = prepared(plain);
      const start = performance.now();
      ({ isDone } = by((...parts) => threadPool.multiply(...parts)));
      took = performance.now() - start;
      await sleep(1);
    }
    expect(took).toBeGreaterThan(patience * 0.9);
    expect(threadPool.size).toBe(0);
    expect(isComputed(threadPool, plain)).toBe(false);
  });
});

describe('operators', () => {
  const float = (...sizes: readonly number[]) => ({ dataType: 'float32' as const, sizes });
  const half = (...sizes: readonly number[]) => ({ dataType: 'float16' as const, sizes });
  const bytes = (dataType: 'int8' | 'uint8', ...sizes: readonly number[]) => ({ dataType, sizes });
  const ones = { startPadding: [1, 1], endPadding: [1, 1] };

  const descriptors: readonly OperatorDescriptor[] = [
    { type: 'gemm', aTensor: float(131, 70), bTensor: float(70, 99) },
    { type: 'gemm', aTensor: float(70, 131), bTensor: float(99, 70), transA: 'transpose', transB: 'transpose', alpha: 3 },
    { type: 'gemm', aTensor: float(2, 3, 33, 40), bTensor: float(2, 3, 40, 65), cTensor: float(2, 3, 33, 65), beta: 0.5 },
    { type: 'gemm', aTensor: half(101, 64), bTensor: half(64, 70), fusedActivation: { type: 'activationRelu' } },
    { type: 'matrixMultiplyInteger', aTensor: bytes('uint8', 1, 1, 61, 90), bTensor: bytes('int8', 1, 1, 90, 77) },
    {
      type: 'matrixMultiplyIntegerToFloat',
      ...{ aTensor: bytes('uint8', 61, 90), aScaleTensor: float(1, 1) },
      ...{ bTensor: bytes('int8', 90, 77), bScaleTensor: float(1, 77), outputTensor: float(61, 77) },
    },
    { type: 'convolution', inputTensor: float(2, 20, 19, 23), filterTensor: float(37, 20, 3, 3), ...ones },
    { type: 'convolution', inputTensor: float(1, 36, 19, 23), filterTensor: float(24, 12, 3, 3), groupCount: 3, strides: [2, 1] },
    {
      type: 'convolution',
      inputTensor: float(1, 20, 9, 11),
      filterTensor: float(20, 7, 3, 3),
      direction: 'backward',
      strides: [2, 2],
    },
    { type: 'convolution', inputTensor: half(1, 20, 19, 23), filterTensor: half(37, 20, 3, 3), biasTensor: half(1, 37, 1, 1) },
    {
      type: 'convolutionInteger',
      inputTensor: bytes('uint8', 1, 20, 19, 23),
      filterTensor: bytes('int8', 37, 20, 3, 3),
      ...ones,
    },
  ];

  /** Runs the operator on random inputs, in which `share` of the elements are special. Returns the elements of its output. */
  async function outputOf(device: Device, descriptor: OperatorDescriptor, share: number) {
    const random = Random.of('operators', SEED, descriptor.type, share);
    const operator = await device.compile(descriptor);
    const [outputTensor] = Object.values(operator.createOutputs()).flat();
    if (outputTensor === undefined) throw new TypeError('a product has an output');
    const inputs = Object.entries(descriptor).flatMap(([field, desc]: [string, TensorDesc]) => {
      if (!field.endsWith('Tensor') || field === 'outputTensor') return [];
      const isByte = desc.dataType === 'int8' || desc.dataType === 'uint8';
      const special = desc.dataType === 'float16' ? SPECIAL_HALVES : SPECIAL;
      const element = () =>
        isByte ? random.int(0, 127) : random.chance(share) ? random.pick(special) : Math.fround(random.fraction() * 4 - 2);
      const count = desc.sizes.reduce((product, size) => product * size, 1);
      return [[field, device.createTensor(desc, Array.from({ length: count }, element))]];
    });
    operator.dispatch({ ...Object.fromEntries(inputs), outputTensor });
    return outputTensor.read();
  }

  test.each(descriptors)('$type', async (descriptor) => {
    using several = threadPoolDevice();
    using one = await createDevice({ backend: 'reference', thread: 'caller' });
    for (const share of [0, 0.001, 0.1]) {
      const [given, expected] = await Promise.all([several, one].map((device) => outputOf(device, descriptor, share)));
      expect(given, writeJson({ descriptor, share })).toEqual(expected);
    }
  });
});

/**
 * The reference computes the same bits in WebAssembly as in TypeScript, which runs on engines without WebAssembly SIMD. JavaScript
 * does not specify which NaN a calculation gives, so any NaN equals any other.
 */
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { multiplyInTiles } from '#lib/compute/matrix-tiles.js';
import { BLOCK_COLUMNS, multiplyBlock, multiplyBlockInFloat32, type LayOutColumns } from '#lib/compute/multiply-block.js';
import { createDevice, type OperatorType } from 'node-directml';
import { casesOf } from '../../checks/conformance/runner.js';
import { elementAt } from '../../checks/cases/decode.js';
import { product } from '../../checks/cases/layout.js';
import { runCase, type Output } from '../../checks/cases/run-case.js';
import { base64, writeCase, type ConformanceCase } from '../../checks/cases/case.js';
import { Random } from '../../checks/harness/random.js';
import { drawn } from '../support/level.js';

const PLAIN = (random: Random) => Math.fround(random.fraction() * 4 - 2);
const SPECIAL = [NaN, Infinity, -Infinity, 0, -0, 3e38, -3e38, 1e30, 1e-30, 2 ** -126, 2 ** -149, -(2 ** -140)].map(Math.fround);
/** Random numbers. `share` is the share of special ones. Large arrays repeat a few thousand numbers. */
function elementsOf(random: Random, count: number, share: number): Float64Array {
  const some = Array.from({ length: Math.min(count, 4999) }, () => (random.chance(share) ? random.pick(SPECIAL) : PLAIN(random)));
  return Float64Array.from({ length: count }, (_, i) => some[i % some.length] ?? 0);
}

/** The sizes of a product: rows, terms, columns. */
const sizes: readonly (readonly [number, number, number])[] = [
  ...[4, 5, 6, 7, 8, 9, 31, 33].flatMap((rows) => [1, 2, 3, 31, 32, 33, 65].map((columns) => [rows, 64, columns] as const)),
  ...[1, 2, 3, 5, 8, 17].map((length) => [13, length, 70] as const),
  // More rows than fit into the memory for tiles at once, with one to four rows left for the last pass.
  ...[13, 14, 15, 16, 30].map((rows) => [rows, 40_000, 3] as const),
  // Rows so long that the memory is given back afterwards.
  [4, 200_000, 9],
  [5, 100, 33],
];

test.each([false, true])(
  'products of all sizes and of any numbers have the same bits; rounded at each step: %s',
  (isInFloat32) => {
    const multiply = isInFloat32 ? multiplyBlockInFloat32 : multiplyBlock;
    for (const [count, length, columns] of sizes) {
      const random = Random.of('simd', count, length, columns);
      const share = random.pick([0, 0, 0.001, 0.05, 0.5, 1]);
      const start = random.int(0, 5);
      const rows = { values: elementsOf(random, start + count * length, share), start, count, length };
      const right = elementsOf(random, length * columns, share);
      const layOut: LayOutColumns = (first, some, block) => {
        for (let k = 0; k < length; k++) {
          for (let i = 0; i < some; i++) block[k * BLOCK_COLUMNS + i] = right[k * columns + first + i] ?? 0;
        }
      };
      const target = { start: 7, stride: columns + random.int(0, 3) };
      const [given, expected] = [0, 1].map(() => new Float64Array(target.start + count * target.stride).fill(-1));
      if (given === undefined || expected === undefined) throw new TypeError('two results');
      const block = new Float64Array(BLOCK_COLUMNS * length);
      for (let first = 0; first < columns; first += BLOCK_COLUMNS) {
        const some = Math.min(BLOCK_COLUMNS, columns - first);
        layOut(first, some, block);
        multiply(rows, block, some, { ...target, values: expected, start: target.start + first });
      }
      const isDone = multiplyInTiles(rows, columns, layOut, { ...target, values: given }, isInFloat32);
      expect(isDone).toBe(count * length * columns >= 256);
      if (isDone) expect(given.findIndex((value, i) => !Object.is(value, expected[i]))).toBe(-1);
    }
  },
);

const ARITHMETIC = ['elementWiseAdd', 'elementWiseSubtract', 'elementWiseMultiply', 'elementWiseDivide'] as const;
const operators: readonly OperatorType[] = [
  'gemm',
  'matrixMultiplyInteger',
  'matrixMultiplyIntegerToFloat',
  'quantizedLinearMatrixMultiply',
  'convolution',
  'convolutionInteger',
  'quantizedLinearConvolution',
  ...(['averagePooling', 'lpPooling', 'maxPooling', 'maxPooling2', 'reduce'] as const),
  ...ARITHMETIC,
];

test('operators give the same on an engine without WebAssembly', async () => {
  const other = await createDeviceWithoutWebAssembly();
  using own = await createDevice({ backend: 'reference' });
  for (const operator of operators) {
    for (const example of [...casesOf(operator, 15, drawn({ quick: 20, all: 200 })), ...(large[operator] ?? [])]) {
      const [given, expected] = [await runCase(own, example), await runCase(other, example)];
      if (!isDeepStrictEqual(given, expected) && !isDeepStrictEqual(given.map(valuesOf), expected.map(valuesOf))) {
        expect.fail(writeCase(example));
      }
    }
  }
  other.dispose();
});

const float = (...sizes: readonly number[]) => ({ dataType: 'float32' as const, sizes });
const data = (name: string, count: number, share: number) =>
  base64(new Uint8Array(new Float32Array(elementsOf(Random.of('simd', name, share), count, share)).buffer));
const SHARES = [0, 0.001, 0.3];

const pooled = {
  ...{ inputTensor: float(4, 10, 97, 101), outputTensor: float(4, 10, 49, 50) },
  ...{ strides: [2, 2], windowSize: [3, 3], startPadding: [1, 0], endPadding: [1, 0] },
};

/** Cases of many elements: more than are copied at a time, and no multiple of a vector. */
const large: Readonly<Partial<Record<OperatorType, readonly ConformanceCase[]>>> = {
  reduce: [3, 16, 1003, 20_000].flatMap((length) =>
    SHARES.map((share) => ({
      descriptor: { type: 'reduce', function: 'sum', inputTensor: float(9, length), outputTensor: float(9, 1), axes: [1] },
      data: { inputTensor: data('reduce', 9 * length, share) },
    })),
  ),
  maxPooling: SHARES.map((share) => ({
    descriptor: { type: 'maxPooling', ...pooled },
    data: { inputTensor: data('pooling', 40 * 97 * 101, share) },
  })),
  averagePooling: SHARES.map((share) => ({
    descriptor: { type: 'averagePooling', includePadding: false, ...pooled },
    data: { inputTensor: data('pooling', 40 * 97 * 101, share) },
  })),
  ...Object.fromEntries(
    ARITHMETIC.map((type) => [
      type,
      SHARES.map((share) => ({
        descriptor: { type, aTensor: float(3, 3001), bTensor: float(3, 3001), outputTensor: float(3, 3001) },
        data: { aTensor: data('a', 9003, share), bTensor: data('b', 9003, share) },
      })),
    ]),
  ),
};

/** Makes a device from a second copy of the library. A copy looks for WebAssembly only once, and this one does not find it. */
async function createDeviceWithoutWebAssembly() {
  const copy: typeof import('node-directml') = await import(new URL('../../dist/module/index.mjs', import.meta.url).href);
  const device = await copy.createDevice({ backend: 'reference', thread: 'caller' });
  const whole = Object.getOwnPropertyDescriptor(globalThis, 'WebAssembly');
  if (whole === undefined) throw new TypeError('Node.js has WebAssembly');
  let isMissed = false;
  Object.defineProperty(globalThis, 'WebAssembly', { configurable: true, get: () => void (isMissed = true) });
  try {
    for (const example of large.elementWiseAdd ?? []) await runCase(device, example);
  } finally {
    Object.defineProperty(globalThis, 'WebAssembly', whole);
  }
  expect(isMissed).toBe(true);
  return device;
}

function valuesOf({ name, tensor, bytes }: Output): unknown {
  return [name, Array.from({ length: product(tensor.sizes) }, (_, i) => elementAt(tensor, bytes, i))];
}

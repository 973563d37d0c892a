/** Kernels of the reference compute large tensors in blocks: each row of the results is that of the row alone. */
import { describe, expect, test } from 'vitest';
import type { Tensor } from 'node-directml';
import {
  activationSoftmax1,
  cast,
  cumulativeSummation,
  dynamicQuantizeLinear,
  elementWiseExp,
  elementWiseIdentity,
  elementWiseLogicalGreaterThan,
  elementWiseMultiply,
  meanVarianceNormalization2,
  padding,
  reduce,
  slice1,
  topK,
} from 'node-directml/operators';
import { forEachBlock } from '#lib/compute/blocks.js';
import { partOf, viewTensor } from '#lib/compute/tensor-view.js';
import { backends, deviceOn } from '../support/devices.js';

/** More elements than a block has, of which each row is less than a block. */
const [rows, columns] = [3, 6000];
/** The distance from one row to the next if there are gaps. */
const wide = columns + 16;

type Floats = Tensor<'float32'>;

const window = { inputWindowOffsets: [0, 1], inputWindowStrides: [1, -2] };
const functions: Readonly<Record<string, (x: Floats) => Tensor | Promise<Tensor>>> = {
  exp: (x) => elementWiseExp(x),
  multiply: (x) => elementWiseMultiply(x, x),
  greaterThan: (x) => elementWiseLogicalGreaterThan(x, elementWiseExp(x)),
  cast: (x) => cast(x, { outputTensor: { dataType: 'int8' } }),
  float16: (x) => elementWiseExp(cast(x, { outputTensor: { dataType: 'float16' } })),
  scaled: (x) => elementWiseIdentity(x, { scaleBias: { scale: 3, bias: 0.1 } }),
  softmax: (x) => activationSoftmax1(x, { axes: [1] }),
  sum: (x) => reduce(x, { function: 'sum', axes: [1] }),
  argmax: (x) => reduce(x, { function: 'argmax', axes: [1], outputTensor: { dataType: 'uint32' } }),
  normalization: (x) => meanVarianceNormalization2(x, { axes: [1], useMean: true, useVariance: true, epsilon: 1e-5 }),
  cumulativeSum: (x) => cumulativeSummation(x, { axis: 1, axisDirection: 'increasing', hasExclusiveSum: false }),
  slice: (x) => slice1(x, { ...window, inputWindowSizes: [x.sizes[0] ?? 1, columns - 2] }),
  padding: (x) => padding(x, { startPadding: [0, 3], endPadding: [0, 2], paddingMode: 'reflection' }),
  topK: async (x) => (await topK(x, { k: 5, axis: 1 })).outputValueTensor,
};

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);
  const numbers = Array.from({ length: rows * wide }, (_, i) => ((i * 7919) % 1021) / 100 - 5);

  test.each(Object.entries(functions))('%s', async (_name, apply) => {
    const memory = device().createTensor({ dataType: 'float32', sizes: [rows * wide] }, numbers);
    const results = await (await apply(memory.view({ sizes: [rows, columns], strides: [wide, 1] }))).toArray();
    const alone = [];
    for (let row = 0; row < rows; row++) {
      const view = memory.view({ sizes: [1, columns], offset: row * wide * 4 });
      alone.push(...(await (await apply(view)).toArray()));
    }
    expect(results).toEqual(alone);
  });

  test('a quantization finds the smallest and the largest element of all blocks', async () => {
    const data = numbers.slice(0, rows * columns);
    [data[10], data[rows * columns - 10]] = [-20, 31];
    const x = device().createTensor({ dataType: 'float32', sizes: [rows, columns] }, data);
    const { outputScaleTensor, outputZeroPointTensor } = await dynamicQuantizeLinear(x, {
      outputTensor: { dataType: 'uint8' },
      outputZeroPointTensor: { dataType: 'uint8' },
    });
    expect(await outputScaleTensor.item()).toBeCloseTo(51 / 255, 6);
    expect(await outputZeroPointTensor.item()).toBe(100);
  });
});

describe('blocks', () => {
  const blocksOf = (sizes: readonly number[], whole: readonly number[] = []) => {
    const blocks: { starts: number[]; lengths: readonly number[] }[] = [];
    forEachBlock(sizes, whole, (starts, lengths) => {
      blocks.push({ starts: [...starts], lengths });
    });
    return blocks;
  };
  const view = (dataType: 'uint8' | 'uint4', sizes: readonly number[]) => {
    const count = sizes.reduce((product, size) => product * size, 1);
    const desc = {
      dataType,
      flags: 'none',
      strides: null,
      totalTensorSizeInBytes: count,
      guaranteedBaseOffsetAlignment: 0,
    } as const;
    return viewTensor({ ...desc, sizes }, new Uint8Array(count));
  };

  test.each([
    [[100, 101, 3], []],
    [[1, 20_001], []],
    [[3, 1, 9000, 1], []],
    [[70, 80, 90], [0]],
    [[7, 9000, 2], [1]],
  ])('of %j, whole along %j, contain each element once', (sizes, whole) => {
    const tensor = view('uint8', sizes);
    for (const { starts, lengths } of blocksOf(sizes, whole)) {
      expect(whole.every((axis) => lengths[axis] === sizes[axis])).toBe(true);
      const { words, offsets, elementCount } = partOf(tensor, starts, lengths);
      for (let i = 0; i < elementCount; i++) words[offsets?.[i] ?? i] = (words[offsets?.[i] ?? i] ?? 0) + 1;
    }
    expect(tensor.bytes.every((count) => count === 1)).toBe(true);
  });

  test('of a small tensor are the tensor', () => {
    expect(blocksOf([4, 5])).toEqual([{ starts: [0, 0], lengths: [4, 5] }]);
  });

  test('may begin in the middle of a byte', () => {
    const tensor = view('uint4', [3, 5]);
    const part = partOf(tensor, [1, 0], [1, 5]);
    expect(part.bytes.byteOffset - tensor.bytes.byteOffset).toBe(2);
    expect([...(part.offsets ?? [])]).toEqual([1, 2, 3, 4, 5]);
  });
});

/** 64-bit and 8-bit integers where DirectML's own operators are wrong or missing; on each backend. */
import { describe, expect, test } from 'vitest';
import type { MLOperand } from 'node-directml/webnn';
import { backends, deviceOn } from '../support/devices.js';
import { compute, type Given } from '../../checks/webnn/compute.js';

const [half, whole] = [2n ** 31n, 2n ** 32n];
/** Numbers whose low halves look negative if read with a sign, and the limits of the range. */
const edges = [
  ...[0n, 1n, -1n, 5n, half - 1n, half, half + 1n, -half, -half - 1n, whole - 1n, whole, whole + half, -whole, -whole - half],
  ...[2n ** 62n, -(2n ** 62n), 2n ** 63n - 1n, -(2n ** 63n), 2n ** 63n - half, half - 2n ** 63n],
];
const wideTypes = ['int64', 'uint64'] as const;
type WideType = (typeof wideTypes)[number];

const wrap = (dataType: WideType, value: bigint) => (dataType === 'int64' ? BigInt.asIntN(64, value) : BigInt.asUintN(64, value));

/** All pairs of the edges, as bits of the data type. */
function pairsOf(dataType: WideType): readonly (readonly [bigint, bigint])[] {
  return edges.flatMap((a) => edges.map((b) => [wrap(dataType, a), wrap(dataType, b)] as const));
}

function operand(operands: Readonly<Record<string, MLOperand>>, name: string): MLOperand {
  const own = operands[name];
  if (own === undefined) throw new Error(`there is no ${name}`);
  return own;
}

/** Integer powers modulo 2^64; a negative exponent gives 0 unless the base is 1 or -1. */
function powerOf(base: bigint, exponent: bigint): bigint {
  if (exponent >= 0n) return base ** exponent;
  return base === 1n || base === -1n ? base ** -exponent : 0n;
}

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);

  test.each(wideTypes)('%s is compared by all 64 bits', async (dataType) => {
    const pairs = pairsOf(dataType);
    const rows: Given = [dataType, [pairs.length, 2], pairs.flat()];
    const a: Given = [dataType, [pairs.length], pairs.map(([x]) => x)];
    const b: Given = [dataType, [pairs.length], pairs.map(([, y]) => y)];
    const result = await compute(device(), { rows, a, b }, (builder, operands) => {
      const [rowsOf, left, right] = ['rows', 'a', 'b'].map((name) => operand(operands, name));
      if (rowsOf === undefined || left === undefined || right === undefined) throw new Error('there are three');
      const image = builder.reshape(rowsOf, [1, 1, pairs.length, 2]);
      return {
        max: builder.max(left, right),
        min: builder.min(left, right),
        greater: builder.greater(left, right),
        lesserOrEqual: builder.lesserOrEqual(left, right),
        reduceMax: builder.reduceMax(rowsOf, { axes: [1] }),
        reduceMin: builder.reduceMin(rowsOf, { axes: [1] }),
        argMax: builder.argMax(rowsOf, 1),
        argMin: builder.argMin(rowsOf, 1, { outputDataType: 'int64' }),
        pooled: builder.maxPool2d(image, { windowDimensions: [1, 2] }),
        padded: builder.maxPool2d(builder.transpose(image, { permutation: [0, 2, 3, 1] }), {
          ...{ layout: 'nhwc', windowDimensions: [1, 2], padding: [0, 0, 1, 0], strides: [1, 2] },
        }),
      };
    });
    const [greatest, least] = [pairs.map(([x, y]) => (x > y ? x : y)), pairs.map(([x, y]) => (x < y ? x : y))];
    expect(result['max']).toEqual(greatest);
    expect(result['min']).toEqual(least);
    expect(result['greater']).toEqual(pairs.map(([x, y]) => Number(x > y)));
    expect(result['lesserOrEqual']).toEqual(pairs.map(([x, y]) => Number(x <= y)));
    expect(result['reduceMax']).toEqual(greatest);
    expect(result['reduceMin']).toEqual(least);
    expect(result['argMax']).toEqual(pairs.map(([x, y]) => Number(y > x)));
    expect(result['argMin']).toEqual(pairs.map(([x, y]) => BigInt(y < x)));
    expect(result['pooled']).toEqual(greatest);
    // Each window contains one element of the padding and the first number of the pair.
    expect(result['padded']).toEqual(pairs.map(([x]) => x));
  });

  test.each(wideTypes)('clamp of %s to any bounds', async (dataType) => {
    const numbers = edges.map((value) => wrap(dataType, value));
    const bounds = [wrap(dataType, -half), half, 5n, wrap(dataType, half - 2n ** 63n)].sort((a, b) => (a < b ? -1 : 1));
    for (const [i, minValue] of bounds.entries()) {
      const maxValue = bounds.at(i + 1);
      const { y } = await compute(device(), { x: [dataType, [numbers.length], numbers] }, (builder, operands) => ({
        y: builder.clamp(operand(operands, 'x'), maxValue === undefined ? { minValue } : { minValue, maxValue }),
      }));
      const high = maxValue ?? 2n ** 64n;
      expect(y).toEqual(numbers.map((value) => (value < minValue ? minValue : value > high ? high : value)));
    }
  });

  test('relu and prelu of int64', async () => {
    const x: Given = ['int64', [edges.length], edges];
    const slope: Given = ['int64', [1], [3]];
    const result = await compute(device(), { x, slope }, (builder, operands) => ({
      relu: builder.relu(operand(operands, 'x')),
      prelu: builder.prelu(operand(operands, 'x'), operand(operands, 'slope')),
    }));
    expect(result['relu']).toEqual(edges.map((value) => (value < 0n ? 0n : value)));
    expect(result['prelu']).toEqual(edges.map((value) => (value < 0n ? BigInt.asIntN(64, 3n * value) : value)));
  });

  test.each(wideTypes)('pow of %s', async (dataType) => {
    const bases = [0n, 1n, 2n, 3n, 7n, 10n, 3037000499n, whole + 1n, ...(dataType === 'int64' ? [-1n, -2n, -3n] : [])];
    const exponents = [0n, 1n, 2n, 3n, 13n, 19n, 39n, 62n, 63n, ...(dataType === 'int64' ? [-1n, -2n, -63n] : [])];
    const pairs = [
      ...bases.flatMap((base) => exponents.map((exponent) => [base, exponent] as const)),
      ...[0n, 1n, ...(dataType === 'int64' ? [-1n] : [])].flatMap((base) =>
        [64n, 65n, whole + 1n, 2n ** 62n].map((exponent) => [base, exponent] as const),
      ),
    ];
    const result = await compute(
      device(),
      {
        a: [dataType, [pairs.length], pairs.map(([base]) => base)],
        b: [dataType, [pairs.length], pairs.map(([, exponent]) => exponent)],
        matrix: [dataType, [2, 1], [2n, 5n]],
        row: [dataType, [3], [0n, 20n, 3n]],
      },
      (builder, operands) => ({
        pow: builder.pow(operand(operands, 'a'), operand(operands, 'b')),
        broadcast: builder.pow(operand(operands, 'matrix'), operand(operands, 'row')),
      }),
    );
    // Replaces exponents of 64 and more by 62 or 63, which give the same powers of 1 and -1.
    const expected = pairs.map(([base, exponent]) =>
      exponent < 64n ? powerOf(base, exponent) : powerOf(base, 62n + (exponent % 2n)),
    );
    expect(result['pow']).toEqual(expected.map((value) => wrap(dataType, value)));
    expect(result['broadcast']).toEqual([1n, 2n ** 20n, 8n, 1n, 5n ** 20n, 125n]);
  });

  test.each(['int8', 'uint8'] as const)('resample2d of %s', async (dataType) => {
    const numbers = dataType === 'int8' ? [-128, 127, -3, 4] : [0, 255, 3, 200];
    const result = await compute(device(), { x: [dataType, [1, 1, 1, 4], numbers] }, (builder, operands) => ({
      nearest: builder.resample2d(operand(operands, 'x'), { sizes: [2, 6] }),
      linear: builder.resample2d(operand(operands, 'x'), { sizes: [1, 8], mode: 'linear' }),
    }));
    const row = [0, 0, 1, 2, 2, 3].map((i) => numbers[i] ?? 0);
    expect(result['nearest']).toEqual([...row, ...row]);
    const quarters = [
      [0, 0, 0],
      [0, 1, 1],
      [0, 1, 3],
      [1, 2, 1],
      [1, 2, 3],
      [2, 3, 1],
      [2, 3, 3],
      [3, 3, 0],
    ] as const;
    const between = quarters.map(([a, b, part]) => ((numbers[a] ?? 0) * (4 - part) + (numbers[b] ?? 0) * part) / 4);
    const rounded = between.map((value) => (Math.abs(value % 1) === 0.5 ? 2 * Math.round(value / 2) : Math.round(value)) + 0);
    expect(result['linear']).toEqual(rounded);
  });
});

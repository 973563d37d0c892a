/** Results that have to be exact although DirectML's operators differ from WebNN's; on each backend. */
import { describe, expect, test } from 'vitest';
import type { MLOperandDataType } from 'node-directml/webnn';
import { backends, deviceOn } from '../support/devices.js';
import { compute, computeOne, type Given } from '../../checks/webnn/compute.js';

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);
  const castOf = (given: Given, dataType: MLOperandDataType) =>
    computeOne(device(), { x: given }, (builder, { x }) => {
      if (x === undefined) throw new Error('there is no x');
      return builder.cast(x, dataType);
    });

  test('casts to 8 bits keep the lowest 8 bits', async () => {
    const numbers = [0, 127, 128, 200, 255, 256, 300, -1, -128, -129, -200, 70000, -70001];
    for (const dataType of ['int32', 'int64'] as const) {
      const given: Given = [dataType, [numbers.length], numbers];
      expect(await castOf(given, 'int8')).toEqual([...Int8Array.from(numbers)]);
      expect(await castOf(given, 'uint8')).toEqual([...Uint8Array.from(numbers)]);
    }
    expect(await castOf(['int8', [3], [-1, -128, 5]], 'uint8')).toEqual([255, 128, 5]);
    expect(await castOf(['uint8', [3], [255, 128, 5]], 'int8')).toEqual([-1, -128, 5]);
  });

  test('casts of 64-bit integers to float32 round to the nearest, ties to even', async () => {
    const even = 2n ** 40n;
    const odd = even + 2n ** 17n;
    const half = 2n ** 16n;
    const numbers = [even + half, even + half + 1n, odd + half, odd + half - 1n, 16777217n, 16777219n, 2n ** 63n - 1n];
    const expected = numbers.map((x) => Math.fround(Number(x)));
    expect(await castOf(['int64', [7], numbers], 'float32')).toEqual(expected);
    const negative = numbers.map((x) => -x);
    expect(await castOf(['int64', [7], negative], 'float32')).toEqual(expected.map((x) => -x));
    const top = 2n ** 63n + 2n ** 39n;
    const large = [...numbers, 2n ** 63n, top, top + 1n, 2n ** 64n - 1n];
    expect(await castOf(['uint64', [11], large], 'float32')).toEqual([...expected, 2 ** 63, 2 ** 63, 2 ** 63 + 2 ** 40, 2 ** 64]);
    expect(await castOf(['uint64', [2], [2n ** 63n, 3]], 'float16')).toEqual([0x7c00, 0x4200]);
  });

  test('casts of float32 to uint64 cover its whole range', async () => {
    const numbers = [0, 1.75, 2 ** 32, 2 ** 63, 2 ** 63 + 2 ** 40, 2 ** 64 - 2 ** 40];
    expect(await castOf(['float32', [6], numbers], 'uint64')).toEqual(numbers.map((x) => BigInt(Math.trunc(x))));
  });

  test('extremes of 64-bit integers', async () => {
    const rows = [
      [-4147483648n, -2n, -3000000000n, -5n],
      [2n ** 40n + 1n, 2n ** 40n + 2n ** 31n, 2n ** 40n + 2n ** 32n - 1n, 2n ** 40n],
      [2147483647n, 2147483648n, -1n, 0n],
    ];
    for (const dataType of ['int64', 'uint64'] as const) {
      const own = rows.map((row) => row.map((x) => (dataType === 'int64' ? x : BigInt.asUintN(64, x))));
      const result = await compute(device(), { x: [dataType, [3, 4], own.flat()] }, (builder, { x }) => {
        if (x === undefined) throw new Error('there is no x');
        return {
          max: builder.reduceMax(x, { axes: [1] }),
          min: builder.reduceMin(x, { axes: [1], keepDimensions: true }),
          all: builder.reduceMax(x),
          none: builder.reduceMin(x, { axes: [] }),
          last: builder.argMax(x, 1),
          first: builder.argMin(x, 1, { outputDataType: 'int64' }),
        };
      });
      const best = (row: readonly bigint[], isBetter: (a: bigint, b: bigint) => boolean) =>
        row.reduce((a, b) => (isBetter(b, a) ? b : a));
      const [max, min] = [own.map((row) => best(row, (a, b) => a > b)), own.map((row) => best(row, (a, b) => a < b))];
      expect(result['max']).toEqual(max);
      expect(result['min']).toEqual(min);
      expect(result['all']).toEqual([best(max, (a, b) => a > b)]);
      expect(result['none']).toEqual(own.flat());
      expect(result['last']).toEqual(own.map((row, i) => row.indexOf(max[i] ?? 0n)));
      expect(result['first']).toEqual(own.map((row, i) => BigInt(row.indexOf(min[i] ?? 0n))));
    }
  });

  test('powers of 0, to the power of 0, and to large and infinite ones', async () => {
    const bases = [0, 0, 0, Infinity, NaN, -1, -1, -2, -0.5, 1, 3, 0];
    const exponents = [0, -1, NaN, 0, 0, 2 ** 31, 2 ** 40, Infinity, Infinity, -Infinity, 2, 2];
    const given = { a: ['float32', [12], bases], b: ['float32', [12], exponents] } as const;
    const result = await compute(device(), given, (builder, { a, b }) => {
      if (a === undefined || b === undefined) throw new Error('there is no operand');
      const exponent = builder.constant({ dataType: 'float32', shape: [12] }, Float32Array.from(exponents));
      const squares = builder.pow(a, builder.constant('float32', 2));
      return { inputs: builder.pow(a, b), constants: builder.pow(a, exponent), squares };
    });
    const powers = [1, Infinity, NaN, 1, 1, 1, 1, Infinity, 0, 1, 9, 0].map((x) => Math.fround(x));
    const rounded = (numbers: readonly (number | bigint)[] = []) => numbers.map((x) => Number(Number(x).toPrecision(6)));
    expect(rounded(result['inputs'])).toEqual(powers);
    expect(rounded(result['constants'])).toEqual(powers);
    expect(rounded(result['squares'])).toEqual([0, 0, 0, Infinity, NaN, 1, 1, 4, 0.25, 1, 9, 0]);
  });

  test('clamp without a bound leaves infinities unchanged on that side, and without bounds also NaN', async () => {
    const given = { x: ['float32', [4], [NaN, Infinity, -Infinity, 5]] } as const;
    const result = await compute(device(), given, (builder, { x }) => {
      if (x === undefined) throw new Error('there is no x');
      const [low, high] = [builder.clamp(x, { minValue: 1 }), builder.clamp(x, { maxValue: 1 })];
      return { none: builder.clamp(x), low, high };
    });
    expect(result['none']).toEqual([NaN, Infinity, -Infinity, 5]);
    // For NaN, DirectML gives the bound.
    expect(result['low']).toEqual([1, Infinity, 1, 5]);
    expect(result['high']).toEqual([1, 1, -Infinity, 1]);
  });

  test('quantizes a transposed operand to 4 bits', async () => {
    const numbers = Array.from({ length: 64 }, (_, i) => (i % 16) - 8);
    const given = { x: ['float32', [1, 8, 8], numbers] } as const;
    const y = await computeOne(device(), given, (builder, { x }) => {
      if (x === undefined) throw new Error('there is no x');
      const scale = builder.constant({ dataType: 'float32', shape: [8, 1, 1] }, new Float32Array(8).fill(1));
      const zeroPoint = builder.constant({ dataType: 'int4', shape: [8, 1, 1] }, new Uint8Array(4));
      const quantized = builder.quantizeLinear(builder.transpose(x, { permutation: [2, 1, 0] }), scale, zeroPoint);
      return builder.dequantizeLinear(quantized, scale, zeroPoint);
    });
    expect(y).toEqual(numbers.map((_, i) => numbers[Math.floor(i / 8) + 8 * (i % 8)]));
  });
});

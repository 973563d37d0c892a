/** How numbers of options and constants are cast, and the limits of numbers that Web IDL converts. */
import { beforeAll, describe, expect, test } from 'vitest';
import { createML, MLGraphBuilder, type MLContext, type MLOperandDataType } from 'node-directml/webnn';
import { castNumber } from '#lib/webnn/cast-number.js';
import { enforcedLong, enforcedUnsignedLong, unsignedLong, type Converter } from '#lib/webnn/idl/conversions.js';

describe('numbers are cast to', () => {
  const cases: readonly (readonly [MLOperandDataType, readonly (readonly [number | bigint, number | bigint])[]])[] = [
    [
      'float32',
      [
        [0.1, Math.fround(0.1)],
        [5n, 5],
        [Infinity, Infinity],
        [NaN, NaN],
        [1e39, Infinity],
      ],
    ],
    [
      'float16',
      [
        [0.1, 0.0999755859375],
        [65519, 65504],
        [65520, Infinity],
        [-7n, -7],
      ],
    ],
    [
      'int8',
      [
        [127.5, 127],
        [128, 127],
        [-129, -128],
        [2.5, 2],
        [3.5, 4],
        [-0.4, 0],
        [NaN, 0],
        [Infinity, 127],
        [-Infinity, -128],
      ],
    ],
    [
      'uint8',
      [
        [255, 255],
        [256, 255],
        [-1, 0],
        [-Infinity, 0],
        [300n, 255],
        [-3n, 0],
        [7n, 7],
      ],
    ],
    [
      'int32',
      [
        [2 ** 31, 2 ** 31 - 1],
        [-(2 ** 31), -(2 ** 31)],
        [1e30, 2 ** 31 - 1],
        [-1e30, -(2 ** 31)],
      ],
    ],
    [
      'uint32',
      [
        [2 ** 32 - 1, 2 ** 32 - 1],
        [2 ** 32, 2 ** 32 - 1],
      ],
    ],
    [
      'int64',
      [
        [1.5, 2n],
        [2n ** 63n, 2n ** 63n - 1n],
        [-(2n ** 64n), -(2n ** 63n)],
        [Infinity, 2n ** 63n - 1n],
        [NaN, 0n],
      ],
    ],
    [
      'uint64',
      [
        [-1, 0n],
        [2n ** 64n, 2n ** 64n - 1n],
        [Infinity, 2n ** 64n - 1n],
        [-Infinity, 0n],
        [12, 12n],
      ],
    ],
    [
      'int4',
      [
        [7.4, 7],
        [8, 7],
        [-9, -8],
      ],
    ],
    [
      'uint4',
      [
        [15, 15],
        [16, 15],
        [-1, 0],
      ],
    ],
  ];

  test.each(cases)('%s', (dataType, numbers) => {
    expect(numbers.map(([given]) => castNumber(given, dataType))).toEqual(numbers.map(([, cast]) => cast));
  });
});

describe('integers of Web IDL', () => {
  const converted = (convert: Converter<number>, given: unknown): unknown => {
    try {
      return convert(given, 'it');
    } catch (error) {
      return error instanceof TypeError ? error.message : error;
    }
  };

  test('without a range wrap around', () => {
    const given = [0, 2.9, -0.5, 2 ** 32 - 1, 2 ** 32, 2 ** 33 + 5, -1, -(2 ** 32), Infinity, NaN, '12', null];
    const expected = [0, 2, 0, 2 ** 32 - 1, 0, 5, 2 ** 32 - 1, 0, 0, 0, 12, 0];
    expect(given.map((each) => converted(unsignedLong, each))).toEqual(expected);
    expect(converted(unsignedLong, 5n)).toBe('it is not a number.');
  });

  test('with a range refuse others', () => {
    const range = 'it is outside the range of 0 to 4294967295.';
    const given = [0, 4294967295.5, 2 ** 32, -0.9, -1, Infinity, NaN];
    const none = 'it is not a finite number.';
    expect(given.map((each) => converted(enforcedUnsignedLong, each))).toEqual([0, 2 ** 32 - 1, range, 0, range, none, none]);
    const signed = 'it is outside the range of -2147483648 to 2147483647.';
    const numbers = [-(2 ** 31), 2 ** 31 - 1, -(2 ** 31) - 1, 2 ** 31, -5.9];
    expect(numbers.map((each) => converted(enforcedLong, each))).toEqual([-(2 ** 31), 2 ** 31 - 1, signed, signed, -5]);
  });
});

describe('the largest hidden size', () => {
  let context: MLContext;

  beforeAll(async () => {
    context = await createML({ backend: 'reference' }).createContext();
  });

  test.each([
    ['gruCell', 357913941],
    ['lstmCell', 268435455],
  ] as const)('of %s is %i', (name, most) => {
    const add = (hiddenSize: number) => {
      const b = new MLGraphBuilder(context);
      const x = b.input('x', { dataType: 'float32', shape: [1, 1] });
      if (name === 'gruCell') return b.gruCell(x, x, x, x, hiddenSize);
      return b.lstmCell(x, x, x, x, x, hiddenSize);
    };
    // The next check is that of the weights.
    expect(() => add(most)).toThrow(`${name}: weight has the shape [1, 1], not [`);
    for (const wrong of [0, most + 1]) {
      expect(() => add(wrong)).toThrow(new TypeError(`${name}: hiddenSize ${wrong} is not in the range of 1 to ${most}.`));
    }
  });
});

/** Cases where DirectML's operators differ from WebNN's, or the specification is newer than most tests; on each backend. */
import { describe, expect, test } from 'vitest';
import { fromFloat16Bits, toFloat16Bits } from 'node-directml';
import type { MLGraphBuilder, MLOperand } from 'node-directml/webnn';
import { backends, deviceOn } from '../support/devices.js';
import { compute, computeOne, type Given } from '../../checks/webnn/compute.js';

const float32 = (shape: readonly number[], numbers: readonly number[]): Given => ['float32', shape, numbers];
const float16 = (numbers: readonly number[]): Given => ['float16', [numbers.length], Array.from(toFloat16Bits(numbers))];
const halves = (bits: readonly (number | bigint)[]) => Array.from(fromFloat16Bits(Uint16Array.from(bits.map(Number))));
/** Returns an input of the record. Throws if it is absent. */
const of = (operands: Readonly<Record<string, MLOperand>>, name = 'x'): MLOperand => {
  const operand = operands[name];
  if (operand === undefined) throw new Error(`there is no ${name}`);
  return operand;
};

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);
  const one = (inputs: Readonly<Record<string, Given>>, build: Parameters<typeof computeOne>[2]) =>
    computeOne(device(), inputs, build);

  test('casts to float16 round to the nearest, ties to even', async () => {
    const steps = [1, 2 ** -13, 2 ** -14, 2 ** -15, 2 ** -24, 2 ** -25, 1000, 60000];
    const parts = [1, 1 + 2 ** -11, 1 + 2 ** -11 + 2 ** -20, 1 + 3 * 2 ** -11, 1.3333334, 1.9999999, 1 + 2 ** -10, 1.5];
    const numbers = steps.flatMap((step) => parts.flatMap((part) => [step * part, -step * part])).map(Math.fround);
    const special = [0, -0, Infinity, -Infinity, 65504, 65519.996, 65520, -65520, 1e30, -3e38, 1e-40, NaN].map(Math.fround);
    const all = [...numbers, ...special];
    const y = await one({ x: float32([all.length], all) }, (b, o) => b.cast(of(o), 'float16'));
    expect(halves(y)).toEqual(halves(Array.from(toFloat16Bits(all))));
  });

  test('casts integers to float16, rounding to the nearest', async () => {
    const numbers = [0, 1, -1, 2049, 2051, -4098, 65519, 65520, -70000, 2 ** 31 - 1, 16777217];
    for (const dataType of ['int32', 'int64'] as const) {
      const y = await one({ x: [dataType, [numbers.length], numbers] }, (b, o) => b.cast(of(o), 'float16'));
      expect(halves(y)).toEqual(halves(Array.from(toFloat16Bits(numbers))));
    }
  });

  test('isNaN, isInfinite and roundEven', async () => {
    const numbers = [NaN, Infinity, -Infinity, 0, 2.5, 3.5, -0.5, -1.5, 1e9, 0.49999997];
    const given = { x: float32([10], numbers) };
    const result = await compute(device(), given, (b, o) => ({
      nan: b.isNaN(of(o)),
      infinite: b.isInfinite(of(o)),
      round: b.roundEven(of(o)),
    }));
    expect(result['nan']).toEqual(numbers.map((x) => (Number.isNaN(x) ? 1 : 0)));
    expect(result['infinite']).toEqual(numbers.map((x) => (Math.abs(x) === Infinity ? 1 : 0)));
    // DirectML gives 0 for -0.
    expect(result['round']?.map((x) => Number(x) + 0)).toEqual([NaN, Infinity, -Infinity, 0, 2, 4, 0, -2, 1e9, 0]);
  });

  test('a convolution with one window, padded and dilated, as large as the input', async () => {
    const x = float32([1, 1, 3, 2], [1, 2, 3, 4, 5, 6]);
    const filter = float32([1, 1, 3, 2], [7, 7, 7, 10, 7, 100]);
    const options = { padding: [1, 1, 1, 1], strides: [3, 2], dilations: [1, 2] };
    expect(await one({ x, filter }, (b, o) => b.conv2d(of(o), of(o, 'filter'), options))).toEqual([2 * 10 + 4 * 100]);
  });

  test('the former softmax, without an axis, is that of rows', async () => {
    const softmax = (b: MLGraphBuilder, x: MLOperand) => b.softmax(x, { label: 'former' } as never);
    const y = await one({ x: float32([2, 2], [0, 0, 5, 5]) }, (b, o) => softmax(b, of(o)));
    expect(y).toEqual([0.5, 0.5, 0.5, 0.5]);
    const wrong = one({ x: float32([1, 2, 2], [0, 0, 5, 5]) }, (b, o) => softmax(b, of(o)));
    await expect(wrong).rejects.toThrow('softmax [former]: an input that has not two dimensions needs an axis');
  });

  test('a scale for axes in another order', async () => {
    const x = float32([1, 2, 3], [-1, 0, 1, 1, 0, -1]);
    const scale = float32([3, 2], [1, 2, 10, 20, 100, 200]);
    const made = await one({ x, scale }, (b, o) => b.layerNormalization(of(o), { scale: of(o, 'scale'), axes: [2, 1] }));
    const unit = Math.sqrt(3 / 2);
    const expected = [-1, 0, 100, 2, 0, -200].map((each) => each * unit);
    for (const [i, each] of made.entries()) expect(Number(each)).toBeCloseTo(expected[i] ?? NaN, 2);
  });

  test('logical operators treat every number except 0 as true', async () => {
    const given = { a: ['uint8', [4], [0, 2, 255, 1]], b: ['uint8', [4], [4, 0, 128, 1]] } as const;
    const result = await compute(device(), given, (b, { a, b: c }) => {
      const [left, right] = [of({ x: a } as Record<string, MLOperand>), of({ x: c } as Record<string, MLOperand>)];
      return {
        and: b.logicalAnd(left, right),
        or: b.logicalOr(left, right),
        xor: b.logicalXor(left, right),
        not: b.logicalNot(left),
      };
    });
    expect(result).toEqual({ and: [0, 0, 1, 1], or: [1, 1, 1, 1], xor: [1, 1, 0, 0], not: [1, 0, 0, 0] });
  });

  test('logSumExp of large, small and infinite numbers', async () => {
    const numbers = [100, 100, -100, -100, -Infinity, -Infinity, Infinity, 0, -1e30, 1];
    const y = await one({ x: float32([5, 2], numbers) }, (b, o) => b.reduceLogSumExp(of(o), { axes: [1] }));
    const expected = [100 + Math.LN2, -100 + Math.LN2, -Infinity, Infinity, 1];
    expect(
      y.map((number, i) => (number === expected[i] ? 0 : Math.abs(Number(number) - (expected[i] ?? 0)) < 1e-5 ? 0 : number)),
    ).toEqual([0, 0, 0, 0, 0]);
  });

  test('reductions over no axes still apply their function', async () => {
    const given = { x: float32([3], [-2, 3, -0.5]) };
    const result = await compute(device(), given, (b, o) => ({
      l1: b.reduceL1(of(o), { axes: [] }),
      square: b.reduceSumSquare(of(o), { axes: [] }),
      sum: b.reduceSum(of(o), { axes: [] }),
    }));
    expect(result).toEqual({ l1: [2, 3, 0.5], square: [4, 9, 0.25], sum: [-2, 3, -0.5] });
  });

  test('clamps indices that are out of range, in each dimension', async () => {
    const given = {
      x: ['int32', [2, 3], [0, 1, 2, 3, 4, 5]],
      i: ['int64', [4], [-9, -1, 7, 2n ** 32n]],
      t: ['int32', [3, 2], [-1, -9, 0, 9, 5, -1]],
    } as const;
    const result = await compute(device(), given, (b, o) => ({
      rows: b.gather(of(o), of(o, 'i'), { axis: 1 }),
      elements: b.gatherND(of(o), of(o, 't')),
    }));
    expect(result).toEqual({ rows: [0, 2, 2, 2, 3, 5, 5, 5], elements: [3, 2, 5] });
  });

  test('clamp, neg and abs of large integers are exact', async () => {
    const large = [2 ** 31 - 1, -(2 ** 31) + 1, 16777217, -16777217];
    const result = await compute(device(), { x: ['int32', [4], large] }, (b, o) => ({
      clamp: b.clamp(of(o), { minValue: -16777217, maxValue: 16777217 }),
      neg: b.neg(of(o)),
    }));
    expect(result).toEqual({ clamp: [16777217, -16777217, 16777217, -16777217], neg: large.map((x) => -x) });
    const wide = [-4147483648n, 4147483647n, -4n, 9007199254740993n];
    const clamped = await one({ x: ['int64', [4], wide] }, (b, o) =>
      b.clamp(of(o), { minValue: -2, maxValue: 9007199254740992n }),
    );
    expect(clamped).toEqual([-2n, 4147483647n, -2n, 9007199254740992n]);
  });

  test('comparisons of 64-bit integers', async () => {
    const a = [-4147483648n, -2n, 2147483648n, 1n, 4147483647n, 5n, 2n ** 62n, -(2n ** 63n), 2n ** 40n];
    const b = [-2n, -4147483648n, 1n, 2147483648n, 3n, 5n, -(2n ** 62n), 2n ** 63n - 1n, 2n ** 40n + 2n ** 31n];
    for (const dataType of ['int64', 'uint64'] as const) {
      const bits = (numbers: readonly bigint[]) => numbers.map((x) => (dataType === 'int64' ? x : BigInt.asUintN(64, x)));
      const [left, right] = [bits(a), bits(b)];
      const result = await compute(device(), { x: [dataType, [9], left], z: [dataType, [9], right] }, (builder, o) => ({
        max: builder.max(of(o), of(o, 'z')),
        lesser: builder.lesser(of(o), of(o, 'z')),
        greaterOrEqual: builder.greaterOrEqual(of(o), of(o, 'z')),
      }));
      const pairs = left.map((x, i) => [x, right[i] ?? 0n] as const);
      expect(result['max']).toEqual(pairs.map(([x, z]) => (x > z ? x : z)));
      expect(result['lesser']).toEqual(pairs.map(([x, z]) => (x < z ? 1 : 0)));
      expect(result['greaterOrEqual']).toEqual(pairs.map(([x, z]) => (x >= z ? 1 : 0)));
    }
  });

  test('resample2d takes the earlier of two equally near neighbors', async () => {
    const given = { x: float32([1, 1, 1, 4], [0, 1, 2, 3]) };
    const result = await compute(device(), given, (b, o) => ({
      half: b.resample2d(of(o), { sizes: [1, 2] }),
      third: b.resample2d(of(o), { sizes: [1, 6] }),
      linear: b.resample2d(of(o), { sizes: [1, 8], mode: 'linear' }),
    }));
    expect(result['half']).toEqual([0, 2]);
    expect(result['third']).toEqual([0, 0, 1, 2, 2, 3]);
    expect(result['linear']).toEqual([0, 0.25, 0.75, 1.25, 1.75, 2.25, 2.75, 3]);
  });

  test('normalizations without axes, of one element, and with an epsilon of 0', async () => {
    const given = { x: float32([2], [4, -7]), s: float32([], [9]), p: float32([1, 1, 1, 2], [1, 3]), c: float32([1], [2]) };
    const result = await compute(device(), given, (b, o) => ({
      none: b.layerNormalization(of(o), { axes: [] }),
      scalar: b.layerNormalization(of(o, 's'), { bias: b.constant('float32', 3) }),
      instance: b.instanceNormalization(of(o, 'p'), { epsilon: 0, bias: of(o, 'c') }),
    }));
    expect(result).toEqual({ none: [0, 0], scalar: [3], instance: [1, 3] });
  });

  test('normalizes float16 whose variance float16 cannot hold', async () => {
    const least = 2 ** -24;
    const given = { large: float16([400, -400, 400, -400]), small: float16([least, -least, least, -least]) };
    const result = await compute(device(), given, (b, o) => ({
      large: b.instanceNormalization(b.reshape(of(o, 'large'), [1, 1, 2, 2])),
      small: b.layerNormalization(of(o, 'small'), { axes: [0], epsilon: 0 }),
    }));
    // Epsilon makes the result slightly less than 1, and it is truncated to float16.
    expect(halves(result['large'] ?? []).map((x) => Math.abs(x) > 0.999)).toEqual([true, true, true, true]);
    expect(halves(result['small'] ?? []).map(Math.round)).toEqual([1, -1, 1, -1]);
  });

  test('convTranspose2d extends its output by outputPadding and outputSizes', async () => {
    const given = { x: float32([1, 1, 2, 2], [1, 2, 3, 4]), w: float32([1, 1, 2, 2], [1, 1, 1, 1]) };
    const result = await compute(device(), given, (b, o) => ({
      padded: b.convTranspose2d(of(o), of(o, 'w'), { strides: [3, 3], outputPadding: [1, 1] }),
      cut: b.convTranspose2d(of(o), of(o, 'w'), { strides: [2, 2], padding: [0, 1, 0, 1], outputPadding: [1, 1] }),
      biased: b.convTranspose2d(of(o), of(o, 'w'), {
        strides: [3, 3],
        outputSizes: [6, 5],
        bias: b.constant({ dataType: 'float32', shape: [1] }, Float32Array.of(10)),
      }),
    }));
    const rows = [1, 1, 0, 2, 2, 0, 1, 1, 0, 2, 2, 0, 0, 0, 0, 0, 0, 0, 3, 3, 0, 4, 4, 0, 3, 3, 0, 4, 4, 0, 0, 0, 0, 0, 0, 0];
    expect(result['padded']).toEqual(rows);
    expect(result['cut']).toEqual([1, 1, 2, 2, 1, 1, 2, 2, 3, 3, 4, 4, 3, 3, 4, 4]);
    expect(result['biased']).toEqual(rows.filter((_, i) => i % 6 < 5).map((x) => x + 10));
  });

  test('tensors of eight dimensions, and without dimensions', async () => {
    const shape = [1, 2, 1, 1, 1, 1, 2, 2];
    const numbers = [1, 2, 3, 4, 5, 6, 7, 8];
    const given = { x: float32(shape, numbers), s: float32([], [2]) };
    const result = await compute(device(), given, (b, o) => ({
      product: b.matmul(of(o), of(o)),
      scaled: b.mul(of(o), of(o, 's')),
      turned: b.transpose(of(o)),
      upper: b.triangular(of(o), { upper: true }),
      soft: b.relu(b.neg(of(o, 's'))),
      sum: b.reduceSum(of(o)),
    }));
    expect(result['product']).toEqual([7, 10, 15, 22, 67, 78, 91, 106]);
    expect(result['scaled']).toEqual(numbers.map((x) => 2 * x));
    expect(result['turned']).toEqual([1, 5, 3, 7, 2, 6, 4, 8]);
    expect(result['upper']).toEqual([1, 2, 0, 4, 5, 6, 0, 8]);
    expect(result['soft']).toEqual([0]);
    expect(result['sum']).toEqual([36]);
  });

  test('blocks of quantization, also with 4 bits and 32', async () => {
    const given = { x: float32([2, 4], [0.5, 1.5, 2.5, -3.5, 10, 20, 30, 1e10]), q: ['uint4', [1, 4], [0x21, 0xf3]] } as const;
    const result = await compute(device(), given, (b, o) => {
      const scale = b.constant({ dataType: 'float32', shape: [1, 2] }, Float32Array.of(1, 2));
      const zero = (dataType: 'int8' | 'int32' | 'uint32', array: ArrayBufferView) =>
        b.constant({ dataType, shape: [1, 2] }, array);
      const nibbles = b.constant({ dataType: 'uint4', shape: [1, 2] }, Uint8Array.of(0x10));
      return {
        int8: b.quantizeLinear(of(o), scale, zero('int8', Int8Array.of(1, 0))),
        int32: b.quantizeLinear(of(o), scale, zero('int32', Int32Array.of(1, 2 ** 31 - 1))),
        uint32: b.quantizeLinear(of(o), scale, zero('uint32', Uint32Array.of(0, 1))),
        floats: b.dequantizeLinear(of(o, 'q'), scale, nibbles),
      };
    });
    expect(result['int8']).toEqual([1, 3, 1, -2, 11, 21, 15, 127]);
    expect(result['int32']).toEqual([1, 3, 2 ** 31 - 1, 2 ** 31 - 3, 11, 21, 2 ** 31 - 1, 2 ** 31 - 1]);
    expect(result['uint32']).toEqual([0, 2, 2, 0, 10, 20, 16, 2 ** 32 - 1]);
    expect(result['floats']).toEqual([1, 2, 4, 28]);
  });

  test('float16 in and out', async () => {
    const y = await one({ x: float16([1, -2, 0.5]) }, (b, o) => b.linear(of(o), { alpha: 2, beta: 1 }));
    expect(halves(y)).toEqual([3, -3, 2]);
  });
});

/** The lowerings make up for differences between DirectML's operators and WebNN's; on each backend. */
import { describe, expect, test } from 'vitest';
import { fromFloat16Bits, toFloat16Bits } from 'node-directml';
import { backends, deviceOn } from '../support/devices.js';
import { compute, type Given } from '../../checks/webnn/compute.js';

type Build = Parameters<typeof compute>[2];

const float32 = (shape: readonly number[], numbers: readonly number[]): Given => ['float32', shape, numbers];
const float16 = (shape: readonly number[], numbers: readonly number[]): Given => ['float16', shape, [...toFloat16Bits(numbers)]];
const halves = (bits: readonly (number | bigint)[] = []) => [...fromFloat16Bits(Uint16Array.from(bits.map(Number)))];

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);
  const all = (inputs: Readonly<Record<string, Given>>, build: Build) => compute(device(), inputs, build);

  test('the peephole of the output gate reads the cell from before the step', async () => {
    // With relu in the first step: i = 1, f = 0 + 2 and g = 1, so the next cell is 2 · 2 + 1 · 1, and o = 0 + 3 · 2.
    const given = {
      x: float32([2, 1, 1], [1, 0]),
      w: float32([1, 4, 1], [1, 0, 0, 1]),
      r: float32([1, 4, 1], [0, 0, 0, 0]),
      p: float32([1, 3], [0, 3, 1]),
      h: float32([1, 1, 1], [0]),
      c: float32([1, 1, 1], [2]),
    };
    const result = await all(given, (b, { x, w, r, p, h, c }) => {
      if (!x || !w || !r || !p || !h || !c) throw new Error('there is an operand for each input');
      const states = { initialHiddenState: h, initialCellState: c, peepholeWeight: p };
      const [hidden, cell, sequence] = b.lstm(x, w, r, 2, 1, {
        ...{ ...states, activations: ['relu', 'relu', 'relu'], returnSequence: true },
      });
      if (!hidden || !cell || !sequence) throw new Error('an lstm with a sequence has three outputs');
      return { hidden, cell, sequence };
    });
    // In the second step: f = 5 and i = g = 0, so the cell is 25, and o = 15.
    expect(result).toEqual({ hidden: [375], cell: [25], sequence: [30, 375] });
  });

  test('normalizations of single elements give the bias or 0', async () => {
    const given = { x: float32([1, 2, 1, 1], [-9, 4]), s: float32([], [3]), b: float32([2], [5, 6]) };
    const result = await all(given, (builder, { x, s, b }) => {
      if (!x || !s || !b) throw new Error('there is an operand for each input');
      return {
        instance: builder.instanceNormalization(x, { bias: b }),
        layer: builder.layerNormalization(x, { axes: [2, 3], epsilon: 0.5 }),
        none: builder.layerNormalization(x, { axes: [], scale: s }),
      };
    });
    expect(result).toEqual({ instance: [5, 6], layer: [0, 0], none: [0, 0] });
  });

  test('normalizes float16 whose variance float16 cannot hold', async () => {
    const given = { x: float16([1, 4], [1000, -1000, 1000, -1000]), z: float16([1, 2], [2 ** -14, -(2 ** -14)]) };
    const result = await all(given, (b, { x, z }) => {
      if (!x || !z) throw new Error('there is an operand for each input');
      return { large: b.layerNormalization(x), small: b.layerNormalization(z, { epsilon: 0 }) };
    });
    expect(halves(result['large'])).toEqual([1, -1, 1, -1]);
    expect(halves(result['small'])).toEqual([1, -1]);
  });

  test('alpha is cast to the data type', async () => {
    const given = { x: float16([1, 1], [2]), c: float16([1], [3]) };
    const result = await all(given, (b, { x, c }) => {
      if (!x || !c) throw new Error('there is an operand for each input');
      return { gemm: b.gemm(x, x, { c, alpha: 1e-8, beta: 1 }), large: b.gemm(x, x, { alpha: 1e9 }) };
    });
    expect(halves(result['gemm'])).toEqual([3]);
    expect(halves(result['large'])).toEqual([Infinity]);
  });

  test('maxPool2d of 64-bit integers', async () => {
    const numbers = [2n ** 31n, 1n, -1n, -(2n ** 31n) - 1n, -(2n ** 63n), -(2n ** 63n) + 2n ** 31n];
    const result = await all({ x: ['int64', [1, 3, 1, 2], numbers] }, (b, { x }) => {
      if (!x) throw new Error('there is an operand for the input');
      return { whole: b.maxPool2d(x), padded: b.maxPool2d(x, { windowDimensions: [2, 2], padding: [1, 0, 0, 0] }) };
    });
    const greatest = [2n ** 31n, -1n, -(2n ** 63n) + 2n ** 31n];
    expect(result).toEqual({ whole: greatest, padded: greatest });
  });

  test('computes graphs in which nothing uses some outputs of a node', async () => {
    const zeros = (shape: readonly number[]) => float32(shape, new Array(shape.reduce((a, b) => a * b)).fill(0));
    const given = { x: float32([2, 1, 1], [4, 2]), w: float32([1, 4, 1], [1, 1, 0, 1]), r: zeros([1, 4, 1]), p: zeros([1, 3]) };
    const activations = ['relu', 'relu', 'relu'] as const;
    const result = await all(given, (b, { x, w, r, p }) => {
      if (!x || !w || !r || !p) throw new Error('there is an operand for each input');
      const [, cell] = b.lstm(x, w, r, 2, 1, { activations: [...activations] });
      const [, , sequence] = b.lstm(x, w, r, 2, 1, { activations: [...activations], returnSequence: true, peepholeWeight: p });
      const [, second] = b.split(x, 2);
      if (!cell || !sequence || !second) throw new Error('there are three outputs');
      return { cell, sequence, second };
    });
    expect(result).toEqual({ cell: [4], sequence: [64, 8], second: [2] });
  });

  test('transposes a reshaped tensor', async () => {
    const numbers = Array.from({ length: 27 }, (_, i) => i - 3);
    const result = await all({ x: float32([27], numbers) }, (b, { x }) => {
      if (!x) throw new Error('there is an operand for the input');
      const image = b.transpose(b.reshape(b.relu(x), [1, 3, 3, 3]), { permutation: [0, 3, 1, 2] });
      return { y: b.neg(b.reverse(b.reshape(image, [27]), { axes: [] })) };
    });
    const order = Array.from({ length: 27 }, (_, i) => (i % 9) * 3 + Math.floor(i / 9));
    expect(result['y']?.map(Number).map((x) => x + 0)).toEqual(order.map((i) => -Math.max(0, i - 3) + 0));
  });

  test('takes 64-bit indices that were transposed, reshaped and transposed', async () => {
    const given: Given = ['int64', [3, 2], [0, 3, 1, -4, 2, 9]];
    const values = float32([2, 4, 1], [0, 1, 2, 3, 10, 11, 12, 13]);
    const result = await all({ i: given, x: values, u: float32([2, 3, 1], [5, 6, 7, 8, 9, 4]) }, (b, { i, x, u }) => {
      if (!i || !x || !u) throw new Error('there is an operand for each input');
      const rows = b.reshape(b.transpose(i, { permutation: [1, 0] }), [1, 3, 2]);
      const indices = b.transpose(rows, { permutation: [2, 1, 0] });
      return {
        indices: b.identity(indices),
        gathered: b.gatherElements(x, indices, { axis: 1 }),
        scattered: b.scatterElements(x, b.slice(indices, [0, 0, 0], [2, 2, 1]), b.slice(u, [0, 0, 0], [2, 2, 1]), { axis: 1 }),
      };
    });
    // Transposed, the indices are [[0, 1, 2], [3, -4, 9]]; this is read as three rows of two, and transposed again.
    expect(result['indices']).toEqual([0n, 2n, -4n, 1n, 3n, 9n]);
    expect(result['gathered']).toEqual([0, 2, 0, 11, 13, 13]);
    expect(result['scattered']).toEqual([5, 1, 6, 3, 10, 8, 12, 9]);
  });

  test.each(['float32', 'int64'] as const)('takes a part of a transposed input of %s', async (dataType) => {
    const numbers = Array.from({ length: 24 }, (_, i) => i - 12);
    const result = await all({ x: [dataType, [2, 3, 4], numbers] }, (b, { x }) => {
      if (!x) throw new Error('there is an operand for the input');
      const turned = b.transpose(x, { permutation: [1, 2, 0] });
      const [first] = b.split(turned, 2, { axis: 1 });
      if (!first) throw new Error('a split has outputs');
      return { part: b.abs(b.slice(turned, [1, 2, 0], [1, 1, 2])), first: b.abs(first) };
    });
    expect(result['part']?.map(Number)).toEqual([6, 6]);
    expect(result['first']?.map(Number)).toEqual([12, 0, 11, 1, 8, 4, 7, 5, 4, 8, 3, 9]);
  });
});

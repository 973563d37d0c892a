/** What gradients keep: checkpoints compute it again, and gathered rows need no matrix as large as the table. */
import { describe, expect, test } from 'vitest';
import type { Value } from 'node-directml';
import { checkpoint, grad } from 'node-directml/gradients';
import { elementWiseMultiply as multiply, elementWiseSin as sin, gather, reduce } from 'node-directml/operators';
import { backends, deviceOn } from '../support/devices.js';

type Floats = Value<'float32'>;

const total = (x: Floats): Floats => reduce(x, { function: 'sum', axes: [...x.sizes.keys()] }) as Floats;
const layer = (x: Floats, w: Floats): Floats => sin(multiply(sin(multiply(sin(x), w)), w));
/** Of six layers. */
const lossOf = (each: typeof layer) => (w: Floats, x: Floats) => total([1, 2, 3, 4, 5, 6].reduce((y) => each(y, w), x));

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);

  /** A graph with the gradient of the loss, and how many sines it computes. */
  function compiled(each: typeof layer, sizes: readonly number[]) {
    const graph = device().createGraph();
    const [w, x] = ['w', 'x'].map((name) => graph.input<'float32'>(name, { dataType: 'float32', sizes })) as [Floats, Floats];
    const outputs = { gradient: grad(lossOf(each))(w, x) };
    const sines = graph.toMermaid(outputs, { optimize: 'exact' }).match(/\["elementWiseSin_/g)?.length;
    return { sines, net: graph.compile(outputs) };
  }

  test('a checkpoint computes again what it does not keep: the same numbers', async () => {
    const sizes = [2, 3];
    const [w, x] = [0.5, 1.5].map((start) => {
      const elements = Float32Array.from({ length: 6 }, (_, i) => start + i / 8);
      return device().createTensor({ dataType: 'float32', sizes }, elements);
    });
    if (w === undefined || x === undefined) throw new Error('there are two');
    const [kept, again] = [compiled(layer, sizes), compiled(checkpoint(layer), sizes)];
    // The last of all is not asked for. With checkpoints five layers are computed whole, and all six again, up to their last sine.
    expect([kept.sines, again.sines]).toEqual([17, 5 * 3 + 6 * 2]);
    const [expected, gradient] = await Promise.all(
      [kept, again].map(async ({ net }) => (await (await net).run({ w, x })).gradient.toArray()),
    );
    expect(gradient).toEqual(expected);
  });

  test('a checkpoint of trees, and one in another', async () => {
    const inner = checkpoint(({ a }: { readonly a: Floats }) => ({ b: sin(a), c: [multiply(a, a)] as const }));
    const outer = checkpoint((a: Floats) => {
      const { b, c } = inner({ a });
      return multiply(b, c[0]);
    });
    const x = device().createTensor({ dataType: 'float32', sizes: [1] }, [2]);
    const [slope = NaN] = await (await grad((a: Floats) => total(outer(a)))(x)).read();
    expect(slope).toBeCloseTo(4 * Math.cos(2) + 4 * Math.sin(2), 5);
  });

  test.each([
    { rows: 50_000, width: 8, count: 64 },
    { rows: 1000, width: 64, count: 64 },
    { rows: 50_000, width: 8, count: 2048 },
    { rows: 20, width: 4, count: 100_000 },
  ])('$count rows gathered from $rows × $width need no more than a million elements, or the table', (form) => {
    const { rows, width, count } = form;
    const graph = device().createGraph();
    const table = graph.input<'float32'>('table', { dataType: 'float32', sizes: [rows, width] });
    const ids = graph.input<'int32'>('ids', { dataType: 'int32', sizes: [1, count] });
    const loss = (own: Floats) => {
      const found = gather(own, ids, { axis: 0, indexDimensions: 1 });
      return total(multiply(found, found));
    };
    // Views have strides.
    const tensors = [...graph.toMermaid({ gradient: grad(loss)(table) }).matchAll(/"\w+ \[([\d, ]+)\]"/g)];
    const counts = tensors.map(([, sizes = '']) => sizes.split(', ').reduce((product, size) => product * Number(size), 1));
    expect(counts.length).toBeGreaterThan(0);
    const largest = Math.max(...counts);
    expect(largest).toBeLessThanOrEqual(Math.max(2 ** 20, rows * width, count * width));
  });

  test('rows of one index add up, in a table with more rows than indices and in one with less', async () => {
    for (const rows of [3, 9]) {
      const ids = device().createTensor({ dataType: 'int32', sizes: [1, 5] }, [2, 0, 2, -1, 2]);
      const table = device().createTensor(
        { dataType: 'float32', sizes: [rows, 1] },
        Float32Array.from({ length: rows }, () => 1),
      );
      const found = (own: Floats) => gather(own, ids, { axis: 0, indexDimensions: 1 });
      const cube = grad((own: Floats) => total(multiply(found(own), multiply(found(own), found(own)))));
      const counts = Array.from({ length: rows }, (_, i) => Number(i === 0) + 3 * Number(i === 2) + Number(i === rows - 1));
      expect((await (await cube(table)).toArray()).flat()).toEqual(counts.map((n) => 3 * n));
      // The gradient of the gradient, in one direction.
      const again = grad((own: Floats) => total(cube(own)));
      expect((await (await again(table)).toArray()).flat()).toEqual(counts.map((n) => 6 * n));
    }
  });
});

/** `node-directml/array`: NumPy's rules, the same in calls with tensors, in `jit` and under `grad`; on each backend. */
import { describe, expect, test } from 'vitest';
import type { Tensor, Value } from 'node-directml';
import * as np from 'node-directml/array';
import { grad } from 'node-directml/gradients';
import { backends, deviceOn } from '../support/devices.js';
import { rejected } from '../support/errors.js';

type Floats = Value<'float32'>;
/** Takes values and returns one. With tensors, it returns a promise of one. */
type Program = (x: Floats, y: Value<'int32'>) => Value;

// prettier-ignore
const programs: Readonly<Record<string, readonly [program: Program, dataType: string, expected: unknown]>> = {
  'a number has the data type of the array': [(x) => np.add(x, 1), 'float32', [[2, 3, 4], [5, 6, 7]]],
  'an integer and a float': [(x, y) => np.add(x, y), 'float32', [[11, 22, 33], [14, 25, 36]]],
  'integers are divided as floats': [(_, y) => np.divide(y, 4), 'float32', [2.5, 5, 7.5]],
  'NaN wins': [(x) => np.maximum(np.divide(np.subtract(x, 1), np.subtract(x, 1)), x), 'float32', [[NaN, 2, 3], [4, 5, 6]]],
  'powers of numbers': [
    (x) => powersOf(np.subtract(np.slice(x, 0), 2)), 'float32',
    [[Infinity, 2, 0], [2, 2, 2], [1, 2, 4], [0, 2, Infinity], [-1, 2, -4], [0, 2, Infinity]],
  ],
  'negative of unsigned integers': [(x) => np.negative(np.astype(x, 'uint8')), 'uint8', [[255, 254, 253], [252, 251, 250]]],
  'an infinite dividend has no remainder': [
    (_, y) => np.remainder(np.divide(y, 0), -Infinity), 'float32', [NaN, NaN, NaN],
  ],
  'a remainder has the sign of the divisor': [(_, y) => np.remainder(np.negative(y), 7), 'int32', [4, 1, 5]],
  'the remainder of a number': [(x) => np.remainder(-7.5, x), 'float32', [[0.5, 0.5, 1.5], [0.5, 2.5, 4.5]]],
  'an infinite number has no remainder': [(x) => np.remainder(Infinity, x), 'float32', [[NaN, NaN, NaN], [NaN, NaN, NaN]]],
  'a number and infinite divisors': [
    (_, y) => np.remainder(-1, np.divide(np.subtract(y, 20), 0)), 'float32', [-1, NaN, Infinity],
  ],
  'trunc': [(x) => np.trunc(np.divide(np.subtract(x, 3.5), 1)), 'float32', [[-2, -1, -0], [0, 1, 2]]],
  'all elements': [(x) => np.sum(x), 'float32', [21]],
  'the last axis': [(x) => np.sum(x, { axis: -1 }), 'float32', [6, 15]],
  'axes that stay': [(x) => np.mean(x, { axis: [0, 1], keepDims: true }), 'float32', [[3.5]]],
  'var with a correction': [(x) => np.var(x, { axis: 1, correction: 1 }), 'float32', [1, 1]],
  'sums of small integers': [(x) => np.prod(np.astype(np.multiply(x, 10), 'uint8'), { axis: 1 }), 'uint32', [6000, 120000]],
  'argmax of all': [(x) => np.argmax(np.negative(x)), 'int32', [0]],
  'argmin along an axis': [(x) => np.argmin(x, { axis: 1, keepDims: true }), 'int32', [[0], [0]]],
  'countNonzero': [(x) => np.countNonzero(np.greater(x, 2), { axis: 0 }), 'int32', [1, 1, 2]],
  'how many elements are not 0': [(x) => np.norm(np.subtract(x, 2), { ord: 0, axis: 1 }), 'float32', [2, 3]],
  'where': [(x) => np.where(np.greater(x, 3), x, 0), 'float32', [[0, 0, 0], [4, 5, 6]]],
  'logic': [(x) => np.logicalAnd(np.subtract(x, 1), np.less(x, 6)), 'uint8', [[0, 1, 1], [1, 1, 0]]],
  'a size that is left over': [(x) => np.reshape(x, [3, -1]), 'float32', [[1, 2], [3, 4], [5, 6]]],
  'reshape of a transpose': [(x) => np.reshape(np.matrixTranspose(x), [6]), 'float32', [1, 4, 2, 5, 3, 6]],
  'moveaxis': [(x) => np.moveaxis(np.expandDims(x, { axis: 0 }), 0, -1), 'float32', [[[1], [2], [3]], [[4], [5], [6]]]],
  'an index drops its dimension': [(x) => np.slice(x, 1, [1, null]), 'float32', [5, 6]],
  'one count for all elements': [(x) => np.repeat(x, [2], { axis: 1 }), 'float32', [[1, 1, 2, 2, 3, 3], [4, 4, 5, 5, 6, 6]]],
  'the element at all coordinates': [(x) => np.at(x, np.astype(np.slice(x, 0, [0, 2]), 'int32')), 'float32', [6]],
  'a sum at all coordinates': [
    (x, y) => np.atAdd(x, np.astype(np.slice(x, 0, [0, 2]), 'int32'), np.slice(y, [0, 1])), 'float32', [[1, 2, 3], [4, 5, 16]],
  ],
  'steps back': [(x) => np.slice(x, '...', [null, null, -2]), 'float32', [[3, 1], [6, 4]]],
  'flip': [(x) => np.flip(x), 'float32', [[6, 5, 4], [3, 2, 1]]],
  'concat with promotion': [(x, y) => np.concat([np.slice(x, 0), y as unknown as Floats]), 'float32', [1, 2, 3, 10, 20, 30]],
  'stack': [(x) => np.stack([x, np.square(x)], { axis: 1 }), 'float32', [[[1, 2, 3], [1, 4, 9]], [[4, 5, 6], [16, 25, 36]]]],
  'a product of matrices': [(x) => np.matmul(x, np.matrixTranspose(x)), 'float32', [[14, 32], [32, 77]]],
  'a matrix and a vector': [(x, y) => np.matmul(x, y), 'float32', [140, 320]],
  'products of 8 bits wrap around': [
    (x) => np.matmul(np.astype(np.multiply(x, 20), 'int8'), np.onesLike(np.slice(x, 0), { dataType: 'int8' })), 'int8', [120, 44],
  ],
  'two vectors': [(x, y) => np.matmul(y, np.slice(x, 0)), 'float32', [140]],
  'more dimensions for the dots of the second array': [
    (x) => np.einsum('...,...', np.slice(x, 0), x), 'float32', [[1, 4, 9], [4, 10, 18]],
  ],
  'more dimensions for the dots of the first array': [
    (x) => np.einsum('...i,...->...', np.reshape(np.concat([x, x]), [3, 2, 2]), np.slice(x, 0, [1, 3])), 'float32',
    [[6, 21], [22, 9], [14, 33]],
  ],
  'batches are repeated': [
    (x) => np.matmul(np.reshape(x, [2, 1, 3]), np.reshape(x, [1, 3, 2])), 'float32', [[[22, 28]], [[49, 64]]],
  ],
};

/** Twice the powers of some numbers, rounded, because DirectML computes powers less exactly. */
function powersOf(x: Floats): Value {
  const powers = [
    np.pow(0, x),
    np.pow(1, np.divide(x, 0)),
    np.pow(2, x),
    np.pow(Infinity, x),
    np.pow(-2, x),
    np.pow(-Infinity, np.divide(x, 2)),
  ];
  return np.round(np.multiply(np.stack(powers), 2));
}

describe.each(backends)('on %s', (backend) => {
  const device = deviceOn(backend);
  const given = () => ({
    x: device().tensor([1, 2, 3, 4, 5, 6], { sizes: [2, 3] }),
    y: device().tensor([10, 20, 30], { dataType: 'int32' }),
  });

  test.each(Object.entries(programs))('%s', async (_, [program, dataType, expected]) => {
    const { x, y } = given();
    const eager = await (program as unknown as (x: Tensor, y: Tensor) => Promise<Tensor>)(x, y);
    expect([eager.dataType, await eager.toArray()]).toEqual([dataType, expected]);
    const traced = await device().jit(program)(x, y);
    expect(await traced.toArray()).toEqual(await eager.toArray());
  });

  test('spreads and sums of exponentials of many numbers of float16', async () => {
    const many = await np.astype(
      device().tensor(Float32Array.from({ length: 100_000 }, (_, i) => (i % 2 === 0 ? 3 : -5))),
      'float16',
    );
    const one = async (made: PromiseLike<Tensor>) => (await (await made).toArray())[0];
    expect(await one(np.var(many))).toBe(16);
    expect(await one(np.std(many))).toBe(4);
    expect(await one(np.linalg.norm(device().tensor([300, 400], { dataType: 'float16' })))).toBe(500);
    expect(await one(np.logsumexp(many))).toBeCloseTo(3 + Math.log(50_000 + 50_000 * Math.exp(-8)), 1);
  });

  test('gradients pass', async () => {
    const { x } = given();
    const loss = (value: Floats) => np.sum(np.multiply(np.mean(value, { axis: 1 }), 3));
    // prettier-ignore
    expect(await (await grad(loss)(x)).toArray()).toEqual([[1, 1, 1], [1, 1, 1]]);
  });

  test('a function that first ran in a scope runs after its end, too', async () => {
    // No other test here calls this function, so its graphs belong to the scope if they belong to any.
    const x = device().tensor([0]);
    const sum = await device().scope(() => np.logaddexp(x, -Infinity));
    expect(await sum.toArray()).toEqual([0]);
    expect(await (await np.logaddexp(x, -Infinity)).toArray()).toEqual([0]);
  });

  test('sizes that depend on elements need tensors', async () => {
    const { x } = given();
    const places = await np.nonzero(np.greater(x, 4));
    expect(await Promise.all(places.map((each) => each.toArray()))).toEqual([
      [1, 1],
      [1, 2],
    ]);
    const program = async (value: Floats) => (await np.nonzero(value as unknown as Tensor))[0] as unknown as Value;
    const why = 'the size of the result depends on the elements, which are not known while tracing or building a graph';
    expect((await rejected(device().jit(program)(x))).message).toContain(`nonzero: ${why}`);
  });

  test('a function of outer tensors alone gives jit a promise, and the error says what to do', async () => {
    const { x } = given();
    const double = (value: Tensor<'float32'>): Promise<Tensor<'float32'>> => np.add(value, value);
    using wrong = device().jit((value: Tensor<'float32'>) => np.add(value, double(x) as never));
    using ready = device().jit(async (value: Tensor<'float32'>) => np.add(value, await double(x)));
    expect((await rejected(wrong(x))).message).toMatch(/^add: y: .* a promise that was not awaited .*await it before/);
    expect(await (await ready(x)).toArray()).toEqual([
      [3, 6, 9],
      [12, 15, 18],
    ]);
  });

  test('creation takes a device or a graph', async () => {
    const graph = device().createGraph();
    const made = np.add(np.arange(graph, 3), np.ones(graph, 3, { dataType: 'int32' }));
    const net = await graph.compile({ made });
    expect(await (await net.run({})).made.toArray()).toEqual([1, 2, 3]);
    const wrong = np.zeros(device(), 3, { dataType: 'int4' });
    expect((await rejected(wrong)).message).toMatch(/^zeros: output.dataType: /);
  });
});

/** Gradients of views against sums over the places that the strides give, and of operators with an activation or a scale. */
import type { Value } from 'node-directml';
import { grad } from 'node-directml/gradients';
import {
  activationLeakyRelu as leakyRelu,
  elementWiseAdd as add,
  elementWiseExp as exp,
  elementWiseMultiply as multiply,
  elementWisePow as pow,
  gemm,
  reduce,
  split,
} from 'node-directml/operators';
import { describe, expect, test } from 'vitest';
import { deviceOn } from '../support/devices.js';
import { refusalOf } from '../support/refusals.js';

type Floats = Value<'float32'>;
type Layout = readonly [sizes: readonly number[], strides: readonly number[]];

const total = (x: Floats): Floats => reduce(x, { function: 'sum', axes: [...x.sizes.keys()] }) as Floats;
const device = deviceOn('reference');

/** The places of the elements of a layout, in row-major order. */
function placesOf([sizes, strides]: Layout): readonly number[] {
  return sizes.reduce<readonly number[]>(
    (places, size, axis) => places.flatMap((place) => Array.from({ length: size }, (_, i) => place + i * (strides[axis] ?? 0))),
    [0],
  );
}

/** The gradient of Σ i · view[i] for each element of the memory; undefined for elements of no view. */
function expectedOf(source: Layout, view: Layout): readonly number[] {
  const sums = new Map<number, number>();
  for (const [i, place] of placesOf(view).entries()) sums.set(place, (sums.get(place) ?? 0) + i + 1);
  return placesOf(source).map((place) => sums.get(place) ?? 0);
}

describe('a view', () => {
  test.each<readonly [title: string, source: Layout, view: Layout]>([
    [
      'of the same layout',
      [
        [2, 3],
        [3, 1],
      ],
      [
        [2, 3],
        [3, 1],
      ],
    ],
    [
      'in other sizes',
      [
        [2, 6],
        [6, 1],
      ],
      [
        [3, 4],
        [4, 1],
      ],
    ],
    [
      'in another order',
      [
        [2, 3],
        [3, 1],
      ],
      [
        [3, 2],
        [1, 3],
      ],
    ],
    [
      'of three dimensions in another order',
      [
        [2, 3, 4],
        [12, 4, 1],
      ],
      [
        [4, 2, 3],
        [1, 12, 4],
      ],
    ],
    [
      'in another order and other sizes',
      [
        [4, 6],
        [6, 1],
      ],
      [
        [3, 2, 2, 2],
        [2, 1, 12, 6],
      ],
    ],
    [
      'of a source in another order',
      [
        [3, 2],
        [1, 3],
      ],
      [
        [2, 3],
        [3, 1],
      ],
    ],
    [
      'of a source in another order, in other sizes',
      [
        [3, 2],
        [1, 3],
      ],
      [[6], [1]],
    ],
    [
      'that repeats',
      [
        [1, 3],
        [3, 1],
      ],
      [
        [2, 3],
        [0, 1],
      ],
    ],
    [
      'that repeats the last dimension',
      [
        [3, 1],
        [1, 1],
      ],
      [
        [3, 4],
        [1, 0],
      ],
    ],
    [
      'that repeats in two dimensions',
      [[3], [1]],
      [
        [2, 3, 2],
        [0, 1, 0],
      ],
    ],
    [
      'that repeats one element',
      [[1], [1]],
      [
        [2, 3],
        [0, 0],
      ],
    ],
    [
      'that repeats and turns',
      [
        [2, 3],
        [3, 1],
      ],
      [
        [3, 2, 2],
        [1, 0, 3],
      ],
    ],
    [
      'with sizes of 1',
      [
        [2, 3],
        [3, 1],
      ],
      [
        [1, 2, 1, 3],
        [0, 3, 9, 1],
      ],
    ],
    [
      'of one element with a stride',
      [
        [1, 1],
        [1, 1],
      ],
      [[1], [5]],
    ],
    [
      'with gaps',
      [[6], [1]],
      [
        [2, 2],
        [3, 2],
      ],
    ],
    ['with gaps in the last dimension', [[7], [1]], [[4], [2]]],
    [
      'with gaps in each of three dimensions',
      [
        [2, 12],
        [12, 1],
      ],
      [
        [2, 2, 2],
        [13, 6, 4],
      ],
    ],
    [
      'with gaps, in another order',
      [[7], [1]],
      [
        [2, 2],
        [2, 4],
      ],
    ],
    [
      'with gaps, that repeats',
      [[5], [1]],
      [
        [3, 2],
        [0, 4],
      ],
    ],
  ])('%s', async (_title, source, view) => {
    const [sizes, strides] = source;
    const count = placesOf(view).length;
    const slope = device().jit((x: Floats, weights: Floats) =>
      grad((given: Floats) => {
        const own = given.view({ sizes: view[0], strides: view[1] });
        return total(multiply(own, weights.reshape(view[0])));
      })(x.view({ sizes, strides })),
    );
    const last = Math.max(...placesOf(source));
    const memory = device().createTensor({ dataType: 'float32', sizes: [last + 1] }, new Array<number>(last + 1).fill(2));
    const weights = device().tensor(Array.from({ length: count }, (_, i) => i + 1));
    const made = await slope(memory, weights);
    expect(made.sizes).toEqual(sizes);
    expect([...(await made.read())]).toEqual(expectedOf(source, view));
  });

  test.each<readonly [title: string, source: Layout, view: Layout]>([
    [
      'whose windows overlap',
      [[4], [1]],
      [
        [3, 2],
        [1, 1],
      ],
    ],
    [
      'whose rows overlap in part',
      [[5], [1]],
      [
        [2, 3],
        [2, 1],
      ],
    ],
    [
      'of a part of a source with gaps',
      [
        [2, 2],
        [3, 1],
      ],
      [[5], [1]],
    ],
  ])('%s has none', async (_title, [sizes, strides], view) => {
    const x = device().createTensor({ dataType: 'float32', sizes, strides });
    const slope = grad((given: Floats) => total(given.view({ sizes: view[0], strides: view[1] })));
    expect(await refusalOf(() => slope(x))).toBe(
      'ERR_NO_GRADIENT grad(fn): grad: reduce has no gradient: it reads windows of a tensor that overlap, or a part of one with \
gaps; stopGradient excludes a tensor from the gradient',
    );
  });
});

describe('an operator', () => {
  const numbers = async (loss: (x: Floats) => Floats, given: readonly (readonly number[])[]) => {
    const made = await grad(loss)(device().tensor(given));
    return [...(await made.read())];
  };

  test('with an activation has the gradient of both', async () => {
    const x = [
      [1, -2],
      [-3, 4],
    ];
    const fused = (a: Floats) => total(gemm(a, a, { fusedActivation: { type: 'activationLeakyRelu', alpha: 0.25 } }));
    const apart = (a: Floats) => total(leakyRelu(gemm(a, a), { alpha: 0.25 }));
    expect(await numbers(fused, x)).toEqual(await numbers(apart, x));
    // With all four products positive but one, they are not those of the product alone.
    expect(await numbers(fused, x)).not.toEqual(await numbers((a) => total(gemm(a, a)), x));
  });

  test('with a scale has the gradient of both', async () => {
    const made = await numbers((a) => total(exp(a, { scaleBias: { scale: 2, bias: 1 } })), [[0, 0.5]]);
    expect(made[0]).toBeCloseTo(2 * Math.exp(1), 4);
    expect(made[1]).toBeCloseTo(2 * Math.exp(2), 4);
  });

  test('scales each of its inputs', async () => {
    const power = (a: Floats) => total(pow(a, a, { scaleBias: { scale: 2, bias: 1 } }));
    const apart = (a: Floats) => {
      const scaled = add(multiply(a, 2), 1);
      return total(pow(scaled, scaled));
    };
    const [made, expected] = [await numbers(power, [[0.5, 1]]), await numbers(apart, [[0.5, 1]])];
    for (const [i, number] of expected.entries()) expect(made[i]).toBeCloseTo(number, 3);
  });

  test('of several outputs has gradients of those that are used', async () => {
    const parts = (a: Floats) => {
      const [first, second] = split(a, { axis: 1, outputTensors: [{ sizes: [1, 1] }, { sizes: [1, 2] }] });
      return { first: first as Floats, second: second as Floats };
    };
    expect(await numbers((a) => total(multiply(parts(a).second, 3)), [[1, 2, 3]])).toEqual([0, 3, 3]);
    expect(await numbers((a) => total(multiply(parts(a).first, 3)), [[1, 2, 3]])).toEqual([3, 0, 0]);
    const both = (a: Floats) => {
      const { first, second } = parts(a);
      return total(multiply(first.broadcastTo([1, 2]), second));
    };
    expect(await numbers(both, [[1, 2, 3]])).toEqual([5, 1, 1]);
  });
});

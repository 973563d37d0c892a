/** Batch normalizations that become other filters and another bias: the numbers, and which new constants are shared. */
import type { Value } from 'node-directml';
import { describe, expect, test } from 'vitest';
import { foldedChannels, scaledRows } from '#lib/graph/improve/batch-normalization.js';
import { GraphBuilder } from '#lib/graph/graph-builder.js';
import { improved } from '#lib/graph/improve/index.js';
import { highestFeatureLevel } from '#lib/descriptors/feature-level.js';
import { valuesOf } from '#lib/descriptors/resolved.js';

const of = (...numbers: number[]) => Float32Array.from(numbers);
const given = { scale: of(3, 1), bias: of(10, 20), mean: of(1, -2), variance: of(3, 15), before: of(5, 6), epsilon: 1 };

describe('folded channels', () => {
  test('have the factors and addends of the formula', () => {
    // 3 / √4 and 1 / √16; (5 - 1) · 1.5 + 10 and (6 + 2) · 0.25 + 20.
    const folded = foldedChannels(given);
    expect(folded && [...folded.factors]).toEqual([1.5, 0.25]);
    expect(folded && [...folded.addends]).toEqual([16, 22]);
  });

  test.each([
    ['factors that are not finite', { variance: of(-1, 15) }],
    ['factors that are NaN', { variance: of(-2, 15) }],
    ['addends that are not finite', { bias: of(Infinity, 0) }],
    ['a different number of addends', { bias: of(1, 2, 3) }],
    ['too few numbers', { mean: of(1) }],
  ])('are none for %s', (_title, change) => {
    expect(foldedChannels({ ...given, ...change })).toBeNull();
  });

  test('scale the elements of each row', () => {
    expect([...scaledRows(of(1, 2, 3, 4, 5, 6), Float64Array.of(2, 10))]).toEqual([2, 4, 6, 40, 50, 60]);
    expect([...scaledRows(of(1, 2, 3), Float64Array.of(2, 10, 100))]).toEqual([2, 20, 300]);
  });
});

/** A batch normalization after a convolution with two filters of these sizes, in a graph that is improved. */
function foldedGraph(height: number, width: number) {
  const builder = new GraphBuilder(highestFeatureLevel);
  const constant = (name: string, sizes: readonly number[], elements: Float32Array) =>
    builder.constant(name, { dataType: 'float32', sizes }, () => {
      return { data: new Uint8Array(elements.buffer), ownership: undefined, isShared: false };
    });
  const add = (descriptor: object, name: string) => builder.add(descriptor, name)['outputTensor'] as Value;
  const elements = Float32Array.from({ length: 2 * height * width }, (_, i) => (i < height * width ? 2 : 4));
  const inputTensor = add(
    {
      type: 'convolution',
      inputTensor: builder.input('x', { dataType: 'float32', sizes: [1, 1, height, width] }),
      filterTensor: constant('filters', [2, 1, height, width], elements),
      biasTensor: constant('own bias', [1, 2, 1, 1], given.before),
    },
    'sums',
  );
  const parameter = (name: 'scale' | 'bias' | 'mean' | 'variance') => constant(name, [1, 2, 1, 1], given[name]);
  const y = add(
    {
      ...{ type: 'batchNormalization', inputTensor, epsilon: 1, fusedActivation: { type: 'activationRelu' } },
      ...{ meanTensor: parameter('mean'), varianceTensor: parameter('variance') },
      ...{ scaleTensor: parameter('scale'), biasTensor: parameter('bias') },
    },
    'normal',
  );
  return improved(builder.resolve({ y }), 'fast', highestFeatureLevel);
}

describe('a folded graph', () => {
  const numbersOf = (data: unknown) => (data instanceof Uint8Array ? [...new Float32Array(data.slice().buffer)] : []);

  test('has the filters, the bias and the activation in one node with the name of the last one', () => {
    const { constants, nodes } = foldedGraph(1, 1);
    expect(nodes.map(({ name }) => name)).toEqual(['normal']);
    expect(nodes.map(({ operator }) => valuesOf(operator.descriptor)['fusedActivation'])).toMatchObject([
      { type: 'activationRelu' },
    ]);
    expect(constants.map(({ name, data, tensor }) => [name, tensor.sizes, numbersOf(data)])).toEqual([
      ['normal.filterTensor', [2, 1, 1, 1], [3, 1]],
      ['normal.biasTensor', [1, 2, 1, 1], [16, 22]],
    ]);
  });

  test('shares constants that are larger than 64 KiB', () => {
    const isShared = (width: number) => foldedGraph(64, width).constants.map((constant) => constant.isShared);
    expect(isShared(128)).toEqual([false, false]);
    expect(isShared(129)).toEqual([true, false]);
  });
});

/** Functions of arrays add the nodes to a graph that the operators add when written by hand. */
import { expect, test } from 'vitest';
import type { Value } from 'node-directml';
import { matmul, std, sum } from 'node-directml/array';
import { softmax } from 'node-directml/nn';
import {
  activationSoftmax1,
  elementWiseDivide,
  elementWiseMultiply,
  elementWiseSqrt,
  elementWiseSubtract,
  gemm,
  reduce,
} from 'node-directml/operators';
import { deviceOn, ownBackend } from '../support/devices.js';

type Floats = Value<'float32'>;
type Program = (x: Floats) => Value;

const average = (x: Floats) => reduce(x, { function: 'average', axes: [1] }) as Floats;
const total = (x: Floats) => reduce(x, { function: 'sum', axes: [1] }) as Floats;

const programs: Readonly<Record<string, readonly [array: Program, byHand: Program]>> = {
  matmul: [(x) => matmul(x, x), (x) => gemm(x, x)],
  sum: [(x) => sum(x, { axis: 1, keepDims: true }), total],
  softmax: [(x) => softmax(x, { axis: 1 }), (x) => activationSoftmax1(x, { axes: [1] })],
  std: [
    (x) => std(x, { axis: 1, keepDims: true }),
    (x) => {
      const distance: Floats = elementWiseSubtract(x, average(x));
      const squares: Floats = elementWiseMultiply(distance, distance);
      return elementWiseSqrt(elementWiseDivide(total(squares), 64));
    },
  ],
};

const [backend = 'reference'] = ownBackend;
const device = deviceOn(backend);

test.each(Object.entries(programs))('%s', (_name, [array, byHand]) => {
  const drawn = (program: Program) => {
    const graph = device().createGraph();
    const x = graph.input('x', { dataType: 'float32', sizes: [64, 64] });
    return graph.toMermaid({ y: program(x) }, { optimize: false });
  };
  expect(drawn(array)).toBe(drawn(byHand));
});

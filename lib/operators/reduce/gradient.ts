/** Gradients of reductions. */
import { packed, type Expression, type GradientRules, type Operations } from '../../descriptors/gradient.js';
import type { ReduceFunction } from '../../tensors/generated/enums.js';

const index = 'its output is an index';

/** By function, the gradient of `x`; `g` and `y` are repeated along the axes. */
type Fold = (g: Expression, x: Expression, y: Expression, o: Operations, axes: readonly number[]) => Expression;

const extreme: Fold = (g, x, y, o, axes) => {
  const isExtreme = o.cast(o.logicalEquals(x, y), { outputTensor: { dataType: x.dataType } });
  const count = o.reduce(isExtreme, { function: 'sum', axes }).broadcastTo(x.sizes);
  return o.divide(o.multiply(g, isExtreme), count);
};

/** The product of all others: of those before times those after, so that zeros do no harm. */
const multiply: Fold = (g, x, _, o, axes) => {
  const order = [...x.sizes.keys()].filter((axis) => !axes.includes(axis)).concat(axes);
  const moved = order.map((axis) => x.sizes[axis] ?? 1);
  const count = axes.reduce((product, axis) => product * (x.sizes[axis] ?? 1), 1);
  const rows = packed(x.transpose(order), o).reshape([x.sizes.reduce((product, size) => product * size, 1) / count, count]);
  const scan = (axisDirection: string) => o.cumulativeProduct(rows, { axis: 1, axisDirection, hasExclusiveProduct: true });
  const others = o.multiply(scan('increasing'), scan('decreasing')).reshape(moved);
  return o.multiply(g, others.transpose(order.map((_each, axis) => order.indexOf(axis))));
};

const folds: Readonly<Record<ReduceFunction, Fold | string>> = {
  argmax: index,
  argmin: index,
  average: (g, x, _, o, axes) => o.multiply(g, 1 / axes.reduce((product, axis) => product * (x.sizes[axis] ?? 1), 1)),
  l1: (g, x, _, o) => o.multiply(g, o.sign(x)),
  l2: (g, x, y, o) => o.if(o.logicalEquals(y, 0), 0, o.divide(o.multiply(g, x), y)),
  logSum: (g, _, y, o) => o.multiply(g, o.exp(o.negate(y))),
  logSumExp: (g, x, y, o) => o.multiply(g, o.exp(o.subtract(x, y))),
  max: extreme,
  min: extreme,
  multiply,
  sum: (g) => g,
  sumSquare: (g, x, _, o) => o.multiply(o.multiply(g, x), 2),
};

export const gradients: GradientRules<'reduce' | 'argmin' | 'argmax'> = {
  reduce: ({ function: name, inputTensor: x, outputTensor: y, axes }, g, o) => {
    const fold = folds[name];
    if (typeof fold === 'string') return fold;
    return { inputTensor: () => fold(g.broadcastTo(x.sizes), x, y.broadcastTo(x.sizes), o, axes) };
  },
  argmin: index,
  argmax: index,
};

/** Gradients of padding and of repeated tensors. */
import { coordinateMaps } from '../../compute/padding-coordinates.js';
import { along, packed, sumRows } from '../../descriptors/gradient.js';
import type { Expression, GradientRule, GradientRules, NodeFields, Operations } from '../../descriptors/gradient.js';
import { productOf } from '../../tensors/tensor-size.js';

type Node = NodeFields<'padding' | 'padding1'>;

/** Along one axis. Each element gets the sum of its repetitions. */
function withoutPadding(g: Expression, axis: number, size: number, node: Node, o: Operations): Expression {
  const [start, count] = [node.startPadding[axis] ?? 0, g.sizes[axis] ?? 1];
  if (count === size) return g;
  if (node.paddingMode === 'constant') return along(g, axis, start, size, o);
  const coordinateOf = coordinateMaps[node.paddingMode];
  const places = Array.from({ length: count }, (_, i) => coordinateOf(i - start, size));
  const rows = packed(g, o).reshape([productOf(g.sizes.slice(0, axis)), count, productOf(g.sizes.slice(axis + 1))]);
  return sumRows(rows, o.constant('uint32', [1, count, 1], places), size, o).reshape(g.sizes.with(axis, size));
}

const pad: GradientRule<'padding' | 'padding1'> = (node, g, o) => ({
  inputTensor: () => node.inputTensor.sizes.reduce((sum, size, axis) => withoutPadding(sum, axis, size, node, o), g),
});

export const gradients: GradientRules<'padding' | 'padding1' | 'tile'> = {
  padding: pad,
  padding1: pad,
  tile: ({ inputTensor: { sizes }, repeats }, g, o) => ({
    inputTensor: () =>
      repeats.reduce((sum, count, axis) => {
        if (count === 1) return sum;
        const size = sizes[axis] ?? 1;
        const apart = [productOf(sum.sizes.slice(0, axis)), count, size, productOf(sum.sizes.slice(axis + 1))];
        const made = o.reduce(packed(sum, o).reshape(apart), { function: 'sum', axes: [1] });
        return made.reshape(sum.sizes.with(axis, size));
      }, g),
  }),
};

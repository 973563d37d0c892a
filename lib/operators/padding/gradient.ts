/** Gradients of padding and of repeated tensors. */
import {
  along,
  packed,
  padded,
  productOf,
  type Expression,
  type GradientRules,
  type InputGradients,
  type Operations,
} from '../../descriptors/gradient.js';

interface Node {
  readonly inputTensor: Expression;
  readonly paddingMode: string;
  readonly startPadding: readonly number[];
  readonly endPadding: readonly number[];
}

const reversed = (value: Expression, axis: number, o: Operations) =>
  o.slice1(value, {
    inputWindowOffsets: value.sizes.map(() => 0),
    inputWindowSizes: value.sizes,
    inputWindowStrides: value.sizes.map((_, i) => (i === axis ? -1 : 1)),
  });

/** What the padding before and after an axis adds to the elements that it repeats. */
function withoutPadding(g: Expression, axis: number, size: number, node: Node, o: Operations): Expression {
  const [start, end] = [node.startPadding[axis] ?? 0, node.endPadding[axis] ?? 0];
  if (start === 0 && end === 0) return g;
  let sum = along(g, axis, start, size, o);
  if (node.paddingMode === 'constant') return sum;
  // Reflections leave out the edge.
  const skipped = node.paddingMode === 'reflection' ? 1 : 0;
  const repeated = (first: number, count: number) => {
    const part = along(g, axis, first, count, o);
    return node.paddingMode === 'edge' ? o.reduce(part, { function: 'sum', axes: [axis] }) : reversed(part, axis, o);
  };
  if (start > 0) {
    const part = repeated(0, start);
    sum = o.add(sum, padded(part, axis, skipped, size - skipped - (part.sizes[axis] ?? 1), o));
  }
  if (end > 0) {
    const part = repeated(start + size, end);
    sum = o.add(sum, padded(part, axis, size - skipped - (part.sizes[axis] ?? 1), skipped, o));
  }
  return sum;
}

function pad(node: Node, g: Expression, o: Operations): InputGradients {
  const { sizes } = node.inputTensor;
  return { inputTensor: () => sizes.reduce((sum, size, axis) => withoutPadding(sum, axis, size, node, o), g) };
}

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

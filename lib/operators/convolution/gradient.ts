/** Gradients of convolutions. */
import { packed, sumTo } from '../../descriptors/gradient.js';
import type { Expression, GradientRules, NodeFields, Operations } from '../../descriptors/gradient.js';

type Node = NodeFields<'convolution'>;

const quantized = 'its inputs are integers';

/** Without the last elements, which are 0 whatever the input is. */
function withoutPadding({ outputPadding }: Node, g: Expression, { slice }: Operations): Expression {
  if (outputPadding.every((size) => size === 0)) return g;
  const sizes = g.sizes.map((size, axis) => size - (outputPadding[axis - 2] ?? 0));
  return slice(g, { offsets: sizes.map(() => 0), sizes, strides: sizes.map(() => 1) });
}

/** The convolution in the other direction. A rest that no window reached in the larger tensor gets 0. */
function ofInput(node: Node, given: Expression, o: Operations): Expression | undefined {
  const { filterTensor, mode, strides, dilations, startPadding, groupCount, inputTensor } = node;
  const g = withoutPadding(node, given, o);
  const direction = node.direction === 'forward' ? 'backward' : 'forward';
  const fields = { mode, direction, strides, dilations, startPadding, groupCount };
  if (direction === 'forward') return o.convolution(g, filterTensor, { ...fields, endPadding: node.endPadding });
  const rests = node.endPadding.map((end, i) => {
    const span = ((filterTensor.sizes[i + 2] ?? 1) - 1) * (dilations[i] ?? 1) + 1;
    return ((inputTensor.sizes[i + 2] ?? 1) + (startPadding[i] ?? 0) + end - span) % (strides[i] ?? 1);
  });
  const endPadding = node.endPadding.map((end, i) => Math.max(0, end - (rests[i] ?? 0)));
  const outputPadding = node.endPadding.map((end, i) => Math.max(0, (rests[i] ?? 0) - end));
  // Windows that lie in the padding reach no element of the input.
  if (outputPadding.some((size, i) => size >= (inputTensor.sizes[i + 2] ?? 1))) return undefined;
  return o.convolution(g, filterTensor, { ...fields, endPadding, outputPadding });
}

/**
 * [channels, batch, …] for each group: the batch is summed up, as channels are in a convolution. The groups stay together with
 * the side of the convolution's channels that has groups.
 */
function swapped(value: Expression, groups: number, o: Operations): Expression {
  const [batch = 1, channels = 1, ...space] = value.sizes;
  const axes = space.map((_, i) => i);
  if (groups === 1) return value.transpose([1, 0, ...axes.map((i) => i + 2)]);
  const apart = packed(value, o).reshape([batch, groups, channels / groups, ...space]);
  return packed(apart.transpose([2, 1, 0, ...axes.map((i) => i + 3)]), o).reshape([channels / groups, groups * batch, ...space]);
}

/** The larger tensor convolved with the smaller one, strides and dilations exchanged. What is beyond the filter is a rest. */
function ofFilter(node: Node, given: Expression, o: Operations): Expression {
  const { filterTensor, mode, strides, dilations, startPadding, endPadding, groupCount, inputTensor } = node;
  const g = withoutPadding(node, given, o);
  const [larger, smaller] = node.direction === 'forward' ? [inputTensor, g] : [g, inputTensor];
  // DirectML refuses dilations for the only place of a window as large as the input: so there is a second place, which is a rest.
  const fields = {
    strides: dilations,
    dilations: strides,
    startPadding,
    groupCount,
    endPadding: endPadding.with(0, (endPadding[0] ?? 0) + (dilations[0] ?? 1)),
  };
  const made = o.convolution(swapped(larger, groupCount, o), swapped(smaller, 1, o), fields);
  const [, , ...window] = filterTensor.sizes;
  const flips = mode === 'convolution';
  const [first = 1, second = 1] = made.sizes;
  return o
    .slice1(made, {
      inputWindowOffsets: made.sizes.map(() => 0),
      inputWindowSizes: [first, second, ...window],
      inputWindowStrides: made.sizes.map((_, axis) => (flips && axis > 1 ? -1 : 1)),
    })
    .transpose([1, 0, ...window.map((_, i) => i + 2)]);
}

export const gradients: GradientRules<'convolution' | 'convolutionInteger' | 'quantizedLinearConvolution'> = {
  convolution: (node, g, o) => ({
    inputTensor: () => ofInput(node, g, o),
    filterTensor: () => ofFilter(node, g, o),
    biasTensor: () => sumTo(node.biasTensor?.sizes ?? [], withoutPadding(node, g, o), o),
  }),
  convolutionInteger: quantized,
  quantizedLinearConvolution: quantized,
};

/** Gradients of pooling. */
import {
  packed,
  type Expression,
  type GradientRule,
  type GradientRules,
  type NodeFields,
  type Operations,
} from '../../descriptors/gradient.js';
import { productOf } from '../../tensors/tensor-size.js';

type Windows = Pick<NodeFields<'maxPooling'>, 'strides' | 'windowSize' | 'startPadding' | 'endPadding'> & {
  readonly dilations?: readonly number[];
};

const isDilated = ({ dilations = [] }: Windows) => dilations.some((dilation) => dilation !== 1);
const windowsOf = ({ strides, windowSize, startPadding, endPadding }: Windows) => ({
  ...{ strides, windowSize, startPadding, endPadding },
});
/** The same windows, as fold and unfold call them. */
const foldsOf = ({ strides, windowSize: windowSizes, startPadding, endPadding, dilations }: Windows) => ({
  ...{ strides, windowSizes, startPadding, endPadding, dilations },
});

/** True if a window may lie in the padding as a whole, or around the image. */
const hasEmptyWindows = ({ windowSize, startPadding, endPadding, dilations = [] }: Windows, { sizes }: Expression) =>
  windowSize.some((size, i) => {
    const [dilation, padding] = [dilations[i] ?? 1, Math.max(startPadding[i] ?? 0, endPadding[i] ?? 0)];
    return padding > (size - 1) * dilation || (padding > 0 && (sizes[i + 2] ?? 1) < dilation);
  });

/** The elements at indices through the whole tensor. */
function picked(value: Expression, indices: Expression, { sizes }: Expression, o: Operations): Expression {
  const line = (each: Expression) => packed(each, o).reshape([1, productOf(each.sizes)]);
  return o.gatherElements(line(value), line(indices), { axis: 1 }).reshape(sizes);
}

/** Each element gets the sum of what its windows have. */
function spread(node: Windows, windows: Expression, { sizes }: Expression, o: Operations): Expression {
  const count = productOf(node.windowSize);
  if (!isDilated(node)) {
    const whole = { ...windowsOf(node), includePadding: true, outputGradientTensor: { sizes } };
    return o.multiply(o.averagePoolingGrad(windows, whole), count);
  }
  const [batch = 1, channels = 1, ...space] = windows.sizes;
  const lines = packed(windows, o).reshape([batch, channels, 1, productOf(space)]);
  const repeated = o.identity(lines.broadcastTo([batch, channels, count, productOf(space)]));
  const columns = repeated.reshape([batch, channels * count, productOf(space)]);
  return o.fold(columns, { ...foldsOf(node), outputTensor: { sizes } });
}

/** How many elements each window has that are not padding. */
function countsOf(node: Windows, x: Expression, { sizes }: Expression, o: Operations): Expression {
  const columns = o.unfold(o.identity(o.add(o.zeros(x), 1)), foldsOf(node));
  const [batch = 1, channels = 1] = sizes;
  const taps = columns.reshape([batch, channels, productOf(node.windowSize), productOf(sizes.slice(2))]);
  return o.reduce(taps, { function: 'sum', axes: [2] }).reshape(sizes);
}

const average: GradientRule<'averagePooling' | 'averagePooling1'> = (node, g, o) => {
  const { inputTensor, outputTensor, includePadding } = node;
  const outputGradientTensor = { sizes: inputTensor.sizes };
  if (!isDilated(node)) {
    return { inputTensor: () => o.averagePoolingGrad(g, { ...windowsOf(node), includePadding, outputGradientTensor }) };
  }
  const counts = () => o.max(countsOf(node, inputTensor, outputTensor, o), 1);
  const share = () => (includePadding ? o.multiply(g, 1 / productOf(node.windowSize)) : o.divide(g, counts()));
  return { inputTensor: () => spread(node, share(), inputTensor, o) };
};

const norm: GradientRule<'lpPooling' | 'lpPooling1'> = (node, g, o) => {
  const { inputTensor: x, outputTensor: y, p } = node;
  if (p === 0) return 'a norm of the order 0 changes in steps only';
  const share = () => (p === 1 ? g : o.if(o.logicalEquals(y, 0), 0, o.multiply(g, o.constantPow(y, { exponent: 1 - p }))));
  const power = () => (p === 1 ? o.sign(x) : o.multiply(o.sign(x), o.constantPow(o.abs(x), { exponent: p - 1 })));
  return { inputTensor: () => o.multiply(spread(node, share(), x, o), power()) };
};

/** DirectML gives the first element the gradients of dilated windows that have none. */
const hasNoLargest = 'a window may lie in the padding as a whole, so that it has no largest element';

const maximum: GradientRule<'maxPooling' | 'maxPooling1' | 'maxPooling2'> = (node, g, o) => {
  if (isDilated(node) && hasEmptyWindows(node, node.inputTensor)) return hasNoLargest;
  const dilations = 'dilations' in node ? node.dilations : node.strides.map(() => 1);
  return { inputTensor: () => o.maxPoolingGrad(node.inputTensor, g, { ...windowsOf(node), dilations }) };
};

export const gradients: GradientRules<
  | `averagePooling${'' | '1' | 'Grad'}`
  | `lpPooling${'' | '1'}`
  | `maxPooling${'' | '1' | '2' | 'Grad'}`
  | ('maxUnpooling' | 'quantizedLinearAveragePooling')
> = {
  averagePooling: average,
  averagePooling1: average,
  averagePoolingGrad: (node, g, o) => ({
    inputGradientTensor: () => {
      const made = o.averagePooling(g, { ...windowsOf(node), includePadding: node.includePadding });
      // The average of nothing is no number.
      return node.includePadding || !hasEmptyWindows(node, g) ? made : o.if(o.isNan(made), 0, made);
    },
  }),
  lpPooling: norm,
  lpPooling1: norm,
  maxPooling: maximum,
  maxPooling1: maximum,
  maxPooling2: maximum,
  // Which element is the largest changes in steps only.
  maxPoolingGrad: (node, g, o) => {
    if (hasEmptyWindows(node, g)) return hasNoLargest;
    return {
      inputGradientTensor: () => {
        const fields = { ...windowsOf(node), dilations: node.dilations, outputIndicesTensor: { dataType: 'uint32' } };
        const made = o.maxPooling2(node.inputTensor, fields) as unknown as { readonly outputIndicesTensor: Expression };
        return picked(g, made.outputIndicesTensor, node.inputGradientTensor, o);
      },
    };
  },
  maxUnpooling: ({ inputTensor, indicesTensor }, g, o) => ({ inputTensor: () => picked(g, indicesTensor, inputTensor, o) }),
  quantizedLinearAveragePooling: 'its inputs are integers',
};

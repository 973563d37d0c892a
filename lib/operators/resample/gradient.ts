/** Gradients of resampled tensors. */
import { Composed, packed } from '../../descriptors/gradient.js';
import type { Expression, GradientRule, GradientRules, NodeFields, Operations } from '../../descriptors/gradient.js';
import { productOf } from '../../tensors/tensor-size.js';

type Resampled = NodeFields<'resample1' | 'resample2' | 'resample3'>;
type Resampling = Pick<Resampled, 'interpolationMode' | 'scales' | 'inputPixelOffsets' | 'outputPixelOffsets'>;

const outside = 'DirectML computes it wrongly for positions outside of the input, and for offsets outside of 0 to 1';
const unlike = 'DirectML interpolates in a way of its own for offsets outside of 0 to 1, and for opposite ones without a scale';

/** An axis that is neither scaled nor shifted is copied, not interpolated. Some offsets round down to the element before. */
function isCopied({ scales, inputPixelOffsets, outputPixelOffsets }: Resampling, axis: number): boolean {
  return (scales[axis] ?? 1) === 1 && (inputPixelOffsets[axis] ?? 0) === -(outputPixelOffsets[axis] ?? 0);
}

/** True for 0 and 0.5, which never round. */
const isExact = (offset: number) => Number.isInteger(2 * offset);

/** True if no position is a whole element away from the input. */
function staysNear(
  { scales, inputPixelOffsets, outputPixelOffsets }: Resampling,
  input: Expression,
  output: Expression,
): boolean {
  return scales.every((scale, axis) => {
    const [offset, size] = [inputPixelOffsets[axis] ?? 0, input.sizes[axis] ?? 1];
    if (scale === 1 && offset !== 0 && offset !== 0.5) return false;
    const at = (place: number) => (place - (outputPixelOffsets[axis] ?? 0)) / scale - offset;
    return offset >= 0 && offset <= 1 && at(0) > -1 && at((output.sizes[axis] ?? 1) - 1) < size;
  });
}

/**
 * True where the operator of the gradient computes another function: for positions outside of the input, and for nearest elements
 * on a border, which it may round another way.
 */
function needsMatrices(node: Resampling, input: Expression, output: Expression, border: number): boolean {
  const { interpolationMode, scales, inputPixelOffsets, outputPixelOffsets } = node;
  const isLinear = interpolationMode === 'linear';
  if (!staysNear(node, input, output)) {
    const isAlike = (offset: number, axis: number) => offset >= 0 && offset <= 1 && (isExact(offset) || !isCopied(node, axis));
    return !isLinear || inputPixelOffsets.every(isAlike);
  }
  if (isLinear) return false;
  return scales.some((scale, axis) => {
    if (scale === 1) return false;
    const at = (place: number) => (place - (outputPixelOffsets[axis] ?? 0)) / scale - (inputPixelOffsets[axis] ?? 0) - border;
    const places = Array.from({ length: output.sizes[axis] ?? 1 }, (_, place) => at(place));
    return places.some((place) => Math.abs(place - Math.round(place)) < 1e-4);
  });
}

/** One matrix for each axis: the same operator resamples its unit vectors, so that it chooses the same elements. */
function byMatrices({ type, inputTensor, outputTensor, ...node }: Resampled, fields: object, o: Operations): Composed {
  const { interpolationMode, scales, inputPixelOffsets, outputPixelOffsets } = node;
  const value = outputTensor.sizes.reduce((before, size, axis) => {
    const [length, scale] = [before.sizes[axis] ?? 1, scales[axis] ?? 1];
    const [inputOffset, outputOffset] = [inputPixelOffsets[axis] ?? 0, outputPixelOffsets[axis] ?? 0];
    if (size === length && isCopied(node, axis) && isExact(inputOffset)) return before;
    const units = o.diagonalMatrix({ value: 1, offset: 0, outputTensor: { dataType: before.dataType, sizes: [length, length] } });
    const matrix = o[type](units, {
      ...fields,
      interpolationMode,
      scales: [scale, 1],
      inputPixelOffsets: [inputOffset, 0],
      outputPixelOffsets: [outputOffset, 0],
      outputTensor: { sizes: [size, length] },
    });
    const outer = productOf(before.sizes.slice(0, axis));
    const rows = packed(before, o).reshape([1, outer, length, productOf(before.sizes.slice(axis + 1))]);
    return o.gemm(matrix.broadcastTo([1, outer, size, length]), rows).reshape(before.sizes.with(axis, size));
  }, inputTensor);
  return new Composed({ outputTensor: value });
}

/** The operator of the gradient takes the two offsets in each other's place. */
const swapped = ({ interpolationMode, scales, inputPixelOffsets, outputPixelOffsets }: Resampling) => ({
  ...{ interpolationMode, scales, inputPixelOffsets: outputPixelOffsets, outputPixelOffsets: inputPixelOffsets },
});

const byOffsets: GradientRule<'resample1'> = (node, g, o) => {
  const { inputTensor, outputTensor } = node;
  if (needsMatrices(node, inputTensor, outputTensor, 0.5)) return byMatrices(node, {}, o);
  if (!staysNear(node, inputTensor, outputTensor)) return unlike;
  return { inputTensor: () => o.resampleGrad(g, { ...swapped(node), outputGradientTensor: { sizes: inputTensor.sizes } }) };
};

const rounded: GradientRule<'resample2' | 'resample3'> = (node, g, o) => {
  const { inputTensor, outputTensor, roundingDirection } = node;
  if ('antialiased' in node && node.antialiased) return 'DirectML has no gradient of antialiased windows';
  if (needsMatrices(node, inputTensor, outputTensor, 0)) return byMatrices(node, { roundingDirection }, o);
  if (!staysNear(node, inputTensor, outputTensor)) return unlike;
  const outputGradientTensor = { sizes: inputTensor.sizes };
  return { inputTensor: () => o.resampleGrad1(g, { ...swapped(node), roundingDirection, outputGradientTensor }) };
};

/** Pixels have their centers in their middle. */
const centered = (interpolationMode: Resampling['interpolationMode'], scales: readonly number[]) => ({
  ...{ interpolationMode, scales, inputPixelOffsets: scales.map(() => 0.5), outputPixelOffsets: scales.map(() => -0.5) },
});

/** The sum of the elements that each pixel became, or their shares. */
function ofImages(g: Expression, { sizes }: Expression, mode: Resampling['interpolationMode'], o: Operations): Expression {
  const images = productOf(sizes.slice(0, -2));
  const [height = 1, width = 1] = sizes.slice(-2);
  const [rows, columns] = [(g.sizes.at(-2) ?? 1) / height, (g.sizes.at(-1) ?? 1) / width];
  const apart = packed(g, o).reshape([images * height, rows, width, columns]);
  if (mode !== 'linear') return o.reduce(apart, { function: 'sum', axes: [1, 3] }).reshape(sizes);
  const whole = apart.reshape([images, height * rows, width * columns]);
  const outputGradientTensor = { sizes: [images, height, width] };
  return o.resampleGrad(whole, { ...swapped(centered(mode, [1, rows, columns])), outputGradientTensor }).reshape(sizes);
}

export const gradients: GradientRules<'upsample2d' | `resample${'' | '1' | '2' | '3'}` | `resampleGrad${'' | '1'}`> = {
  upsample2d: ({ inputTensor, interpolationMode }, g, o) => ({
    inputTensor: () => ofImages(g, inputTensor, interpolationMode, o),
  }),
  resample: (node, g, o, gradientOf) =>
    byOffsets({ ...node, ...centered(node.interpolationMode, node.scales), type: 'resample1' } as never, g, o, gradientOf),
  resample1: byOffsets,
  resample2: rounded,
  resample3: rounded,
  resampleGrad: (node, g, o) => {
    if (!staysNear(swapped(node), node.outputGradientTensor, node.inputGradientTensor)) return outside;
    const outputTensor = { sizes: node.inputGradientTensor.sizes };
    return { inputGradientTensor: () => o.resample1(g, { ...swapped(node), outputTensor }) };
  },
  resampleGrad1: (node, g, o) => {
    if (!staysNear(swapped(node), node.outputGradientTensor, node.inputGradientTensor)) return outside;
    const outputTensor = { sizes: node.inputGradientTensor.sizes };
    const { roundingDirection } = node;
    return { inputGradientTensor: () => o.resample2(g, { ...swapped(node), roundingDirection, outputTensor }) };
  },
};

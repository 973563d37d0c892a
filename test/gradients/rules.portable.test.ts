/** The rules of operators: what each refuses, and rare fields, against differences of the operator itself. */
import { createDevice, type Device, type Tensor, type Value } from 'node-directml';
import { grad } from 'node-directml/gradients';
import * as operators from 'node-directml/operators';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refusalOf } from '../support/refusals.js';

type Floats = Value<'float32'>;
type Function = (...values: readonly Floats[]) => Floats;
type Names = 'outputValueTensor' | `output${'' | 'Mean' | 'Variance' | 'Sequence' | 'Single' | 'CellSingle'}Tensor`;
type Call = (...args: readonly unknown[]) => Floats & Readonly<Record<Names, Floats>>;

/** The operators with arguments of any type. */
const o = operators as unknown as Readonly<Record<keyof typeof operators, Call>>;
const total = (x: Floats): Floats => o.reduce(x, { function: 'sum', axes: [...x.sizes.keys()] });
const productOf = (sizes: readonly number[]) => sizes.reduce((product, size) => product * size, 1);

let d: Device;

beforeAll(async () => {
  d = await createDevice({ backend: 'reference', thread: 'caller' });
});
afterAll(() => d.dispose());

/** Up to 61 different numbers around 0, which are 0.05 apart, so that small steps change no order and no sign. */
const numbersFor = (count: number, shift = 0) =>
  Array.from({ length: count }, (_, i) => (((i * 37 + shift * 11 + 5) % 61) - 30.5) / 20);
const floats = (...sizes: readonly number[]) => d.createTensor({ dataType: 'float32', sizes }, numbersFor(productOf(sizes)));
const made = (sizes: readonly number[], elements: readonly number[]) => d.createTensor({ dataType: 'float32', sizes }, elements);
const integers = (dataType: 'int32' | 'uint32' | 'uint8' | 'int8', sizes: readonly number[], elements: readonly number[]) =>
  d.createTensor({ dataType, sizes }, elements);

/** In how many directions the elements of an argument move: each element in one of them, by a factor of its own. */
const directions = 6;
const factorOf = (i: number) => 1 + Math.floor(i / directions) / 4;

/** The gradient of a sum with weights, and the same by differences. */
async function compare(fn: Function, ...given: readonly Tensor<'float32'>[]): Promise<void> {
  const loss = (...values: readonly Floats[]) => {
    const y = fn(...values);
    const weights = d.createTensor({ dataType: 'float32', sizes: y.sizes }, numbersFor(productOf(y.sizes), 3));
    return total(o.elementWiseMultiply(y, weights));
  };
  const argument = given.map((_, i) => i);
  const slope = grad(loss as never, { argument } as never) as unknown as (
    ...args: readonly unknown[]
  ) => Promise<readonly Tensor<'float32'>[]>;
  const slopes = await slope(...given);
  const run = d.jit(loss as never) as unknown as (...args: readonly unknown[]) => Promise<Tensor<'float32'>>;
  const sumOf = async (...tensors: readonly Tensor[]) => (await (await run(...tensors)).read())[0] ?? NaN;
  const step = 1 / 128;
  for (const [place, tensor] of given.entries()) {
    const elements = [...(await tensor.read())];
    const own = [...((await slopes[place]?.read()) ?? [])];
    expect(own).toHaveLength(elements.length);
    for (let direction = 0; direction < Math.min(directions, elements.length); direction++) {
      const factors = elements.map((_, i) => (i % directions === direction ? factorOf(i) : 0));
      const moved = (by: number) => {
        const next = elements.map((element, i) => element + by * (factors[i] ?? 0));
        return given.with(place, made(tensor.sizes, next));
      };
      const expected = ((await sumOf(...moved(step))) - (await sumOf(...moved(-step)))) / (2 * step);
      const along = own.reduce((sum, each, i) => sum + each * (factors[i] ?? 0), 0);
      const what = `argument ${place}, direction ${direction}: ${along} and ${expected}`;
      expect(Math.abs(along - expected), what).toBeLessThan(6e-3 * (1 + Math.abs(expected)));
    }
  }
}

const none = (operator: string, why: string) =>
  `ERR_NO_GRADIENT grad(fn): grad: ${operator} has no gradient: ${why}; stopGradient excludes a tensor from the gradient`;
const ones = (...sizes: readonly number[]) => made(sizes, new Array<number>(productOf(sizes)).fill(1));

type Program = readonly [operator: string, why: string, fn: Function, sizes: readonly number[]];

const unlike = 'DirectML interpolates in a way of its own for offsets outside of 0 to 1, and for opposite ones without a scale';
const outside = 'DirectML computes it wrongly for positions outside of the input, and for offsets outside of 0 to 1';
const noLargest = 'a window may lie in the padding as a whole, so that it has no largest element';
const wrongSize = 'DirectML computes its gradient wrongly for an even localSize, and for one beyond the sizes of the tensor';
const pool = (dilation: number, padding: number) => ({
  strides: [1, 1],
  windowSize: [2, 1],
  startPadding: [padding, 0],
  endPadding: [0, 0],
  dilations: [dilation, 1],
});
const response = (localSize: number, crossChannel: boolean) => ({
  ...{ localSize, crossChannel, alpha: 1, beta: 1, bias: 1 },
});
const scaled = (scale: number, offset: number) => ({
  interpolationMode: 'linear',
  scales: [1, scale],
  inputPixelOffsets: [0, offset],
  outputPixelOffsets: [0, -offset],
});
/** Positions in the input of the operator whose gradient this is: that of the first one is the offset before it. */
const apart = (scale: number, offset: number) => ({ ...scaled(scale, 0), outputPixelOffsets: [0, offset] });
const regions = {
  reductionFunction: 'average',
  interpolationMode: 'linear',
  spatialScaleX: 1,
  spatialScaleY: 1,
  outOfBoundsInputValue: 0,
  minimumSamplesPerOutput: 1,
  maximumSamplesPerOutput: 2,
};

const refusals: readonly Program[] = [
  [
    'roiAlign',
    'DirectML computes the gradient of the regions as if each element had only its first sample',
    (roi) =>
      o.roiAlign(ones(1, 1, 4, 4), roi, integers('uint32', [1], [0]), { ...regions, outputTensor: { sizes: [1, 1, 2, 2] } }),
    [1, 4],
  ],
  [
    'roiAlign1',
    'DirectML computes the gradient of a max as if outOfBoundsInputValue were 0',
    (x) =>
      o.roiAlign1(x, ones(1, 4), integers('uint32', [1], [0]), {
        ...regions,
        reductionFunction: 'max',
        outOfBoundsInputValue: 1,
        inputPixelOffset: 0.5,
        outputPixelOffset: -0.5,
        alignRegionsToCorners: false,
        outputTensor: { sizes: [1, 1, 2, 2] },
      }),
    [1, 1, 4, 4],
  ],
  [
    'lpPooling',
    'a norm of the order 0 changes in steps only',
    (x) => o.lpPooling(x, { strides: [1, 1], windowSize: [2, 2], startPadding: [0, 0], endPadding: [0, 0], p: 0 }),
    [1, 1, 4, 4],
  ],
  ['maxPooling2', noLargest, (x) => o.maxPooling2(x, pool(2, 3)).outputTensor, [1, 1, 4, 4]],
  ['maxPooling2', noLargest, (x) => o.maxPooling2(x, { ...pool(3, 1), endPadding: [1, 0] }).outputTensor, [1, 1, 2, 4]],
  [
    'maxPoolingGrad',
    noLargest,
    (x) => o.maxPoolingGrad(floats(1, 1, 2, 4), x, { ...pool(1, 0), windowSize: [2, 1], startPadding: [2, 0] }),
    [1, 1, 3, 4],
  ],
  ['maxPooling2', noLargest, (x) => o.maxPooling2(x, { ...pool(2, 0), endPadding: [3, 0] }).outputTensor, [1, 1, 4, 4]],
  ['localResponseNormalization', wrongSize, (x) => o.localResponseNormalization(x, response(2, false)), [1, 5, 5, 5]],
  ['localResponseNormalization', wrongSize, (x) => o.localResponseNormalization(x, response(5, false)), [1, 5, 5, 3]],
  ['localResponseNormalization', wrongSize, (x) => o.localResponseNormalization(x, response(5, true)), [1, 3, 5, 5]],
  ['resample1', unlike, (x) => o.resample1(x, { ...scaled(2, 1.5), outputTensor: { sizes: [1, 4] } }), [1, 2]],
  ['resampleGrad', outside, (x) => o.resampleGrad(x, { ...scaled(2, 1.5), outputGradientTensor: { sizes: [1, 2] } }), [1, 4]],
  // Offsets below 0, and those that do not round, without a scale.
  ['resample1', unlike, (x) => o.resample1(x, { ...scaled(2, -0.25), outputTensor: { sizes: [1, 4] } }), [1, 2]],
  ['resample1', unlike, (x) => o.resample1(x, { ...scaled(1, 0.25), outputTensor: { sizes: [1, 2] } }), [1, 2]],
  // An offset below 0, one beyond 1, one that does not round, without a scale, and positions one element before and behind.
  ...(
    [
      [2, -0.25, 4],
      [2, 1.25, 4],
      [1, 0.25, 2],
      [2, 1, 4],
      [2, 0, 5],
    ] as const
  ).map(([scale, offset, size]): Program => [
    'resampleGrad',
    outside,
    (x) => o.resampleGrad(x, { ...apart(scale, offset), outputGradientTensor: { sizes: [1, 2] } }),
    [1, size],
  ]),
  [
    'resampleGrad',
    outside,
    (x) => o.resampleGrad(x, { ...apart(2, 0.5), inputPixelOffsets: [0, 1], outputGradientTensor: { sizes: [1, 2] } }),
    [1, 4],
  ],
  [
    'resample2',
    unlike,
    (x) => o.resample2(x, { ...scaled(1, 0.25), roundingDirection: 'increasing', outputTensor: { sizes: [1, 2] } }),
    [1, 2],
  ],
  [
    'resampleGrad1',
    outside,
    (x) => o.resampleGrad1(x, { ...scaled(2, 1.5), roundingDirection: 'increasing', outputGradientTensor: { sizes: [1, 2] } }),
    [1, 4],
  ],
  [
    'resample3',
    'DirectML has no gradient of antialiased windows',
    (x) =>
      o.resample3(x, {
        ...scaled(0.5, 0.5),
        roundingDirection: 'increasing',
        antialiased: true,
        outputTensor: { sizes: [1, 2] },
      }),
    [1, 4],
  ],
  [
    'reduce',
    'its output has integers',
    (x) =>
      o.cast(o.reduce(x, { function: 'argmax', axes: [1], outputTensor: { dataType: 'int32' } }), {
        outputTensor: { dataType: 'float32' },
      }),
    [2, 3],
  ],
  [
    'oneHot',
    'its second value lies in a gap',
    (x) =>
      o.oneHot(integers('int32', [2, 1], [0, 1]), x.view({ sizes: [2, 1], strides: [1, 1] }), {
        axis: 1,
        outputTensor: { sizes: [2, 3] },
      }),
    [2],
  ],
  [
    'dequantize',
    'its input has integers',
    (x) => o.dequantize(o.cast(x, { outputTensor: { dataType: 'int8' } }), [ones(1, 2)]),
    [2, 2],
  ],
  [
    'dequantize',
    'its zero point has integers',
    (x) => o.dequantize(integers('int8', [2, 2], [1, 2, 3, 4]), [ones(1, 2), o.cast(x, { outputTensor: { dataType: 'int8' } })]),
    [1, 2],
  ],
  [
    'elementWiseDequantizeLinear',
    'its zero point has integers',
    (x) =>
      o.elementWiseDequantizeLinear(integers('int8', [1, 2], [1, 2]), ones(1, 2), {
        zeroPointTensor: o.cast(x, { outputTensor: { dataType: 'int8' } }),
      }),
    [1, 2],
  ],
  [
    'multiheadAttention1',
    'with pastSequenceLengthsTensor it adds to a cache that earlier calls filled',
    (x) =>
      o.multiheadAttention1({
        queryTensor: x,
        keyTensor: ones(1, 1, 2),
        valueTensor: ones(1, 1, 2),
        pastSequenceLengthsTensor: integers('int32', [1], [2]),
        queryHeadCount: 1,
        keyValueHeadCount: 1,
        scale: 1,
        outputPresentKeyTensor: { sizes: [1, 1, 3, 2] },
        outputPresentValueTensor: { sizes: [1, 1, 3, 2] },
      }).outputTensor,
    [1, 1, 2],
  ],
];

describe('refuses', () => {
  test.each(refusals)('%s: %s', async (operator, why, fn, sizes) => {
    const slope = grad(((x: Floats) => total(fn(x))) as never) as unknown as Call;
    expect(await refusalOf(() => slope(floats(...sizes)))).toBe(none(operator, why));
  });
});

const along = (axis: number, axisDirection: 'increasing' | 'decreasing') => ({ axis, axisDirection });
const windows = (more: object) => ({ strides: [1, 1], windowSize: [2, 2], startPadding: [0, 0], endPadding: [0, 0], ...more });
const sigmoid = { type: 'activationSigmoid' };
const states = { outputSequenceTensor: {}, outputSingleTensor: {} };
const tanh = { type: 'activationTanh' };

const convolved = (more: object) => ({
  ...{ mode: 'crossCorrelation', direction: 'forward', strides: [1, 1], dilations: [1, 1], groupCount: 1 },
  ...{ startPadding: [0, 0], endPadding: [0, 0], outputPadding: [0, 0], ...more },
});

/** The operators in their rare forms, and the sizes of their arguments. */
const branches: Readonly<Record<string, readonly [fn: Function, ...sizes: readonly (readonly number[])[]]>> = {
  ...Object.fromEntries(
    ['none', 'transpose'].flatMap((transA) =>
      ['none', 'transpose'].map((transB) => [
        `a product of matrices with ${transA} and ${transB}`,
        [
          (a: Floats, b: Floats, cTensor: Floats) => o.gemm(a, b, { transA, transB, alpha: 0.5, beta: 2, cTensor }),
          transA === 'none' ? [2, 3] : [3, 2],
          transB === 'none' ? [3, 2] : [2, 3],
          [2, 2],
        ] as const,
      ]),
    ),
  ),
  'a convolution with a rest that no window reaches': [
    (x, filter, biasTensor) => o.convolution(x, filter, convolved({ strides: [2, 3], biasTensor })),
    [2, 1, 5, 4],
    [2, 1, 2, 2],
    [1, 2, 1, 1],
  ],
  'a convolution whose padding is in part a rest': [
    (x, filter) => o.convolution(x, filter, convolved({ strides: [3, 2], startPadding: [0, 1], endPadding: [1, 2] })),
    [1, 1, 3, 3],
    [1, 1, 2, 2],
  ],
  'a convolution in groups, with a filter that is turned round': [
    (x, filter) => o.convolution(x, filter, convolved({ mode: 'convolution', groupCount: 2, dilations: [2, 1] })),
    [2, 4, 4, 3],
    [2, 2, 2, 2],
  ],
  'a convolution backwards with more elements at the end': [
    (x, filter, biasTensor) =>
      o.convolution(x, filter, convolved({ direction: 'backward', strides: [2, 2], outputPadding: [1, 0], biasTensor })),
    [1, 2, 2, 2],
    [2, 1, 2, 2],
    [1, 1, 1, 1],
  ],
  'nearest elements on a border': [
    (x) => o.resample1(x, { ...scaled(2, 0), interpolationMode: 'nearestNeighbor', outputTensor: { sizes: [2, 6] } }),
    [2, 3],
  ],
  'nearest elements beyond the input': [
    (x) =>
      o.resample2(x, {
        ...scaled(2, 1.3),
        interpolationMode: 'nearestNeighbor',
        roundingDirection: 'increasing',
        outputTensor: { sizes: [2, 6] },
      }),
    [2, 3],
  ],
  'smooth elements beyond the input': [
    (x) => o.resample2(x, { ...scaled(2, 0.5), roundingDirection: 'decreasing', outputTensor: { sizes: [2, 9] } }),
    [2, 3],
  ],
  'smooth elements near the input': [
    (x) => o.resample3(x, { ...scaled(2, 0.5), roundingDirection: 'increasing', outputTensor: { sizes: [2, 6] } }),
    [2, 3],
  ],
  'a gradient of smooth elements': [
    (x) =>
      o.resampleGrad(x, {
        ...{ interpolationMode: 'linear', scales: [1, 2], inputPixelOffsets: [0, -0.5], outputPixelOffsets: [0, 0.5] },
        outputGradientTensor: { sizes: [2, 3] },
      }),
    [2, 6],
  ],
  'nearest elements on a border, of which the earlier one counts': [
    (x) =>
      o.resample2(x, {
        ...scaled(2, 0),
        interpolationMode: 'nearestNeighbor',
        roundingDirection: 'decreasing',
        outputTensor: { sizes: [2, 6] },
      }),
    [2, 3],
  ],
  'nearest elements of two axes, of which one keeps its size in spite of its scale': [
    (x) =>
      o.resample1(x, {
        interpolationMode: 'nearestNeighbor',
        scales: [2, 2],
        inputPixelOffsets: [0, 0],
        outputPixelOffsets: [0, 0],
        outputTensor: { sizes: [3, 6] },
      }),
    [3, 3],
  ],
  'nearest elements with an offset, without a scale': [
    (x) => o.resample1(x, { ...scaled(1, 0.25), interpolationMode: 'nearestNeighbor', outputTensor: { sizes: [2, 3] } }),
    [2, 3],
  ],
  'smooth elements beyond the input, with opposite offsets and a scale': [
    (x) => o.resample1(x, { ...scaled(2, 0.3), outputTensor: { sizes: [2, 9] } }),
    [2, 3],
  ],
  'smooth elements half an element apart, beyond the input': [
    (x) => o.resample1(x, { ...apart(1, -0.5), outputTensor: { sizes: [2, 6] } }),
    [2, 3],
  ],
  'a gradient of smooth elements that are half an element apart': [
    (x) => o.resampleGrad(x, { ...apart(1, 0.5), outputGradientTensor: { sizes: [2, 3] } }),
    [2, 3],
  ],
  'a gradient of smooth elements, up to one element apart': [
    (x) => o.resampleGrad(x, { ...apart(4, 0.75), outputGradientTensor: { sizes: [2, 2] } }),
    [2, 8],
  ],
  'the largest of dilated windows around an image': [
    (x) => o.maxPooling2(x, { ...pool(2, 1), endPadding: [1, 0] }).outputTensor,
    [1, 1, 2, 4],
  ],
  'the largest of dilated windows that begin in the padding': [(x) => o.maxPooling2(x, pool(2, 2)).outputTensor, [1, 1, 4, 3]],
  'the largest of single elements, however dilated': [
    (x) => o.maxPooling2(x, { ...pool(3, 0), windowSize: [1, 2] }).outputTensor,
    [1, 1, 2, 4],
  ],
  'smooth elements one element before the input': [
    (x) => o.resample1(x, { ...scaled(2, 1), outputTensor: { sizes: [2, 9] } }),
    [2, 3],
  ],
  'smooth elements with one offset, beyond the input': [
    (x) => o.resample1(x, { ...scaled(1, 0.25), outputPixelOffsets: [0, 0], outputTensor: { sizes: [2, 6] } }),
    [2, 3],
  ],
  'smooth elements with opposite halves, beyond the input': [
    (x) => o.resample1(x, { ...scaled(1, 0.5), outputTensor: { sizes: [2, 6] } }),
    [2, 3],
  ],
  'a gradient of smooth elements, one element before': [
    (x) => o.resampleGrad(x, { ...apart(2, 1), inputPixelOffsets: [0, -1], outputGradientTensor: { sizes: [2, 3] } }),
    [2, 5],
  ],
  'a gradient of smooth elements that are rounded': [
    (x) =>
      o.resampleGrad1(x, {
        ...{ ...apart(2, 0.5), inputPixelOffsets: [0, -0.5], roundingDirection: 'increasing' },
        outputGradientTensor: { sizes: [2, 3] },
      }),
    [2, 6],
  ],
  'an image of a batch that becomes larger': [
    (x) => o.upsample2d(x, { scaleSize: { width: 2, height: 3 }, interpolationMode: 'nearestNeighbor' }),
    [2, 1, 2, 2],
  ],
  'an image of a batch that becomes larger and smooth': [
    (x) => o.upsample2d(x, { scaleSize: { width: 2, height: 3 }, interpolationMode: 'linear' }),
    [2, 1, 2, 2],
  ],
  'attention with a bias of positions and past keys': [
    (queryTensor, keyTensor, valueTensor, biasTensor, relativePositionBiasTensor, pastKeyTensor, pastValueTensor) =>
      o.multiheadAttention({
        ...{ queryTensor, keyTensor, valueTensor, biasTensor, relativePositionBiasTensor, pastKeyTensor, pastValueTensor },
        ...{ headCount: 2, scale: 0.5, maskFilterValue: -10, maskType: 'none' },
        ...{ outputPresentKeyTensor: {}, outputPresentValueTensor: {} },
      }).outputTensor,
    [1, 2, 4],
    [1, 1, 4],
    [1, 1, 2],
    [10],
    [1, 2, 2, 3],
    [1, 2, 2, 2],
    [1, 2, 2, 1],
  ],
  'attention whose heads share keys': [
    (queryTensor, keyTensor, valueTensor) =>
      o.multiheadAttention1({
        ...{ queryTensor, keyTensor, valueTensor, queryHeadCount: 4, keyValueHeadCount: 2 },
        ...{ scale: 0.5, maskFilterValue: -10, maskType: 'none' },
      }).outputTensor,
    [1, 2, 4],
    [1, 3, 2],
    [1, 3, 4],
  ],

  'a product of all': [(x) => o.reduce(x, { function: 'multiply', axes: [0, 1] }), [2, 3]],
  'a product along the first of three axes': [(x) => o.reduce(x, { function: 'multiply', axes: [0] }), [3, 2, 2]],
  'a product along the axis in the middle': [(x) => o.reduce(x, { function: 'multiply', axes: [1] }), [2, 3, 2]],
  'a product along two axes that are apart': [(x) => o.reduce(x, { function: 'multiply', axes: [0, 2] }), [2, 3, 2]],
  'an average along two axes that are apart': [(x) => o.reduce(x, { function: 'average', axes: [0, 2] }), [2, 3, 2]],
  'a largest element along an axis': [(x) => o.reduce(x, { function: 'max', axes: [1] }), [2, 3]],
  'a smallest element along two axes': [(x) => o.reduce(x, { function: 'min', axes: [0, 2] }), [2, 3, 2]],
  'a logarithm of a sum': [(x) => o.reduce(o.elementWiseExp(x), { function: 'logSum', axes: [1] }), [2, 3]],
  'a logarithm of a sum of powers': [(x) => o.reduce(x, { function: 'logSumExp', axes: [0] }), [2, 3]],
  'a sum of sizes': [(x) => o.reduce(x, { function: 'l1', axes: [0, 1] }), [2, 3]],
  'a root of squares': [(x) => o.reduce(x, { function: 'l2', axes: [1] }), [2, 3]],
  'a sum of squares': [(x) => o.reduce(x, { function: 'sumSquare', axes: [1] }), [2, 3]],

  'a running sum': [(x) => o.cumulativeSummation(x, { ...along(1, 'increasing'), hasExclusiveSum: false }), [2, 4]],
  'a running sum of those before': [
    (x) => o.cumulativeSummation(x, { ...along(0, 'increasing'), hasExclusiveSum: true }),
    [4, 2],
  ],
  'a running sum from the end': [(x) => o.cumulativeSummation(x, { ...along(1, 'decreasing'), hasExclusiveSum: true }), [2, 4]],
  'a running product': [(x) => o.cumulativeProduct(x, { ...along(1, 'increasing'), hasExclusiveProduct: false }), [2, 5]],
  'a running product of those before': [
    (x) => o.cumulativeProduct(x, { ...along(0, 'increasing'), hasExclusiveProduct: true }),
    [4, 2],
  ],
  'a running product from the end': [
    (x) => o.cumulativeProduct(x, { ...along(1, 'decreasing'), hasExclusiveProduct: false }),
    [2, 5],
  ],
  'a running product of those after': [
    (x) => o.cumulativeProduct(x, { ...along(1, 'decreasing'), hasExclusiveProduct: true }),
    [2, 3],
  ],

  'a slice with strides': [(x) => o.slice(x, { offsets: [0, 1], sizes: [2, 3], strides: [1, 2] }), [3, 7]],
  'a slice backwards': [
    (x) =>
      o.slice1(x, {
        inputWindowOffsets: [0, 1],
        inputWindowSizes: [2, 5],
        inputWindowStrides: [1, -2],
        outputTensor: { sizes: [2, 3] },
      }),
    [3, 7],
  ],
  'a slice that is spread backwards': [
    (x) =>
      o.sliceGrad(x, {
        inputWindowOffsets: [1, 0],
        inputWindowSizes: [2, 5],
        inputWindowStrides: [-1, 2],
        outputGradientTensor: { sizes: [3, 6] },
      }),
    [2, 3],
  ],
  'three joined tensors': [(a, b, c) => o.join([a, b, c], { axis: 1 }), [2, 1], [2, 3], [2, 2]],
  'joined tensors along the first axis': [(a, b) => o.join([a, b], { axis: 0 }), [1, 2], [2, 2]],
  'tiles along two axes': [(x) => o.tile(x, { repeats: [2, 1, 3] }), [2, 3, 2]],

  'the largest elements': [(x) => o.topK1(x, { ...along(1, 'decreasing'), k: 2 }).outputValueTensor, [2, 4]],
  'the smallest elements along the first axis': [
    (x) => o.topK1(x, { ...along(0, 'increasing'), k: 2 }).outputValueTensor,
    [4, 2],
  ],

  'rows by indices from the end': [
    (x) =>
      o.gather(x, integers('int32', [1, 4], [-1, 0, -1, 1]), { axis: 0, indexDimensions: 1, outputTensor: { sizes: [4, 2] } }),
    [3, 2],
  ],
  'columns by an index of two dimensions': [
    (x) =>
      o.gather(x, integers('uint32', [1, 2, 2], [2, 0, 2, 2]), {
        axis: 2,
        indexDimensions: 2,
        outputTensor: { sizes: [2, 2, 2] },
      }),
    [1, 2, 3],
  ],
  'elements along the first axis': [
    (x) => o.gatherElements(x, integers('uint32', [2, 3], [1, 0, 1, 1, 1, 0]), { axis: 0 }),
    [2, 3],
  ],
  'elements along the axis in the middle, some of them twice': [
    (x) => o.gatherElements(x, integers('int32', [2, 2, 2], [0, 2, 0, 1, 1, 1, 2, 1]), { axis: 1 }),
    [2, 3, 2],
  ],
  'elements by tuples, from the end': [
    (x) =>
      o.gatherNd(x, integers('int32', [3, 2], [0, -1, 1, 0, -2, 2]), {
        ...{ inputDimensionCount: 2, indicesDimensionCount: 2, outputTensor: { sizes: [1, 3] } },
      }),
    [2, 3],
  ],
  'elements by tuples in batches': [
    (x) =>
      o.gatherNd1(x, integers('int32', [2, 2, 1], [0, 2, 1, 1]), {
        ...{ inputDimensionCount: 3, indicesDimensionCount: 3, batchDimensionCount: 1, outputTensor: { sizes: [2, 2, 2] } },
      }),
    [2, 3, 2],
  ],
  'scattered elements': [
    (x, updates) => o.scatterElements(x, integers('int32', [2, 2], [1, 0, 2, 1]), updates, { axis: 1 }),
    [2, 3],
    [2, 2],
  ],
  'scattered tuples': [
    (x, updates) =>
      o.scatterNd(x, integers('int32', [2, 1], [2, 0]), updates, { inputDimensionCount: 2, indicesDimensionCount: 2 }),
    [3, 2],
    [2, 2],
  ],
  'two values of a tensor of two': [
    (x) => o.oneHot(integers('int32', [2, 1], [0, 2]), x, { axis: 1, outputTensor: { sizes: [2, 3] } }),
    [2],
  ],
  'two values of a longer tensor': [
    (x) => o.oneHot(integers('int32', [2, 1], [0, 2]), x, { axis: 1, outputTensor: { sizes: [2, 3] } }),
    [1, 4],
  ],
  'reversed sequences': [(x) => o.reverseSubsequences(x, integers('uint32', [2, 1], [2, 3]), { axis: 1 }), [2, 3]],
  'a diagonal with a value': [
    (x) =>
      o.diagonalMatrix1(d, {
        inputTensor: x,
        outputTensor: { sizes: [3, 4] },
        valueDataType: 'float32',
        value: 5,
        diagonalFillBegin: -1,
        diagonalFillEnd: 1,
      }),
    [3, 4],
  ],
  'scales per channel': [(x) => o.valueScale2d(x, { scale: 3, bias: [1, 2, 3] }), [1, 3, 2, 2]],

  ...Object.fromEntries(
    ['constant', 'edge', 'reflection', 'symmetric'].flatMap((paddingMode) => [
      [
        `padding by ${paddingMode}`,
        [
          (x: Floats) => o.padding(x, { paddingMode, paddingValue: 2, startPadding: [0, 2], endPadding: [1, 1] }),
          [3, 3],
        ] as const,
      ],
      [
        `padding by ${paddingMode} along the first axis`,
        [
          (x: Floats) => o.padding(x, { paddingMode, paddingValue: 2, startPadding: [2, 0, 0], endPadding: [0, 0, 0] }),
          [3, 2, 2],
        ] as const,
      ],
    ]),
  ),

  'an average with dilations and padding': [
    (x) => o.averagePooling1(x, windows({ startPadding: [1, 0], endPadding: [0, 1], dilations: [2, 1], includePadding: true })),
    [1, 2, 4, 4],
  ],
  'an average with dilations but without padding': [
    (x) => o.averagePooling1(x, windows({ startPadding: [1, 0], endPadding: [0, 1], dilations: [2, 1], includePadding: false })),
    [2, 1, 4, 4],
  ],
  'an average without padding': [
    (x) => o.averagePooling(x, windows({ startPadding: [1, 0], endPadding: [0, 1], includePadding: false })),
    [1, 1, 3, 3],
  ],
  'a gradient of an average without padding': [
    (x) =>
      o.averagePoolingGrad(
        x,
        windows({ startPadding: [1, 0], includePadding: false, outputGradientTensor: { sizes: [1, 1, 3, 3] } }),
      ),
    [1, 1, 3, 2],
  ],
  'a gradient of an average whose windows may be empty': [
    (x) =>
      o.averagePoolingGrad(
        x,
        windows({ startPadding: [2, 0], includePadding: false, outputGradientTensor: { sizes: [1, 1, 3, 3] } }),
      ),
    [1, 1, 4, 2],
  ],
  'a norm of the order 1': [(x) => o.lpPooling(x, windows({ p: 1 })), [1, 1, 3, 3]],
  'a norm of the order 1 with padding': [
    (x) => o.lpPooling(x, windows({ p: 1, startPadding: [1, 0], endPadding: [0, 1] })),
    [1, 1, 3, 3],
  ],
  'a norm of the order 2 with strides': [(x) => o.lpPooling(x, windows({ p: 2, strides: [2, 1] })), [1, 1, 4, 3]],
  'a norm of the order 3 with dilations': [(x) => o.lpPooling1(x, windows({ p: 3, dilations: [1, 2] })), [1, 2, 3, 4]],
  'a maximum with padding': [(x) => o.maxPooling(x, windows({ startPadding: [1, 1] })), [1, 1, 3, 3]],
  'a maximum with dilations and padding': [
    (x) => o.maxPooling2(x, windows({ startPadding: [2, 0], dilations: [2, 1] })).outputTensor,
    [1, 1, 4, 4],
  ],
  'a gradient of a maximum': [(x) => o.maxPoolingGrad(floats(1, 1, 3, 3), x, windows({ dilations: [1, 1] })), [1, 1, 2, 2]],
  'a gradient of an average whose windows may be empty at the end': [
    (x) =>
      o.averagePoolingGrad(
        x,
        windows({ endPadding: [0, 2], includePadding: false, outputGradientTensor: { sizes: [1, 1, 3, 3] } }),
      ),
    [1, 1, 2, 4],
  ],
  'elements at the places of the largest': [
    (x) => o.maxUnpooling(x, integers('uint32', [1, 1, 1, 2], [5, 2]), { outputTensor: { sizes: [1, 1, 2, 4] } }),
    [1, 1, 1, 2],
  ],

  'pixels that become larger': [
    (x) => o.upsample2d(x, { scaleSize: { width: 2, height: 3 }, interpolationMode: 'nearestNeighbor' }),
    [1, 2, 2, 3],
  ],
  'pixels that become larger smoothly': [
    (x) => o.upsample2d(x, { scaleSize: { width: 2, height: 3 }, interpolationMode: 'linear' }),
    [1, 2, 2, 3],
  ],
  'an image that is resampled': [
    (x) => o.resample(x, { interpolationMode: 'linear', scales: [1, 1, 2, 1.5], outputTensor: { sizes: [1, 1, 4, 3] } }),
    [1, 1, 2, 2],
  ],

  'a normalization without a variance': [
    (x) => o.meanVarianceNormalization2(x, { axes: [1], useMean: true, useVariance: false, epsilon: 0.1 }),
    [2, 3],
  ],
  'a normalization without a mean': [
    (x) => o.meanVarianceNormalization2(x, { axes: [1], useMean: false, useVariance: true, epsilon: 0.1 }),
    [2, 3],
  ],
  'a normalization with a scale and a bias': [
    (x, scale, bias) =>
      o.meanVarianceNormalization1(x, {
        axes: [0],
        scaleTensor: scale,
        biasTensor: bias,
        normalizeVariance: true,
        epsilon: 0.25,
      }),
    [3, 2],
    [1, 2],
    [1, 2],
  ],
  'a normalization across channels': [
    (x) => o.meanVarianceNormalization(x, { crossChannel: true, normalizeVariance: true, epsilon: 0.25 }),
    [1, 2, 2, 2],
  ],
  'a normalization of each channel': [
    (x) => o.meanVarianceNormalization(x, { crossChannel: false, normalizeVariance: true, epsilon: 0.25 }),
    [1, 2, 2, 2],
  ],
  'a normalization by a norm of the order 1': [(x) => o.lpNormalization(x, { axis: 1, epsilon: 0.25, p: 1 }), [2, 3]],
  'a normalization by a norm of the order 2': [(x) => o.lpNormalization(x, { axis: 0, epsilon: 0.25, p: 2 }), [3, 2]],
  'a response across as many channels as there are': [(x) => o.localResponseNormalization(x, response(3, true)), [1, 3, 2, 2]],
  'a response as large as the image': [(x) => o.localResponseNormalization(x, response(3, false)), [1, 1, 3, 3]],
  'a training that adds a tensor': [
    (x, scale, bias, more) => o.batchNormalizationTraining(x, scale, bias, { fusedAddTensor: more, epsilon: 0.25 }).outputTensor,
    [2, 2, 1, 3],
    [1, 2, 1, 1],
    [1, 2, 1, 1],
    [2, 2, 1, 3],
  ],
  'a mean of a training': [
    (x) => o.batchNormalizationTraining(x, ones(1, 2, 1, 1), ones(1, 2, 1, 1), { epsilon: 0.25 }).outputMeanTensor,
    [2, 2, 1, 3],
  ],
  'a variance of a training': [
    (x) => o.batchNormalizationTraining(x, ones(1, 2, 1, 1), ones(1, 2, 1, 1), { epsilon: 0.25 }).outputVarianceTensor,
    [2, 2, 1, 3],
  ],

  'scales of quantized blocks': [
    (scale) => o.dequantize(integers('int8', [2, 4], [1, -2, 3, 4, 5, -6, 7, 8]), [scale], { quantizationType: 'scale' }),
    [1, 2],
  ],
  'scales of quantized blocks with zero points': [
    (scale) =>
      o.dequantize(
        integers('uint8', [4, 3], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]),
        [scale, integers('uint8', [2, 3], [1, 2, 3, 4, 5, 6])],
        {
          quantizationType: 'scaleZeroPoint',
        },
      ),
    [2, 3],
  ],
  'a scale of quantized elements with a zero point': [
    (scale) =>
      o.elementWiseDequantizeLinear(integers('int8', [2, 2], [1, -2, 3, 4]), scale, {
        zeroPointTensor: integers('int8', [2, 2], [3, 3, -1, 1]),
      }),
    [2, 2],
  ],

  ...Object.fromEntries(
    (['increasing', 'decreasing'] as const).map((direction) => [
      `regions, ${direction}`,
      [
        (x: Floats) =>
          o.roiAlign1(
            x,
            made([2, 4], direction === 'increasing' ? [0, 0, 2.2, 3.1, 1.1, 0.6, 3, 3] : [1, 1, 3, 3, 0, 0, 2, 2]),
            integers('uint32', [2], [1, 5]),
            {
              ...regions,
              reductionFunction: direction === 'increasing' ? 'average' : 'max',
              inputPixelOffset: 0.5,
              outputPixelOffset: -0.5,
              alignRegionsToCorners: direction === 'decreasing',
              outputTensor: { sizes: [2, 1, 2, 2] },
            },
          ),
        [2, 1, 4, 4],
      ] as const,
    ]),
  ),

  'a network from the end': [
    (x, weight, recurrence, bias, start) =>
      o.rnn(x, weight, recurrence, {
        ...states,
        biasTensor: bias,
        hiddenInitTensor: start,
        activationDescs: [tanh],
        direction: 'backward',
      }).outputSequenceTensor,
    [1, 3, 1, 2],
    [1, 1, 2, 2],
    [1, 1, 2, 2],
    [1, 1, 1, 4],
    [1, 1, 1, 2],
  ],
  'a network in both directions, with lengths': [
    (x, weight, recurrence) =>
      o.rnn(x, weight, recurrence, {
        ...states,
        sequenceLengthsTensor: integers('uint32', [1, 1, 1, 2], [2, 3]),
        activationDescs: [tanh, sigmoid],
        direction: 'bidirectional',
      }).outputSequenceTensor,
    [1, 3, 2, 1],
    [1, 2, 2, 1],
    [1, 2, 2, 2],
  ],
  'the last state of a network with lengths, one of which is 0': [
    (x, weight, recurrence, start) =>
      o.rnn(x, weight, recurrence, {
        hiddenInitTensor: start,
        ...states,
        sequenceLengthsTensor: integers('uint32', [1, 1, 1, 3], [2, 0, 3]),
        activationDescs: [tanh],
        direction: 'forward',
      }).outputSingleTensor,
    [1, 3, 3, 1],
    [1, 1, 2, 1],
    [1, 1, 2, 2],
    [1, 1, 3, 2],
  ],
  ...Object.fromEntries(
    [true, false].map((linearBeforeReset) => [
      `a gated network, reset ${linearBeforeReset ? 'after' : 'before'} the product`,
      [
        (x: Floats, weight: Floats, recurrence: Floats, bias: Floats, start: Floats) =>
          o.gru(x, weight, recurrence, {
            ...{ ...states, biasTensor: bias, hiddenInitTensor: start, linearBeforeReset },
            activationDescs: [sigmoid, tanh],
            direction: 'forward',
          }).outputSingleTensor,
        [1, 2, 1, 1],
        [1, 1, 6, 1],
        [1, 1, 6, 2],
        [1, 1, 1, 12],
        [1, 1, 1, 2],
      ] as const,
    ]),
  ),
  ...Object.fromEntries(
    [true, false].flatMap((coupleInputForget) =>
      (['outputSequenceTensor', 'outputCellSingleTensor'] as const).map((output) => [
        `${output} of a network with a cell, ${coupleInputForget ? 'coupled' : 'with peepholes and limits'}`,
        [
          (x: Floats, weight: Floats, recurrence: Floats, bias: Floats, start: Floats, cell: Floats, peephole: Floats) =>
            o.lstm(x, weight, recurrence, {
              ...{
                ...states,
                outputCellSingleTensor: {},
                biasTensor: bias,
                hiddenInitTensor: start,
                cellMemInitTensor: cell,
                coupleInputForget,
              },
              ...(!coupleInputForget && { peepholeTensor: peephole, useClipThreshold: true, clipThreshold: 1.7 }),
              activationDescs: [sigmoid, tanh, tanh],
              direction: 'forward',
            })[output],
          [1, 2, 1, 1],
          [1, 1, 4, 1],
          [1, 1, 4, 1],
          [1, 1, 1, 8],
          [1, 1, 1, 1],
          [1, 1, 1, 1],
          [1, 1, 1, 3],
        ] as const,
      ]),
    ),
  ),
};

describe('agrees with differences:', () => {
  test.each(Object.entries(branches))('%s', async (_name, [fn, ...sizes]) => {
    await compare(fn, ...sizes.map((own) => floats(...own)));
  });
});

/** Where a function has a corner or no derivative: the gradients of the sum at these elements, by hand. */
const corners: Readonly<Record<string, readonly [fn: Function, at: readonly number[], expected: readonly number[]]>> = {
  'equal elements share the gradient of a maximum': [
    (x) => o.reduce(x, { function: 'max', axes: [0] }),
    [2, 5, 5, 1],
    [0, 0.5, 0.5, 0],
  ],
  'equal elements share the gradient of a minimum': [
    (x) => o.reduce(x, { function: 'min', axes: [0] }),
    [1, 5, 1, 1],
    [1 / 3, 0, 1 / 3, 1 / 3],
  ],
  'the larger of two': [(x) => o.elementWiseMax(x, made([3], [1, 2, 3])), [2, 2, 2], [1, 0.5, 0]],
  'the smaller of two': [(x) => o.elementWiseMin(made([3], [1, 2, 3]), x), [2, 2, 2], [0, 0.5, 1]],
  'a product with a zero': [(x) => o.reduce(x, { function: 'multiply', axes: [0] }), [2, 0, 5], [0, 10, 0]],
  'a product with two zeros': [(x) => o.reduce(x, { function: 'multiply', axes: [0] }), [2, 0, 0], [0, 0, 0]],
  'a running product with a zero': [
    (x) => o.cumulativeProduct(x, { ...along(0, 'increasing'), hasExclusiveProduct: false }),
    [2, 0, 3],
    [1, 8, 0],
  ],
  'a root of squares of zeros': [(x) => o.reduce(x, { function: 'l2', axes: [0] }), [0, 0], [0, 0]],
  'a norm of zeros in windows': [
    (x) => o.lpPooling(x.reshape([1, 1, 1, 2]), { ...windows({ p: 2 }), windowSize: [1, 2] }),
    [0, 0],
    [0, 0],
  ],
  'the largest of windows, one of which lies in the padding': [
    (x) => o.maxPooling2(x.reshape([1, 1, 3, 1]), pool(1, 2)).outputTensor,
    [1, 2, 3],
    [1, 1, 1],
  ],
  'the power 0 of 0': [(x) => o.elementWisePow(x, made([2], [0, 2])), [0, 0], [0, 0]],
  'the power 1 of 0': [(x) => o.elementWisePow(x, made([2], [1, 3])), [0, 2], [1, 12]],
  'the power of 0 by an exponent': [(x) => o.elementWisePow(made([2], [0, 1]), x), [2, 2], [0, 0]],
  'a constant power of 0': [(x) => o.elementWiseConstantPow(x, { exponent: 0 }), [2, 3], [0, 0]],
  'a constant power 1 of 0': [(x) => o.elementWiseConstantPow(x, { exponent: 1 }), [0, 2], [1, 1]],
  'a constant power': [(x) => o.elementWiseConstantPow(x, { exponent: 3 }), [2, -1], [12, 3]],
  'Celu without a slope': [(x) => o.activationCelu(x, { alpha: 0 }), [-1, 2], [0, 1]],
  'a corner of LeakyRelu': [(x) => o.activationLeakyRelu(x, { alpha: 0.25 }), [-1, 0, 1], [0.25, 0.25, 1]],
  'a corner of ThresholdedRelu': [(x) => o.activationThresholdedRelu(x, { alpha: 1 }), [0.5, 1, 2], [0, 0, 1]],
  'a corner of HardSigmoid': [(x) => o.activationHardSigmoid(x, { alpha: 0.5, beta: 0.5 }), [-2, -1, 0, 1, 2], [0, 0, 0.5, 0, 0]],
  'a corner of Shrink': [(x) => o.activationShrink(x, { bias: 0, threshold: 1 }), [-2, -1, 0.5, 1, 2], [1, 0, 0, 0, 1]],
  'a corner of a threshold': [(x) => o.elementWiseThreshold(x, { min: 1 }), [0, 1, 2], [0, 0, 1]],
};

/** A fourth of an element apart, with the nearest element at each place. */
const fourths = (type: 'resample1' | 'resample2', input: number, output: number) => (x: Floats) =>
  o[type](x, {
    ...{ interpolationMode: 'nearestNeighbor', scales: [1, 4], outputTensor: { sizes: [2, 12] } },
    ...{ inputPixelOffsets: [0, input], outputPixelOffsets: [0, output] },
    ...(type === 'resample2' ? { roundingDirection: 'decreasing' } : {}),
  });

/** By which operators gradients are computed: the fewest, where DirectML's own gradient rounds as its operator does. */
const chosen: Readonly<Record<string, readonly [fn: Function, sizes: readonly number[], types: string]>> = {
  'nearest elements without a border': [fourths('resample1', 0.375, 0), [2, 3], 'resampleGrad'],
  'nearest elements, one of which is on a border': [fourths('resample1', 0.5625, -0.25), [2, 3], 'gemm'],
  'rounded elements without a border': [fourths('resample2', 0.125, 0), [2, 3], 'resampleGrad1'],
  'rounded elements, one of which is on a border': [fourths('resample2', 0.5625, -0.25), [2, 3], 'gemm'],
  'rounded elements, one of which is the second one': [fourths('resample2', 0.0625, -2.25), [2, 3], 'gemm'],
  'smooth elements near the input': [
    (x) => o.resample1(x, { ...scaled(2, 0.5), outputTensor: { sizes: [2, 6] } }),
    [2, 3],
    'resampleGrad',
  ],
  'smooth elements beyond the input': [
    (x) => o.resample1(x, { ...scaled(2, 0.5), outputTensor: { sizes: [2, 9] } }),
    [2, 3],
    'gemm',
  ],
  'smooth elements of two axes, beyond the input': [
    (x) => o.resample1(x, { ...scaled(2, 0.5), scales: [2, 2], outputTensor: { sizes: [4, 9] } }),
    [2, 3],
    'gemm gemm',
  ],
  'an image that becomes larger': [
    (x) => o.upsample2d(x, { scaleSize: { width: 2, height: 3 }, interpolationMode: 'nearestNeighbor' }),
    [2, 1, 2, 2],
    'reduce',
  ],
  'an image that becomes larger and smooth': [
    (x) => o.upsample2d(x, { scaleSize: { width: 2, height: 3 }, interpolationMode: 'linear' }),
    [2, 1, 2, 2],
    'resampleGrad',
  ],
  'norms of windows with padding': [
    (x) => o.lpPooling(x, windows({ p: 1, startPadding: [1, 0] })),
    [1, 1, 4, 4],
    'averagePoolingGrad',
  ],
  'means of dilated windows': [
    (x) => o.averagePooling1(x, windows({ dilations: [2, 1], includePadding: true })),
    [1, 1, 4, 4],
    'fold',
  ],
  'means of windows': [
    (x) => o.averagePooling1(x, windows({ dilations: [1, 1], includePadding: true })),
    [1, 1, 4, 4],
    'averagePoolingGrad',
  ],
};
const auxiliary = /^(?:elementWise.*|diagonalMatrix1?|fillValueConstant|cast|padding)$/;

describe('is computed by', () => {
  test.each(Object.entries(chosen))('%s', (_name, [fn, sizes, expected]) => {
    const graph = d.createGraph();
    const x = graph.input('x', { dataType: 'float32', sizes });
    const slope = grad(((value: Floats) => total(fn(value))) as never) as unknown as (value: unknown) => Floats;
    const { nodes } = graph.toDescriptor({ y: slope(x) });
    const before = new Set(Object.values(graph.toDescriptor({ y: fn(x) }).nodes).map(({ type }) => type));
    const types = Object.values(nodes).map(({ type }) => type);
    expect(types.filter((type) => !before.has(type) && !auxiliary.test(type)).join(' ')).toBe(expected);
  });
});

describe('by hand:', () => {
  test.each(Object.entries(corners))('%s', async (_name, [fn, at, expected]) => {
    const slope = grad(((x: Floats) => total(fn(x))) as never) as unknown as (x: Floats) => Promise<Tensor<'float32'>>;
    const own = await (await slope(d.tensor(at) as unknown as Floats)).read();
    expect([...own].map((each) => Math.round(each * 1e5) / 1e5 + 0)).toEqual(
      expected.map((each) => Math.round(each * 1e5) / 1e5),
    );
  });
});

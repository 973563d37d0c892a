/** Pooling: each output element is computed from a window of the image, which is the last two or three dimensions. */
import { onePerSpace } from '../../descriptors/count.js';
import { dilatedSize, positionCount } from '../../descriptors/dilated-window.js';
import { needSizes, stateSizes, type TensorOrDraft } from '../../descriptors/drafted.js';
import { strictly } from '../../descriptors/strict.js';
import { hasSizes, sameDataType, sameDimensionCount, sameSizes } from '../../descriptors/checks.js';
import {
  refuse,
  tensorOf,
  type Rule,
  type Typed,
  type WithInputs,
  type WithOptionalTensors,
  type WithTensors,
} from '../../descriptors/rule.js';
import { productOf } from '../../tensors/tensor-size.js';

/**
 * `windowSize`, `strides`, `startPadding` and `endPadding` have one element for each spatial dimension. Window sizes
 * and strides are at least 1. `dilations` have one element for each spatial dimension, each at least 1: a window
 * spans (window size - 1) × dilation + 1 elements. The window fits into the padded image.
 */
interface Pooling extends Typed {
  readonly dimensionCount: number;
  readonly windowSize: readonly number[];
  readonly strides: readonly number[];
  readonly startPadding: readonly number[];
  readonly endPadding: readonly number[];
  readonly dilations?: readonly number[];
}

type InputAndOutput = WithTensors<'inputTensor' | 'outputTensor'>;

/**
 * `inputTensor` has the sizes [batch, channels, height, width] or [batch, channels, depth, height, width].
 * {@inheritDoc Pooling} `outputTensor` has the data type, dimension count, batch and channels of `inputTensor`. Each
 * spatial size of `outputTensor` is floor((size + start padding + end padding - span of the window) / stride) + 1.
 */
const pooling = (operator: Pooling & InputAndOutput): void => pools(operator, 'inputTensor', 'outputTensor');

export const averagePooling = pooling;
export const averagePooling1 = pooling;
export const lpPooling = pooling;
export const lpPooling1 = pooling;
export const maxPooling = pooling;

/** {@inheritDoc pooling} {@inheritDoc poolsWithIndices} */
export const maxPooling1: Rule<'maxPooling1'> = (operator) => poolsWithIndices(operator);

/** {@inheritDoc pooling} {@inheritDoc poolsWithIndices} */
export const maxPooling2: Rule<'maxPooling2'> = (operator) => poolsWithIndices(operator);

/** `outputIndicesTensor` has the sizes of `outputTensor`. */
function poolsWithIndices(operator: Pooling & InputAndOutput & WithOptionalTensors<'outputIndicesTensor'>): void {
  pools(operator, 'inputTensor', 'outputTensor');
  sameDimensionCount(operator, 'outputTensor', 'outputIndicesTensor');
  sameSizes(operator, 'outputTensor', 'outputIndicesTensor');
}

/**
 * `outputGradientTensor` has the sizes [batch, channels, height, width] or [batch, channels, depth, height, width].
 * {@inheritDoc Pooling} `inputGradientTensor` has the data type, dimension count, batch and channels of
 * `outputGradientTensor`. Each spatial size of `inputGradientTensor` is floor((size + start padding + end padding -
 * span of the window) / stride) + 1.
 * The sizes of `outputGradientTensor` must be given.
 */
export const averagePoolingGrad: Rule<'averagePoolingGrad'> = (operator) => {
  sameDataType(operator, 'outputGradientTensor', 'inputGradientTensor');
  sameDimensionCount(operator, 'outputGradientTensor', 'inputGradientTensor');
  needSizes(operator.outputGradientTensor, 'the sizes of the image that was pooled');
  pools(operator, 'outputGradientTensor', 'inputGradientTensor');
};

/**
 * `inputTensor` has the sizes [batch, channels, height, width] or [batch, channels, depth, height, width].
 * {@inheritDoc Pooling} `outputGradientTensor` has the data type and the sizes of `inputTensor`.
 * `inputGradientTensor` has the data type, dimension count, batch and channels of `inputTensor`. Each spatial size of
 * `inputGradientTensor` is floor((size + start padding + end padding - span of the window) / stride) + 1.
 */
export const maxPoolingGrad: Rule<'maxPoolingGrad'> = (operator) => {
  sameDataType(operator, 'inputTensor', 'outputGradientTensor');
  sameDimensionCount(operator, 'inputTensor', 'outputGradientTensor');
  sameSizes(operator, 'inputTensor', 'outputGradientTensor');
  pools(operator, 'inputTensor', 'inputGradientTensor');
};

/**
 * `outputTensor` has the data type of `inputTensor`, and may have any sizes. `indicesTensor` has the sizes of
 * `inputTensor`. Each index is the position of an element of `outputTensor` in row-major order. The sizes of
 * `outputTensor` must be given.
 */
export const maxUnpooling: Rule<'maxUnpooling'> = (operator) => {
  sameDataType(operator, 'inputTensor', 'outputTensor');
  sameSizes(operator, 'inputTensor', 'indicesTensor');
  needSizes(operator.outputTensor, 'the sizes of the image that was pooled');
};

/**
 * {@inheritDoc pooling} Each scale has the dimension count of `inputTensor` and either one element or the sizes [1,
 * channels, 1, …]. Each zero point has the data type of `inputTensor` and the sizes of its scale.
 */
export const quantizedLinearAveragePooling: Rule<'quantizedLinearAveragePooling'> = (operator) => {
  pools(operator, 'inputTensor', 'outputTensor');
  quantized(operator, 'inputScaleTensor', 'inputZeroPointTensor');
  quantized(operator, 'outputScaleTensor', 'outputZeroPointTensor');
};

function quantized<Scale extends string, ZeroPoint extends string>(
  operator: WithInputs<'inputTensor' | NoInfer<Scale>> & WithOptionalTensors<NoInfer<ZeroPoint>>,
  scale: Scale,
  zeroPoint: ZeroPoint,
): void {
  sameDataType<'inputTensor' | ZeroPoint>(operator, 'inputTensor', zeroPoint);
  sameDimensionCount<Scale | ZeroPoint>(operator, scale, zeroPoint);
  sameSizes<Scale | ZeroPoint>(operator, scale, zeroPoint);
  strictly('quantized-pooling-parameters', () => {
    sameDimensionCount<'inputTensor' | Scale>(operator, 'inputTensor', scale);
    const { sizes } = operator.inputTensor;
    if (needSizes(tensorOf<Scale, TensorOrDraft>(operator, scale)).every((size) => size === 1)) return;
    const perChannel = sizes.map((size, axis) => (axis === 1 ? size : 1));
    hasSizes<Scale>(operator, scale, perChannel, 'one for each channel, or a single one');
  });
}

/** Checks that `pooled` has the data type and the sizes that pooling makes of `image`. */
function pools<Image extends string, Pooled extends string>(
  operator: Pooling & WithTensors<NoInfer<Image | Pooled>>,
  image: Image,
  pooled: Pooled,
): void {
  sameDataType<Image | Pooled>(operator, image, pooled);
  sameDimensionCount<Image | Pooled>(operator, image, pooled);
  const sizes = needSizes(tensorOf<Image, TensorOrDraft>(operator, image));
  const output = tensorOf<Pooled, TensorOrDraft>(operator, pooled);
  const batchAndChannels = sizes.slice(0, 2);
  const pooledSizes = (): readonly number[] => {
    const spaceCount = operator.dimensionCount;
    if (sizes.length !== spaceCount + 2) {
      throw refuse(operator, 'ERR_DIMENSION_COUNT', 'windowSize', onePerSpace(image, sizes.length - 2), `${spaceCount}`);
    }
    return [...batchAndChannels, ...sizes.slice(2).map((size, i) => positionsAlong(operator, size, i))];
  };
  strictly('pooling-sizes', () => stateSizes(output, pooledSizes));
  const given = needSizes(output).slice(2);
  hasSizes<Pooled>(operator, pooled, [...batchAndChannels, ...given], `batch and channels as ${image} has`);
  strictly('pooling-sizes', () => hasSizes<Pooled>(operator, pooled, pooledSizes(), 'the places of the window'));
  strictly('window-elements', () => fewElements(operator, sizes.slice(2)));
  strictly('window-positions', () => sizes.slice(2).forEach((size, i) => positionsIn32Bits(operator, size, i)));
}

/** 1024 × 1024 elements: few enough for every GPU, wherever the window lies in the padding. */
const MAX_ELEMENTS = 2 ** 20;

function fewElements(operator: Pooling, sizes: readonly number[]): void {
  const elements = productOf(operator.windowSize);
  const maximum = Math.max(MAX_ELEMENTS, 2 * productOf(sizes));
  if (elements <= maximum) return;
  const why = 'it takes one after the other for each element of the output, in the padding too';
  throw refuse(operator, 'ERR_OUT_OF_RANGE', 'windowSize', `at most ${maximum} elements`, `${elements}`, why);
}

/** DirectML steps one dilation beyond the padded image before it stops. */
function positionsIn32Bits(operator: Pooling, size: number, i: number): void {
  const names = ['startPadding', 'endPadding', 'dilations'] as const;
  const numbers = names.map((name) => operator[name]?.[i] ?? 0);
  const last = numbers.reduce((sum, number) => sum + number, size);
  if (last < 2 ** 31) return;
  const maximum = Math.max(...numbers);
  const why = `size, paddings and dilation are ${last} together`;
  throw refuse(
    operator,
    'ERR_OUT_OF_RANGE',
    `${names[numbers.indexOf(maximum)]}[${i}]`,
    'positions below 2^31',
    `${maximum}`,
    why,
  );
}

/** How many positions the window has along spatial dimension `i` of the image. */
function positionsAlong(operator: Pooling, size: number, i: number): number {
  const window = atLeastOne(operator, 'windowSize', i);
  const stride = atLeastOne(operator, 'strides', i);
  const dilation = operator.dilations === undefined ? 1 : atLeastOne(operator, 'dilations', i);
  const padded = size + (operator.startPadding[i] ?? 0) + (operator.endPadding[i] ?? 0);
  const dilated = dilatedSize(window, dilation);
  if (dilated > padded) {
    const why = `with its dilation it spans ${dilated} of the padded ${padded}`;
    throw refuse(operator, 'ERR_OUT_OF_RANGE', `windowSize[${i}]`, 'a smaller window', `${window}`, why);
  }
  return positionCount(padded, dilated, stride);
}

function atLeastOne(operator: Pooling, name: 'windowSize' | 'strides' | 'dilations', i: number): number {
  const value = operator[name]?.[i] ?? 0;
  if (value < 1) throw refuse(operator, 'ERR_OUT_OF_RANGE', `${name}[${i}]`, 'at least 1', `${value}`);
  return value;
}

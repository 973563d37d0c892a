/**
 * Convolutions and poolings, from the specification's text: one loop over the outputs and one over the window. Numbers are
 * float64; what lies in the padding is left out of every sum.
 */
import {
  at,
  makeTensor,
  numberAt,
  transposed,
  type Element,
  type Outcome,
  type PlainTensor,
  type Shape,
} from '../plain-tensor.js';
import { sumOf } from './term.js';

export interface WindowOptions {
  /** [beginning height, ending height, beginning width, ending width] */
  readonly padding?: readonly number[];
  readonly strides?: readonly number[];
  readonly dilations?: readonly number[];
}

export interface Conv2dOptions extends WindowOptions {
  readonly groups?: number;
  readonly inputLayout?: 'nchw' | 'nhwc';
  readonly filterLayout?: 'oihw' | 'hwio' | 'ohwi' | 'ihwo';
  readonly bias?: PlainTensor;
}

export interface ConvTranspose2dOptions extends WindowOptions {
  readonly groups?: number;
  readonly inputLayout?: 'nchw' | 'nhwc';
  readonly filterLayout?: 'iohw' | 'hwoi' | 'ohwi';
  readonly bias?: PlainTensor;
  readonly outputPadding?: readonly number[];
  readonly outputSizes?: readonly number[];
}

export interface Pool2dOptions extends WindowOptions {
  readonly windowDimensions?: readonly number[];
  readonly layout?: 'nchw' | 'nhwc';
  readonly outputShapeRounding?: 'floor' | 'ceil';
  readonly outputSizes?: readonly number[];
}

/** How often a window fits, before rounding: the steps "calculate conv output size". */
export function windowPlaces(size: number, window: number, begin: number, end: number, stride: number, dilation: number): number {
  const effective = (window - 1) * dilation + 1;
  return (size - effective + begin + end) / stride + 1;
}

export function conv2d(input: PlainTensor, filter: PlainTensor, options: Conv2dOptions = {}): PlainTensor {
  const { groups = 1, inputLayout = 'nchw', filterLayout = 'oihw', bias } = options;
  const { padTop, padLeft, strideY, strideX, dilationY, dilationX } = stepsOf(options);
  const image = inOrder(input, inputLayout, 'nchw');
  const weights = inOrder(filter, filterLayout, 'oihw');
  const [batches, , height, width] = four(image.shape);
  const [outputs, inputsPerGroup, filterHeight, filterWidth] = four(weights.shape);
  const sizes = pooledSizes([height, width], { ...options, windowDimensions: [filterHeight, filterWidth] });
  return makeImage(input, [batches, outputs, ...sizes], inputLayout, ([n = 0, o = 0, y = 0, x = 0]) => {
    const firstChannel = Math.floor(o / (outputs / groups)) * inputsPerGroup;
    const terms = bias === undefined ? [] : [numberAt(bias, [o])];
    for (let i = 0; i < inputsPerGroup; i++) {
      for (let fy = 0; fy < filterHeight; fy++) {
        for (let fx = 0; fx < filterWidth; fx++) {
          const iy = y * strideY - padTop + fy * dilationY;
          const ix = x * strideX - padLeft + fx * dilationX;
          if (iy < 0 || iy >= height || ix < 0 || ix >= width) continue;
          terms.push(numberAt(image, [n, firstChannel + i, iy, ix]) * numberAt(weights, [o, i, fy, fx]));
        }
      }
    }
    return sumOf(terms);
  });
}

/**
 * Every input element adds the filter, multiplied by it, to the output: the element at i and the filter's at f meet in
 * i · stride - padding + f · dilation.
 */
export function convTranspose2d(input: PlainTensor, filter: PlainTensor, options: ConvTranspose2dOptions = {}): PlainTensor {
  const { groups = 1, inputLayout = 'nchw', filterLayout = 'iohw', bias } = options;
  const { padTop, padLeft, strideY, strideX, dilationY, dilationX } = stepsOf(options);
  const image = inOrder(input, inputLayout, 'nchw');
  const weights = inOrder(filter, filterLayout, 'iohw');
  const [batches, channels, height, width] = four(image.shape);
  const [, outputsPerGroup, filterHeight, filterWidth] = four(weights.shape);
  const sizes = transposedSizes([height, width], [filterHeight, filterWidth], options);
  return makeImage(input, [batches, outputsPerGroup * groups, ...sizes], inputLayout, ([n = 0, o = 0, y = 0, x = 0]) => {
    const inputsPerGroup = channels / groups;
    const firstChannel = Math.floor(o / outputsPerGroup) * inputsPerGroup;
    const terms = bias === undefined ? [] : [numberAt(bias, [o])];
    for (let i = firstChannel; i < firstChannel + inputsPerGroup; i++) {
      for (let fy = 0; fy < filterHeight; fy++) {
        for (let fx = 0; fx < filterWidth; fx++) {
          const iy = (y + padTop - fy * dilationY) / strideY;
          const ix = (x + padLeft - fx * dilationX) / strideX;
          if (!Number.isInteger(iy) || !Number.isInteger(ix) || iy < 0 || iy >= height || ix < 0 || ix >= width) continue;
          terms.push(numberAt(image, [n, i, iy, ix]) * numberAt(weights, [i, o % outputsPerGroup, fy, fx]));
        }
      }
    }
    return sumOf(terms);
  });
}

/** The height and the width of a transposed convolution. */
export function transposedSizes(space: Shape, window: Shape, options: ConvTranspose2dOptions): Shape {
  const { padding = [0, 0, 0, 0], strides = [1, 1], dilations = [1, 1], outputPadding = [0, 0], outputSizes } = options;
  if (outputSizes !== undefined) return outputSizes;
  return space.map((size, axis) => {
    const effective = ((window[axis] ?? 1) - 1) * (dilations[axis] ?? 1) + 1;
    const around = (padding[2 * axis] ?? 0) + (padding[2 * axis + 1] ?? 0);
    return (size - 1) * (strides[axis] ?? 1) + effective - around + (outputPadding[axis] ?? 0);
  });
}

/** The mean of the elements in the window; those of the padding do not count. */
export function averagePool2d(input: PlainTensor, options: Pool2dOptions = {}): PlainTensor {
  return pool2d(input, options, (elements) => {
    const { value, scale } = sumOf(elements.map(Number));
    return { value: value / elements.length, scale: scale / elements.length };
  });
}

export function l2Pool2d(input: PlainTensor, options: Pool2dOptions = {}): PlainTensor {
  return pool2d(input, options, (elements) => Math.sqrt(sumOf(elements.map((element) => Number(element) ** 2)).value));
}

export function maxPool2d(input: PlainTensor, options: Pool2dOptions = {}): PlainTensor {
  return pool2d(input, options, (elements) => elements.reduce((max, element) => (element > max ? element : max)));
}

/** The height and the width of a pooling's or a convolution's output. */
function pooledSizes(space: Shape, options: Pool2dOptions): Shape {
  const { windowDimensions = space, outputSizes, outputShapeRounding = 'floor' } = options;
  const padding = options.padding ?? [0, 0, 0, 0];
  if (outputSizes !== undefined) return outputSizes;
  return space.map((size, axis) => {
    const [begin = 0, end = 0] = padding.slice(2 * axis, 2 * axis + 2);
    const window = windowDimensions[axis] ?? 1;
    const places = windowPlaces(size, window, begin, end, options.strides?.[axis] ?? 1, options.dilations?.[axis] ?? 1);
    return outputShapeRounding === 'ceil' ? Math.ceil(places) : Math.floor(places);
  });
}

function pool2d(
  input: PlainTensor,
  options: Pool2dOptions,
  reduce: (elements: readonly Element[]) => Element | Outcome,
): PlainTensor {
  const { layout = 'nchw' } = options;
  const { padTop, padLeft, strideY, strideX, dilationY, dilationX } = stepsOf(options);
  const image = inOrder(input, layout, 'nchw');
  const [batches, channels, height, width] = four(image.shape);
  const [windowHeight, windowWidth] = two(options.windowDimensions ?? [height, width]);
  const sizes = pooledSizes([height, width], options);
  return makeImage(input, [batches, channels, ...sizes], layout, ([n = 0, c = 0, y = 0, x = 0]) => {
    const elements: Element[] = [];
    for (let wy = 0; wy < windowHeight; wy++) {
      for (let wx = 0; wx < windowWidth; wx++) {
        const iy = y * strideY - padTop + wy * dilationY;
        const ix = x * strideX - padLeft + wx * dilationX;
        if (iy >= 0 && iy < height && ix >= 0 && ix < width) elements.push(at(image, [n, c, iy, ix]));
      }
    }
    return reduce(elements);
  });
}

/** The padding before the image, and how a window moves. */
function stepsOf({ padding = [0, 0, 0, 0], strides = [1, 1], dilations = [1, 1] }: WindowOptions) {
  const [padTop, , padLeft] = four(padding);
  const [[strideY, strideX], [dilationY, dilationX]] = [two(strides), two(dilations)];
  return { padTop, padLeft, strideY, strideX, dilationY, dilationX };
}

/** Its dimensions in the order of the letters in `to`. */
function inOrder(tensor: PlainTensor, from: string, to: string): PlainTensor {
  return transposed(
    tensor,
    Array.from(to, (letter) => from.indexOf(letter)),
  );
}

/** A tensor of this layout; sizes and coordinates are those of nchw. */
function makeImage(
  { dataType }: PlainTensor,
  sizes: Shape,
  layout: 'nchw' | 'nhwc',
  elementAt: (place: Shape) => Element | Outcome,
): PlainTensor {
  const shape = Array.from(layout, (letter) => sizes['nchw'.indexOf(letter)] ?? 1);
  return makeTensor(dataType, shape, (place) => elementAt(Array.from('nchw', (letter) => place[layout.indexOf(letter)] ?? 0)));
}

function two([first = 1, second = 1]: Shape): [number, number] {
  return [first, second];
}

function four([first = 1, second = 1, third = 1, fourth = 1]: Shape): [number, number, number, number] {
  return [first, second, third, fourth];
}

/**
 * Convolutions and poolings, from the specification's text: one loop over the outputs and one over the window. Numbers are
 * float64. Elements in the padding are left out of every sum.
 */
import type { MLInputOperandLayout, MLPool2dOptions } from 'node-directml/webnn';
import type { Formula } from '../operator.js';
import { at, makeTensor, numberAt, type Element, type Outcome, type PlainTensor, type Shape } from '../plain-tensor.js';
import { transpose } from './movement.js';
import { sumOf } from './term.js';

/** One dimension of an image, and the window that moves along it. */
export interface Axis {
  readonly size: number;
  readonly window: number;
  readonly stride: number;
  readonly dilation: number;
  readonly begin: number;
  readonly end: number;
}

/** Along one axis, the coordinate of an image element, and that of the window element which meets it. */
type Meeting = readonly [image: number, window: number];

/** The number of positions of a window: the specification's steps "calculate conv output size". */
export function placesOf({ size, window, stride, dilation, begin, end }: Axis, rounding: 'floor' | 'ceil'): number {
  const effective = (window - 1) * dilation + 1;
  return Math[rounding]((size - effective + begin + end) / stride + 1);
}

/** The size of a transposed convolution's output. */
export function transposedSize({ size, window, stride, dilation, begin, end }: Axis): number {
  return (size - 1) * stride + (window - 1) * dilation + 1 - begin - end;
}

export const conv2d: Formula<'conv2d'> = (input, filter, options = {}) => {
  const { groups = 1, inputLayout = 'nchw', filterLayout = 'oihw', bias } = options;
  const image = inOrder(input, inputLayout, 'nchw');
  const weights = inOrder(filter, filterLayout, 'oihw');
  const [outputs = 1, inputsPerGroup = 1, ...window] = weights.shape;
  const axes = axesOf(image, window, options);
  const sizes = [image.shape[0] ?? 1, outputs, ...axes.map((axis) => placesOf(axis, 'floor'))];
  return makeImage(input, sizes, inputLayout, ([n = 0, o = 0, ...place]) => {
    const [rows = [], columns = []] = axes.map((axis, i) => seen(axis, place[i] ?? 0));
    const firstChannel = Math.floor(o / (outputs / groups)) * inputsPerGroup;
    const terms = bias === undefined ? [] : [numberAt(bias, [o])];
    for (let i = 0; i < inputsPerGroup; i++) {
      for (const [iy, fy] of rows) {
        for (const [ix, fx] of columns) {
          terms.push(numberAt(image, [n, firstChannel + i, iy, ix]) * numberAt(weights, [o, i, fy, fx]));
        }
      }
    }
    return sumOf(terms);
  });
};

/**
 * Every input element adds itself times the filter to the output. The input element at i and the filter element at f contribute
 * to the output at i · stride - padding + f · dilation.
 */
export const convTranspose2d: Formula<'convTranspose2d'> = (input, filter, options = {}) => {
  const { groups = 1, inputLayout = 'nchw', filterLayout = 'iohw', bias, outputPadding = [], outputSizes } = options;
  const image = inOrder(input, inputLayout, 'nchw');
  const weights = inOrder(filter, filterLayout, 'iohw');
  const [channels = 1, outputsPerGroup = 1, ...window] = weights.shape;
  const axes = axesOf(image, window, options);
  const space = outputSizes ?? axes.map((axis, i) => transposedSize(axis) + (outputPadding[i] ?? 0));
  return makeImage(input, [image.shape[0] ?? 1, outputsPerGroup * groups, ...space], inputLayout, ([n = 0, o = 0, ...place]) => {
    const [rows = [], columns = []] = axes.map((axis, i) => meetings(axis, place[i] ?? 0));
    const inputsPerGroup = channels / groups;
    const firstChannel = Math.floor(o / outputsPerGroup) * inputsPerGroup;
    const terms = bias === undefined ? [] : [numberAt(bias, [o])];
    for (let i = firstChannel; i < firstChannel + inputsPerGroup; i++) {
      for (const [iy, fy] of rows) {
        for (const [ix, fx] of columns) {
          terms.push(numberAt(image, [n, i, iy, ix]) * numberAt(weights, [i, o % outputsPerGroup, fy, fx]));
        }
      }
    }
    return sumOf(terms);
  });
};

/** The mean of the elements in the window, not counting the padding. */
export const averagePool2d = pooling((elements) => {
  const { value, scale } = sumOf(elements.map(Number));
  return { value: value / elements.length, scale: scale / elements.length };
});

export const l2Pool2d = pooling((elements) => Math.sqrt(sumOf(elements.map((element) => Number(element) ** 2)).value));

export const maxPool2d = pooling((elements) => elements.reduce((max, element) => (element > max ? element : max)));

function pooling(reduce: (elements: readonly Element[]) => Element | Outcome): Formula<'maxPool2d'> {
  return (input, options = {}) => {
    const { layout = 'nchw', outputShapeRounding = 'floor', outputSizes } = options;
    const image = inOrder(input, layout, 'nchw');
    const [batches = 1, channels = 1, ...space] = image.shape;
    const axes = axesOf(image, options.windowDimensions ?? space, options);
    const sizes = outputSizes ?? axes.map((axis) => placesOf(axis, outputShapeRounding));
    return makeImage(input, [batches, channels, ...sizes], layout, ([n = 0, c = 0, ...place]) => {
      const [rows = [], columns = []] = axes.map((axis, i) => seen(axis, place[i] ?? 0));
      return reduce(rows.flatMap(([iy]) => columns.map(([ix]) => at(image, [n, c, iy, ix]))));
    });
  };
}

/** The axes of an image's height and width. */
function axesOf({ shape }: PlainTensor, window: Shape, options: MLPool2dOptions): readonly Axis[] {
  const { padding = [], strides = [], dilations = [] } = options;
  return shape.slice(2).map((size, i) => {
    const [begin = 0, end = 0] = padding.slice(2 * i, 2 * i + 2);
    return { size, window: window[i] ?? 1, stride: strides[i] ?? 1, dilation: dilations[i] ?? 1, begin, end };
  });
}

/** The image elements that the window at this place of the output covers. */
export function seen({ size, window, stride, dilation, begin }: Axis, place: number): readonly Meeting[] {
  return inImage(size, window, (f) => place * stride - begin + f * dilation);
}

/** The pairs that contribute to this place of a transposed convolution's output. */
function meetings({ size, window, stride, dilation, begin }: Axis, place: number): readonly Meeting[] {
  return inImage(size, window, (f) => (place + begin - f * dilation) / stride);
}

function inImage(size: number, window: number, positionOf: (f: number) => number): readonly Meeting[] {
  const all = Array.from({ length: window }, (_, f) => [positionOf(f), f] as const);
  return all.filter(([i]) => Number.isInteger(i) && i >= 0 && i < size);
}

/** Transposes the tensor from the layout `from` to the layout `to`, each given by one letter per dimension. */
function inOrder(tensor: PlainTensor, from: string, to: string): PlainTensor {
  return transpose(tensor, { permutation: Array.from(to, (letter) => from.indexOf(letter)) });
}

/** A tensor of this layout; sizes and coordinates are those of nchw. */
function makeImage(
  { dataType }: PlainTensor,
  sizes: Shape,
  layout: MLInputOperandLayout,
  elementAt: (place: Shape) => Element | Outcome,
): PlainTensor {
  const shape = Array.from(layout, (letter) => sizes['nchw'.indexOf(letter)] ?? 1);
  return makeTensor(dataType, shape, (place) => elementAt(Array.from('nchw', (letter) => place[layout.indexOf(letter)] ?? 0)));
}

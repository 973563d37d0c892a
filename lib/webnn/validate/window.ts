/** Convolutions, poolings and resampling. */
import type { Operand, OperandDescriptor, OperatorName } from '../ml-operand.js';
import type { MLConvTranspose2dOptions, MLPool2dOptions } from '../generated/arguments.js';
import type { MLInputOperandLayout } from '../generated/types.js';
import { list, type Check, type Validators } from './check.js';

export const windows: Validators<Windows> = {
  conv2d(check, input, filter, options) {
    checkWindow(check, options);
    const { batches, channels, height, width } = imageOf(input.shape, options.inputLayout);
    const own = filterOf(filter.shape, options.filterLayout);
    const { groups } = options;
    check.that(channels === own.inputs * groups, () => channelText(channels, groups, own.inputs));
    check.that(own.outputs % groups === 0, () => `the filter has ${own.outputs} outputs, which ${groups} groups do not divide`);
    check.shape('bias', options.bias, [own.outputs]);
    const [outHeight, outWidth] = placesOf([height, width], [own.height, own.width], options).map(Math.floor);
    return image(check, input, options.inputLayout, batches, own.outputs, outHeight, outWidth);
  },
  convTranspose2d(check, input, filter, options) {
    checkWindow(check, options);
    check.length('outputPadding', options.outputPadding, 2);
    check.length('outputSizes', options.outputSizes, 2);
    const { batches, channels, height, width } = imageOf(input.shape, options.inputLayout);
    const own = filterOf(filter.shape, options.filterLayout);
    const { groups } = options;
    check.that(groups > 0 && channels === own.inputs, () => channelText(channels, groups, own.inputs));
    check.shape('bias', options.bias, [own.outputs * groups]);
    const sizes = transposedSizes(check, [height, width], [own.height, own.width], options);
    return image(check, input, options.inputLayout, batches, own.outputs * groups, ...sizes);
  },
  averagePool2d: pool2d,
  l2Pool2d: pool2d,
  maxPool2d: pool2d,
  resample2d(check, input, { scales, sizes, axes = [2, 3] }) {
    check.length('scales', scales, 2);
    check.length('sizes', sizes, 2);
    check.length('axes', axes, 2);
    check.positive('scales', scales);
    check.positive('sizes', sizes);
    check.axes('axes', axes, input);
    let shape = input.shape;
    for (const [i, axis] of axes.entries()) {
      shape = shape.with(axis, sizes?.[i] ?? Math.floor((input.shape[axis] ?? 1) * (scales?.[i] ?? 1)));
    }
    return { dataType: input.dataType, shape };
  },
};

function pool2d(check: Check, input: Operand, options: MLPool2dOptions): OperandDescriptor {
  const { batches, channels, height, width } = imageOf(input.shape, options.layout);
  const { windowDimensions = [height, width], outputSizes } = options;
  check.length('windowDimensions', windowDimensions, 2);
  check.positive('windowDimensions', windowDimensions);
  checkWindow(check, options);
  check.length('outputSizes', outputSizes, 2);
  const exact = placesOf([height, width], windowDimensions, options);
  const [floors, ceils] = [exact.map(Math.floor), exact.map(Math.ceil)];
  const isCeil = (options.roundingType ?? options.outputShapeRounding) === 'ceil';
  const sizes = outputSizes ?? (isCeil ? ceils : floors);
  const fits = [floors, ceils].some((rounded) => rounded.every((size, i) => size === sizes[i]));
  check.that(fits, () => `outputSizes is ${list(sizes)}, neither ${list(floors)} nor ${list(ceils)}`);
  return image(check, input, options.layout, batches, channels, ...sizes);
}

interface WindowOptions {
  readonly padding?: readonly number[];
  readonly strides?: readonly number[];
  readonly dilations?: readonly number[];
}

function checkWindow(check: Check, { padding, strides, dilations }: WindowOptions): void {
  check.length('padding', padding, 4);
  check.length('strides', strides, 2);
  check.length('dilations', dilations, 2);
  check.positive('strides', strides);
  check.positive('dilations', dilations);
}

/** How often the window fits, not yet rounded. */
function placesOf(input: readonly number[], window: readonly number[], options: WindowOptions): readonly number[] {
  const { padding = [0, 0, 0, 0], strides = [1, 1], dilations = [1, 1] } = options;
  return input.map((size, i) => {
    const extent = ((window[i] ?? 1) - 1) * (dilations[i] ?? 1) + 1;
    return (size - extent + (padding[2 * i] ?? 0) + (padding[2 * i + 1] ?? 0)) / (strides[i] ?? 1) + 1;
  });
}

/** The sizes of a transposed convolution before output padding. */
export function scatteredSizes(input: readonly number[], window: readonly number[], options: WindowOptions): readonly number[] {
  const { padding = [0, 0, 0, 0], strides = [1, 1], dilations = [1, 1] } = options;
  return input.map((size, i) => {
    const extent = ((window[i] ?? 1) - 1) * (dilations[i] ?? 1) + 1;
    return (size - 1) * (strides[i] ?? 1) + extent - (padding[2 * i] ?? 0) - (padding[2 * i + 1] ?? 0);
  });
}

function transposedSizes(
  check: Check,
  input: readonly number[],
  window: readonly number[],
  options: MLConvTranspose2dOptions,
): readonly number[] {
  const { strides = [1, 1], outputPadding = [0, 0], outputSizes } = options;
  const least = scatteredSizes(input, window, options);
  const isBelow = (values: readonly number[]) => values.every((value, i) => value < (strides[i] ?? 1));
  if (outputSizes === undefined) {
    check.that(isBelow(outputPadding), () => `outputPadding ${list(outputPadding)} is not smaller than strides ${list(strides)}`);
    return least.map((size, i) => size + (outputPadding[i] ?? 0));
  }
  const extra = outputSizes.map((size, i) => size - (least[i] ?? 0));
  const fits = isBelow(extra) && extra.every((size) => size >= 0);
  check.that(fits, () => `outputSizes is ${list(outputSizes)}; the least sizes are ${list(least)}, and strides ${list(strides)}`);
  return outputSizes;
}

interface Image {
  readonly batches: number;
  readonly channels: number;
  readonly height: number;
  readonly width: number;
}

function imageOf(shape: readonly number[], layout: MLInputOperandLayout): Image {
  const [batches = 1, channels = 1, height = 1, width = 1] =
    layout === 'nchw' ? shape : [0, 3, 1, 2].map((axis) => shape[axis] ?? 1);
  return { batches, channels, height, width };
}

function image(
  check: Check,
  { dataType }: Operand,
  layout: MLInputOperandLayout,
  batches: number,
  channels: number,
  height = 0,
  width = 0,
): OperandDescriptor {
  check.that(height > 0 && width > 0, () => `the output would have the height ${height} and the width ${width}`);
  return { dataType, shape: layout === 'nchw' ? [batches, channels, height, width] : [batches, height, width, channels] };
}

/** The sizes of a filter by the letters of its layout. */
function filterOf(shape: readonly number[], layout: string) {
  const size = (letter: string) => shape[layout.indexOf(letter)] ?? 1;
  return { outputs: size('o'), inputs: size('i'), height: size('h'), width: size('w') };
}

function channelText(channels: number, groups: number, inputs: number): string {
  return `the input has ${channels} channels in ${groups} groups, which do not fit the ${inputs} of the filter`;
}

type Windows = Extract<OperatorName, 'conv2d' | 'convTranspose2d' | 'averagePool2d' | 'l2Pool2d' | 'maxPool2d' | 'resample2d'>;

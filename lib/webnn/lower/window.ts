/** Lowers convolutions, poolings and resampling. */
import { isFloat } from '../../tensors/data-types.js';
import type { Value } from '../../graph/value.js';
import type { MLPool2dOptions } from '../generated/arguments.js';
import type { MLInputOperandLayout } from '../generated/types.js';
import { scatteredSizes } from '../validate/window.js';
import { castValue } from './cast.js';
import type { Lowerings, Step, WithValues } from './step.js';
import { picked } from './wide.js';

type Windows = 'conv2d' | 'convTranspose2d' | 'averagePool2d' | 'l2Pool2d' | 'maxPool2d' | 'resample2d';

export const windows: Lowerings<Windows> = {
  conv2d: (step, input, filter, options) => {
    const { strides = [1, 1], dilations = [1, 1], groups, inputLayout, filterLayout, bias } = options;
    const filterTensor = inOrder(filter, filterLayout, 'oihw');
    let { starts: startPadding, ends: endPadding } = paddingOf(options.padding);
    let inputTensor = toChannelsFirst(input, inputLayout);
    // DirectML ignores dilation and padding of a window that is as large as the input.
    const isWhole = filterTensor.sizes.slice(2).every((size, i) => size === inputTensor.sizes[i + 2]);
    if (isWhole && [...startPadding, ...endPadding].some((size) => size > 0)) {
      inputTensor = padded(step, inputTensor, startPadding, endPadding);
      [startPadding, endPadding] = [
        [0, 0],
        [0, 0],
      ];
    }
    const { outputTensor } = step.add({
      ...{ type: 'convolution', inputTensor, filterTensor, biasTensor: asChannels(step, bias) },
      ...{ strides, dilations, startPadding, endPadding, groupCount: groups },
    });
    return fromChannelsFirst(outputTensor, inputLayout);
  },
  convTranspose2d: (step, input, filter, options) => {
    const { strides = [1, 1], dilations = [1, 1], groups, inputLayout, filterLayout, bias } = options;
    const inputTensor = toChannelsFirst(input, inputLayout);
    const filterTensor = inOrder(filter, filterLayout, 'iohw');
    const { starts } = paddingOf(options.padding);
    const wanted = spaceOf(step.sizes, inputLayout);
    const whole = scatteredSizes(inputTensor.sizes.slice(2), filterTensor.sizes.slice(2), { strides, dilations });
    // An output that ends after the last window has zeros there.
    const ends = whole.map((size, i) => size - (starts[i] ?? 0) - (wanted[i] ?? 0));
    const missing = ends.map((size) => Math.max(0, -size));
    const isWhole = missing.every((size) => size === 0);
    const { outputTensor } = step.add({
      ...{ type: 'convolution', direction: 'backward', inputTensor, filterTensor },
      ...{ strides, dilations, groupCount: groups, startPadding: starts, endPadding: ends.map((size) => Math.max(0, size)) },
      biasTensor: isWhole ? asChannels(step, bias) : undefined,
    });
    const enlarged = isWhole ? outputTensor : padded(step, outputTensor, [0, 0], missing);
    const biasTensor = asChannels(step, bias)?.broadcastTo(enlarged.sizes);
    const isDone = isWhole || biasTensor === undefined;
    const sum = isDone ? enlarged : step.add({ type: 'elementWiseAdd', aTensor: enlarged, bTensor: biasTensor }).outputTensor;
    return fromChannelsFirst(sum, inputLayout);
  },
  averagePool2d: (step, input, options) => {
    const window = poolingOf(step, input, options);
    const { outputTensor } = step.add({ type: 'averagePooling1', ...window, includePadding: false });
    return fromChannelsFirst(outputTensor, options.layout);
  },
  l2Pool2d: (step, input, options) => {
    const { outputTensor } = step.add({ type: 'lpPooling1', ...poolingOf(step, input, options), p: 2 });
    return fromChannelsFirst(outputTensor, options.layout);
  },
  maxPool2d: (step, input, options) => {
    const pooled = picked(step, input, (value) => {
      return step.add({ type: 'maxPooling2', ...poolingOf(step, value, options) }).outputTensor;
    });
    return fromChannelsFirst(pooled, options.layout);
  },
  resample2d: (step, input, { mode }) => {
    if (mode === 'nearest-neighbor') return nearest(step, input);
    return isFloat(input.dataType) ? linear(step, input) : linearOfBytes(step, input);
  },
};

/** Computed indices leave no doubt about which of two neighbors is taken. */
function nearest(step: Step, input: Value): Value {
  let value = step.packed(input);
  for (const [axis, to] of step.sizes.entries()) {
    const from = input.sizes[axis] ?? 1;
    if (from === to) continue;
    // ceil(position - 1/2), where position + 1/2 is (i + 1/2) * from / to.
    const indices = Array.from({ length: to }, (_, i) => Math.max(Math.ceil(((2 * i + 1) * from - 2 * to) / (2 * to)), 0));
    const indicesTensor = step.constant('int32', [1, 1, 1, to], indices);
    value = step.add({ type: 'gather', inputTensor: value, indicesTensor, axis, indexDimensions: 1 }).outputTensor;
  }
  return value;
}

function linear(step: Step, inputTensor: Value): Value {
  const outputTensor = { sizes: step.sizes };
  return step.add({ type: 'resample1', interpolationMode: 'linear', inputTensor, outputTensor }).outputTensor;
}

/** Rounded to the nearest, halves to even. DirectML cuts integers off. */
function linearOfBytes(step: Step, input: Value): Value {
  const between = linear(step, castValue(step, input, 'float32'));
  const whole = step.add({ type: 'elementWiseRound', inputTensor: between }).outputTensor;
  return castValue(step, whole, input.dataType);
}

function poolingOf(step: Step, input: Value, options: WithValues<MLPool2dOptions>) {
  const { layout, strides = [1, 1], dilations = [1, 1] } = options;
  const inputTensor = toChannelsFirst(input, layout);
  const space = inputTensor.sizes.slice(2);
  const windowSize = options.windowDimensions ?? space;
  const wanted = spaceOf(step.sizes, layout);
  const { starts: startPadding, ends } = paddingOf(options.padding);
  // Rounded up, the last window needs more padding than there is.
  const endPadding = ends.map((end, i) => {
    const [size = 1, window = 1, dilation = 1, stride = 1, places = 1] = [space, windowSize, dilations, strides, wanted].map(
      (v) => v[i],
    );
    const needed = (places - 1) * stride + (window - 1) * dilation + 1 - size - (startPadding[i] ?? 0);
    return Math.max(end, needed);
  });
  return { inputTensor, windowSize, strides, dilations, startPadding, endPadding };
}

function paddingOf(padding: readonly number[] = [0, 0, 0, 0]) {
  const [top = 0, bottom = 0, left = 0, right = 0] = padding;
  return { starts: [top, left], ends: [bottom, right] };
}

function padded(step: Step, inputTensor: Value, starts: readonly number[], ends: readonly number[]): Value {
  return step.add({ type: 'padding1', inputTensor, startPadding: [0, 0, ...starts], endPadding: [0, 0, ...ends] }).outputTensor;
}

/** A view whose dimensions have the order of the letters in `to`. */
function inOrder(value: Value, from: string, to: string): Value {
  return from === to ? value : value.transpose(Array.from(to, (letter) => from.indexOf(letter)));
}

function toChannelsFirst(value: Value, layout: MLInputOperandLayout): Value {
  return inOrder(value, layout, 'nchw');
}

function fromChannelsFirst(value: Value, layout: MLInputOperandLayout): Value {
  return inOrder(value, 'nchw', layout);
}

function spaceOf(sizes: readonly number[], layout: MLInputOperandLayout): readonly number[] {
  return layout === 'nchw' ? sizes.slice(2) : sizes.slice(1, 3);
}

function asChannels(step: Step, bias: Value | undefined): Value | undefined {
  return bias === undefined ? undefined : step.reshape(bias, [1, bias.sizes[0] ?? 1, 1, 1]);
}

/** Operators that read a tensor of any sizes: parts, repetitions, maxima and the like, as programs have them between others. */
import type { TensorDesc } from 'node-directml';
import { base64, type ConformanceCase, type DataType } from '../conformance/case.js';
import { anyBits, product } from '../conformance/layout.js';
import type { Random } from '../random.js';

type Make = (random: Random, inputTensor: TensorDesc) => ConformanceCase;

/** A case whose first input is the tensor, which is no 4-bit one, and has no data. */
export function shapeCase(random: Random, tensor: TensorDesc): ConformanceCase {
  const makes = [slice, slice, pad, tile, join, join, split];
  // It is the one operator here that lacks a data type.
  if (tensor.dataType !== 'float64') makes.push(reduce);
  return random.pick(makes)(random, tensor);
}

/** The tensor with its dimensions in another order. */
export function transposed(random: Random, { dataType, sizes, strides }: TensorDesc): TensorDesc {
  const own = strides ?? sizes.map((_, axis) => product(sizes.slice(axis + 1)));
  const order = random.distinct(sizes.length, sizes.length);
  return { dataType, sizes: order.map((axis) => sizes[axis] ?? 1), strides: order.map((axis) => own[axis] ?? 0) };
}

/** An output, half of the time packed, else with gaps or in another order. */
function output(random: Random, dataType: DataType, sizes: readonly number[]): TensorDesc {
  if (random.chance(0.5)) return { dataType, sizes };
  const strides = sizes.map(() => 0);
  let stride = 1;
  const order = random.chance(0.5) ? [...sizes.keys()].reverse() : random.distinct(sizes.length, sizes.length);
  for (const axis of order) {
    strides[axis] = stride;
    stride = stride * (sizes[axis] ?? 1) + (random.chance(0.2) ? random.int(1, 3) : 0);
  }
  return { dataType, sizes, strides };
}

/** Two axes at most, so that tensors of many dimensions do not become huge. */
function someAxes(random: Random, { sizes }: TensorDesc): number[] {
  return random.distinct(Math.min(2, sizes.length), sizes.length);
}

const slice: Make = (random, inputTensor) => {
  const { sizes, dataType } = inputTensor;
  const inputWindowSizes = sizes.map((size) => (random.chance(0.5) ? size : random.int(1, size)));
  const inputWindowOffsets = sizes.map((size, axis) => random.int(0, size - (inputWindowSizes[axis] ?? size)));
  const inputWindowStrides = sizes.map(() => (random.chance(0.1) ? random.pick([2, -1]) : 1));
  const taken = inputWindowSizes.map((size, axis) => Math.ceil(size / Math.abs(inputWindowStrides[axis] ?? 1)));
  const outputTensor = output(random, dataType, taken);
  const window = { inputWindowOffsets, inputWindowSizes, inputWindowStrides };
  return { descriptor: { type: 'slice1', inputTensor, outputTensor, ...window }, data: {} };
};

const pad: Make = (random, inputTensor) => {
  const { sizes, dataType } = inputTensor;
  const axes = someAxes(random, inputTensor);
  const amounts = () => sizes.map((_, axis) => (axes.includes(axis) ? random.int(0, 2) : 0));
  const [startPadding, endPadding] = [amounts(), amounts()];
  const padded = sizes.map((size, axis) => size + (startPadding[axis] ?? 0) + (endPadding[axis] ?? 0));
  const paddingValue = dataType === 'int64' || dataType === 'uint64' ? 1n : 1;
  const constant = { paddingMode: 'constant', paddingValueDataType: dataType, paddingValue } as const;
  const outputTensor = output(random, dataType, padded);
  return { descriptor: { type: 'padding1', inputTensor, outputTensor, ...constant, startPadding, endPadding }, data: {} };
};

const tile: Make = (random, inputTensor) => {
  const { sizes, dataType } = inputTensor;
  const axes = someAxes(random, inputTensor);
  const repeats = sizes.map((_, axis) => (axes.includes(axis) && random.chance(0.6) ? 2 : 1));
  const outputTensor = output(
    random,
    dataType,
    sizes.map((size, axis) => size * (repeats[axis] ?? 1)),
  );
  return { descriptor: { type: 'tile', inputTensor, outputTensor, repeats }, data: {} };
};

/** With one to three other tensors. */
const join: Make = (random, inputTensor) => {
  const { sizes, dataType } = inputTensor;
  const axis = random.int(0, sizes.length - 1);
  const others = Array.from({ length: random.int(1, 3) }, (): TensorDesc => {
    const size = random.chance(0.5) ? (sizes[axis] ?? 1) : random.int(1, 4);
    return { dataType, sizes: sizes.with(axis, size) };
  });
  const inputTensors = [inputTensor, ...others];
  const whole = inputTensors.reduce((sum, tensor) => sum + (tensor.sizes[axis] ?? 1), 0);
  const outputTensor = output(random, dataType, sizes.with(axis, whole));
  const data = { inputTensors: ['', ...others.map((tensor) => base64(anyBits(random, tensor)))] };
  return { descriptor: { type: 'join', inputTensors, outputTensor, axis }, data };
};

const split: Make = (random, inputTensor) => {
  const { sizes, dataType } = inputTensor;
  const axis = random.int(0, sizes.length - 1);
  const outputTensors: TensorDesc[] = [];
  for (let left = sizes[axis] ?? 1; left > 0;) {
    const size = outputTensors.length === 2 ? left : random.int(1, left);
    outputTensors.push(output(random, dataType, sizes.with(axis, size)));
    left -= size;
  }
  return { descriptor: { type: 'split', inputTensor, outputTensors, axis }, data: {} };
};

const reduce: Make = (random, inputTensor) => {
  const { sizes, dataType } = inputTensor;
  const axes = sizes.flatMap((_, axis) => (random.chance(0.5) ? [axis] : []));
  if (axes.length === 0) axes.push(0);
  const outputTensor = output(
    random,
    dataType,
    sizes.map((size, axis) => (axes.includes(axis) ? 1 : size)),
  );
  return { descriptor: { type: 'reduce', function: 'max', inputTensor, outputTensor, axes }, data: {} };
};

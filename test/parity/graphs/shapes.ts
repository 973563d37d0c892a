/** Nodes that read tensors of any sizes: parts, repetitions, sums and the like, as programs have them between other operators. */
import type { Random } from '../../random.js';
import { product } from '../../conformance/layout.js';
import type { LooseDescriptor, LooseTensor } from '../candidate.js';

type Make = (random: Random, inputTensor: LooseTensor) => LooseDescriptor;

/** A node whose first input is the tensor. None of its types is 4-bit, and no type is reduced that cannot be. */
export function shapeNode(random: Random, tensor: LooseTensor): LooseDescriptor {
  const makes = [slice, slice, pad, tile, join, join, split, gather, identity];
  if (tensor.dataType !== 'float64') makes.push(reduce);
  return random.pick(makes)(random, tensor);
}

/** The tensor with its dimensions in another order. */
export function transposed(random: Random, { dataType, sizes, strides }: LooseTensor): LooseTensor {
  const own = strides ?? sizes.map((_, axis) => product(sizes.slice(axis + 1)));
  const order = random.distinct(sizes.length, sizes.length);
  return { dataType, sizes: order.map((axis) => sizes[axis] ?? 1), strides: order.map((axis) => own[axis] ?? 0) };
}

/** An output, half of the time packed, else with gaps or in another order. */
function output(random: Random, dataType: LooseTensor['dataType'], sizes: readonly number[]): LooseTensor {
  if (random.chance(0.5)) return { dataType, sizes: [...sizes] };
  const strides = sizes.map(() => 0);
  let stride = 1;
  const order = random.chance(0.5)
    ? sizes.map((_, axis) => sizes.length - 1 - axis)
    : random.distinct(sizes.length, sizes.length);
  for (const axis of order) {
    strides[axis] = stride;
    stride = stride * (sizes[axis] ?? 1) + (random.chance(0.2) ? random.int(1, 3) : 0);
  }
  return { dataType, sizes: [...sizes], strides };
}

const slice: Make = (random, inputTensor) => {
  const { sizes, dataType } = inputTensor;
  const inputWindowSizes = sizes.map((size) => (random.chance(0.5) ? size : random.int(1, size)));
  const inputWindowOffsets = sizes.map((size, axis) => random.int(0, size - (inputWindowSizes[axis] ?? size)));
  const inputWindowStrides = sizes.map(() => (random.chance(0.1) ? random.pick([2, -1]) : 1));
  const taken = inputWindowSizes.map((size, axis) => Math.ceil(size / Math.abs(inputWindowStrides[axis] ?? 1)));
  const outputTensor = output(random, dataType, taken);
  return { type: 'slice1', inputTensor, outputTensor, inputWindowOffsets, inputWindowSizes, inputWindowStrides };
};

const pad: Make = (random, inputTensor) => {
  const { sizes, dataType } = inputTensor;
  const [startPadding, endPadding] = [sizes.map(() => random.int(0, 2)), sizes.map(() => random.int(0, 2))];
  const padded = sizes.map((size, axis) => size + (startPadding[axis] ?? 0) + (endPadding[axis] ?? 0));
  const value = dataType === 'int64' || dataType === 'uint64' ? 1n : 1;
  const constant = { paddingMode: 'constant', paddingValueDataType: dataType, paddingValue: value };
  return { type: 'padding1', inputTensor, outputTensor: output(random, dataType, padded), ...constant, startPadding, endPadding };
};

const tile: Make = (random, inputTensor) => {
  const repeats = inputTensor.sizes.map(() => (random.chance(0.7) ? 1 : 2));
  const sizes = inputTensor.sizes.map((size, axis) => size * (repeats[axis] ?? 1));
  return { type: 'tile', inputTensor, outputTensor: output(random, inputTensor.dataType, sizes), repeats };
};

/** With one to three other tensors. */
const join: Make = (random, inputTensor) => {
  const { sizes, dataType } = inputTensor;
  const axis = random.int(0, sizes.length - 1);
  const others = Array.from({ length: random.int(1, 3) }, (): LooseTensor => {
    const size = random.chance(0.5) ? (sizes[axis] ?? 1) : random.int(1, 4);
    return { dataType, sizes: sizes.with(axis, size) };
  });
  const inputTensors = [inputTensor, ...others];
  const whole = inputTensors.reduce((sum, tensor) => sum + (tensor.sizes[axis] ?? 1), 0);
  return { type: 'join', inputTensors, outputTensor: output(random, dataType, sizes.with(axis, whole)), axis };
};

const split: Make = (random, inputTensor) => {
  const { sizes, dataType } = inputTensor;
  const axis = random.int(0, sizes.length - 1);
  const outputTensors: LooseTensor[] = [];
  for (let left = sizes[axis] ?? 1; left > 0;) {
    const size = outputTensors.length === 2 ? left : random.int(1, left);
    outputTensors.push(output(random, dataType, sizes.with(axis, size)));
    left -= size;
  }
  return { type: 'split', inputTensor, outputTensors, axis };
};

const gather: Make = (random, inputTensor) => {
  const axis = random.int(0, inputTensor.sizes.length - 1);
  const count = random.int(1, 6);
  const rank = inputTensor.sizes.length;
  const indicesTensor = { dataType: 'uint32', sizes: new Array<number>(rank).fill(1).with(rank - 1, count) };
  const outputTensor = output(random, inputTensor.dataType, inputTensor.sizes.with(axis, count));
  return { type: 'gather', inputTensor, indicesTensor, outputTensor, axis, indexDimensions: 1 };
};

const identity: Make = (random, inputTensor) => {
  return { type: 'elementWiseIdentity', inputTensor, outputTensor: output(random, inputTensor.dataType, inputTensor.sizes) };
};

const reduce: Make = (random, inputTensor) => {
  const { sizes, dataType } = inputTensor;
  const axes = sizes.flatMap((_, axis) => (random.chance(0.5) ? [axis] : []));
  if (axes.length === 0) axes.push(0);
  const reduced = sizes.map((size, axis) => (axes.includes(axis) ? 1 : size));
  return { type: 'reduce', function: 'max', inputTensor, outputTensor: output(random, dataType, reduced), axes };
};

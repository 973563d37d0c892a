/** Operators that read a tensor of any sizes: parts, repetitions, maxima and the like, as programs have them between others. */
import type { TensorDesc } from 'node-directml';
import { packedStrides } from '#lib/tensors/tensor-size.js';
import { base64, type ConformanceCase, type DataType } from '../cases/case.js';
import { anyBits, stridesInOrder } from '../cases/layout.js';
import type { Random } from '../harness/random.js';

/** A case whose first input is the tensor, without data for it. The tensor must not be a 4-bit one. */
export function shapeCase(random: Random, inputTensor: TensorDesc): ConformanceCase {
  const { dataType, sizes } = inputTensor;
  const axis = random.int(0, sizes.length - 1);
  const size = sizes[axis] ?? 1;
  const output = (taken: readonly number[]) => randomOutput(random, dataType, taken);

  const slice = (): ConformanceCase => {
    const inputWindowSizes = sizes.map((whole) => (random.chance(0.5) ? whole : random.int(1, whole)));
    const inputWindowOffsets = sizes.map((whole, i) => random.int(0, whole - (inputWindowSizes[i] ?? whole)));
    const inputWindowStrides = sizes.map(() => (random.chance(0.1) ? random.pick([2, -1]) : 1));
    const outputTensor = output(inputWindowSizes.map((part, i) => Math.ceil(part / Math.abs(inputWindowStrides[i] ?? 1))));
    const window = { inputWindowOffsets, inputWindowSizes, inputWindowStrides };
    return { descriptor: { type: 'slice1', inputTensor, outputTensor, ...window }, data: {} };
  };
  const pad = (): ConformanceCase => {
    const [before, after, zeros] = [random.int(0, 2), random.int(0, 2), sizes.map(() => 0)];
    const padding = { startPadding: zeros.with(axis, before), endPadding: zeros.with(axis, after) };
    const paddingValue = dataType === 'int64' || dataType === 'uint64' ? 1n : 1;
    const constant = { paddingMode: 'constant', paddingValueDataType: dataType, paddingValue } as const;
    const outputTensor = output(sizes.with(axis, before + size + after));
    return { descriptor: { type: 'padding1', inputTensor, outputTensor, ...constant, ...padding }, data: {} };
  };
  const tile = (): ConformanceCase => {
    const times = random.int(1, 3);
    const repeats = sizes.map(() => 1).with(axis, times);
    const outputTensor = output(sizes.with(axis, times * size));
    return { descriptor: { type: 'tile', inputTensor, outputTensor, repeats }, data: {} };
  };
  const join = (): ConformanceCase => {
    const lengths = Array.from({ length: random.int(1, 3) }, () => (random.chance(0.5) ? size : random.int(1, 4)));
    const others = lengths.map((length): TensorDesc => ({ dataType, sizes: sizes.with(axis, length) }));
    const total = lengths.reduce((sum, length) => sum + length, size);
    const outputTensor = output(sizes.with(axis, total));
    const data = { inputTensors: ['', ...others.map((tensor) => base64(anyBits(random, tensor)))] };
    return { descriptor: { type: 'join', inputTensors: [inputTensor, ...others], outputTensor, axis }, data };
  };
  const split = (): ConformanceCase => {
    const outputTensors: TensorDesc[] = [];
    for (let left = size; left > 0;) {
      const part = outputTensors.length === 2 ? left : random.int(1, left);
      outputTensors.push(output(sizes.with(axis, part)));
      left -= part;
    }
    return { descriptor: { type: 'split', inputTensor, outputTensors, axis }, data: {} };
  };
  const reduce = (): ConformanceCase => {
    const axes = [...sizes.keys()].filter((i) => i === axis || random.chance(0.5));
    const outputTensor = output(sizes.map((whole, i) => (axes.includes(i) ? 1 : whole)));
    return { descriptor: { type: 'reduce', function: 'max', inputTensor, outputTensor, axes }, data: {} };
  };
  // Only the maximum lacks a data type here.
  return random.pick([slice, slice, pad, tile, join, join, split, ...(dataType === 'float64' ? [] : [reduce])])();
}

/** The tensor with its dimensions in another order. */
export function transposed(random: Random, { dataType, sizes, strides }: TensorDesc): TensorDesc {
  const own = strides ?? packedStrides(sizes);
  const order = random.distinct(sizes.length, sizes.length);
  return { dataType, sizes: order.map((axis) => sizes[axis] ?? 1), strides: order.map((axis) => own[axis] ?? 0) };
}

/** A tensor that is packed in half of the cases, and otherwise has gaps or another order of dimensions. */
function randomOutput(random: Random, dataType: DataType, sizes: readonly number[]): TensorDesc {
  if (random.chance(0.5)) return { dataType, sizes };
  const order = random.chance(0.5) ? [...sizes.keys()].reverse() : random.distinct(sizes.length, sizes.length);
  const gap = () => (random.chance(0.2) ? random.int(1, 3) : 0);
  return { dataType, sizes, strides: stridesInOrder(sizes, order, () => false, gap) };
}

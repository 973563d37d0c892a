/** Operators that resize images, or take samples between their elements. */
import type { DataType } from '../../schema/generated/enums.js';
import { productOf } from '../../validation/tensor-size.js';
import { empty, hostOperand, vector } from '../make-data.js';
import { like, type Node } from '../node.js';
import { broadcast, elementsOf, Output, reshaped, type HostOperand, type Operand } from '../operand.js';
import { gridOperators } from './grid.js';
import type { Lowerings } from './lowering.js';
import { filled, taken } from './move-helpers.js';
import { regionOperators } from './regions.js';
import {
  nearestPlace,
  nearestRounding,
  offsetsOf,
  positionsOf,
  weightsOf,
  type Offsets,
  type ResizedAxis,
  type Resizing,
} from './resize-axes.js';

export const resizeOperators: Lowerings = {
  Resize(node) {
    const input = node.input(0);
    const isOld = node.opset < 11;
    const resizing: Resizing = {
      mode: node.text('mode', 'nearest'),
      coordinates: node.text('coordinate_transformation_mode', isOld ? 'asymmetric' : 'half_pixel'),
      nearest: node.text('nearest_mode', isOld ? 'simple' : 'round_prefer_floor'),
      cubic: node.float('cubic_coeff_a', -0.75),
      isAntialiased: node.flag('antialias'),
      excludesOutside: node.flag('exclude_outside'),
      extrapolation: node.float('extrapolation_value', 0),
    };
    const crops = resizing.coordinates === 'tf_crop_and_resize';
    const region = crops ? givenNumbers(node, 1) : undefined;
    if (crops && region === undefined) throw new RangeError('there is no region to crop');
    const axes = node.ints('axes')?.map((axis) => node.axis(axis, input.dims.length)) ?? input.dims.map((_, i) => i);
    const scales = givenNumbers(node, isOld ? 1 : 2);
    const resized = scales === undefined ? bySizes(node, input, axes, region) : byScales(input, axes, scales, region);
    return resize(node, input, resized, resizing);
  },
  Upsample(node) {
    const input = node.input(0);
    const given = node.optional(1);
    const scales = given === undefined ? node.floats('scales') : node.numbers(given);
    if (scales === undefined) throw new RangeError('there are no scales');
    const mode = node.text('mode', 'nearest');
    const axes = input.dims.map((_, i) => i);
    return resize(node, input, byScales(input, axes, scales, undefined), {
      mode: mode === 'bilinear' ? 'linear' : mode,
      ...{ coordinates: 'asymmetric', nearest: 'floor', cubic: -0.75, extrapolation: 0 },
      ...{ isAntialiased: false, excludesOutside: false },
    });
  },
  ...gridOperators,
  ...regionOperators,
};

/** The elements of an input that may be left out by having none. */
function givenNumbers(node: Node, i: number): readonly number[] | undefined {
  const operand = node.optional(i);
  return operand === undefined || productOf(operand.dims) === 0 ? undefined : node.numbers(operand);
}

function byScales(
  { dims }: Operand,
  axes: readonly number[],
  scales: readonly number[],
  region: readonly number[] | undefined,
): readonly ResizedAxis[] {
  return axes.map((axis, i) => {
    const [size, scale] = [dims[axis] ?? 1, scales[i] ?? 1];
    return { axis, size, scale, output: Math.floor(size * scale), region: regionOf(region, axes, i) };
  });
}

function bySizes(
  node: Node,
  { dims }: Operand,
  axes: readonly number[],
  region: readonly number[] | undefined,
): readonly ResizedAxis[] {
  const sizes = givenNumbers(node, 3);
  if (sizes === undefined) throw new RangeError('there are neither scales nor sizes');
  const ratios = axes.map((axis, i) => (sizes[i] ?? 1) / (dims[axis] ?? 1));
  const policy = node.text('keep_aspect_ratio_policy', 'stretch');
  if (!['stretch', 'not_larger', 'not_smaller'].includes(policy)) throw node.unsupported('the aspect ratio policy', policy);
  const common = policy === 'not_larger' ? Math.min(...ratios) : Math.max(...ratios);
  return axes.map((axis, i) => {
    const size = dims[axis] ?? 1;
    const isFree = policy === 'stretch';
    const output = isFree ? (sizes[i] ?? 1) : Math.floor(common * size + 0.5);
    return { axis, size, output, scale: isFree ? (ratios[i] ?? 1) : common, region: regionOf(region, axes, i) };
  });
}

function regionOf(region: readonly number[] | undefined, axes: readonly number[], i: number): readonly [number, number] {
  return [region?.[i] ?? 0, region?.[i + axes.length] ?? 1];
}

/** An axis with the place of each of its elements in the input. */
interface Placed extends ResizedAxis {
  readonly positions: readonly number[];
}

function resize(node: Node, input: Operand, axes: readonly ResizedAxis[], resizing: Resizing): Operand {
  const dims = [...input.dims];
  for (const { axis, output } of axes) dims[axis] = output;
  if (productOf(dims) === 0) return empty(input.dataType, dims, input.isBool);
  if (productOf(input.dims) === 0) throw new RangeError('a tensor without elements cannot be resized');
  const changed = axes.filter(({ size, output, scale, region: [start, end] }) => {
    return Math.abs(scale - 1) > 1e-9 || output !== size || start !== 0 || end !== 1;
  });
  const placed = changed.map((axis) => {
    const positions = positionsOf(axis, resizing.coordinates);
    if (positions === undefined) throw node.unsupported('the coordinate transformation mode', resizing.coordinates);
    return { ...axis, positions };
  });
  if (resizing.mode === 'nearest') return nearest(node, input, placed, resizing);
  if (resizing.mode !== 'linear' && resizing.mode !== 'cubic') throw node.unsupported('the mode', resizing.mode);
  return interpolated(node, input, placed, resizing);
}

function nearest(node: Node, input: Operand, axes: readonly Placed[], resizing: Resizing): Operand {
  if (resizing.isAntialiased) throw node.unsupported('the mode', 'nearest', 'it has no antialiasing');
  const places = axes.map(({ positions, scale, size }) =>
    positions.map((position) => {
      const place = nearestPlace(position, resizing.nearest, scale);
      if (place === undefined) throw node.unsupported('the nearest mode', resizing.nearest);
      return Math.max(0, Math.min(size - 1, place));
    }),
  );
  if (['float16', 'float32', 'int8', 'uint8'].includes(input.dataType)) {
    const made = nearestByResample(node, input, axes, places, resizing);
    if (made !== undefined) return made;
  }
  return axes.reduce((result, axis, i) => {
    const made = taken(node, result, axis.axis, vector('int32', places[i] ?? []));
    return extrapolated(node, made, axis, resizing);
  }, input);
}

/** By one operator, if that takes the same elements. */
function nearestByResample(
  node: Node,
  input: Operand,
  axes: readonly Placed[],
  places: readonly (readonly number[])[],
  { nearest: mode, coordinates }: Resizing,
): Operand | undefined {
  const shifts = axes.map(({ scale }) => nearestRounding(mode, scale));
  const [direction = 'decreasing'] = shifts.map(([, each]) => each);
  if (shifts.some(([, each]) => each !== direction)) return undefined;
  const offsets = axes.map((axis, i) => {
    const own = offsetsOf(axis, coordinates);
    return own && { ...own, input: own.input - (shifts[i]?.[0] ?? 0) };
  });
  const areSame = axes.every(({ size, output }, i) => {
    const own = offsets[i];
    if (own === undefined || !isAllowed(own) || size > mostCompared || output > mostCompared) return false;
    const line = hostOperand('float32', [size], Array(size).keys());
    const found = node.numbers(resampled(node, line, [output], [{ axis: 0, offsets: own }], 'nearestNeighbor', direction));
    return found.every((place, k) => place === places[i]?.[k]);
  });
  return areSame ? resampledTogether(node, input, axes, offsets, 'nearestNeighbor', direction) : undefined;
}

/** The largest axis for which the two ways are compared, whose elements float32 can count and the memory can hold. */
const mostCompared = 2 ** 16;

/** What DirectML accepts as a scale. */
function isAllowed({ scale }: Offsets): boolean {
  return scale > 2 ** -22 && scale < Infinity;
}

function interpolated(node: Node, input: Operand, axes: readonly Placed[], resizing: Resizing): Operand {
  if (input.dataType === 'float32') return interpolatedFloats(node, input, axes, resizing);
  if (input.dataType === 'float16')
    return node.cast(interpolatedFloats(node, node.cast(input, 'float32'), axes, resizing), 'float16');
  const isExact = ['int8', 'uint8', 'int16', 'uint16'].includes(input.dataType);
  if (!isExact) return interpolatedHere(node, input, axes, resizing);
  const made = interpolatedFloats(node, node.cast(input, 'float32'), axes, resizing);
  return node.cast(node.map('elementWiseRound', made, { roundingMode: 'halvesToNearestEven' }), input.dataType);
}

function interpolatedFloats(node: Node, input: Operand, axes: readonly Placed[], resizing: Resizing): Operand {
  const isPlain = axes.every(({ scale }) => !resizing.isAntialiased || scale >= 1) && !resizing.excludesOutside;
  if (resizing.mode === 'linear' && isPlain) {
    const offsets = axes.map((axis) => offsetsOf(axis, resizing.coordinates));
    // With other offsets DirectML extrapolates.
    const areUsual = offsets.every((own) => own !== undefined && isAllowed(own) && own.input >= 0 && own.input <= 1);
    const made = areUsual ? resampledTogether(node, input, axes, offsets, 'linear', 'decreasing') : undefined;
    if (made !== undefined) return made;
  }
  return axes.reduce((result, axis) => {
    const weights = hostOperand('float32', [axis.output, axis.size], weightsOf(axis, axis.positions, resizing));
    return extrapolated(node, along(node, result, axis.axis, weights), axis, resizing);
  }, input);
}

/** A matrix times each line along an axis. */
function along(node: Node, input: Operand, axis: number, matrix: HostOperand): Operand {
  const [output = 1, size = 1] = matrix.dims;
  const before = productOf(input.dims.slice(0, axis));
  const after = productOf(input.dims.slice(axis + 1));
  const dims = input.dims.with(axis, output);
  if (after === 1) {
    const made = node.add('gemm', {
      aTensor: node.reshape(input, [before, size]),
      bTensor: matrix,
      outputTensor: like(input, [before, output]),
      transB: 'transpose',
    });
    return reshaped(made, dims);
  }
  const made = node.add('gemm', {
    aTensor: broadcast(matrix, [before, output, size]),
    bTensor: node.reshape(input, [before, size, after]),
    outputTensor: like(input, [before, output, after]),
  });
  return reshaped(made, dims);
}

/** One value where a crop reaches beyond the input. */
function extrapolated(node: Node, input: Operand, { axis, positions, size }: Placed, resizing: Resizing): Operand {
  if (resizing.coordinates !== 'tf_crop_and_resize') return input;
  const isOutside = positions.map((position) => Number(position < 0 || position > size - 1));
  if (!isOutside.includes(1)) return input;
  const mask = hostOperand('uint8', input.dims.map(() => 1).with(axis, isOutside.length), isOutside);
  const isBigint = input.dataType === 'int64' || input.dataType === 'uint64';
  const value = isBigint ? BigInt(Math.trunc(resizing.extrapolation)) : resizing.extrapolation;
  return node.add('elementWiseIf', {
    conditionTensor: broadcast(mask, input.dims),
    aTensor: filled(node, input, input.dims, value),
    bTensor: input,
    outputTensor: like(input),
  });
}

/** In float64, for data types that float32 does not contain. */
function interpolatedHere(node: Node, input: Operand, axes: readonly Placed[], resizing: Resizing): Operand {
  const dims = [...input.dims];
  for (const { axis, output } of axes) dims[axis] = output;
  const [made] = node.compute([input], (given) => {
    let numbers: readonly number[] = elementsOf(given).map(Number);
    const sizes = [...input.dims];
    for (const axis of axes) {
      numbers = linesTimes(numbers, sizes, axis, weightsOf(axis, axis.positions, resizing));
      numbers = extrapolatedHere(numbers, productOf(sizes.slice(axis.axis + 1)), axis, resizing);
      sizes[axis.axis] = axis.output;
    }
    return [hostOperand(input.dataType, dims, inDataType(input.dataType, numbers))];
  });
  return made ?? input;
}

function linesTimes(
  numbers: readonly number[],
  sizes: readonly number[],
  { axis, size, output }: ResizedAxis,
  weights: readonly number[],
): readonly number[] {
  const after = productOf(sizes.slice(axis + 1));
  return Array.from({ length: (numbers.length / size) * output }, (_, i) => {
    const column = i % after;
    const row = Math.floor(i / after) % output;
    const first = Math.floor(i / after / output) * size * after + column;
    let sum = 0;
    for (let k = 0; k < size; k++) {
      const weight = weights[row * size + k] ?? 0;
      if (weight !== 0) sum += weight * (numbers[first + k * after] ?? 0);
    }
    return sum;
  });
}

function extrapolatedHere(numbers: readonly number[], after: number, axis: Placed, resizing: Resizing): readonly number[] {
  if (resizing.coordinates !== 'tf_crop_and_resize') return numbers;
  return numbers.map((number, i) => {
    const position = axis.positions[Math.floor(i / after) % axis.output] ?? 0;
    return position < 0 || position > axis.size - 1 ? resizing.extrapolation : number;
  });
}

/** Rounded and limited, for integers. */
function inDataType(dataType: DataType, numbers: readonly number[]): readonly (number | bigint)[] {
  if (dataType.startsWith('float')) return numbers;
  const bits = Number(/\d+/.exec(dataType)?.[0]);
  const [least, most] = dataType.startsWith('u')
    ? [0n, 2n ** BigInt(bits) - 1n]
    : [-(2n ** BigInt(bits - 1)), 2n ** BigInt(bits - 1) - 1n];
  return numbers.map((number) => {
    if (number >= Number(most)) return most;
    return number <= Number(least) || Number.isNaN(number) ? least : BigInt(roundedToEven(number));
  });
}

function roundedToEven(number: number): number {
  const before = Math.floor(number);
  const rest = number - before;
  return rest < 0.5 || (rest === 0.5 && before % 2 === 0) ? before : before + 1;
}

interface OffsetAxis {
  readonly axis: number;
  readonly offsets: Offsets;
}

/** All axes by one operator, if it has enough dimensions: those between the axes become one. */
function resampledTogether(
  node: Node,
  input: Operand,
  axes: readonly ResizedAxis[],
  offsets: readonly (Offsets | undefined)[],
  interpolationMode: 'linear' | 'nearestNeighbor',
  direction: 'increasing' | 'decreasing',
): Operand | undefined {
  if (axes.length === 0) return input;
  const sizes: number[] = [];
  const outputs: number[] = [];
  const used: OffsetAxis[] = [];
  let isOpen = false;
  for (const [i, size] of input.dims.entries()) {
    const at = axes.findIndex(({ axis }) => axis === i);
    const own = offsets[at];
    if (own !== undefined) {
      used.push({ axis: sizes.length, offsets: own });
      sizes.push(size);
      outputs.push(axes[at]?.output ?? 1);
    } else if (isOpen) {
      sizes[sizes.length - 1] = outputs[outputs.length - 1] = (sizes.at(-1) ?? 1) * size;
    } else {
      sizes.push(size);
      outputs.push(size);
    }
    isOpen = own === undefined;
  }
  const dims = [...input.dims];
  for (const { axis, output } of axes) dims[axis] = output;
  if (input.dims.length <= 4) {
    const plain = axes.flatMap(({ axis }, i) => (offsets[i] === undefined ? [] : [{ axis, offsets: offsets[i] }]));
    return resampled(node, input, dims, plain, interpolationMode, direction);
  }
  if (sizes.length > 4) return undefined;
  return reshaped(resampled(node, node.reshape(input, sizes), outputs, used, interpolationMode, direction), dims);
}

function resampled(
  node: Node,
  input: Operand,
  dims: readonly number[],
  axes: readonly OffsetAxis[],
  interpolationMode: 'linear' | 'nearestNeighbor',
  roundingDirection: 'increasing' | 'decreasing',
): Operand {
  const each = dims.map((_, i) => axes.find(({ axis }) => axis === i)?.offsets ?? { scale: 1, input: 0, output: 0 });
  return node.add('resample2', {
    inputTensor: input,
    outputTensor: new Output(input.dataType, dims, input.isBool),
    ...{ interpolationMode, roundingDirection },
    scales: each.map(({ scale }) => scale),
    inputPixelOffsets: each.map((own) => own.input),
    outputPixelOffsets: each.map((own) => own.output),
  });
}

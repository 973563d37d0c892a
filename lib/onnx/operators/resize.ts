/** Operators that resize images, or take samples between their elements. */
import { bitsOf, isFloat, roundToEven, wideRangeOf } from '../../tensors/data-types.js';
import type { DataType } from '../../tensors/generated/enums.js';
import { productOf } from '../../tensors/tensor-size.js';
import { empty, hostOperand, scalar, vector } from '../make-data.js';
import { like, type Node } from '../node.js';
import { numbersOf, permuted, reshaped, type HostOperand, type Operand } from '../operand.js';
import { gridOperators } from './grid.js';
import { fromLines, linesOf, type Numbers } from './in-memory.js';
import type { Lowering, Lowerings } from './lowering.js';
import { matMul } from './matrix-helpers.js';
import { taken } from './move-helpers.js';
import { regionOperators } from './regions.js';
import { placed, resizingOf, roundingOf, weightsOf, type Placed, type ResizedAxis, type Resizing } from './resize-axes.js';
import { choose, upTo } from './tensor-helpers.js';

export const resizeOperators: Lowerings = {
  Resize: resize(false),
  Upsample: resize(true),
  ...gridOperators,
  ...regionOperators,
};

function resize(isUpsample: boolean): Lowering {
  return (node) => {
    const input = node.input(0);
    const isOld = isUpsample || node.opset < 11;
    const resizing = resizingOf(node, isUpsample, isOld);
    const axes = resizedAxes(node, input, resizing, givenNumbers(node, isOld ? 1 : 2) ?? node.floats('scales'));
    const dims = sizesOf(input, axes);
    if (productOf(dims) === 0) return empty(input.dataType, dims, input.isBool);
    if (productOf(input.dims) === 0) throw new RangeError('a tensor without elements cannot be resized');
    const changed = axes.filter(({ size, output, scale, region: [start, end] }) => {
      return Math.abs(scale - 1) > 1e-9 || output !== size || start !== 0 || end !== 1;
    });
    const all = changed.map((axis) => {
      const made = placed(axis, resizing.coordinates);
      if (made === undefined) throw node.unsupported('the coordinate transformation mode', resizing.coordinates);
      return made;
    });
    if (resizing.mode === 'nearest') return nearest(node, input, all, resizing);
    if (resizing.mode !== 'linear' && resizing.mode !== 'cubic') throw node.unsupported('the mode', resizing.mode);
    return interpolated(node, input, all, resizing);
  };
}

/** The elements of an input that may be left out by having none. */
function givenNumbers(node: Node, i: number): Numbers | undefined {
  const operand = node.optional(i);
  return operand === undefined || productOf(operand.dims) === 0 ? undefined : node.numbers(operand);
}

function resizedAxes(
  node: Node,
  { dims }: Operand,
  { coordinates }: Resizing,
  scales: Numbers | undefined,
): readonly ResizedAxis[] {
  const axes = node.ints('axes')?.map((axis) => node.axis(axis, dims.length)) ?? upTo(dims.length);
  const crops = coordinates === 'tf_crop_and_resize';
  const region = crops ? givenNumbers(node, 1) : [];
  if (region === undefined) throw new RangeError('there is no region to crop');
  const sizes = axes.map((axis) => dims[axis] ?? 1);
  const outputs = scales ?? bySizes(node, sizes);
  return axes.map((axis, i) => {
    const size = sizes[i] ?? 1;
    const given = outputs[i] ?? 1;
    const [scale, output] = typeof given === 'number' ? [given, Math.floor(size * given)] : given;
    return { axis, size, scale, output, region: [region[i] ?? 0, region[i + axes.length] ?? 1] };
  });
}

/** The scale and the size of each axis. */
function bySizes(node: Node, sizes: Numbers): readonly (readonly [scale: number, output: number])[] {
  const wanted = givenNumbers(node, 3);
  if (wanted === undefined) throw new RangeError('there are neither scales nor sizes');
  const ratios = sizes.map((size, i) => (wanted[i] ?? 1) / size);
  const policy = node.text('keep_aspect_ratio_policy', 'stretch');
  if (policy === 'stretch') return ratios.map((ratio, i) => [ratio, wanted[i] ?? 1]);
  if (policy !== 'not_larger' && policy !== 'not_smaller') throw node.unsupported('the aspect ratio policy', policy);
  const scale = policy === 'not_larger' ? Math.min(...ratios) : Math.max(...ratios);
  return sizes.map((size) => [scale, Math.floor(scale * size + 0.5)]);
}

function sizesOf({ dims }: Operand, axes: readonly ResizedAxis[]): Numbers {
  return axes.reduce((sizes, { axis, output }) => sizes.with(axis, output), dims);
}

interface Rounded extends Placed {
  readonly places: Numbers;
  readonly direction: Direction;
}

type Direction = 'increasing' | 'decreasing';

function nearest(node: Node, input: Operand, axes: readonly Placed[], resizing: Resizing): Operand {
  if (resizing.isAntialiased) throw node.unsupported('the mode', 'nearest', 'it has no antialiasing');
  const rounded = axes.map((axis): Rounded => {
    const rounding = roundingOf(resizing.nearest, axis.scale);
    if (rounding === undefined) throw node.unsupported('the nearest mode', resizing.nearest);
    const [placeOf, shift, direction] = rounding;
    const places = axis.positions.map((position) => Math.max(0, Math.min(axis.size - 1, placeOf(position))));
    return { ...axis, places, direction, offsets: axis.offsets && { ...axis.offsets, input: axis.offsets.input - shift } };
  });
  const [direction = 'decreasing'] = rounded.map((axis) => axis.direction);
  const isOne = ['float16', 'float32', 'int8', 'uint8'].includes(input.dataType);
  if (isOne && rounded.every((axis) => axis.direction === direction && takesSame(node, axis))) {
    const made = resampled(node, input, rounded, 'nearestNeighbor', direction);
    if (made !== undefined) return made;
  }
  return rounded.reduce((result, axis) => {
    return extrapolated(node, taken(node, result, axis.axis, vector('int32', axis.places)), axis, resizing);
  }, input);
}

/** The largest axis for which the two ways are compared, whose elements float32 can count and the memory can hold. */
const mostCompared = 2 ** 16;

/** True if DirectML's operator takes the same elements. */
function takesSame(node: Node, axis: Rounded): boolean {
  const { size, output, offsets, places, direction } = axis;
  if (offsets === undefined || size > mostCompared || output > mostCompared) return false;
  const line = hostOperand('float32', [size], upTo(size));
  const found = resampled(node, line, [{ ...axis, axis: 0 }], 'nearestNeighbor', direction) ?? line;
  return node.numbers(found).every((place, i) => place === places[i]);
}

function interpolated(node: Node, input: Operand, axes: readonly Placed[], resizing: Resizing): Operand {
  const { dataType } = input;
  const fitsFloat32 = dataType === 'float32' || bitsOf(dataType) === 8 || bitsOf(dataType) === 16;
  if (!fitsFloat32) return interpolatedHere(node, input, axes, resizing);
  const made = interpolatedFloats(node, node.cast(input, 'float32'), axes, resizing);
  if (isFloat(dataType)) return node.cast(made, dataType);
  return node.cast(node.map('elementWiseRound', made, { roundingMode: 'halvesToNearestEven' }), dataType);
}

function interpolatedFloats(node: Node, input: Operand, axes: readonly Placed[], resizing: Resizing): Operand {
  const isPlain = axes.every(({ scale }) => !resizing.isAntialiased || scale >= 1) && !resizing.excludesOutside;
  // With other offsets DirectML extrapolates.
  const areUsual = axes.every(({ offsets }) => offsets !== undefined && offsets.input >= 0 && offsets.input <= 1);
  const byOne = resizing.mode === 'linear' && isPlain && areUsual;
  const made = byOne ? resampled(node, input, axes, 'linear', 'decreasing') : undefined;
  if (made !== undefined) return made;
  return axes.reduce((result, axis) => {
    const weights = hostOperand('float32', [axis.output, axis.size], weightsOf(axis, resizing).flat());
    return extrapolated(node, along(node, result, axis.axis, weights), axis, resizing);
  }, input);
}

/** A matrix times each line along an axis. */
function along(node: Node, input: Operand, axis: number, matrix: HostOperand): Operand {
  const [output = 1, size = 1] = matrix.dims;
  const before = productOf(input.dims.slice(0, axis));
  const after = productOf(input.dims.slice(axis + 1));
  const made =
    after === 1
      ? matMul(node, node.reshape(input, [before, size]), permuted(matrix, [1, 0]))
      : matMul(node, matrix, node.reshape(input, [before, size, after]));
  return reshaped(made, input.dims.with(axis, output));
}

/** Whether a crop reaches beyond the input for the elements of an axis. */
function outsideOf({ positions, size }: Placed, { coordinates }: Resizing): readonly boolean[] {
  return positions.map((position) => coordinates === 'tf_crop_and_resize' && (position < 0 || position > size - 1));
}

/** One value where a crop reaches beyond the input. */
function extrapolated(node: Node, input: Operand, axis: Placed, resizing: Resizing): Operand {
  const { extrapolation } = resizing;
  const isOutside = outsideOf(axis, resizing);
  if (!isOutside.includes(true)) return input;
  const mask = hostOperand('uint8', input.dims.map(() => 1).with(axis.axis, isOutside.length), isOutside.map(Number));
  const value = scalar(input.dataType, isFloat(input.dataType) ? extrapolation : Math.trunc(extrapolation));
  return choose(node, mask, { ...value, isBool: input.isBool }, input);
}

/** In float64, for data types that float32 does not contain. */
function interpolatedHere(node: Node, input: Operand, axes: readonly Placed[], resizing: Resizing): Operand {
  return node.computeOne([input], (given) => {
    const made = axes.reduce((result, axis) => {
      const rows = weightsOf(axis, resizing);
      const isOutside = outsideOf(axis, resizing);
      const lines = linesOf(result, axis.axis).map((line) =>
        rows.map((row, i) => (isOutside[i] === true ? resizing.extrapolation : sumOf(row, line))),
      );
      return fromLines('float64', result.dims.with(axis.axis, axis.output), axis.axis, lines);
    }, given);
    return hostOperand(input.dataType, made.dims, inDataType(input.dataType, numbersOf(made)));
  });
}

/** Elements without weight do not count, even if they are infinite. */
function sumOf(weights: Numbers, elements: Numbers): number {
  return weights.reduce((sum, weight, i) => (weight === 0 ? sum : sum + weight * (elements[i] ?? 0)), 0);
}

/** Rounded and limited, for integers. */
function inDataType(dataType: DataType, numbers: Numbers): readonly (number | bigint)[] {
  if (isFloat(dataType)) return numbers;
  const { low, high } = wideRangeOf(dataType);
  return numbers.map((number) => {
    if (number >= Number(high)) return high;
    return number > Number(low) ? BigInt(roundToEven(number)) : low;
  });
}

/** All axes by one operator, if it has enough dimensions: of more than 4, those between the axes become one. */
function resampled(
  node: Node,
  input: Operand,
  axes: readonly Placed[],
  interpolationMode: 'linear' | 'nearestNeighbor',
  roundingDirection: Direction,
): Operand | undefined {
  if (axes.length === 0) return input;
  const lines: Pick<Placed, 'size' | 'output' | 'offsets'>[] = [];
  for (const [i, size] of input.dims.entries()) {
    const { output = size, offsets } = axes.find(({ axis }) => axis === i) ?? {};
    const last = lines.at(-1);
    const isJoined = input.dims.length > 4 && last !== undefined && (last.offsets ?? offsets) === undefined;
    if (isJoined) lines.splice(-1, 1, { size: last.size * size, output: last.output * output, offsets });
    else lines.push({ size, output, offsets });
  }
  if (lines.length > 4) return undefined;
  const sizes = lines.map(({ size }) => size);
  const offsets = lines.map((line) => line.offsets ?? { scale: 1, input: 0, output: 0 });
  const outputTensor = like(
    input,
    lines.map(({ output }) => output),
  );
  const made = node.add('resample2', {
    inputTensor: sizes.length === input.dims.length ? input : node.reshape(input, sizes),
    ...{ outputTensor, interpolationMode, roundingDirection },
    scales: offsets.map(({ scale }) => scale),
    inputPixelOffsets: offsets.map((own) => own.input),
    outputPixelOffsets: offsets.map((own) => own.output),
  });
  return reshaped(made, sizesOf(input, axes));
}

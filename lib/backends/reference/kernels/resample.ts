/**
 * Resampling, one dimension after the other: each output element is a weighted sum of two neighbours in the input, or one
 * of them. All is computed in float64 and rounded once; integers are cut off.
 */
import type { ResolvedOperator } from '../../../validation/resolved.js';
import { inRange } from '../scale-bias.js';
import { packedFloats, readNumbers, viewNumbers, writeNumbers, type TensorView } from '../tensor-view.js';
import { numbersField, productOf, required, type Kernel } from './kernel.js';
import {
  between,
  interpolations,
  nearest,
  position,
  traversalOf,
  type Axis,
  type Position,
  type Rounding,
  type Sampling,
} from './sampling.js';

/** For each output coordinate two input coordinates and the weight of the second. */
interface Taps {
  readonly first: Int32Array;
  readonly second: Int32Array;
  readonly weight: Float64Array;
}

export const upsample2d: Kernel = (operator, inputs, outputs) => {
  const [input, output] = [required(inputs, 0), required(outputs, 0)];
  const rounding = isLinear(operator) ? null : halfUp;
  const samplings = input.sizes.map((size, axis) => {
    const at = centered((output.sizes[axis] ?? 1) / size);
    return rounding === null ? between(at) : nearest(at, rounding);
  });
  resampleBy(input, output, samplings);
};

export const resample: Kernel = (operator, inputs, outputs) => {
  const [input, output] = [required(inputs, 0), required(outputs, 0)];
  const axes = axesOf(operator);
  const rounding = isLinear(operator) ? null : roundingOf(operator, input);
  if (rounding === null && operator.fields['antialiased'] === true && axes.some(({ scale }) => scale < 0.5)) {
    shrink(axes, input, output);
    return;
  }
  const samplings =
    rounding === null
      ? interpolations(axes, input.sizes, output.sizes, traversalOf(input, output, output.sizes))
      : axes.map((axis) => nearest(position(axis), rounding));
  resampleBy(input, output, samplings);
};
export const resample1 = resample;
export const resample2 = resample;
export const resample3 = resample;

/** Each gradient goes where its output element came from. DirectML takes one kind of offset for the other here. */
export const resampleGrad: Kernel = (operator, inputs, outputs) => {
  const [input, output] = [required(inputs, 0), required(outputs, 0)];
  const axes = axesOf(operator).map(({ scale, before, after }) => ({ scale, before: after, after: before }));
  const rounding = isLinear(operator) ? null : roundingOf(operator, input);
  let values = readNumbers(input);
  const sizes = [...input.sizes];
  for (const [axis, at] of axes.map(position).entries()) {
    const [size = 1, target = 1] = [sizes[axis], output.sizes[axis]];
    const taps = tapsOf(target, size, rounding === null ? between(at) : nearest(at, rounding));
    values = scatterAlong(values, sizes, axis, target, taps);
    sizes[axis] = target;
  }
  writeNumbers(output, values);
};
export const resampleGrad1 = resampleGrad;

function axesOf(operator: ResolvedOperator): Axis[] {
  const offsets = (name: string) => (name in operator.fields ? numbersField(operator, name).map(Math.fround) : null);
  const [before, after] = [offsets('inputPixelOffsets'), offsets('outputPixelOffsets')];
  return numbersField(operator, 'scales').map((scale, axis) => ({
    scale: Math.fround(scale),
    before: before?.[axis] ?? 0.5,
    after: after?.[axis] ?? -0.5,
  }));
}

/** Of pixels' centers. */
function centered(scale: number): Position {
  return position({ scale, before: 0.5, after: -0.5 });
}

const halfUp: Rounding = (x) => Math.floor(x + 0.5);

/** Without a direction halves go up; of 8-bit integers DirectML always takes the element before. */
function roundingOf({ fields: { roundingDirection } }: ResolvedOperator, { dataType }: TensorView): Rounding {
  if (roundingDirection === undefined) return dataType.startsWith('float') ? halfUp : Math.floor;
  return roundingDirection === 'increasing' ? Math.ceil : Math.floor;
}

function isLinear({ fields }: ResolvedOperator): boolean {
  return fields['interpolationMode'] === 'linear';
}

/** Beyond the edges the first and the last element repeat. */
function tapsOf(size: number, target: number, { at, low }: Sampling): Taps {
  const first = new Int32Array(target);
  const second = new Int32Array(target);
  const weight = new Float64Array(target);
  const inside = (x: number) => Math.min(Math.max(x, 0), size - 1);
  for (let i = 0; i < target; i++) {
    const before = low(i);
    first[i] = inside(before);
    second[i] = inside(before + 1);
    weight[i] = first[i] === second[i] ? 0 : at(i) - before;
  }
  return { first, second, weight };
}

/** The last dimension first, of which each line is gathered by itself, while there are few of them. */
function resampleBy(input: TensorView, output: TensorView, samplings: readonly Sampling[]): void {
  const sizes = [...input.sizes];
  const axes = samplings.map((sampling, axis) => {
    const [size = 1, target = 1] = [sizes[axis], output.sizes[axis]];
    return { axis, size, taps: tapsOf(size, target, sampling) };
  });
  const resized = axes.filter(({ size, taps }) => !keepsAll(taps, size)).reverse();
  // What only moves needs no more digits than it has.
  const isMoved = axes.every(({ taps }) => taps.weight.every((weight) => weight === 0));
  let values = isMoved ? viewNumbers(input) : readNumbers(input);
  const memory = packedFloats(output);
  for (const [i, { axis, taps }] of resized.entries()) {
    const isLast = i === resized.length - 1;
    values = gatherAlong(values, sizes, axis, taps, isLast ? memory : null);
    sizes[axis] = taps.first.length;
  }
  if (values !== memory) writeNumbers(output, cut(output, values));
}

function keepsAll({ first, weight }: Taps, size: number): boolean {
  return first.length === size && first.every((element, i) => element === i && weight[i] === 0);
}

/** What the output's type makes of results: integers are cut off and saturate, floats rounded when they are written. */
function cut(output: TensorView, values: Values): Values {
  return values instanceof Float64Array ? inRange(values, output) : values;
}

/** Halves sizes again and again, powers of two first, for a single step of more than two would leave elements out. */
function shrink(axes: readonly Axis[], input: TensorView, output: TensorView): void {
  let sizes = [...input.sizes];
  let values: Values = readNumbers(input);
  for (let pass = 0; pass < 2 || sizes.some((size, axis) => size !== output.sizes[axis]); pass++) {
    const targets = sizes.map((size, axis) => nextSize(size, output.sizes[axis] ?? 1));
    const fitted = axes.map((axis, i) => ({ ...axis, scale: Math.fround((targets[i] ?? 1) / (sizes[i] ?? 1)) }));
    const samplings = interpolations(fitted, sizes, targets, traversalOf(input, output, targets));
    for (const [axis, sampling] of samplings.entries()) {
      const [size = 1, target = 1] = [sizes[axis], targets[axis]];
      values = gatherAlong(values, sizes, axis, tapsOf(size, target, sampling));
      sizes = sizes.with(axis, target);
    }
  }
  writeNumbers(output, cut(output, values));
}

function nextSize(size: number, target: number): number {
  return size > 2 * target ? 2 ** (Math.ceil(Math.log2(size)) - 1) : target;
}

type Values = Float64Array | Float32Array;

/** Into `memory` if there is some; else the result has the type of the values. */
function gatherAlong(values: Values, sizes: readonly number[], axis: number, taps: Taps, memory: Values | null = null): Values {
  const [size, target] = [sizes[axis] ?? 1, taps.first.length];
  const inner = productOf(sizes, axis + 1);
  const outer = productOf(sizes, 0, axis);
  const length = outer * target * inner;
  const result = memory ?? (values instanceof Float32Array ? new Float32Array(length) : new Float64Array(length));
  for (let i = 0; i < outer; i++) {
    const [from, to] = [i * size * inner, i * target * inner];
    if (inner === 1) gatherLine(values, from, taps, result, to);
    else gatherRows(values, from, taps, result, to, inner);
  }
  return result;
}

/** Where the taps lie `inner` elements apart. A weight of 0 keeps what it does not count out of the sum, infinities too. */
function gatherRows(values: Values, from: number, { first, second, weight }: Taps, result: Values, to: number, inner: number): void {
  for (let i = 0; i < first.length; i++, to += inner) {
    const [a, b, w] = [from + (first[i] ?? 0) * inner, from + (second[i] ?? 0) * inner, weight[i] ?? 0];
    if (w !== 0) {
      for (let k = 0; k < inner; k++) result[to + k] = (values[a + k] ?? 0) * (1 - w) + (values[b + k] ?? 0) * w;
    } else if (inner > 32) {
      result.set(values.subarray(a, a + inner), to);
    } else {
      for (let k = 0; k < inner; k++) result[to + k] = values[a + k] ?? 0;
    }
  }
}

/** The same along the last dimension, where the inner loops would be all overhead. */
function gatherLine(values: Values, from: number, { first, second, weight }: Taps, result: Values, to: number): void {
  for (let i = 0; i < first.length; i++) {
    const a = values[from + (first[i] ?? 0)] ?? 0;
    const w = weight[i] ?? 0;
    result[to + i] = w === 0 ? a : a * (1 - w) + (values[from + (second[i] ?? 0)] ?? 0) * w;
  }
}

/** The other way round: `taps` are of the result, whose size along the axis is `target`. */
function scatterAlong(
  values: Float64Array,
  sizes: readonly number[],
  axis: number,
  target: number,
  { first, second, weight }: Taps,
): Float64Array {
  const size = first.length;
  const inner = productOf(sizes, axis + 1);
  const outer = productOf(sizes, 0, axis);
  const result = new Float64Array(outer * target * inner);
  for (let row = 0; row < outer * size; row++) {
    const i = row % size;
    const plane = ((row - i) / size) * target;
    const [a, b, w] = [(plane + (first[i] ?? 0)) * inner, (plane + (second[i] ?? 0)) * inner, weight[i] ?? 0];
    for (let k = 0; k < inner; k++) {
      const value = values[row * inner + k] ?? 0;
      result[a + k] = (result[a + k] ?? 0) + value * (1 - w);
      if (w !== 0) result[b + k] = (result[b + k] ?? 0) + value * w;
    }
  }
  return result;
}

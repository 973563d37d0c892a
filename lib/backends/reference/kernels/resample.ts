/**
 * Resampling, one dimension after the other: each output element is a weighted sum of two neighbours in the input, or one
 * of them. All is computed in float64 and rounded once; integers are cut off.
 */
import type { ResolvedOperator } from '../../../validation/resolved.js';
import { readNumbers, writeNumbers, type TensorView } from '../tensor-view.js';
import { numbersField, productOf, required, type Kernel } from './kernel.js';

/** For each output coordinate two input coordinates and the weight of the second. */
interface Taps {
  readonly first: Int32Array;
  readonly second: Int32Array;
  readonly weight: Float64Array;
}

/** Where an output coordinate lies in the input, in elements. */
type Position = (output: number) => number;

/** Which element a position is nearest to. */
type Rounding = (position: number) => number;

export const upsample2d: Kernel = (operator, inputs, outputs) => {
  const [input, output] = [required(inputs, 0), required(outputs, 0)];
  const rounding = isLinear(operator) ? null : halfUp;
  resampleBy(input, output, (axis) => {
    const [size = 1, target = 1] = [input.sizes[axis], output.sizes[axis]];
    return tapsOf(size, target, centered(target / size), rounding);
  });
};

export const resample: Kernel = (operator, inputs, outputs) => {
  const [input, output] = [required(inputs, 0), required(outputs, 0)];
  const axes = axesOf(operator);
  const rounding = isLinear(operator) ? null : roundingOf(operator, input);
  if (rounding === null && operator.fields['antialiased'] === true && axes.some(({ scale }) => scale < 0.5)) {
    shrink(axes, input, output);
    return;
  }
  resampleBy(input, output, (axis) => tapsOf(input.sizes[axis] ?? 1, output.sizes[axis] ?? 1, position(axes[axis]), rounding));
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
  for (let axis = 0; axis < sizes.length; axis++) {
    const [size = 1, target = 1] = [sizes[axis], output.sizes[axis]];
    values = scatterAlong(values, sizes, axis, target, tapsOf(target, size, position(axes[axis]), rounding));
    sizes[axis] = target;
  }
  writeNumbers(output, values);
};
export const resampleGrad1 = resampleGrad;

interface Axis {
  readonly scale: number;
  /** Added to input coordinates before, and to output coordinates after they are scaled. */
  readonly before: number;
  readonly after: number;
}

function axesOf(operator: ResolvedOperator): Axis[] {
  const offsets = (name: string) => (name in operator.fields ? numbersField(operator, name).map(Math.fround) : null);
  const [before, after] = [offsets('inputPixelOffsets'), offsets('outputPixelOffsets')];
  return numbersField(operator, 'scales').map((scale, axis) => ({
    scale: Math.fround(scale),
    before: before?.[axis] ?? 0.5,
    after: after?.[axis] ?? -0.5,
  }));
}

const UNMOVED: Axis = { scale: 1, before: 0, after: 0 };

function position({ scale, before, after }: Axis = UNMOVED): Position {
  return (output) => (output - after) / scale - before;
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

function tapsOf(size: number, target: number, at: Position, rounding: Rounding | null): Taps {
  const first = new Int32Array(target);
  const second = new Int32Array(target);
  const weight = new Float64Array(target);
  for (let i = 0; i < target; i++) {
    const x = Math.min(Math.max(rounding === null ? at(i) : rounding(at(i)), 0), size - 1);
    const low = Math.floor(x);
    first[i] = low;
    second[i] = Math.min(low + 1, size - 1);
    weight[i] = x - low;
  }
  return { first, second, weight };
}

function resampleBy(input: TensorView, output: TensorView, taps: (axis: number) => Taps): void {
  const sizes = [...input.sizes];
  let values = readNumbers(input);
  for (let axis = 0; axis < sizes.length; axis++) {
    values = gatherAlong(values, sizes, axis, taps(axis));
    sizes[axis] = output.sizes[axis] ?? 1;
  }
  writeNumbers(output, values.map(cut(output)));
}

/** What the output's type makes of a result: integers are cut off, floats rounded when they are written. */
function cut(output: TensorView): (value: number) => number {
  return output.dataType.startsWith('float') ? (value) => value : Math.trunc;
}

/** Halves sizes again and again, powers of two first, for a single step of more than two would leave elements out. */
function shrink(axes: readonly Axis[], input: TensorView, output: TensorView): void {
  let sizes = [...input.sizes];
  let values = readNumbers(input);
  while (sizes.some((size, axis) => size !== output.sizes[axis])) {
    const targets = sizes.map((size, axis) => nextSize(size, output.sizes[axis] ?? 1));
    for (const [axis, target] of targets.entries()) {
      const [size = 1, { before, after } = UNMOVED] = [sizes[axis], axes[axis]];
      values = gatherAlong(values, sizes, axis, tapsOf(size, target, position({ scale: target / size, before, after }), null));
      sizes = sizes.with(axis, target);
    }
    values = values.map(cut(output));
  }
  writeNumbers(output, values);
}

function nextSize(size: number, target: number): number {
  return size > 2 * target ? 2 ** (Math.ceil(Math.log2(size)) - 1) : target;
}

function gatherAlong(values: Float64Array, sizes: readonly number[], axis: number, { first, second, weight }: Taps): Float64Array {
  const [size, target] = [sizes[axis] ?? 1, first.length];
  const inner = productOf(sizes, axis + 1);
  const outer = productOf(sizes, 0, axis);
  const result = new Float64Array(outer * target * inner);
  for (let row = 0; row < outer * target; row++) {
    const i = row % target;
    const plane = ((row - i) / target) * size;
    const [a, b, w] = [(plane + (first[i] ?? 0)) * inner, (plane + (second[i] ?? 0)) * inner, weight[i] ?? 0];
    for (let k = 0; k < inner; k++) {
      // A weight of 0 keeps what it does not count out of the sum, infinities too.
      const value = values[a + k] ?? 0;
      result[row * inner + k] = w === 0 ? value : value * (1 - w) + (values[b + k] ?? 0) * w;
    }
  }
  return result;
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

/** Operators that JavaScript computes, because DirectML has nothing for them. */
import type { DataType } from '../../schema/generated/enums.js';
import { productOf } from '../../validation/tensor-size.js';
import { hostOperand } from '../make-data.js';
import type { Node } from '../node.js';
import { numbersOf, type HostOperand } from '../operand.js';
import { fourier, type Complex } from './fourier.js';
import type { Lowering, Lowerings } from './lowering.js';
import { mlOperators } from './ml.js';

export const scriptOperators: Lowerings = {
  NonMaxSuppression(node) {
    const isCentered = node.flag('center_point_box');
    const inputs = [node.input(0), node.input(1), node.optional(2), node.optional(3), node.optional(4)] as const;
    return node.compute(inputs, (boxes, scores, most, overlap, least) => {
      const limits: Limits = {
        most: firstOf(most) ?? 0,
        overlap: firstOf(overlap) ?? 0,
        least: firstOf(least) ?? -Infinity,
        hasLeast: firstOf(least) !== undefined,
      };
      const found = suppressed(boxes, scores, limits, isCentered);
      return [hostOperand('int64', [found.length, 3], found.flat())];
    });
  },
  Det: (node) =>
    node.compute([node.input(0)], (input) => {
      const size = input.dims.at(-1) ?? 1;
      const numbers = numbersOf(input);
      const outer = input.dims.slice(0, -2);
      const results = Array.from({ length: productOf(outer) }, (_, i) => {
        const first = i * size ** 2;
        return determinant(
          Array.from({ length: size }, (_each, row) => numbers.slice(first + row * size, first + (row + 1) * size)),
        );
      });
      return [hostOperand(input.dataType, outer, results)];
    }),
  DFT(node) {
    const [isInverse, isOnesided] = [node.flag('inverse'), node.flag('onesided')];
    const given = node.opset < 20 ? undefined : node.optional(2);
    const rank = node.input(0).dims.length;
    const byDefault = node.opset < 20 ? node.int('axis', 1) : -2;
    return node.compute([node.input(0), node.optional(1), given], (input, length, axis) => {
      return [discreteFourier(input, node.axis(firstOf(axis) ?? byDefault, rank), firstOf(length), isInverse, isOnesided)];
    });
  },
  STFT(node) {
    const isOnesided = node.flag('onesided', true);
    const inputs = [node.input(0), node.input(1), node.optional(2), node.optional(3)] as const;
    return node.compute(inputs, (signal, step, window, length) => [
      shortTime(signal, firstOf(step) ?? 1, window, firstOf(length), isOnesided),
    ]);
  },
  HannWindow: windowed((angle) => Math.sin(angle / 2) ** 2),
  HammingWindow: windowed((angle) => 25 / 46 - (21 / 46) * Math.cos(angle)),
  BlackmanWindow: windowed((angle) => 0.42 - 0.5 * Math.cos(angle) + 0.08 * Math.cos(2 * angle)),
  MelWeightMatrix(node) {
    const { dataType } = node.elementType(node.int('output_datatype', 1));
    const inputs = [node.input(0), node.input(1), node.input(2), node.input(3), node.input(4)] as const;
    return node.compute(inputs, (...given) => [
      melWeights(
        dataType,
        given.map((each) => firstOf(each) ?? 0),
      ),
    ]);
  },
  ...mlOperators,
};

/** Undefined for a tensor that is left out or has no elements. */
function firstOf(operand: HostOperand | undefined): number | undefined {
  return operand && numbersOf(operand)[0];
}

interface Limits {
  /** Most boxes of a class. */
  readonly most: number;
  /** Boxes that overlap more are left out. */
  readonly overlap: number;
  /** Boxes need a score above this. */
  readonly least: number;
  readonly hasLeast: boolean;
}

/** The boxes that are chosen, as batch, class and box. */
function suppressed(boxes: HostOperand, scores: HostOperand, limits: Limits, isCentered: boolean): readonly number[][] {
  const [batches = 0, classes = 0, count = 0] = scores.dims;
  const corners = numbersOf(boxes);
  const all = numbersOf(scores);
  const found: number[][] = [];
  for (let batch = 0; batch < batches; batch++) {
    const edges = Array.from({ length: count }, (_, i) =>
      edgesOf(corners.slice((batch * count + i) * 4, (batch * count + i + 1) * 4), isCentered),
    );
    for (let kind = 0; kind < classes; kind++) {
      const first = (batch * classes + kind) * count;
      const own = all.slice(first, first + count);
      for (const box of chosen(own, edges, limits)) found.push([batch, kind, box]);
    }
  }
  return found;
}

interface Edges {
  readonly top: number;
  readonly left: number;
  readonly bottom: number;
  readonly right: number;
  readonly area: number;
}

function edgesOf([a = 0, b = 0, c = 0, d = 0]: readonly number[], isCentered: boolean): Edges {
  const { fround } = Math;
  const [top, left, bottom, right] = isCentered
    ? [fround(b - d / 2), fround(a - c / 2), fround(b + d / 2), fround(a + c / 2)]
    : [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)];
  return { top, left, bottom, right, area: fround(fround(bottom - top) * fround(right - left)) };
}

/** The boxes of a class from the highest score on, without those that overlap a chosen one. */
function chosen(
  scores: readonly number[],
  edges: readonly Edges[],
  { most, overlap, least, hasLeast }: Limits,
): readonly number[] {
  const order = [...scores.keys()].filter((i) => !hasLeast || (scores[i] ?? 0) > least);
  order.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  const taken: number[] = [];
  for (const i of order) {
    if (taken.length >= most) break;
    const own = edges[i];
    if (own !== undefined && taken.every((other) => overlapOf(own, edges[other] ?? own) <= overlap)) taken.push(i);
  }
  return taken;
}

/** The area that two boxes have in common over that of both, in float32 as ONNX computes it. */
function overlapOf(a: Edges, b: Edges): number {
  const { fround } = Math;
  const height = fround(Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));
  const width = fround(Math.min(a.right, b.right) - Math.max(a.left, b.left));
  if (height <= 0 || width <= 0 || a.area <= 0 || b.area <= 0) return -Infinity;
  const common = fround(height * width);
  const both = fround(fround(a.area + b.area) - common);
  return common <= 0 || both <= 0 ? -Infinity : fround(common / both);
}

/** By elimination with the largest pivots. */
function determinant(rows: readonly number[][]): number {
  const left = [...rows];
  let result = 1;
  for (let k = 0; k < left.length; k++) {
    let pivot = k;
    for (let i = k + 1; i < left.length; i++) if (Math.abs(left[i]?.[k] ?? 0) > Math.abs(left[pivot]?.[k] ?? 0)) pivot = i;
    const [own = [], other = []] = [left[pivot], left[k]];
    left[pivot] = other;
    left[k] = own;
    const value = own[k] ?? 0;
    result *= pivot === k ? value : -value;
    if (value === 0) return result;
    for (let i = k + 1; i < left.length; i++) {
      const factor = (left[i]?.[k] ?? 0) / value;
      left[i] = (left[i] ?? []).map((each, j) => each - factor * (own[j] ?? 0));
    }
  }
  return result;
}

function discreteFourier(
  input: HostOperand,
  axis: number,
  given: number | undefined,
  isInverse: boolean,
  isOnesided: boolean,
): HostOperand {
  const { dims } = input;
  const parts = dims.at(-1) ?? 1;
  const size = dims[axis] ?? 1;
  const isReal = isInverse && isOnesided;
  const length = given ?? (isReal ? 2 * (size - 1) : size);
  const bins = isOnesided && !isInverse ? Math.floor(length / 2) + 1 : length;
  const results = isReal ? 1 : 2;
  const after = productOf(dims.slice(axis + 1, -1));
  const numbers = numbersOf(input);
  const output = new Array<number>((numbers.length / parts / size) * bins * results).fill(0);
  for (let line = 0; line < numbers.length / parts / size; line++) {
    const [row, column] = [Math.floor(line / after), line % after];
    const at = (i: number, part: number) => {
      return i < size && part < parts ? (numbers[((row * size + i) * after + column) * parts + part] ?? 0) : 0;
    };
    const made = isReal ? realInverse(length, at) : transformed(length, at, isInverse);
    for (let i = 0; i < bins; i++) {
      const place = ((row * bins + i) * after + column) * results;
      output[place] = made.real[i] ?? 0;
      if (results === 2) output[place + 1] = made.imaginary[i] ?? 0;
    }
  }
  const outputDims = dims.with(axis, bins).with(-1, results);
  return hostOperand(input.dataType, outputDims, output);
}

type Reader = (i: number, part: number) => number;

function transformed(length: number, at: Reader, isInverse: boolean): Complex {
  const real = Float64Array.from({ length }, (_, i) => at(i, 0));
  const imaginary = Float64Array.from({ length }, (_, i) => at(i, 1));
  const made = fourier({ real, imaginary }, isInverse ? 1 : -1);
  return isInverse
    ? { real: made.real.map((each) => each / length), imaginary: made.imaginary.map((each) => each / length) }
    : made;
}

/** Of the first half of frequencies: the others are their conjugates. */
function realInverse(length: number, at: Reader): Complex {
  const whole: Reader = (i, part) => {
    const isSecond = i > length / 2;
    const other = isSecond ? length - i : i;
    if (part === 0) return at(other, 0);
    return other === 0 || 2 * other === length ? 0 : isSecond ? -at(other, 1) : at(other, 1);
  };
  return transformed(length, whole, true);
}

function shortTime(
  signal: HostOperand,
  step: number,
  window: HostOperand | undefined,
  given: number | undefined,
  isOnesided: boolean,
): HostOperand {
  const [batch = 1, size = 1, parts = 1] = signal.dims;
  const factors = window && numbersOf(window);
  const length = given ?? factors?.length ?? size;
  const width = factors?.length ?? length;
  if (!(step > 0)) throw new RangeError('the frames do not advance');
  const frames = Math.max(0, 1 + Math.floor((size - length) / step));
  const bins = isOnesided ? Math.floor(length / 2) + 1 : length;
  const numbers = numbersOf(signal);
  const output: number[] = [];
  for (let line = 0; line < batch * frames; line++) {
    const start = (line % frames) * step;
    const first = Math.floor(line / frames) * size;
    const made = transformed(
      length,
      (i, part) => {
        if (i >= width || start + i >= size || part >= parts) return 0;
        return (numbers[(first + start + i) * parts + part] ?? 0) * (factors?.[i] ?? 1);
      },
      false,
    );
    for (let i = 0; i < bins; i++) output.push(made.real[i] ?? 0, made.imaginary[i] ?? 0);
  }
  return hostOperand(signal.dataType, [batch, frames, bins, 2], output);
}

/** A window function of the angle, which goes once around. */
function windowed(value: (angle: number) => number): Lowering {
  return (node: Node) => {
    const { dataType } = node.elementType(node.int('output_datatype', 1));
    const isPeriodic = node.flag('periodic', true);
    return node.compute([node.input(0)], (given) => {
      const size = firstOf(given) ?? 0;
      const around = isPeriodic ? size : size - 1;
      const values = Array.from({ length: size }, (_, i) => value((2 * Math.PI * i) / around));
      return [hostOperand(dataType, [size], inDataType(dataType, values))];
    });
  };
}

function melWeights(dataType: DataType, [bins = 0, length = 0, rate = 0, least = 0, most = 0]: readonly number[]): HostOperand {
  const melOf = (frequency: number) => 2595 * Math.log10(1 + frequency / 700);
  const step = (melOf(most) - melOf(least)) / (bins + 2);
  const places = Array.from({ length: bins + 2 }, (_, i) => {
    const frequency = 700 * (10 ** ((i * step + melOf(least)) / 2595) - 1);
    return Math.floor(((length + 1) * frequency) / rate);
  });
  const rows = Math.floor(length / 2) + 1;
  const weights = new Array<number>(rows * bins).fill(0);
  for (let i = 0; i < bins; i++) {
    const [lower = 0, center = 0, higher = 0] = places.slice(i, i + 3);
    if (lower === center) weights[center * bins + i] = 1;
    else for (let j = lower; j <= center; j++) weights[j * bins + i] = (j - lower) / (center - lower);
    for (let j = center; j < higher; j++) weights[j * bins + i] = (higher - j) / (higher - center);
  }
  return hostOperand(dataType, [rows, bins], inDataType(dataType, weights.slice(0, rows * bins)));
}

/** Integers without what follows the point. */
function inDataType(dataType: DataType, values: readonly number[]): readonly number[] {
  return dataType.startsWith('float') ? values : values.map(Math.trunc);
}

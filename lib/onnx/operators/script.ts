/** Operators that JavaScript computes, because DirectML has nothing for them. */
import { isFloat } from '../../tensors/data-types.js';
import type { DataType } from '../../tensors/generated/enums.js';
import { productOf } from '../../tensors/tensor-size.js';
import { hostOperand } from '../make-data.js';
import type { Node } from '../node.js';
import { numbersOf, type HostOperand } from '../operand.js';
import { fourier } from './fourier.js';
import { firstOf, fromLines, linesOf, partsOf, type Numbers } from './in-memory.js';
import type { Lowering, Lowerings } from './lowering.js';
import { mlOperators } from './ml.js';
import { upTo } from './tensor-helpers.js';

export const scriptOperators: Lowerings = {
  NonMaxSuppression(node) {
    const isCentered = node.flag('center_point_box');
    const inputs = [node.input(0), node.input(1), node.optional(2), node.optional(3), node.optional(4)] as const;
    return node.computeOne(inputs, (boxes, scores, most, overlap, least) => {
      const [batches = 0, classes = 0, count = 0] = scores.dims;
      const edges = partsOf(numbersOf(boxes), batches * count).map((box) => edgesOf(box, isCentered));
      const found = partsOf(numbersOf(scores), batches * classes).flatMap((own, i) => {
        const batch = Math.floor(i / classes);
        const boxesOfBatch = edges.slice(batch * count, (batch + 1) * count);
        return chosen(own, boxesOfBatch, firstOf(most), firstOf(overlap), firstOf(least)).map((box) => [batch, i % classes, box]);
      });
      return hostOperand('int64', [found.length, 3], found.flat());
    });
  },
  Det: (node) =>
    node.computeOne([node.input(0)], (input) => {
      const size = input.dims.at(-1) ?? 1;
      const outer = input.dims.slice(0, -2);
      const matrices = partsOf(numbersOf(input), productOf(outer));
      return hostOperand(
        input.dataType,
        outer,
        matrices.map((matrix) => determinant(partsOf(matrix, size))),
      );
    }),
  DFT(node) {
    const [isInverse, isOnesided] = [node.flag('inverse'), node.flag('onesided')];
    const given = node.opset < 20 ? undefined : node.optional(2);
    const byDefault = node.opset < 20 ? node.int('axis', 1) : -2;
    return node.computeOne([node.input(0), node.optional(1), given], (input, length, axis) => {
      const place = node.axis(firstOf(axis) ?? byDefault, input.dims.length);
      return discreteFourier(input, place, firstOf(length), isInverse, isOnesided);
    });
  },
  STFT(node) {
    const isOnesided = node.flag('onesided', true);
    const inputs = [node.input(0), node.input(1), node.optional(2), node.optional(3)] as const;
    return node.computeOne(inputs, (signal, step, window, length) =>
      shortTime(signal, firstOf(step) ?? 1, window && numbersOf(window), firstOf(length), isOnesided),
    );
  },
  HannWindow: windowed((angle) => Math.sin(angle / 2) ** 2),
  HammingWindow: windowed((angle) => 25 / 46 - (21 / 46) * Math.cos(angle)),
  BlackmanWindow: windowed((angle) => 0.42 - 0.5 * Math.cos(angle) + 0.08 * Math.cos(2 * angle)),
  MelWeightMatrix(node) {
    const { dataType } = node.elementType(node.int('output_datatype', 1));
    return node.computeOne(node.inputs, (...given) =>
      melWeights(
        dataType,
        given.map((each) => firstOf(each) ?? 0),
      ),
    );
  },
  ...mlOperators,
};

type Edges = ReturnType<typeof edgesOf>;

const { fround } = Math;

function edgesOf([a = 0, b = 0, c = 0, d = 0]: Numbers, isCentered: boolean) {
  const [top, left, bottom, right] = isCentered
    ? [fround(b - d / 2), fround(a - c / 2), fround(b + d / 2), fround(a + c / 2)]
    : [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)];
  return { top, left, bottom, right, area: fround(fround(bottom - top) * fround(right - left)) };
}

/** The `most` boxes of a class with the highest scores above `least`, without those that overlap a chosen one more than allowed. */
function chosen(scores: Numbers, edges: readonly Edges[], most = 0, overlap = 0, least?: number): Numbers {
  const order = [...scores.keys()].filter((i) => least === undefined || (scores[i] ?? 0) > least);
  const found: number[] = [];
  for (const i of order.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0))) {
    if (found.length >= most) break;
    const own = edges[i];
    if (own !== undefined && found.every((other) => overlapOf(own, edges[other] ?? own) <= overlap)) found.push(i);
  }
  return found;
}

/** The area that two boxes have in common over that of both, in float32 as ONNX computes it. */
function overlapOf(a: Edges, b: Edges): number {
  const height = fround(Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));
  const width = fround(Math.min(a.right, b.right) - Math.max(a.left, b.left));
  if (height <= 0 || width <= 0 || a.area <= 0 || b.area <= 0) return -Infinity;
  const common = fround(height * width);
  const both = fround(fround(a.area + b.area) - common);
  return common <= 0 || both <= 0 ? -Infinity : fround(common / both);
}

/** By elimination with the largest pivots. */
function determinant(rows: readonly Numbers[], product = 1): number {
  const [top = []] = rows;
  if (rows.length === 0) return product;
  const heads = rows.map(([head = 0]) => head);
  const place = heads.reduce((best, head, i) => (Math.abs(head) > Math.abs(heads[best] ?? 0) ? i : best), 0);
  const [pivot = 0, own = []] = [heads[place], rows[place]];
  const next = product * (place === 0 ? pivot : -pivot);
  if (pivot === 0) return next;
  const others = rows.with(place, top).slice(1);
  const left = others.map((row) => row.map((each, i) => each - ((row[0] ?? 0) / pivot) * (own[i] ?? 0)).slice(1));
  return determinant(left, next);
}

function discreteFourier(
  input: HostOperand,
  axis: number,
  given: number | undefined,
  isInverse: boolean,
  isOnesided: boolean,
): HostOperand {
  const { dims } = input;
  const isReal = isInverse && isOnesided;
  const size = dims[axis] ?? 1;
  const length = given ?? (isReal ? 2 * (size - 1) : size);
  const bins = isOnesided && !isInverse ? Math.floor(length / 2) + 1 : length;
  const lines = linesOf(input, axis);
  const made = partsOf(lines, lines.length / (dims.at(-1) ?? 1)).flatMap(([real = [], imaginary = []]) => {
    const parts = isReal ? whole(length, real, imaginary) : [real, imaginary];
    return transformed(length, parts, isInverse).slice(0, isReal ? 1 : 2);
  });
  return fromLines(input.dataType, dims.with(axis, bins).with(-1, isReal ? 1 : 2), axis, made);
}

/** All frequencies of a signal without imaginary part, given the first half: the others are their conjugates. */
function whole(length: number, real: Numbers, imaginary: Numbers): readonly Numbers[] {
  const places = upTo(length).map((i) => Math.min(i, length - i));
  const conjugates = places.map((place, i) => {
    if (place === 0 || 2 * place === length) return 0;
    return place < i ? -(imaginary[place] ?? 0) : (imaginary[place] ?? 0);
  });
  return [places.map((place) => real[place] ?? 0), conjugates];
}

/** The transform of real and imaginary parts, continued with 0, or its inverse. */
function transformed(length: number, [real = [], imaginary = []]: readonly Numbers[], isInverse = false): readonly Numbers[] {
  const numbers = (part: Numbers) => Float64Array.from({ length }, (_, i) => part[i] ?? 0);
  const made = fourier({ real: numbers(real), imaginary: numbers(imaginary) }, isInverse ? 1 : -1);
  return [made.real, made.imaginary].map((part) => Array.from(part, (each) => (isInverse ? each / length : each)));
}

function shortTime(
  signal: HostOperand,
  step: number,
  window: Numbers | undefined,
  given: number | undefined,
  isOnesided: boolean,
): HostOperand {
  const [batch = 1, size = 1] = signal.dims;
  const length = given ?? window?.length ?? size;
  if (!(step > 0)) throw new RangeError('the frames do not advance');
  const frames = Math.max(0, 1 + Math.floor((size - length) / step));
  const bins = isOnesided ? Math.floor(length / 2) + 1 : length;
  const output = partsOf(linesOf(signal, 1), batch).flatMap((lines) =>
    upTo(frames).flatMap((frame) => {
      const end = frame * step + Math.min(length, window?.length ?? length);
      const parts = lines.map((line) => line.slice(frame * step, end).map((each, i) => each * (window?.[i] ?? 1)));
      const [real = [], imaginary = []] = transformed(length, parts);
      return upTo(bins).flatMap((i) => [real[i] ?? 0, imaginary[i] ?? 0]);
    }),
  );
  return hostOperand(signal.dataType, [batch, frames, bins, 2], output);
}

/** A window function of the angle, which goes once around. */
function windowed(value: (angle: number) => number): Lowering {
  return (node: Node) => {
    const { dataType } = node.elementType(node.int('output_datatype', 1));
    const isPeriodic = node.flag('periodic', true);
    return node.computeOne([node.input(0)], (given) => {
      const size = firstOf(given) ?? 0;
      const around = isPeriodic ? size : size - 1;
      return inDataType(
        dataType,
        [size],
        upTo(size).map((i) => value((2 * Math.PI * i) / around)),
      );
    });
  };
}

function melWeights(dataType: DataType, [bins = 0, length = 0, rate = 0, least = 0, most = 0]: Numbers): HostOperand {
  const melOf = (frequency: number) => 2595 * Math.log10(1 + frequency / 700);
  const step = (melOf(most) - melOf(least)) / (bins + 2);
  const places = upTo(bins + 2).map((i) => {
    const frequency = 700 * (10 ** ((i * step + melOf(least)) / 2595) - 1);
    return Math.floor(((length + 1) * frequency) / rate);
  });
  const weights = upTo(Math.floor(length / 2) + 1).map((row) =>
    upTo(bins).map((i) => {
      const [lower = 0, center = 0, higher = 0] = places.slice(i, i + 3);
      if (row >= center && row < higher) return (higher - row) / (higher - center);
      if (row === center) return 1;
      return row >= lower && row < center ? (row - lower) / (center - lower) : 0;
    }),
  );
  return inDataType(dataType, [weights.length, bins], weights.flat());
}

/** Integers are without what follows the point. */
function inDataType(dataType: DataType, dims: Numbers, values: Numbers): HostOperand {
  return hostOperand(dataType, dims, isFloat(dataType) ? values : values.map(Math.trunc));
}

/** Reductions, argMin, argMax and cumulativeSum. */
import type { MLOperandDataType } from 'node-directml/webnn';
import { isFloatType, largestOf, natural, wrappedTo } from '../elements.js';
import type { Formula } from '../operator.js';
import { at, coordinatesOf, makeTensor, type Element, type Outcome, type PlainTensor, type Shape } from '../plain-tensor.js';

/** Reduces elements to one. */
type Reduce = (elements: readonly Element[], dataType: MLOperandDataType) => Element | Outcome;

function reduction(reduce: Reduce): Formula<'reduceSum'> {
  return (input, { axes = [...input.shape.keys()], keepDimensions = false } = {}) => {
    return reduced(input, axes, keepDimensions, input.dataType, (elements) => reduce(elements, input.dataType));
  };
}

/** Reduces all elements whose coordinates differ only along the axes to one. */
function reduced(
  input: PlainTensor,
  axes: Shape,
  keepDimensions: boolean,
  dataType: MLOperandDataType,
  reduce: (elements: readonly Element[]) => Element | Outcome,
): PlainTensor {
  const isKept = (_size: number, axis: number) => !axes.includes(axis);
  const kept = input.shape.map((size, axis) => (isKept(size, axis) ? size : 1));
  const inner = input.shape.map((size, axis) => (isKept(size, axis) ? 1 : size));
  const whole = makeTensor(dataType, kept, (place) => {
    const places = Array.from(coordinatesOf(inner), (offset) => place.map((own, axis) => own + (offset[axis] ?? 0)));
    return reduce(places.map((other) => at(input, other)));
  });
  return keepDimensions ? whole : { ...whole, shape: input.shape.filter(isKept) };
}

/**
 * A sum of floats, or of integers, which keeps their lowest bits. The specification gives neither the order nor the precision of
 * additions, so partial sums may overflow: an infinity or NaN is also right if the sum of magnitudes overflows float32, in which
 * DirectML adds.
 */
function sum(termOf: (x: number) => number, integerOf: (x: bigint) => bigint): Reduce {
  return (elements, dataType) => {
    if (isFloatType(dataType)) return sumOf(elements.map((x) => termOf(Number(x))));
    return ofIntegers(elements, dataType, (total, x) => total + integerOf(x), 0n);
  };
}

function ofIntegers(
  elements: readonly Element[],
  dataType: MLOperandDataType,
  reduce: (total: bigint, x: bigint) => bigint,
  start: bigint,
): Element {
  return wrappedTo(dataType, elements.map(BigInt).reduce(reduce, start));
}

const plainSum = sum(
  (x) => x,
  (x) => x,
);

interface Sum {
  readonly value: number;
  readonly scale: number;
  readonly also: readonly number[];
}

function sumOf(terms: readonly number[]): Sum {
  const total = (numbers: readonly number[]) => numbers.reduce((sum, x) => sum + x, 0);
  const [value, scale] = [total(terms), total(terms.map(Math.abs))];
  if (Number.isFinite(scale)) return { value, scale, also: overflows(scale) ? [Infinity, -Infinity, NaN] : [] };
  // If the finite terms overflow, the infinity among the terms may meet an infinity of the other sign.
  const finite = total(terms.filter(Number.isFinite).map(Math.abs));
  return { value, scale: 0, also: overflows(finite) ? [NaN] : [] };
}

function overflows(magnitude: number): boolean {
  return magnitude > largestOf('float32');
}

/** Squares and products below this may be 0 on a GPU. */
const least = 2 ** -126;

function isTiny(x: number): boolean {
  return x !== 0 && Math.abs(x) < least;
}

function squares(elements: readonly Element[]): Sum {
  const terms = elements.map((x) => Number(x) ** 2);
  const { value, scale, also } = sumOf(terms);
  // If a GPU flushes tiny squares to 0, the result is the sum of the other squares.
  const rest = terms.some(isTiny) ? terms.filter((x) => !isTiny(x)).reduce((total, x) => total + x, 0) : value;
  return { value, scale, also: [...also, rest] };
}

export const reduceSum = reduction(plainSum);

export const reduceL1 = reduction(sum(Math.abs, (x) => (x < 0n ? -x : x)));

export const reduceSumSquare = reduction((elements, dataType) => {
  return isFloatType(dataType) ? squares(elements) : ofIntegers(elements, dataType, (total, x) => total + x ** 2n, 0n);
});

/** The squares may overflow or underflow float32. */
export const reduceL2 = reduction((elements) => {
  const { value, also } = squares(elements);
  return { value: Math.sqrt(value), also: also.map(Math.sqrt) };
});

export const reduceMean = reduction((elements) => {
  const { value, scale, also } = sumOf(elements.map(Number));
  return { value: value / elements.length, scale: scale / elements.length, also };
});

/** The error of the sum, in units of its largest term, is divided by the sum in the logarithm; see log. */
function logarithm({ value, scale, also }: Sum): Outcome {
  const result = Math.log(value);
  if (!Number.isFinite(value) || value === 0) return { value: result, also: also.map(Math.log) };
  // If the terms nearly cancel, the logarithm is open.
  if (isTiny(value) || Math.abs(value) < scale * 2 ** -8) return { value: result, also: 'any' };
  return { value: result, scale: scale / Math.abs(value), also: also.map(Math.log) };
}

export const reduceLogSum = reduction((elements) => logarithm(sumOf(elements.map(Number))));

/** Computed in the stable form on which the working group has agreed, so that nothing overflows. */
export const reduceLogSumExp = reduction((elements) => {
  const numbers = elements.map(Number);
  const greatest = Math.max(...numbers);
  if (!Number.isFinite(greatest)) return greatest;
  const value = greatest + Math.log(numbers.reduce((total, x) => total + Math.exp(x - greatest), 0));
  return { value, scale: Math.max(1, Math.abs(greatest)) };
});

/** Intermediate products may overflow or underflow float32. Subnormal ones lose digits, which leaves the result open. */
export const reduceProduct = reduction((elements, dataType) => {
  if (!isFloatType(dataType)) return ofIntegers(elements, dataType, (total, x) => total * x, 1n);
  const numbers = elements.map(Number);
  const value = numbers.reduce((total, x) => total * x, 1);
  const exponents = numbers.filter((x) => x !== 0 && Number.isFinite(x)).map((x) => Math.log2(Math.abs(x)));
  const [up, down] = exponents.reduce(([up, down], x) => [up + Math.max(x, 0), down + Math.min(x, 0)], [0, 0]);
  if (down < -125) return { value, also: 'any' };
  return { value, ...(up > 127 ? { also: [Infinity, -Infinity, NaN] } : {}) };
});

/** The specification leaves NaN open: it may be the result, or be ignored. If all elements are NaN, an infinity is accepted. */
function extreme(isBetter: (a: Element, b: Element) => boolean, ofNothing: number): Formula<'reduceMax'> {
  return reduction((elements) => {
    const numbers = elements.filter((x) => !Number.isNaN(x));
    const [first = ofNothing, ...others] = numbers;
    const best = others.reduce<Element>((own, x) => (isBetter(x, own) ? x : own), first);
    return numbers.length === elements.length ? best : { value: NaN, also: [best] };
  });
}

export const reduceMax = extreme((a, b) => a > b, -Infinity);
export const reduceMin = extreme((a, b) => a < b, Infinity);

/** "In case of ties, the identity of the return value is implementation dependent", and NaN has no order. */
function place(isBetter: (a: Element, b: Element) => boolean): Formula<'argMax'> {
  return (input, axis, { keepDimensions = false, outputDataType = 'int32' } = {}) => {
    return reduced(input, [axis], keepDimensions, outputDataType, (line) => {
      const hasNaN = line.some((x) => Number.isNaN(x));
      const best = [...line.keys()].filter((i) => hasNaN || !line.some((x) => isBetter(x, line[i] ?? 0)));
      const [value = 0n, ...also] = best.map((i) => natural(outputDataType, BigInt(i)));
      return { value, also };
    });
  };
}

export const argMax = place((a, b) => a > b);
export const argMin = place((a, b) => a < b);

export const cumulativeSum: Formula<'cumulativeSum'> = (input, axis, { exclusive = false, reversed = false } = {}) => {
  const { dataType, shape } = input;
  const [size = 1, skipped] = [shape[axis], exclusive ? 1 : 0];
  return makeTensor(dataType, shape, (own) => {
    const index = own[axis] ?? 0;
    const [from, to] = reversed ? [index + skipped, size] : [0, index + 1 - skipped];
    const elements = Array.from({ length: to - from }, (_, i) => at(input, own.with(axis, from + i)));
    return plainSum(elements, dataType);
  });
};

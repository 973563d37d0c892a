/** quantizeLinear, dequantizeLinear and triangular. */
import { formatOf, halvesToEven, isFloatType, limitsOf, natural } from '../elements.js';
import { at, makeTensor, numberAt, type Element, type Outcome, type PlainTensor, type Shape } from '../plain-tensor.js';

/** The element whose block has these coordinates. Missing leading dimensions count as 1. */
function blockAt({ shape, ...tensor }: PlainTensor, sizes: Shape, place: Shape): Element {
  const skipped = sizes.length - shape.length;
  const own = shape.map((size, axis) => {
    return Math.floor(((place[axis + skipped] ?? 0) * size) / (sizes[axis + skipped] ?? 1));
  });
  return at({ shape, ...tensor }, own);
}

/** clamp(roundEven(input / scale) + zeroPoint); also what quotients that are rounded to their data type give */
export function quantizeLinear(input: PlainTensor, scale: PlainTensor, zeroPoint: PlainTensor): PlainTensor {
  const { dataType } = zeroPoint;
  const error = isFloatType(input.dataType) ? 2 ** (1 - formatOf(input.dataType).precision) : 0;
  return makeTensor(dataType, input.shape, (place): Outcome => {
    const quotient = numberAt(input, place) / Number(blockAt(scale, input.shape, place));
    const zero = BigInt(blockAt(zeroPoint, input.shape, place));
    if (Number.isNaN(quotient)) return { value: natural(dataType, 0n), also: 'any' };
    const result = (x: number) => natural(dataType, clamped(x, zero, limitsOf(dataType)));
    const ends = [result(quotient * (1 - error)), result(quotient * (1 + error))] as const;
    const [from, to] = quotient < 0 ? [ends[1], ends[0]] : ends;
    return { value: result(quotient), also: { from, to } };
  });
}

function clamped(quotient: number, zero: bigint, [low, high]: readonly [bigint, bigint]): bigint {
  if (!Number.isFinite(quotient)) return quotient < 0 ? low : high;
  const sum = BigInt(halvesToEven(quotient)) + zero;
  return sum < low ? low : sum > high ? high : sum;
}

/** (input - zeroPoint) * scale. The specification makes floats of both integers first, which 32 bits may not fit into. */
export function dequantizeLinear(input: PlainTensor, scale: PlainTensor, zeroPoint: PlainTensor): PlainTensor {
  return makeTensor(scale.dataType, input.shape, (place): Outcome => {
    const [x, zero] = [numberAt(input, place), Number(blockAt(zeroPoint, input.shape, place))];
    const factor = Number(blockAt(scale, input.shape, place));
    const isLarge = Math.max(Math.abs(x), Math.abs(zero)) > 2 ** 24;
    return { value: (x - zero) * factor, scale: isLarge ? (Math.abs(x) + Math.abs(zero)) * Math.abs(factor) : 0 };
  });
}

interface TriangularOptions {
  readonly upper?: boolean;
  readonly diagonal?: number;
}

/** The part of each matrix from a diagonal on, or up to it; 0 elsewhere. */
export function triangular(input: PlainTensor, { upper = true, diagonal = 0 }: TriangularOptions = {}): PlainTensor {
  return makeTensor(input.dataType, input.shape, (place) => {
    const [row = 0, column = 0] = place.slice(-2);
    const isKept = upper ? column - row >= diagonal : column - row <= diagonal;
    return isKept ? at(input, place) : natural(input.dataType, 0n);
  });
}

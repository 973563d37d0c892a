/** quantizeLinear, dequantizeLinear and triangular. */
import type { MLOperandDataType } from 'node-directml/webnn';
import { halvesToEven, isFloatType, limitsOf, natural, unitAt } from '../elements.js';
import type { Formula } from '../operator.js';
import { at, makeTensor, numberAt, type Element, type Outcome, type PlainTensor, type Shape } from '../plain-tensor.js';

/** The element whose block has these coordinates. Missing leading dimensions count as 1. */
function blockAt(tensor: PlainTensor, sizes: Shape, place: Shape): Element {
  const skipped = sizes.length - tensor.shape.length;
  const own = tensor.shape.map((size, axis) => {
    return Math.floor(((place[axis + skipped] ?? 0) * size) / (sizes[axis + skipped] ?? 1));
  });
  return at(tensor, own);
}

/** clamp(roundEven(input / scale) + zeroPoint). Results for a quotient rounded to its data type are also accepted. */
export const quantizeLinear: Formula<'quantizeLinear'> = (input, scale, zeroPoint) => {
  const { dataType } = zeroPoint;
  const error = isFloatType(input.dataType) ? unitAt(input.dataType, 1) : 0;
  return makeTensor(dataType, input.shape, (place): Outcome => {
    const quotient = numberAt(input, place) / Number(blockAt(scale, input.shape, place));
    const zero = BigInt(blockAt(zeroPoint, input.shape, place));
    if (Number.isNaN(quotient)) return { value: natural(dataType, 0n), also: 'any' };
    const result = (x: number) => natural(dataType, clamped(x, zero, dataType));
    const ends = [result(quotient * (1 - error)), result(quotient * (1 + error))] as const;
    const [from, to] = quotient < 0 ? [ends[1], ends[0]] : ends;
    return { value: result(quotient), also: { from, to } };
  });
};

function clamped(quotient: number, zero: bigint, dataType: MLOperandDataType): bigint {
  const { low, high } = limitsOf(dataType);
  if (!Number.isFinite(quotient)) return quotient < 0 ? low : high;
  const sum = BigInt(halvesToEven(quotient)) + zero;
  return sum < low ? low : sum > high ? high : sum;
}

/** (input - zeroPoint) * scale. The specification first casts both integers to floats, which cannot hold all 32-bit integers. */
export const dequantizeLinear: Formula<'dequantizeLinear'> = (input, scale, zeroPoint) => {
  return makeTensor(scale.dataType, input.shape, (place): Outcome => {
    const [x, zero] = [numberAt(input, place), Number(blockAt(zeroPoint, input.shape, place))];
    const factor = Number(blockAt(scale, input.shape, place));
    const isLarge = Math.max(Math.abs(x), Math.abs(zero)) > 2 ** 24;
    return { value: (x - zero) * factor, scale: isLarge ? (Math.abs(x) + Math.abs(zero)) * Math.abs(factor) : 0 };
  });
};

/** Each matrix on and above a diagonal, or on and below it; 0 elsewhere. */
export const triangular: Formula<'triangular'> = (input, { upper = true, diagonal = 0 } = {}) => {
  return makeTensor(input.dataType, input.shape, (place) => {
    const [row = 0, column = 0] = place.slice(-2);
    const isKept = upper ? column - row >= diagonal : column - row <= diagonal;
    return isKept ? at(input, place) : natural(input.dataType, 0n);
  });
};

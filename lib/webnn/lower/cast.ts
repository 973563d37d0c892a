/**
 * Casts values. WebNN wants the nearest float and the lowest bits of integers. DirectML cuts numbers off when it makes float16 of
 * them, or float32 of 64-bit integers; it keeps integers of 8 bits in range, and takes uint64 for int64 beside floats.
 */
import type { Value } from '../../graph/value.js';
import { isFloat, isWide, bitsOf } from '../../tensors/data-types.js';
import type { DataType } from '../../tensors/generated/enums.js';
import { abs, add, bitAnd, bitOr, bitXor, choose, equals, greaterOrEqual, multiply, subtract } from './arithmetic.js';
import type { Step } from './step.js';

export function castValue(step: Step, input: Value, dataType: DataType): Value {
  const from = input.dataType;
  if (from === dataType) return input;
  if (isFloat(dataType)) return castToFloat(step, input, dataType);
  if (isFloat(from))
    return from === 'float32' && dataType === 'uint64' ? castToUint64(step, input) : plainCast(step, input, dataType);
  return bitsOf(dataType) === 8 ? castToByte(step, input, dataType) : plainCast(step, input, dataType);
}

function castToFloat(step: Step, input: Value, dataType: DataType): Value {
  if (!isFloat(input.dataType) && bitsOf(input.dataType) === 8) return plainCast(step, input, dataType);
  const float32 = isWide(input.dataType) ? nearestFloat32(step, input) : plainCast(step, input, 'float32');
  return dataType === 'float32' ? float32 : plainCast(step, roundedToFloat16(step, float32), dataType);
}

/** As DirectML casts. */
export function plainCast(step: Step, inputTensor: Value, dataType: DataType): Value {
  if (inputTensor.dataType === dataType) return inputTensor;
  return step.add({ type: 'cast', inputTensor, outputTensor: { dataType } }).outputTensor;
}

/**
 * The float32 numbers rounded to those that float16 has, halves to even. Adding 1.5 · 2^13 times the power of two of a number
 * leaves no room for the bits that float16 lacks, so that the addition rounds them away; then it is taken off again.
 */
function roundedToFloat16(step: Step, input: Value): Value {
  const { sizes } = input;
  const fill = (number: number) => step.fill('float32', sizes, number);
  // The bits of infinity are those of the exponent alone, and those of -0 the sign.
  const [power, sign] = [bitAnd(step, input, fill(Infinity)), bitAnd(step, input, fill(-0))];
  // Below 2^-14 the numbers of float16 lie equally far apart.
  const least = step.add({ type: 'elementWiseMax', aTensor: power, bTensor: fill(2 ** -14) }).outputTensor;
  const large = multiply(step, least, fill(1.5 * 2 ** 13));
  const rounded = bitOr(step, subtract(step, add(step, input, large), large), sign);
  // From halfway between 65504 and 65536 on.
  const isInfinite = greaterOrEqual(step, abs(step, input), fill(65520));
  return choose(step, isInfinite, bitOr(step, fill(Infinity), sign), rounded);
}

/** The lowest 8 bits of integers. */
function castToByte(step: Step, input: Value, dataType: DataType): Value {
  const whole = plainCast(step, input, 'int32');
  const fill = (number: number) => step.fill('int32', whole.sizes, number);
  const byte = bitAnd(step, whole, fill(255));
  if (dataType === 'uint8') return plainCast(step, byte, dataType);
  // The highest of the 8 bits counts -128: turning it over adds 128 to every number.
  return plainCast(step, subtract(step, bitXor(step, byte, fill(128)), fill(128)), dataType);
}

/** The nearest float32 of integers of 64 bits. */
function nearestFloat32(step: Step, input: Value): Value {
  if (input.dataType === 'int64') return nearestOfSigned(step, input);
  const { sizes } = input;
  const fill = (number: bigint) => step.fill('uint64', sizes, number);
  const highest = fill(2n ** 63n);
  const isLarge = equals(step, bitAnd(step, input, highest), highest);
  // Half of a large number is an int64. Its lowest bit says for both bits that go whether there was anything.
  const half = step.add({ type: 'elementWiseBitShiftRight', aTensor: input, bTensor: fill(1n) }).outputTensor;
  const halved = bitOr(step, half, bitAnd(step, input, fill(1n)));
  const float32 = nearestOfSigned(step, plainCast(step, choose(step, isLarge, halved, input), 'int64'));
  const factor = choose(step, isLarge, step.fill('float32', sizes, 2), step.fill('float32', sizes, 1));
  return multiply(step, float32, factor);
}

/** A cast cuts off, and so does that of what it left. Its lowest bit is set if that left something again; then the sum rounds. */
function nearestOfSigned(step: Step, input: Value): Value {
  const cut = plainCast(step, input, 'float32');
  const remainder = (whole: Value, part: Value) => subtract(step, whole, plainCast(step, part, 'int64'));
  const rest = remainder(input, cut);
  const second = plainCast(step, rest, 'float32');
  const isWhole = equals(step, remainder(rest, second), step.fill('int64', input.sizes, 0n));
  const odd = bitOr(step, second, step.fill('float32', input.sizes, 2 ** -149));
  return add(step, cut, choose(step, isWhole, second, odd));
}

/** Of float32 from 2^63 on, the rest is cast, and gets the highest bit. */
function castToUint64(step: Step, input: Value): Value {
  const { sizes } = input;
  const limit = step.fill('float32', sizes, 2 ** 63);
  const isLarge = greaterOrEqual(step, input, limit);
  const whole = plainCast(step, choose(step, isLarge, subtract(step, input, limit), input), 'uint64');
  const highest = choose(step, isLarge, step.fill('uint64', sizes, 2n ** 63n), step.fill('uint64', sizes, 0n));
  return bitOr(step, whole, highest);
}

/** The specification's steps to cast a number of the options to a data type. */
import type { MLOperandDataType } from 'node-directml/webnn';
import { halvesToEven, isFloatType, limitsOf, natural, roundTo } from '../elements.js';
import type { Element } from '../plain-tensor.js';

export function castElement(value: Element, dataType: MLOperandDataType): Element {
  if (isFloatType(dataType)) return roundTo(dataType, Number(value));
  const [low, high] = limitsOf(dataType);
  const whole = typeof value === 'bigint' ? value : wholeOf(value, low, high);
  return natural(dataType, whole < low ? low : whole > high ? high : whole);
}

function wholeOf(value: number, low: bigint, high: bigint): bigint {
  if (Number.isNaN(value)) return 0n;
  if (!Number.isFinite(value)) return value < 0 ? low : high;
  return BigInt(halvesToEven(value));
}

/** What a scatter makes of an element and its update, rounded or wrapped to the data type each time. */
import { roundToFloat16 } from '../../data-types/float16.js';
import type { DataType } from '../../schema/generated/enums.js';

type Element = number | bigint;
export type Reduction = (old: Element, update: Element) => Element;

/** By the name in ONNX. */
export const reductions: Readonly<Record<string, ((dataType: DataType) => Reduction) | undefined>> = {
  __proto__: null as never,
  add: (dataType) =>
    inDataType(
      dataType,
      (a, b) => a + b,
      (a, b) => a + b,
    ),
  mul: (dataType) =>
    inDataType(
      dataType,
      (a, b) => a * b,
      (a, b) => a * b,
    ),
  max: () => (old, update) => extreme(old, update, old > update),
  min: () => (old, update) => extreme(old, update, old < update),
};

/** NaN stays. */
function extreme(old: Element, update: Element, isOld: boolean): Element {
  return isOld || Number.isNaN(old) ? old : update;
}

function inDataType(
  dataType: DataType,
  ofNumbers: (a: number, b: number) => number,
  ofBigints: (a: bigint, b: bigint) => bigint,
): Reduction {
  const round = roundings[dataType];
  if (round !== undefined) return (old, update) => round(ofNumbers(Number(old), Number(update)));
  const bits = Number(/\d+/.exec(dataType)?.[0]);
  const isUnsigned = dataType.startsWith('u');
  return (old, update) => {
    const exact = ofBigints(BigInt(old), BigInt(update));
    const result = isUnsigned ? BigInt.asUintN(bits, exact) : BigInt.asIntN(bits, exact);
    return bits === 64 ? result : Number(result);
  };
}

const roundings: Partial<Record<DataType, (value: number) => number>> = {
  float16: roundToFloat16,
  float32: Math.fround,
  float64: (value) => value,
};

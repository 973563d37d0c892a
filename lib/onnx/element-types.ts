/** The data types of ONNX, by their numbers in onnx.proto. */
import type { DataType } from '../schema/generated/enums.js';

/** A data type of elements that DirectML can have, or the text of ONNX's strings. */
export interface ElementType {
  readonly dataType: DataType;
  /** True for uint8 that ONNX calls bool: each element is 0 or 1. */
  readonly isBool: boolean;
}

const names: readonly string[] = [
  ...['undefined', 'float32', 'uint8', 'int8', 'uint16', 'int16', 'int32', 'int64', 'string', 'bool', 'float16', 'float64'],
  ...['uint32', 'uint64', 'complex64', 'complex128', 'bfloat16', 'float8e4m3fn', 'float8e4m3fnuz', 'float8e5m2'],
  ...['float8e5m2fnuz', 'uint4', 'int4', 'float4e2m1', 'float8e8m0', 'uint2', 'int2'],
];

/** The numbers of the data types that DirectML has. */
const known: ReadonlyMap<number, ElementType> = new Map(
  (
    [
      [1, 'float32'],
      [2, 'uint8'],
      [3, 'int8'],
      [4, 'uint16'],
      [5, 'int16'],
      [6, 'int32'],
      [7, 'int64'],
      [9, 'uint8'],
      [10, 'float16'],
      [11, 'float64'],
      [12, 'uint32'],
      [13, 'uint64'],
      [21, 'uint4'],
      [22, 'int4'],
    ] as const
  ).map(([number, dataType]) => [number, { dataType, isBool: number === 9 }]),
);

/** Undefined for strings, and for data types that DirectML lacks. */
export function elementTypeOf(number: number): ElementType | undefined {
  return known.get(number);
}

export function elementTypeName(number: number): string {
  return names[number] ?? `data type ${number}`;
}

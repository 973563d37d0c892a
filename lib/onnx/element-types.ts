/** The data types of ONNX, by their numbers in onnx.proto. */
import { isDataType } from '../tensors/data-types.js';
import type { DataType } from '../tensors/generated/enums.js';

/** A data type of elements that DirectML can have. */
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

/** Undefined for strings, and for data types that DirectML lacks. */
export function elementTypeOf(number: number): ElementType | undefined {
  const name = names[number];
  const isBool = name === 'bool';
  const dataType = isBool ? 'uint8' : name;
  return isDataType(dataType) ? { dataType, isBool } : undefined;
}

export function elementTypeName(number: number): string {
  return names[number] ?? `data type ${number}`;
}

/**
 * Turns any descriptor into the native form without judging it. The package's own encoder expects a validated descriptor,
 * but here DirectML must see wrong ones, too.
 */
import { float16ToBits } from '#lib/tensors/float16.js';
import { operatorTable } from '#lib/descriptors/generated/table.js';
import { enums, type EnumSchema } from '#lib/tensors/generated/enums.js';
import type { FieldSchema } from '#lib/descriptors/types.js';
import { isOperatorType } from '#lib/operators/resolve.js';
import { reviveJson, writeJson } from '../cases/case.js';
import { sizeInBytes } from '../cases/layout.js';
import { isTensor, type LooseTensor } from './candidate.js';

export interface AnyDescriptor {
  type: string;
  [field: string]: unknown;
}

export function encodeLoosely(descriptor: AnyDescriptor): Record<string, unknown> {
  if (!isOperatorType(descriptor.type)) throw new RangeError(`no operator "${descriptor.type}"`);
  const { value: type, fields } = operatorTable[descriptor.type];
  return { type, ...Object.fromEntries(fields.map((field) => [field.name, encodeField(field, descriptor)])) };
}

function encodeField({ name, kind, counts, enumName }: FieldSchema, descriptor: AnyDescriptor): unknown {
  const value = descriptor[name];
  const elements: readonly unknown[] = Array.isArray(value) ? value : [];
  switch (kind) {
    case 'tensor':
      return isTensor(value) ? encodeTensor(value) : null;
    case 'tensorArray':
      return elements.filter(isTensor).map(encodeTensor);
    case 'operator':
      return isDescriptor(value) ? encodeLoosely(value) : null;
    case 'operatorArray':
      return elements.filter(isDescriptor).map(encodeLoosely);
    case 'uint':
      return value ?? countOf(descriptor, counts);
    case 'enum':
      return enumNumber(enumName, value);
    case 'scalar':
      return { $bytes: scalarBytes(scalarTypeIn(descriptor), value) };
    default:
      return value ?? null;
  }
}

/** An encoded descriptor as the addon takes it. */
export function asNative(encoded: Record<string, unknown>): { type: number; [field: string]: unknown } {
  return { type: 0, ...JSON.parse(writeJson(encoded), reviveJson) };
}

function encodeTensor(tensor: LooseTensor): Record<string, unknown> {
  return {
    dataType: enums.DataType.values[tensor.dataType],
    flags: tensor.flags === 'ownedByDml' ? 1 : 0,
    sizes: tensor.sizes,
    strides: tensor.strides ?? null,
    totalTensorSizeInBytes: tensor.totalTensorSizeInBytes ?? defaultSize(tensor),
    guaranteedBaseOffsetAlignment: tensor.guaranteedBaseOffsetAlignment ?? 0,
  };
}

/**
 * The package's default: the bytes up to the last element, rounded up to a multiple of 4, but at most the largest integer that JSON
 * holds exactly.
 */
function defaultSize({ dataType, sizes, strides }: LooseTensor): number {
  return sizes.includes(0) ? 4 : Math.min(sizeInBytes(dataType, sizes, strides ?? null), Number.MAX_SAFE_INTEGER);
}

/** The data type that the descriptor gives for its scalars. */
function scalarTypeIn(descriptor: AnyDescriptor): unknown {
  return descriptor['valueDataType'] ?? descriptor['paddingValueDataType'] ?? descriptor['minMaxDataType'];
}

/** The 8 bytes of a DML_SCALAR_UNION. Their exact values do not matter, because no verdict depends on them. */
function scalarBytes(dataType: unknown, value: unknown): number[] {
  const view = new DataView(new ArrayBuffer(8));
  const number = Number(value);
  if (dataType === 'float32') view.setFloat32(0, number, true);
  else if (dataType === 'float64') view.setFloat64(0, number, true);
  else if (dataType === 'float16') view.setUint16(0, float16ToBits(number), true);
  else view.setBigInt64(0, typeof value === 'bigint' ? value : BigInt(Number.isFinite(number) ? Math.trunc(number) : 0), true);
  return [...new Uint8Array(view.buffer)];
}

function enumNumber(name: FieldSchema['enumName'], member: unknown): number {
  const schema: EnumSchema | undefined = name === undefined ? undefined : enums[name];
  return schema?.values[String(member)] ?? 0;
}

function countOf(descriptor: AnyDescriptor, counted: readonly string[] | undefined): number {
  const array = descriptor[counted?.[0] ?? ''];
  return Array.isArray(array) ? array.length : 0;
}

function isDescriptor(value: unknown): value is AnyDescriptor {
  return typeof value === 'object' && value !== null && 'type' in value;
}

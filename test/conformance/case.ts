/** A conformance case: a descriptor and the bytes of its inputs, and how both are written as one line of JSON. */
import type { CompileOptions, FusedActivation, OperatorDescriptor, OperatorType, TensorDesc } from 'node-directml';
import type { DefaultedFields } from '../coverage/generated/defaulted-fields.js';
import type { Random } from '../random.js';

/** A descriptor that gives every field that has a default. */
export type WholeDescriptor<Type extends OperatorType = OperatorType> = {
  readonly [Name in Type]: OperatorDescriptor<Name> & Given<OperatorDescriptor<Name>, DefaultedFields[Name]>;
}[Type];

/** A fused activation that gives every field that has a default. */
export type WholeActivation<Type extends FusedActivation['type'] = FusedActivation['type']> = {
  readonly [Name in Type]: Given<Extract<FusedActivation, { readonly type: Name }>, DefaultedFields[Name]> &
    Extract<FusedActivation, { readonly type: Name }>;
}[Type];

type Given<Descriptor, Names> = {
  readonly [Name in keyof Descriptor as Name extends Names ? Name : never]-?: Exclude<Descriptor[Name], undefined>;
};

export interface ConformanceCase {
  readonly descriptor: WholeDescriptor;
  /** By field name; a list for a tensor array. Base64, as long as the tensor's `totalTensorSizeInBytes`. */
  readonly data: Readonly<Record<string, string | readonly string[]>>;
  readonly flags?: Omit<CompileOptions, 'initializationInputs'>;
}

/** The case of a number, by random numbers of its own. */
export type CaseGenerator = (random: Random, index: number) => ConformanceCase;

export function writeCase(test: ConformanceCase): string {
  return writeJson(test);
}

/** JSON with big integers and with numbers that JSON lacks. */
export function writeJson(given: unknown): string {
  return JSON.stringify(given, (_key, value: unknown) => {
    if (typeof value === 'bigint') return { $bigint: String(value) };
    if (typeof value === 'number' && !Number.isFinite(value)) return { $number: String(value) };
    return value;
  });
}

export function readJson(json: string): unknown {
  return JSON.parse(json, reviveJson);
}

/** For JSON.parse of what writeJson wrote. The bytes of a scalar union are written as `{ "$bytes": […] }`. */
export function reviveJson(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if ('$bigint' in value) return BigInt(String(value.$bigint));
  if ('$number' in value) return Number(value.$number);
  if ('$bytes' in value && Array.isArray(value.$bytes)) return Uint8Array.from(value.$bytes, Number);
  return value;
}

export function readCase(json: string): ConformanceCase {
  const parsed = readJson(json);
  if (!isCase(parsed)) throw new TypeError('a case has the properties "descriptor" and "data"');
  return parsed;
}

function isCase(value: unknown): value is ConformanceCase {
  return typeof value === 'object' && value !== null && 'descriptor' in value && 'data' in value;
}

export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(text, 'base64'));
}

export type DataType = TensorDesc['dataType'];

export const BYTES: Readonly<Record<DataType, number>> = {
  float32: 4,
  float16: 2,
  uint32: 4,
  uint16: 2,
  uint8: 1,
  int32: 4,
  int16: 2,
  int8: 1,
  float64: 8,
  uint64: 8,
  int64: 8,
  uint4: 0.5,
  int4: 0.5,
};

export const VALUE_TYPES: readonly DataType[] = [
  'float32',
  'float16',
  'uint32',
  'uint16',
  'uint8',
  'int32',
  'int16',
  'int8',
  'float64',
  'uint64',
  'int64',
];

export const INDEX_TYPES: readonly DataType[] = ['uint32', 'int32', 'uint64', 'int64'];

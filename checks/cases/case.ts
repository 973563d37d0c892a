/** A conformance case: a descriptor and the bytes of its inputs, and how both are written as one line of JSON. */
import type { CompileOptions, FusedActivation, OperatorDescriptor, OperatorType, TensorDesc } from 'node-directml';
import type { DefaultedFields } from './generated/defaulted-fields.js';
import { bitsOf, dataTypes } from '#lib/tensors/data-types.js';
import type { Random } from '../harness/random.js';

/** A descriptor in which no field with a default is left out. */
export type WholeDescriptor<Type extends OperatorType = OperatorType> = {
  readonly [Name in Type]: OperatorDescriptor<Name> & Given<OperatorDescriptor<Name>, DefaultedFields[Name]>;
}[Type];

/** A fused activation in which no field with a default is left out. */
export type WholeActivation<Type extends FusedActivation['type'] = FusedActivation['type']> = {
  readonly [Name in Type]: Given<Extract<FusedActivation, { readonly type: Name }>, DefaultedFields[Name]> &
    Extract<FusedActivation, { readonly type: Name }>;
}[Type];

type Given<Descriptor, Names> = {
  readonly [Name in keyof Descriptor as Name extends Names ? Name : never]-?: Exclude<Descriptor[Name], undefined>;
};

export interface ConformanceCase {
  readonly descriptor: WholeDescriptor;
  /** The inputs' bytes by field name, in Base64, `totalTensorSizeInBytes` each; a list for a tensor array. */
  readonly data: Readonly<Record<string, string | readonly string[]>>;
  readonly flags?: Omit<CompileOptions, 'initializationInputs'>;
  /** The inputs whose bytes each output overwrites in a second dispatch, which must give the same result (in-place.ts). */
  readonly inPlace?: Readonly<Record<string, readonly string[]>>;
  /** Runs with this many elements, by repeating those of the small case (enlarge.ts). */
  readonly enlargedTo?: number;
}

/** Gives the case with the number `index`. `random` is for this case alone. */
export type CaseGenerator = (random: Random, index: number) => ConformanceCase;

/** JSON that also holds bigints, infinities, NaN, -0 and two kinds of typed arrays. */
export function writeJson(given: unknown): string {
  return JSON.stringify(given, (_key, value: unknown) => {
    if (typeof value === 'bigint') return { $bigint: String(value) };
    if (typeof value === 'number' && !Number.isFinite(value)) return { $number: String(value) };
    if (value instanceof Uint8Array) return { $bytes: [...value] };
    if (value instanceof Uint32Array) return { $words: [...value] };
    if (Object.is(value, -0)) return { $number: '-0' };
    return value;
  });
}

export const writeCase: (test: ConformanceCase) => string = writeJson;

export function readJson(json: string): unknown {
  return JSON.parse(json, reviveJson);
}

/** The reviver of JSON.parse for the text of writeJson. */
export function reviveJson(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if ('$bigint' in value) return BigInt(String(value.$bigint));
  if ('$number' in value) return Number(value.$number);
  if ('$bytes' in value && Array.isArray(value.$bytes)) return Uint8Array.from(value.$bytes, Number);
  if ('$words' in value && Array.isArray(value.$words)) return Uint32Array.from(value.$words, Number);
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

/** The size of an element: half a byte for the 4-bit types. */
export function bytesPerElement(dataType: DataType): number {
  return bitsOf(dataType) / 8;
}

/** All data types except those of 4 bits. */
export const VALUE_TYPES: readonly DataType[] = dataTypes.filter((dataType) => bitsOf(dataType) >= 8);

export const INDEX_TYPES: readonly DataType[] = ['uint32', 'int32', 'uint64', 'int64'];

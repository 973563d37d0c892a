/**
 * Turns descriptors that are plain data, apart from the tensors in their fields, into text. If a request with the same text was
 * validated before, it need not be validated again.
 */
import { types } from 'node:util';
import { numberText } from '../given.js';

/** A descriptor with tensors, or values of a graph, in its fields. */
export interface PlainRequest<Thing> {
  /** All values that validation reads, as text. Requests with the same text describe the same operator. */
  readonly key: string;
  /** The tensors by path, such as `inputTensors[1]`. */
  readonly tensors: ReadonlyMap<string, Thing>;
}

/** Recognises tensors among field values. */
export interface TensorKind<Thing> {
  readonly is: (value: unknown) => value is Thing;
  /** The data type, sizes, strides and size in bytes as text. */
  readonly textOf: (tensor: Thing) => string;
}

/** Validation accepts no descriptor with more properties, and no array with more elements. */
const maxProperties = 256;
const maxElements = 65_536;

/** Names and strings without characters that separate values in the text. */
const plainText = /^[\w.]*$/;

/**
 * Reads a descriptor without running the user's code. Returns null unless it has only data properties whose values are tensors,
 * primitive values or arrays of these: validation then reads its getters, proxies and nested objects.
 */
export function readRequest<Thing>(descriptor: unknown, kind: TensorKind<Thing>): PlainRequest<Thing> | null {
  if (!isPlain(descriptor)) return null;
  const tensors = new Map<string, Thing>();
  let key = '';
  const names = Reflect.ownKeys(descriptor);
  if (names.length > maxProperties) return null;
  for (const name of names) {
    if (typeof name !== 'string' || !plainText.test(name)) return null;
    const property = Object.getOwnPropertyDescriptor(descriptor, name);
    if (property?.enumerable !== true || !Object.hasOwn(property, 'value')) return null;
    const text = textOfField(name, property.value, kind, tensors);
    if (text === null) return null;
    key += ` ${name}:${text}`;
  }
  return { key, tensors };
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || types.isProxy(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function textOfField<Thing>(name: string, value: unknown, kind: TensorKind<Thing>, tensors: Map<string, Thing>): string | null {
  if (typeof value !== 'object' || value === null || kind.is(value)) return textOf(name, value, kind, tensors);
  if (types.isProxy(value) || !Array.isArray(value)) return null;
  const { length } = value;
  if (length > maxElements) return null;
  let all = '[';
  for (let i = 0; i < length; i++) {
    const property = Object.getOwnPropertyDescriptor(value, i);
    if (property === undefined || !Object.hasOwn(property, 'value')) return null;
    const text = textOf(`${name}[${i}]`, property.value, kind, tensors);
    if (text === null) return null;
    all += `${text},`;
  }
  return `${all}]`;
}

function textOf<Thing>(path: string, value: unknown, kind: TensorKind<Thing>, tensors: Map<string, Thing>): string | null {
  switch (typeof value) {
    case 'number':
    case 'bigint':
      return numberText(value);
    case 'string':
      return plainText.test(value) ? `'${value}` : null;
    case 'boolean':
    case 'undefined':
      return String(value);
    case 'object':
      if (value === null) return 'null';
      if (!kind.is(value)) return null;
      tensors.set(path, value);
      return kind.textOf(value);
    default:
      return null;
  }
}

/**
 * Turns descriptors that are plain data, apart from the tensors in their fields, into text. If a request with the same text was
 * validated before, it need not be validated again.
 */
import { types } from 'node:util';
import { numberText } from '../given.js';

/** The engine's own, saved now because a program may replace the global later. */
const { Map } = globalThis;

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

/** The texts of requests, by their parts: a program that asks again gets the same string, which need not be put together again. */
class KeyTree {
  #root: Branch = { key: undefined, next: undefined };
  #branches = 0;

  keyOf(parts: readonly string[]): string {
    // Long arrays are rare, and each would make as many maps.
    if (parts.length > maxDepth) return parts.join(' ');
    if (this.#branches > maxBranches) [this.#root, this.#branches] = [{ key: undefined, next: undefined }, 0];
    let branch = this.#root;
    for (const part of parts) {
      const branches = (branch.next ??= new Map<string, Branch>());
      let next = branches.get(part);
      if (next === undefined) {
        next = { key: undefined, next: undefined };
        branches.set(part, next);
        this.#branches += 1;
      }
      branch = next;
    }
    return (branch.key ??= parts.join(' '));
  }
}

interface Branch {
  key: string | undefined;
  next: Map<string, Branch> | undefined;
}

const maxDepth = 128;
/** Of about 200 bytes each. */
const maxBranches = 10_000;
const keys = new KeyTree();

/**
 * Reads a descriptor without running the user's code. Returns null unless it has only data properties whose values are tensors,
 * primitive values or arrays of these: validation then reads its getters, proxies and nested objects.
 */
export function readRequest<Thing>(descriptor: unknown, kind: TensorKind<Thing>): PlainRequest<Thing> | null {
  if (!isPlain(descriptor)) return null;
  const tensors = new Map<string, Thing>();
  const parts: string[] = [];
  const names = Reflect.ownKeys(descriptor);
  if (names.length > maxProperties) return null;
  for (const name of names) {
    if (typeof name !== 'string' || !plainText.test(name)) return null;
    const property = Object.getOwnPropertyDescriptor(descriptor, name);
    if (property?.enumerable !== true || isAccessor(property)) return null;
    parts.push(name);
    if (!addField(parts, name, property.value, kind, tensors)) return null;
  }
  return { key: keys.keyOf(parts), tensors };
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || types.isProxy(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Faster than to ask whether it has a value. */
function isAccessor(property: PropertyDescriptor): boolean {
  return property.get !== undefined || property.set !== undefined;
}

/** Adds the parts of a value. False if validation has to read it. */
function addField<Thing>(
  parts: string[],
  name: string,
  value: unknown,
  kind: TensorKind<Thing>,
  tensors: Map<string, Thing>,
): boolean {
  if (typeof value !== 'object' || value === null || kind.is(value)) return addValue(parts, name, value, kind, tensors);
  if (types.isProxy(value) || !Array.isArray(value)) return false;
  const { length } = value;
  if (length > maxElements) return false;
  parts.push('[');
  for (let i = 0; i < length; i++) {
    const property = Object.getOwnPropertyDescriptor(value, i);
    if (property === undefined || isAccessor(property)) return false;
    if (!addValue(parts, `${name}[${i}]`, property.value, kind, tensors)) return false;
  }
  parts.push(']');
  return true;
}

function addValue<Thing>(
  parts: string[],
  path: string,
  value: unknown,
  kind: TensorKind<Thing>,
  tensors: Map<string, Thing>,
): boolean {
  switch (typeof value) {
    case 'number':
    case 'bigint':
      parts.push(numberText(value));
      return true;
    case 'string':
      parts.push(`'`, value);
      return plainText.test(value);
    case 'boolean':
    case 'undefined':
      parts.push(String(value));
      return true;
    case 'object':
      if (value === null) {
        parts.push('null');
        return true;
      }
      if (!kind.is(value)) return false;
      tensors.set(path, value);
      parts.push(kind.textOf(value));
      return true;
    default:
      return false;
  }
}

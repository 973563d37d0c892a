/**
 * Turns descriptors that are plain data, apart from the tensors in their fields, into text. If a request with the same text was
 * validated before, it need not be validated again.
 */
import { types } from 'node:util';
import { numberText } from '../values/given.js';

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

/** A part of a request's text after those before it. */
interface Branch {
  /** All parts up to this one. */
  readonly text: string;
  next: Map<string, Branch> | undefined;
}

/** Longer texts are rare, and each would make as many maps. */
const maxDepth = 128;
/** Of about 200 bytes each. */
const maxBranches = 10_000;
let root: Branch = { text: '', next: undefined };
let branches = 0;

function forgetBranches(): void {
  root = { text: '', next: undefined };
  branches = 0;
}

/**
 * Puts the text of a request together from its parts. A program that asks again gets the same string, of which no part is copied.
 * No array collects the parts: a setter on Array.prototype could take one, and requests that differ would have the same text.
 */
class RequestText {
  #branch: Branch;
  #depth = 0;
  #rest = '';

  constructor() {
    if (branches > maxBranches) forgetBranches();
    this.#branch = root;
  }

  /** False, and nothing is added, if the part has to be plain and is not. */
  add(part: string, hasToBePlain = false): boolean {
    this.#depth += 1;
    const next = this.#depth > maxDepth ? null : (this.#branch.next ??= new Map<string, Branch>());
    let branch = next?.get(part);
    // A branch that is there was tested: the parts before it tell whether it has to be plain.
    if (branch === undefined && hasToBePlain && !plainText.test(part)) return false;
    if (next === null) {
      this.#rest += ` ${part}`;
      return true;
    }
    if (branch === undefined) {
      branch = { text: `${this.#branch.text} ${part}`, next: undefined };
      next.set(part, branch);
      branches += 1;
    }
    this.#branch = branch;
    return true;
  }

  toString(): string {
    return this.#branch.text + this.#rest;
  }
}

/**
 * Reads a descriptor without running the user's code. Returns null unless it has only data properties whose values are tensors,
 * primitive values or arrays of these: validation then reads its getters, proxies and nested objects.
 */
export function readRequest<Thing>(descriptor: unknown, kind: TensorKind<Thing>): PlainRequest<Thing> | null {
  if (!isPlain(descriptor)) return null;
  const tensors = new Map<string, Thing>();
  const text = new RequestText();
  // Together much faster than Reflect.ownKeys.
  const names = Object.getOwnPropertyNames(descriptor);
  if (names.length > maxProperties || Object.getOwnPropertySymbols(descriptor).length > 0) return null;
  for (const name of names) {
    const property = Object.getOwnPropertyDescriptor(descriptor, name);
    if (property?.enumerable !== true || isAccessor(property)) return null;
    if (!text.add(name, true)) return null;
    if (!addField(text, name, property.value, kind, tensors)) return null;
  }
  return { key: text.toString(), tensors };
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
  text: RequestText,
  name: string,
  value: unknown,
  kind: TensorKind<Thing>,
  tensors: Map<string, Thing>,
): boolean {
  if (typeof value !== 'object' || value === null || kind.is(value)) return addValue(text, name, value, kind, tensors);
  if (types.isProxy(value) || !Array.isArray(value)) return false;
  const { length } = value;
  if (length > maxElements) return false;
  text.add('[');
  for (let i = 0; i < length; i++) {
    const property = Object.getOwnPropertyDescriptor(value, i);
    if (property === undefined || isAccessor(property)) return false;
    if (!addValue(text, `${name}[${i}]`, property.value, kind, tensors)) return false;
  }
  text.add(']');
  return true;
}

function addValue<Thing>(
  text: RequestText,
  path: string,
  value: unknown,
  kind: TensorKind<Thing>,
  tensors: Map<string, Thing>,
): boolean {
  switch (typeof value) {
    case 'number':
    case 'bigint':
      text.add(numberText(value));
      return true;
    case 'string':
      text.add(`'`);
      return text.add(value, true);
    case 'boolean':
    case 'undefined':
      text.add(String(value));
      return true;
    case 'object':
      if (value === null) {
        text.add('null');
        return true;
      }
      if (!kind.is(value)) return false;
      tensors.set(path, value);
      text.add(kind.textOf(value));
      return true;
    default:
      return false;
  }
}

/**
 * Turns descriptors of `run` that are plain data into text. A request whose text was validated before needs no validation
 * again.
 */
import { types } from 'node:util';
import { Tensor } from './tensor.js';

/** The descriptor of a call of `run`. */
export interface RunRequest {
  /** All values that validation reads, as text. Requests with the same text run the same operator. */
  readonly key: string;
  /** The tensors by path, such as `inputTensors[1]`. */
  readonly tensors: ReadonlyMap<string, Tensor>;
}

/** Names and strings without characters that separate values in the text. */
const plainText = /^[\w.]*$/;

/**
 * Reads a descriptor without running code of the user. Returns null unless it has only data properties whose values are
 * tensors, primitive values or arrays of these: validation then reads its getters, proxies and nested objects.
 */
export function readRequest(descriptor: unknown): RunRequest | null {
  if (!isPlain(descriptor)) return null;
  const tensors = new Map<string, Tensor>();
  let key = 'run';
  for (const name of Reflect.ownKeys(descriptor)) {
    if (typeof name !== 'string' || !plainText.test(name)) return null;
    const property = Object.getOwnPropertyDescriptor(descriptor, name);
    if (property?.enumerable !== true || !Object.hasOwn(property, 'value')) return null;
    const text = textOfField(name, property.value, tensors);
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

function textOfField(name: string, value: unknown, tensors: Map<string, Tensor>): string | null {
  if (typeof value !== 'object' || value === null || Tensor.is(value)) return textOf(name, value, tensors);
  if (types.isProxy(value) || !Array.isArray(value)) return null;
  const { length } = value;
  let all = '[';
  for (let i = 0; i < length; i++) {
    const property = Object.getOwnPropertyDescriptor(value, i);
    if (property === undefined || !Object.hasOwn(property, 'value')) return null;
    const text = textOf(`${name}[${i}]`, property.value, tensors);
    if (text === null) return null;
    all += `${text},`;
  }
  return `${all}]`;
}

function textOf(path: string, value: unknown, tensors: Map<string, Tensor>): string | null {
  switch (typeof value) {
    case 'number':
      return Object.is(value, -0) ? '-0' : String(value);
    case 'string':
      return plainText.test(value) ? `'${value}` : null;
    case 'boolean':
    case 'undefined':
      return String(value);
    case 'bigint':
      return `${value}n`;
    case 'object':
      if (value === null) return 'null';
      if (!Tensor.is(value)) return null;
      tensors.set(path, value);
      return value.layoutText;
    default:
      return null;
  }
}

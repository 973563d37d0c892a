/** The arguments and results of traced functions: tensors, in plain objects and arrays in any number of levels. */
import { types } from 'node:util';
import { define } from '../../values/define.js';
import { DirectMLError, fieldError, describe, shorten, type Place } from '../../values/errors.js';
import { isRevoked, numberText } from '../../values/given.js';
import { highestFeatureLevel } from '../../descriptors/feature-level.js';
import { Value } from '../../graph/value.js';
import { resolveTensor } from '../../descriptors/tensor.js';
import { layoutTextOf, Tensor } from '../memory/tensor.js';

/** What the key of a call depends on, found in one walk. */
export interface Leaves {
  /** The structure, the layouts of tensors and values, and everything else as text. */
  key: string;
  /** In the order of the walk. */
  readonly tensors: Tensor[];
  hasPromise: boolean;
  hasValue: boolean;
}

/** An array in itself would have no end. */
const maxLevels = 64;

/** `describes` is true if descriptions may stand for tensors. */
export function scanTree(args: readonly unknown[], describes: boolean, operator: string): Leaves {
  const leaves: Leaves = { key: '', tensors: [], hasPromise: false, hasValue: false };
  let i = 0;
  const place = () => ({ operator, field: `args[${i}]` });
  try {
    for (; i < args.length; i++) scan(args[i], leaves, describes, 0, place);
  } catch (error) {
    throw unreadable(error, place());
  }
  return leaves;
}

function scan(value: unknown, leaves: Leaves, describes: boolean, level: number, place: () => Place): void {
  switch (typeof value) {
    case 'object':
      if (value === null) leaves.key += 'null,';
      else if (Tensor.is(value)) {
        leaves.key += value.layoutText;
        leaves.tensors.push(value);
      } else scanObject(value, leaves, describes, level, place);
      return;
    case 'number':
    case 'bigint':
      leaves.key += `${numberText(value)},`;
      return;
    case 'string':
      leaves.key += `${JSON.stringify(value)},`;
      return;
    case 'boolean':
    case 'undefined':
      leaves.key += `${value},`;
      return;
    default:
      throw wrong(value, place);
  }
}

function scanObject(value: object, leaves: Leaves, describes: boolean, level: number, place: () => Place): void {
  if (Value.is(value)) {
    leaves.key += value.layoutText;
    leaves.hasValue = true;
  } else if (types.isPromise(value)) leaves.hasPromise = true;
  else if (level >= maxLevels) throw wrong(value, place, `no more than ${maxLevels} levels of objects`);
  else if (Array.isArray(value)) {
    leaves.key += '[';
    for (const each of value) scan(each, leaves, describes, level + 1, place);
    leaves.key += ']';
  } else if (isDescription(value)) {
    if (!describes) throw wrong(value, place, 'tensors: descriptions are for compile');
    leaves.key += layoutTextOf(resolveTensor(value, place(), 'any', highestFeatureLevel));
  } else if (isPlain(value)) {
    leaves.key += '{';
    for (const name of Object.keys(value)) {
      leaves.key += `${JSON.stringify(name)}:`;
      scan(Reflect.get(value, name), leaves, describes, level + 1, place);
    }
    leaves.key += '}';
  } else throw wrong(value, place);
}

function wrong(value: unknown, place: () => Place, expected = 'tensors, numbers, strings, and plain objects and arrays of them') {
  return fieldError('ERR_INVALID_ARGUMENT', place(), expected, describe(value));
}

/** Objects of the program may be proxies, or have getters that throw. */
function unreadable(error: unknown, place: Place): DirectMLError {
  if (error instanceof DirectMLError) return error;
  return fieldError('ERR_INVALID_ARGUMENT', place, 'a readable value', 'an error while reading it', { cause: error });
}

/** What a function returns may contain itself, too. */
function tooDeep(operator: string, path: string) {
  const place = { operator, field: shorten(path) };
  return fieldError('ERR_INVALID_ARGUMENT', place, `no more than ${maxLevels} levels of objects`, 'more');
}

/** False for objects of a class. An object of another realm has that realm's Object.prototype. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return typeof prototype !== 'object' || prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** True for `{ dataType, sizes }`. */
function isDescription(value: object): boolean {
  return typeof Reflect.get(value, 'dataType') === 'string' && Array.isArray(Reflect.get(value, 'sizes'));
}

/** Replaces what is neither a plain object or array nor a primitive value. `path` is that of the tree, such as `args[0]`. */
export function mapTree(
  tree: unknown,
  path: string,
  replace: (leaf: object, path: string) => unknown,
  operator = 'jit',
): unknown {
  try {
    return mapLevel(tree, path, replace, operator, 0);
  } catch (error) {
    throw unreadable(error, { operator, field: path });
  }
}

function mapLevel(
  tree: unknown,
  path: string,
  replace: (leaf: object, path: string) => unknown,
  operator: string,
  level: number,
): unknown {
  if (typeof tree !== 'object' || tree === null) return tree;
  if (level > maxLevels) throw tooDeep(operator, path);
  if (Array.isArray(tree)) return tree.map((each, i) => mapLevel(each, `${path}[${i}]`, replace, operator, level + 1));
  if (!isPlain(tree) || isDescription(tree)) return replace(tree, path);
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(tree)) {
    const part = /^[\p{L}_$][\p{L}\d_$]*$/u.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
    const value = mapLevel(Reflect.get(tree, name), path + part, replace, operator, level + 1);
    define(copy, name, value, 'writable', 'enumerable');
  }
  return copy;
}

/** The tree with what its promises give. */
export async function settleTree(tree: unknown, operator?: string): Promise<unknown> {
  const promises: Promise<unknown>[] = [];
  mapTree(tree, 'result', (leaf) => types.isPromise(leaf) && promises.push(leaf), operator);
  if (promises.length === 0) return tree;
  const settled: unknown[] = await Promise.all(promises);
  const found = new Map(promises.map((promise, i) => [promise, settled[i]]));
  return mapTree(tree, '', (leaf) => (types.isPromise(leaf) ? found.get(leaf) : leaf), operator);
}

/** Calls a function of the program. Returns its result with what its promises give. */
export async function settleResult(
  fn: (...args: readonly unknown[]) => unknown,
  args: readonly unknown[],
  operator: string,
): Promise<unknown> {
  const returned = fn(...args);
  // To await it would throw a TypeError.
  if (isRevoked(returned)) throw revoked(operator, 'result');
  return settleTree(await returned, operator);
}

export function revoked(operator: string, field: string): DirectMLError {
  return fieldError('ERR_INVALID_ARGUMENT', { operator, field }, 'a readable value', 'a revoked proxy');
}

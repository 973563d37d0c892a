/** The weights of layers: by the names that PyTorch gives them, flat as in files or in a tree. */
import { floatOf } from '../array/values.js';
import type { Tensor } from '../api/memory/tensor.js';
import { Value } from '../graph/value.js';
import { argumentError, argumentObject, readArguments } from '../values/arguments.js';

/** A tree in itself would have no end. */
const mostLevels = 64;

/** Weights by name, and groups of them. */
export interface WeightTree {
  readonly [name: string]: Tensor | WeightTree;
}

/**
 * The tree of weights with names such as `encoder.0.weight`, as `loadSafetensors` gives those of a PyTorch module: the tree has
 * them at `encoder[0].weight`.
 */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the caller knows the names in the file
export function nested<Tree = WeightTree>(named: Readonly<Record<string, Tensor>>): Tree {
  const root = Object.create(null) as Record<string, unknown>;
  for (const [name, tensor] of Object.entries(argumentObject('nested', 'named', named))) {
    const parts = name.split('.');
    let group = root;
    for (const part of parts.slice(0, -1)) {
      group[part] ??= Object.create(null);
      if (!isGroup(group[part])) throw argumentError('nested', 'named', `no weight ${part} beside ${name}`, named);
      group = group[part];
    }
    const last = parts.at(-1) ?? '';
    if (group[last] !== undefined) throw argumentError('nested', 'named', `${name} once`, named);
    group[last] = tensor;
  }
  return root as Tree;
}

/** The reverse of `nested`: weights by names with points, as `saveSafetensors` takes them. */
export function named(tree: unknown): Record<string, Tensor> {
  const found = Object.create(null) as Record<string, Tensor>;
  const visit = (group: object, path: string, level: number): void => {
    if (level > mostLevels) throw argumentError('named', 'tree', `no more than ${mostLevels} levels of groups`, tree);
    for (const [name, value] of Object.entries(group)) {
      const whole = `${path}${name}`;
      if (isGroup(value)) visit(value, `${whole}.`, level + 1);
      else if (whole in found) throw argumentError('named', 'tree', `${whole} once`, tree);
      else found[whole] = value as Tensor;
    }
  };
  visit(argumentObject('named', 'tree', tree), '', 1);
  return found;
}

/** An object or an array in a tree: no tensor. */
function isGroup(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** The weights of a layer as floats. Others than those of these names are an error. */
export function weightsOf<Name extends string>(
  method: string,
  weights: unknown,
  required: readonly Name[],
  optional: readonly Name[] = [],
): Partial<Record<Name, Value<'float32'>>> {
  const read = readArguments(method, 'weights', argumentObject(method, 'weights', weights), [...required, ...optional]);
  const found: Partial<Record<Name, Value<'float32'>>> = {};
  for (const name of [...required, ...optional]) {
    const given = read.get(name);
    if (given === undefined || given === null) {
      if (required.includes(name)) throw argumentError(method, `weights.${name}`, 'a tensor', given);
    } else if (Value.is(given)) found[name] = floatOf(method, given) as Value<'float32'>;
    else throw argumentError(method, `weights.${name}`, 'a tensor', given);
  }
  return found;
}

/** Functions that add nodes to a graph if values are among their arguments, and otherwise run such a graph. */
import { Value } from '../../graph/value.js';
import { argumentError } from '../../values/arguments.js';
import { fromCaller, fromCallerNow } from '../call-site.js';
import type { DeviceContext } from '../device-context.js';
import { contextOfBuffer } from '../memory/buffer.js';
import { Tensor } from '../memory/tensor.js';
import { outsideScopes } from '../scope.js';
import { graphIn, type Graph } from './graph.js';
import { jit, type JitOptions } from './jit.js';
import { mapTree, settleTree } from './jit-trees.js';

type Fn = (...args: readonly unknown[]) => unknown;

/** How a function of that name says what it takes. */
interface Words {
  readonly method: string;
  readonly argument: string;
  readonly expected: string;
}

/**
 * `work` with tensors, too: each set of layouts is compiled once, as by `device.jit`, and `traced` is the work then. Promises of
 * tensors are awaited.
 */
export function onTensorsToo({ method, argument, expected }: Words, options: JitOptions, work: Fn, traced = work): Fn {
  const compiled = new WeakMap<DeviceContext, Fn>();
  const run = async (given: readonly unknown[]): Promise<unknown> => {
    const args = await Promise.all(given.map((arg) => settleTree(arg, method)));
    const context = contextOfTree(args);
    if (context === undefined) throw argumentError(method, argument, expected, args[0]);
    const made = () => jit(context, (...own: readonly unknown[]) => traced(...own), options);
    const known = compiled.get(context) ?? outsideScopes(made);
    compiled.set(context, known);
    return known(...args);
  };
  return (...args) => {
    const graph = fromCallerNow(() => graphOfTree(args));
    return graph === null ? fromCaller(() => run(args)) : fromCallerNow(() => work(...args));
  };
}

/** The graph of the first value among the arguments. */
export function graphOfTree(args: readonly unknown[]): Graph | null {
  return graphIn(valuesIn(args));
}

export function valuesIn(tree: unknown): readonly Value[] {
  const values: Value[] = [];
  mapTree(tree, 'args', (leaf) => Value.is(leaf) && values.push(leaf));
  return values;
}

function contextOfTree(args: readonly unknown[]): DeviceContext | undefined {
  let found: DeviceContext | undefined;
  mapTree(args, 'args', (leaf) => {
    if (Tensor.is(leaf)) found ??= contextOfBuffer(leaf.buffer);
  });
  return found;
}

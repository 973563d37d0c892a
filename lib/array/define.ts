/** What all functions of arrays do: with values they add nodes to a graph; with tensors they run such a graph. */
import { types } from 'node:util';
import { fromCaller, fromCallerNow } from '../api/call-site.js';
import type { DeviceContext } from '../api/device-context.js';
import { graphIn, type Graph } from '../api/graphs/graph.js';
import { jit } from '../api/graphs/jit.js';
import type { JitFunction } from '../api/graphs/jit-types.js';
import { mapTree, settleTree } from '../api/graphs/jit-trees.js';
import { contextOfBuffer } from '../api/memory/buffer.js';
import { Tensor } from '../api/memory/tensor.js';
import { elementWiseIdentity as identity } from '../functions/index.js';
import { Value } from '../graph/value.js';
import { argumentError } from '../values/arguments.js';

/** Takes values and numbers in the places of arrays, and returns values. */
type Build = (...args: never[]) => unknown;
type Call = (...args: readonly unknown[]) => unknown;

/** So many graphs of each function are kept for each device: one for each set of layouts, numbers and options. */
const limit = 256;

/** The function that computes with tensors, promises of them, and values what `build` does with values. */
export function define(name: string, build: Build): Call {
  const byDevice = new WeakMap<DeviceContext, JitFunction<readonly unknown[], unknown>>();
  const run = async (given: readonly unknown[]): Promise<unknown> => {
    const args = await Promise.all(given.map((arg) => settleTree(arg, name)));
    const context = contextOf(args);
    if (context === undefined) throw argumentError(name, 'x', 'a tensor', args[0]);
    const known =
      byDevice.get(context) ?? jit(context, (...own: readonly unknown[]) => (build as Call)(...own), { label: name, limit });
    byDevice.set(context, known);
    return known(...args);
  };
  return (...args) => {
    const graph = graphOf(args);
    if (graph === null) return fromCaller(() => run(args));
    return fromCallerNow(() => (build as Call)(...args.map((arg) => mapTree(arg, name, (leaf) => asValue(graph, leaf)))));
  };
}

/** A tensor or a value, whose views have the same methods. */
export type Viewed = Tensor | Value;

/**
 * The function that returns a view of its first argument: null from `view` means that the elements do not lie so
 * that there is one, and then it returns one of a packed copy.
 */
export function defineView(name: string, view: (x: Viewed, ...rest: readonly unknown[]) => Viewed | null): Call {
  const ofTensor = async (given: unknown, rest: readonly unknown[]): Promise<Viewed | null> => {
    const x = await given;
    if (!Tensor.is(x)) throw argumentError(name, 'x', 'a tensor', x);
    return view(x, ...rest) ?? view(await identity(x), ...rest);
  };
  return (x, ...rest) =>
    Value.is(x) ? fromCallerNow(() => view(x, ...rest) ?? view(identity(x), ...rest)) : fromCaller(() => ofTensor(x, rest));
}

function asValue(graph: Graph, leaf: object): object {
  return Tensor.is(leaf) ? graph.constantOf(leaf) : leaf;
}

function graphOf(args: readonly unknown[]): Graph | null {
  const values: unknown[] = [];
  for (const arg of args) {
    if (typeof arg !== 'object' || arg === null || types.isPromise(arg)) continue;
    mapTree(arg, 'args', (leaf) => values.push(leaf));
  }
  return graphIn(values);
}

function contextOf(args: readonly unknown[]): DeviceContext | undefined {
  let found: DeviceContext | undefined;
  mapTree(args, 'args', (leaf) => {
    if (Tensor.is(leaf)) found ??= contextOfBuffer(leaf.buffer);
  });
  return found;
}

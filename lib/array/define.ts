/** What all functions of arrays do: with values they add nodes to a graph; with tensors they run such a graph. */
import { types } from 'node:util';
import { fromCaller, fromCallerNow } from '../api/call-site.js';
import { mapTree } from '../api/graphs/jit-trees.js';
import { graphOfTree, onTensorsToo } from '../api/graphs/on-tensors.js';
import { Tensor } from '../api/memory/tensor.js';
import { elementWiseIdentity as identity } from '../functions/index.js';
import { Value } from '../graph/value.js';
import { argumentError } from '../values/arguments.js';
import { inTensorWords, inWordsOf } from './inner-errors.js';

/** Takes values and numbers in the places of arrays, and returns values. */
type Build = (...args: never[]) => unknown;
type Call = (...args: readonly unknown[]) => unknown;

/** So many graphs of each function are kept for each device: one for each set of layouts, numbers and options. */
const limit = 256;

/** What functions of any number of arrays say of none. */
export const several = { argument: 'arrays', expected: 'an array of tensors' };

/** How many functions are adding nodes: those that they call have values, too. */
let building = 0;

/** The function that computes with tensors, promises of them, and values what `build` does with values. */
export function define(name: string, build: Build, words = { argument: 'x', expected: 'a tensor' }): Call {
  const add: Call = (...args) => {
    const graph = graphOfTree(args);
    const valued = args.map((arg) => mapTree(arg, name, (leaf) => (Tensor.is(leaf) ? graph?.constantOf(leaf) : leaf)));
    building += 1;
    try {
      return inWordsOf(name, () => (build as Call)(...valued));
    } finally {
      building -= 1;
    }
  };
  const call = onTensorsToo({ method: name, ...words }, { label: name, limit }, add, (...args) =>
    inTensorWords(() => add(...args)),
  );
  return (...args) => {
    // Its error would come later, when nobody waits for it.
    if (building > 0 && !hasArray(args)) throw argumentError(name, words.argument, words.expected, args[0]);
    return call(...args);
  };
}

function hasArray(args: readonly unknown[]): boolean {
  let has = false;
  mapTree(args, 'args', (leaf) => (has ||= Tensor.is(leaf) || Value.is(leaf) || types.isPromise(leaf)));
  return has;
}

/** A tensor or a value, whose views have the same methods. */
export type Viewed = Tensor | Value;

/**
 * The function that returns a view of its first argument: null from `view` means that the elements do not lie so
 * that there is one, and then it returns one of a packed copy.
 */
export function defineView(name: string, view: (x: Viewed, ...rest: readonly unknown[]) => Viewed | null): Call {
  const of = (x: Viewed, rest: readonly unknown[]) => inWordsOf(name, () => view(x, ...rest));
  const ofTensor = async (given: unknown, rest: readonly unknown[]): Promise<Viewed | null> => {
    const x = await given;
    if (!Tensor.is(x)) throw argumentError(name, 'x', 'a tensor', x);
    return of(x, rest) ?? of(await identity(x), rest);
  };
  return (x, ...rest) =>
    Value.is(x) ? fromCallerNow(() => of(x, rest) ?? of(identity(x), rest)) : fromCaller(() => ofTensor(x, rest));
}

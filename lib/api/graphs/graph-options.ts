/** The options of `compileGraph`. */
import { readConstants, type GivenConstants } from './graph-constants.js';
import { readShared, type ReadOptions } from '../operators/compile-options.js';

/** `constants` has data and tensors by name. */
export function readGraphOptions(method: string, options: unknown): ReadOptions & { readonly constants: GivenConstants } {
  const { read, shared } = readShared(method, options, ['constants']);
  const constants = readConstants({ operator: method, field: 'options.constants' }, read.get('constants') ?? {});
  return { ...shared, constants };
}

/** The options of graphs. */
import type { Optimize } from '../../graph/optimize.js';
import { argumentError } from '../../values/arguments.js';
import { readShared, type ExecutionOptions, type ReadOptions } from '../operators/compile-options.js';
import { readConstants, type GivenConstants } from './graph-constants.js';

/** Options of {@link Graph.compile}. */
export interface GraphOptions extends ExecutionOptions {
  /** How the graph is improved first. Default: `'exact'`. */
  readonly optimize?: Optimize | undefined;
}

export interface ReadGraphOptions extends ReadOptions {
  readonly optimize: Optimize;
}

export function readGraphOptions(method: string, options: unknown): ReadGraphOptions {
  const { read, shared } = readShared(method, options, ['optimize']);
  return { ...shared, optimize: optimizeOf(method, read.get('optimize')) ?? 'exact' };
}

/** `constants` has data and tensors by name. */
export function readDescriptorOptions(
  method: string,
  options: unknown,
): ReadGraphOptions & { readonly constants: GivenConstants } {
  const { read, shared } = readShared(method, options, ['constants', 'optimize']);
  const constants = readConstants({ operator: method, field: 'options.constants' }, read.get('constants') ?? {});
  return { ...shared, constants, optimize: optimizeOf(method, read.get('optimize')) ?? 'exact' };
}

/** @throws {DirectMLError} ERR_INVALID_ARGUMENT for what is no value of the option. */
export function optimizeOf(method: string, value: unknown): Optimize | undefined {
  if (value === undefined || value === 'exact' || value === 'fast' || value === false) return value;
  throw argumentError(method, 'options.optimize', "'exact', 'fast' or false", value);
}

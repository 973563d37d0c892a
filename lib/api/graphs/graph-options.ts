/** The options of graphs. */
import type { GraphPrecision } from '../../graph/improve/index.js';
import { argumentError } from '../../validation/arguments.js';
import { readShared, type ExecutionOptions, type ReadOptions } from '../operators/compile-options.js';
import { readConstants, type GivenConstants } from './graph-constants.js';

/**
 * How a graph is improved before it is compiled. `'exact'` changes no bit of the outputs: equal nodes are one. `'fast'` also joins
 * operators that DirectML computes at once, so that results differ by roundings and signs of zero: layer normalization and gelu of
 * many nodes, factors and addends, biases and activations. A constant of one number may then become a parameter. False compiles
 * the graph as it was written.
 */
export type Optimize = 'exact' | 'fast' | false;

/** Options of {@link Graph.compile}. */
export interface GraphOptions extends ExecutionOptions {
  /** How the graph is improved first. Default: `'exact'`. */
  readonly optimize?: Optimize | undefined;
}

export interface ReadGraphOptions extends ReadOptions {
  readonly precision: GraphPrecision | null;
}

export function readGraphOptions(method: string, options: unknown): ReadGraphOptions {
  const { read, shared } = readShared(method, options, ['optimize']);
  return { ...shared, precision: precisionOf(method, read.get('optimize')) };
}

/** `constants` has data and tensors by name. */
export function readDescriptorOptions(
  method: string,
  options: unknown,
): ReadGraphOptions & { readonly constants: GivenConstants } {
  const { read, shared } = readShared(method, options, ['constants', 'optimize']);
  const constants = readConstants({ operator: method, field: 'options.constants' }, read.get('constants') ?? {});
  return { ...shared, constants, precision: precisionOf(method, read.get('optimize')) };
}

/** Null for a graph as it was written. @throws {DirectMLError} ERR_INVALID_ARGUMENT. */
export function precisionOf(method: string, optimize: unknown): GraphPrecision | null {
  if (optimize === undefined || optimize === 'exact') return 'exact';
  if (optimize === 'fast') return optimize;
  if (optimize === false) return null;
  throw argumentError(method, 'options.optimize', "'exact', 'fast' or false", optimize);
}

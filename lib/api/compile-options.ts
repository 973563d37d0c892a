/** The options of `compile`: DML_EXECUTION_FLAGS, and bindings of the weights that DirectML owns. */
import type { CompileFlags } from '../backends/backend.js';
import { booleanOption, readOptions } from '../validation/arguments.js';
import type { Bindings } from './bindings.js';
import { readConstants } from './graph-constants.js';

/** DML_EXECUTION_FLAGS, each false by default. */
export interface ExecutionOptions {
  /** Allows float32 operators to compute in float16 if that is faster. */
  readonly allowHalfPrecisionComputation?: boolean | undefined;
  /** Uses only DirectML's own shaders, no metacommands of the driver. */
  readonly disableMetacommands?: boolean | undefined;
  /** Direct3D descriptors are read when the work runs, not when it is recorded. */
  readonly descriptorsVolatile?: boolean | undefined;
}

/** Options of {@link Device.compile}: DML_EXECUTION_FLAGS, each false by default, and bindings of weights. */
export interface CompileOptions<Weights extends Bindings = Bindings> extends ExecutionOptions {
  /**
   * By field name, a binding for each input of the descriptor with the flags `'ownedByDml'`. DirectML reads these weights
   * once, while the operator is initialized, and may copy them into another layout. Do not change their memory before the
   * promise of `compile` resolves; afterwards it is no longer needed. A dispatch does not bind them.
   */
  readonly initializationInputs?: Weights | undefined;
}

/** No DML_EXECUTION_FLAGS. */
export const noFlags = { allowHalfPrecisionComputation: false, disableMetacommands: false, descriptorsVolatile: false };

const flagNames = ['allowHalfPrecisionComputation', 'disableMetacommands', 'descriptorsVolatile'] as const;

type Flags = CompileFlags & Readonly<Record<string, boolean>>;

export function readCompileOptions(options: unknown): { flags: Flags; initializationInputs: unknown } {
  const read = readOptions('compile', options, [...flagNames, 'initializationInputs'] as const);
  return { flags: flagsOf('compile', read), initializationInputs: read.get('initializationInputs') ?? {} };
}

/** Reads options that are flags only. */
export function readFlags(method: string, options: unknown): Flags {
  return flagsOf(method, readOptions(method, options, flagNames));
}

/** The options of `compileGraph`. `constants` has data and tensors by name. */
export function readGraphOptions(method: string, options: unknown): { flags: Flags; constants: ReadonlyMap<string, unknown> } {
  const read = readOptions(method, options, [...flagNames, 'constants'] as const);
  const constants = readConstants({ operator: method, field: 'options.constants' }, read.get('constants') ?? {});
  return { flags: flagsOf(method, read), constants };
}

function flagsOf(method: string, read: ReadonlyMap<string, unknown>): Flags {
  const flag = (name: (typeof flagNames)[number]) => booleanOption(method, name, read.get(name));
  return {
    allowHalfPrecisionComputation: flag('allowHalfPrecisionComputation'),
    disableMetacommands: flag('disableMetacommands'),
    descriptorsVolatile: flag('descriptorsVolatile'),
  };
}

/** The options of `compile`: DML_EXECUTION_FLAGS, and bindings of the weights that DirectML owns. */
import type { CompileFlags } from '../../backends/backend.js';
import { booleanOption, labelOption, readOptions } from '../../values/arguments.js';
import { waitOf, type Wait, type WaitOptions } from '../abortable.js';
import type { Bindings } from './bindings.js';

/**
 * A label, and DML_EXECUTION_FLAGS, each false by default. If `signal` ends the wait, what is compiled is released when it is
 * ready.
 */
export interface ExecutionOptions extends WaitOptions {
  /** Name of the compiled operator or graph in error messages and in {@link Device.profile}. Default: `''`. */
  readonly label?: string | undefined;
  /** Allows float32 operators to compute in float16 if that is faster. */
  readonly allowHalfPrecisionComputation?: boolean | undefined;
  /** Uses only DirectML's own shaders, no metacommands of the driver. */
  readonly disableMetacommands?: boolean | undefined;
}

/** Options of {@link Device.compile}: a label, DML_EXECUTION_FLAGS, each false by default, and bindings of weights. */
export interface CompileOptions<Weights extends Bindings = Bindings> extends ExecutionOptions {
  /**
   * By field name, a binding for each input of the descriptor with the flags `'ownedByDml'`. DirectML gets the contents of
   * these weights at the time of the `compile` call, and may copy them into another layout. Later commands do not change them,
   * and you may free the memory. Do not bind them at a dispatch.
   */
  readonly initializationInputs?: Weights | undefined;
}

/** No DML_EXECUTION_FLAGS. */
export const noFlags = { allowHalfPrecisionComputation: false, disableMetacommands: false };

const flagNames = ['allowHalfPrecisionComputation', 'disableMetacommands'] as const;
const sharedNames = ['label', 'signal', ...flagNames] as const;

type Flags = CompileFlags & Readonly<Record<string, boolean>>;

/** The options that operators and graphs share. */
export interface ReadOptions {
  readonly label: string;
  readonly flags: Flags;
  readonly wait: Wait | null;
}

export function readCompileOptions(options: unknown): ReadOptions & { readonly initializationInputs: unknown } {
  const { read, shared } = readShared('compile', options, ['initializationInputs']);
  return { ...shared, initializationInputs: read.get('initializationInputs') ?? {} };
}

export function readExecutionOptions(method: string, options: unknown): ReadOptions {
  return readShared(method, options, []).shared;
}

/** Reads the options that operators and graphs share, and those with the names `own`. */
export function readShared<Name extends string>(method: string, options: unknown, own: readonly Name[]) {
  const read = readOptions(method, options, [...sharedNames, ...own]);
  const label = labelOption(method, read.get('label'));
  const flags = flagsOf(method, read);
  const wait = waitOf(method, read.get('signal'), 'what the device compiles is released when it is ready');
  const shared: ReadOptions = { label, flags, wait };
  return { read, shared };
}

function flagsOf(method: string, read: ReadonlyMap<string, unknown>): Flags {
  const flag = (name: (typeof flagNames)[number]) => booleanOption(method, name, read.get(name));
  return {
    allowHalfPrecisionComputation: flag('allowHalfPrecisionComputation'),
    disableMetacommands: flag('disableMetacommands'),
  };
}

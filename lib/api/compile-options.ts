/** The options of `compile`: DML_EXECUTION_FLAGS, and bindings of the weights that DirectML owns. */
import type { CompileFlags } from '../backends/backend.js';
import { booleanOption, readOptions } from './arguments.js';
import type { Bindings } from './bindings.js';

/** Options of {@link Device.compile}: DML_EXECUTION_FLAGS, each false by default, and bindings of weights. */
export interface CompileOptions<Weights extends Bindings = Bindings> {
  /** Allows float32 operators to compute in float16 if that is faster. */
  readonly allowHalfPrecisionComputation?: boolean | undefined;
  /** Uses only DirectML's own shaders, no metacommands of the driver. */
  readonly disableMetacommands?: boolean | undefined;
  /** Direct3D descriptors are read when the work runs, not when it is recorded. */
  readonly descriptorsVolatile?: boolean | undefined;
  /**
   * By field name, a binding for each input of the descriptor with the flags `'ownedByDml'`. DirectML reads these weights
   * once, while the operator is initialized, and may copy them into another layout. Do not change their memory before the
   * promise of `compile` resolves; afterwards it is no longer needed. A dispatch does not bind them.
   */
  readonly initializationInputs?: Weights | undefined;
}

/** No DML_EXECUTION_FLAGS. */
export const noFlags = { allowHalfPrecisionComputation: false, disableMetacommands: false, descriptorsVolatile: false };

export function readCompileOptions(options: unknown): {
  flags: CompileFlags & Readonly<Record<string, boolean>>;
  initializationInputs: unknown;
} {
  const flagNames = ['allowHalfPrecisionComputation', 'disableMetacommands', 'descriptorsVolatile'] as const;
  const read = readOptions('compile', options, [...flagNames, 'initializationInputs'] as const);
  const flag = (name: (typeof flagNames)[number]) => booleanOption('compile', name, read.get(name));
  return {
    flags: {
      allowHalfPrecisionComputation: flag('allowHalfPrecisionComputation'),
      disableMetacommands: flag('disableMetacommands'),
      descriptorsVolatile: flag('descriptorsVolatile'),
    },
    initializationInputs: read.has('initializationInputs') ? read.get('initializationInputs') : {},
  };
}

/** The options of `compile`: DML_EXECUTION_FLAGS, and the weights that DirectML takes over. */
import type { CompileFlags } from '../backends/backend.js';
import { booleanOption, readOptions } from './arguments.js';
import type { Bindings } from './bindings.js';

/** DML_EXECUTION_FLAGS, all false by default, and the weights. */
export interface CompileOptions<Weights extends Bindings = Bindings> {
  /** Lets float32 operators compute with float16 where that is faster. */
  readonly allowHalfPrecisionComputation?: boolean | undefined;
  /** Keeps to DirectML's own shaders, without those of the driver. */
  readonly disableMetacommands?: boolean | undefined;
  /** Reads descriptors when the work runs, not when it is recorded. */
  readonly descriptorsVolatile?: boolean | undefined;
  /**
   * The weights that DirectML takes over: a binding for each input of the descriptor whose flags are `'ownedByDml'`, by
   * field name. DirectML reads them once and may keep them in a layout of its own. Leave their memory unchanged until
   * the promise resolves; it is not needed afterwards. No dispatch binds them.
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

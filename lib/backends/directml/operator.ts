/** Compiled operators of the addon. */
import type { NativeOperator } from '../../../binding.js';
import type { BackendDispatchable, BoundRanges } from '../backend.js';
import { DirectMLGraph } from './graph.js';
import { attempt } from './native-error.js';

export class DirectMLOperator implements BackendDispatchable {
  readonly native: NativeOperator;
  readonly type: string;

  constructor(native: NativeOperator, type: string) {
    this.native = native;
    this.type = type;
  }

  /** What a dispatch binds: these tensors. */
  bind(ranges: BoundRanges): BoundRanges {
    return ranges;
  }

  dispose(): void {
    attempt(() => this.native.dispose());
  }
}

/** The operator or graph that a dispatchable of this backend is. */
export function compiledOf(dispatchable: BackendDispatchable): DirectMLOperator | DirectMLGraph {
  if (dispatchable instanceof DirectMLOperator || dispatchable instanceof DirectMLGraph) return dispatchable;
  throw new TypeError('the operator belongs to another backend');
}

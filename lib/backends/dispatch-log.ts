/** A recording that records its dispatches again at each replay. */
import type { Backend, BackendDispatch, BackendRecording } from './backend.js';

export class DispatchLog implements BackendRecording {
  readonly #backend: Backend;
  readonly #dispatches: readonly BackendDispatch[];

  constructor(backend: Backend, dispatches: readonly BackendDispatch[]) {
    this.#backend = backend;
    this.#dispatches = dispatches;
  }

  replay(): void {
    for (const { dispatchable, inputs, outputs } of this.#dispatches) this.#backend.dispatch(dispatchable, inputs, outputs);
  }

  dispose(): void {
    // Holds no resources.
  }
}

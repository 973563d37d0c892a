/** A recording that records its dispatches again at each replay. */
import type { Backend, BackendRecording, DispatchCommand } from './backend.js';

export class DispatchLog implements BackendRecording {
  readonly #backend: Backend;
  readonly #commands: readonly DispatchCommand[];

  constructor(backend: Backend, commands: readonly DispatchCommand[]) {
    this.#backend = backend;
    this.#commands = commands;
  }

  replay(): void {
    for (const command of this.#commands) this.#backend.dispatch(command);
  }

  dispose(): void {
    // Holds no resources.
  }
}

/** A recording that records its commands again at each replay. */
import { isTextureCopy, type Backend, type BackendRecording, type Command } from './backend.js';

export class DispatchLog implements BackendRecording {
  readonly #backend: Backend;
  readonly #commands: readonly Command[];

  constructor(backend: Backend, commands: readonly Command[]) {
    this.#backend = backend;
    this.#commands = commands;
  }

  replay(): void {
    for (const command of this.#commands) {
      if (isTextureCopy(command)) this.#backend.sharing?.copyTexture(command);
      else this.#backend.dispatch(command);
    }
  }

  dispose(): void {
    // Holds no resources.
  }
}

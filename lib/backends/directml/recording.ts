/** Recordings whose command lists DirectML's device executes again and again. */
import type { NativeDevice, NativeRecording } from '../../../binding.js';
import { isTextureCopy, type BackendRecording, type Command } from '../backend.js';
import { DirectMLGraph } from './graph.js';
import { compiledOf } from './operator.js';
import { rowsOf } from './ranges.js';
import { nativeTexture } from './sharing.js';

export class DirectMLRecording implements BackendRecording {
  readonly #device: NativeDevice;
  readonly #commands: readonly Command[];
  /** A graph binds other tensors after it was initialized again. */
  readonly #graphs: ReadonlySet<DirectMLGraph>;
  #native: NativeRecording;
  /** The sum of the graphs' counts of initializations when the native recording was made. */
  #initializations: number;

  constructor(device: NativeDevice, commands: readonly Command[]) {
    this.#device = device;
    this.#commands = commands;
    this.#graphs = new Set(commands.flatMap(graphsOf));
    this.#native = this.#create();
    this.#initializations = this.#countInitializations();
  }

  replay(): void {
    const count = this.#countInitializations();
    if (count !== this.#initializations) {
      this.#native.dispose();
      this.#native = this.#create();
      this.#initializations = count;
    }
    this.#device.replay(this.#native);
  }

  dispose(): void {
    this.#native.dispose();
  }

  #create(): NativeRecording {
    const natives = this.#commands.map((command) =>
      isTextureCopy(command) ? nativeTexture(command.texture) : compiledOf(command.dispatchable).native,
    );
    const bound = this.#commands.map((command) =>
      isTextureCopy(command) ? command : compiledOf(command.dispatchable).bind(command),
    );
    return this.#device.createRecording(natives, rowsOf(bound));
  }

  #countInitializations(): number {
    let count = 0;
    for (const { initializations } of this.#graphs) count += initializations;
    return count;
  }
}

function graphsOf(command: Command): DirectMLGraph[] {
  return !isTextureCopy(command) && command.dispatchable instanceof DirectMLGraph ? [command.dispatchable] : [];
}

/** Recordings whose command lists DirectML's device executes again and again. */
import type { NativeDevice, NativeRecording, NativeOperator } from '../../../binding.js';
import type { BackendRecording } from '../backend.js';
import type { DirectMLGraph } from './graph.js';
import { rowsOfAll, type BoundTensors } from './ranges.js';

/** A dispatch of a recording. A graph binds other tensors after it was initialized again. */
export interface RecordingEntry {
  readonly operator: NativeOperator;
  readonly bind: () => BoundTensors;
  readonly graph: DirectMLGraph | null;
}

export class DirectMLRecording implements BackendRecording {
  readonly #device: NativeDevice;
  readonly #entries: readonly RecordingEntry[];
  readonly #graphs: ReadonlySet<DirectMLGraph>;
  #native: NativeRecording;
  /** The sum of the graphs' counts of initializations when the native recording was made. */
  #initializations: number;

  constructor(device: NativeDevice, entries: readonly RecordingEntry[]) {
    this.#device = device;
    this.#entries = entries;
    this.#graphs = new Set(entries.flatMap(({ graph }) => (graph === null ? [] : [graph])));
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
    const operators = this.#entries.map(({ operator }) => operator);
    return this.#device.createRecording(operators, rowsOfAll(this.#entries.map(({ bind }) => bind())));
  }

  #countInitializations(): number {
    let count = 0;
    for (const { initializations } of this.#graphs) count += initializations;
    return count;
  }
}

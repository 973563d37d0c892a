/** Frames whose command lists DirectML's device executes again and again. */
import type { NativeDevice, NativeFrame, NativeOperator } from '../../../binding.js';
import type { BackendFrame } from '../backend.js';
import type { DirectMLGraph } from './graph.js';
import { rowsOfAll, type BoundTensors } from './ranges.js';

/** A dispatch of a frame. A graph binds other tensors after it was initialized again. */
export interface FrameEntry {
  readonly operator: NativeOperator;
  readonly bind: () => BoundTensors;
  readonly graph: DirectMLGraph | null;
}

export class DirectMLFrame implements BackendFrame {
  readonly #device: NativeDevice;
  readonly #entries: readonly FrameEntry[];
  readonly #graphs: ReadonlySet<DirectMLGraph>;
  #native: NativeFrame;
  /** The sum of the graphs' counts of initializations when the native frame was made. */
  #initializations: number;

  constructor(device: NativeDevice, entries: readonly FrameEntry[]) {
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

  #create(): NativeFrame {
    const operators = this.#entries.map(({ operator }) => operator);
    return this.#device.createFrame(operators, rowsOfAll(this.#entries.map(({ bind }) => bind())));
  }

  #countInitializations(): number {
    let count = 0;
    for (const { initializations } of this.#graphs) count += initializations;
    return count;
  }
}

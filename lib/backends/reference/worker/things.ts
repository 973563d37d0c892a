/** Operators, graphs and recordings that are in the worker, by their number. */
import type {
  BackendDispatchable,
  BackendRecording,
  BackendGraph,
  BoundRanges,
  DispatchCommand,
  GraphMemory,
} from '../../backend.js';
import { commands } from './protocol.js';
import type { Recorder } from './recorder.js';
import { buffersOf, type SharedBuffer } from './shared-buffer.js';

abstract class Thing {
  readonly number: number;
  readonly #recorder: Recorder;

  constructor(recorder: Recorder, number: number) {
    this.#recorder = recorder;
    this.number = number;
    recorder.watch(this, number);
  }

  dispose(): void {
    this.#recorder.unwatch(this);
    this.#recorder.release(this.number);
  }
}

/** Whatever can be dispatched. */
export class WorkerOperator extends Thing implements BackendDispatchable {
  /** What the operator or graph owns: nobody else has these buffers. */
  #buffers: readonly SharedBuffer[];
  /** What every dispatch reads besides its bindings, and others may write. */
  reads: readonly SharedBuffer[] = [];

  constructor(recorder: Recorder, number: number, buffers: readonly SharedBuffer[]) {
    super(recorder, number);
    this.#buffers = buffers;
  }

  replaceBuffers(buffers: readonly SharedBuffer[]): void {
    for (const buffer of this.#buffers) buffer.dispose();
    this.#buffers = buffers;
  }

  override dispose(): void {
    super.dispose();
    this.replaceBuffers([]);
    this.reads = [];
  }
}

export class WorkerGraph extends WorkerOperator implements BackendGraph {
  readonly memory: GraphMemory;
  /** By constant, whether every dispatch reads the memory that was given. */
  readonly isShared: readonly boolean[];

  constructor(recorder: Recorder, number: number, constants: readonly SharedBuffer[], isShared: readonly boolean[]) {
    super(recorder, number, constants);
    this.isShared = isShared;
    const bytes = constants.reduce((sum, { sizeInBytes }) => sum + sizeInBytes, 0);
    this.memory = { temporary: 0, persistent: 0, constants: bytes };
  }
}

export class WorkerRecording extends Thing implements BackendRecording {
  readonly #recorder: Recorder;
  /** Also keeps them alive. */
  readonly #buffers: readonly SharedBuffer[];
  readonly #outputs: BoundRanges['outputs'];
  readonly #operators: ReadonlySet<WorkerOperator>;

  constructor(recorder: Recorder, dispatched: readonly DispatchCommand[]) {
    for (const { inputs, outputs } of dispatched) recorder.announce([...inputs, ...outputs]);
    const all = dispatched.map((command) => ({ operator: operatorOf(command.dispatchable), command }));
    const number = recorder.make(commands.recording);
    recorder.add(all.length);
    for (let i = 0; i < all.length; i++) {
      const one = all[i];
      if (one !== undefined) recorder.addDispatch(one.operator, one.command);
    }
    super(recorder, number);
    this.#recorder = recorder;
    this.#buffers = [...new Set(dispatched.flatMap(({ inputs, outputs }) => buffersOf([...inputs, ...outputs])))];
    this.#outputs = dispatched.flatMap(({ outputs }) => outputs);
    this.#operators = new Set(all.map(({ operator }) => operator));
  }

  replay(): void {
    this.#recorder.protect(this.#outputs);
    this.#recorder.begin(commands.replay).add(this.number);
    this.#recorder.use(this.#buffers);
    for (const { reads } of this.#operators) this.#recorder.use(reads);
  }
}

/** The operator or graph that a dispatchable of this backend is. */
export function operatorOf(dispatchable: BackendDispatchable): WorkerOperator {
  if (!(dispatchable instanceof WorkerOperator)) throw new TypeError('the operator belongs to another backend');
  return dispatchable;
}

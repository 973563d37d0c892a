/**
 * The backend in TypeScript, with some inner loops in WebAssembly. It runs where DirectML is not available, and its results are
 * what the real DirectML's are compared with. It executes every command as soon as it is recorded, and so in the recorded order.
 */
import type { DeviceInfo, DeviceLostInfo } from '../device-info.js';
import type { DeviceMemory } from '../device-memory.js';
import type { ResolvedGraph } from '../../graph/resolved-graph.js';
import type { ResolvedOperator } from '../../descriptors/resolved.js';
import {
  simulatedLoss,
  type ReadBytes,
  type Backend,
  type BackendBuffer,
  type BackendDispatchable,
  type BackendRecording,
  type BackendGraph,
  type BufferRange,
  type CompileFlags,
  type ConstantMemory,
  type DispatchCommand,
} from '../backend.js';
import { DispatchLog } from '../dispatch-log.js';
import { BufferBytes } from './buffer-bytes.js';
import { bytesIn, bytesOf, copyOf, copyOfBytes, ReferenceBuffer, share } from './buffer.js';
import { execute } from './execute.js';
import { ReferenceGraph } from './graph.js';
import { memoryWith, referenceInfo } from './info.js';

export function createReferenceBackend(memoryLimit: number | null = null): Backend {
  return new ReferenceBackend(memoryLimit);
}

export class ReferenceBackend implements Backend {
  readonly info: DeviceInfo;
  readonly sharing = null;
  readonly lost: Promise<DeviceLostInfo>;
  readonly #bufferBytes: BufferBytes;
  #lose: (info: DeviceLostInfo) => void = () => undefined;

  constructor(memoryLimit: number | null = null) {
    this.info = referenceInfo(memoryLimit);
    this.#bufferBytes = new BufferBytes(memoryLimit);
    this.lost = new Promise((resolve) => {
      this.#lose = resolve;
    });
  }

  createBuffer(sizeInBytes: number): BackendBuffer {
    return new ReferenceBuffer(sizeInBytes, this.#bufferBytes);
  }

  compile(
    operator: ResolvedOperator,
    _flags: CompileFlags,
    owned: readonly (BufferRange | null)[],
  ): Promise<BackendDispatchable> {
    return Promise.resolve(
      new ReferenceOperator(
        operator,
        owned.map((range) => (range === null ? null : copyOf(range))),
      ),
    );
  }

  compileGraph(graph: ResolvedGraph, _flags: CompileFlags, constants: readonly ConstantMemory[]): Promise<BackendGraph> {
    return Promise.resolve(new ReferenceGraph(graph, constants));
  }

  initializeGraph(graph: BackendGraph, constants: readonly ConstantMemory[]): void {
    if (!(graph instanceof ReferenceGraph)) throw new TypeError('the graph belongs to another backend');
    graph.initialize(constants);
  }

  dispatch(command: DispatchCommand): void {
    const { dispatchable, inputs, outputs } = command;
    if (dispatchable instanceof ReferenceGraph) {
      dispatchable.dispatch(command);
      return;
    }
    if (!(dispatchable instanceof ReferenceOperator)) throw new TypeError('the operator belongs to another backend');
    const boundInputs = inputs.map((range, position) => dispatchable.owned[position] ?? copyIfShared(range, outputs));
    execute(dispatchable.resolved, { inputs: boundInputs, outputs });
  }

  createRecording(commands: readonly DispatchCommand[]): BackendRecording {
    return new DispatchLog(this, commands);
  }

  startProfile(): null {
    return null;
  }

  copy(from: BufferRange, to: BufferRange): void {
    bytesIn(to).set(bytesIn(from));
  }

  write(buffer: BackendBuffer, offset: number, data: Uint8Array): void {
    bytesOf(buffer).set(data, offset);
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- an error has to become a rejection
  async read(buffer: BackendBuffer, offset: number, sizeInBytes: number): Promise<ReadBytes> {
    return { then: undefined, bytes: copyOfBytes(bytesIn({ buffer, offset, sizeInBytes })).buffer };
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- an error has to become a rejection
  async readInto(buffer: BackendBuffer, offset: number, target: Uint8Array): Promise<void> {
    target.set(bytesIn({ buffer, offset, sizeInBytes: target.byteLength }));
  }

  memory(): DeviceMemory {
    return memoryWith(this.#bufferBytes.total);
  }

  onBudgetShrink(): void {
    // There is no adapter, and so no budget.
  }

  submit(): void {
    // Everything has run already.
  }

  async idle(): Promise<void> {
    // Everything has run already.
  }

  async caughtUp(): Promise<void> {
    // Everything has run already.
  }

  simulateLoss(): string {
    this.#lose({ reason: 'unknown', message: simulatedLoss });
    return simulatedLoss;
  }

  dispose(): void {
    this.#lose({ reason: 'destroyed', message: 'the device was disposed' });
  }
}

export class ReferenceOperator implements BackendDispatchable {
  readonly resolved: ResolvedOperator;
  /** Copies of the inputs with `flags: 'ownedByDml'`, by position; null for all others. */
  readonly owned: readonly (BufferRange | null)[];

  constructor(resolved: ResolvedOperator, owned: readonly (BufferRange | null)[]) {
    this.resolved = resolved;
    this.owned = owned;
  }

  dispose(): void {
    // Holds no resources.
  }
}

/** A copy of an input that an output is to overwrite: kernels may write an output before they have read all inputs. */
function copyIfShared(range: BufferRange | null, outputs: readonly (BufferRange | null)[]): BufferRange | null {
  return range !== null && outputs.some((output) => output !== null && share(range, output)) ? copyOf(range) : range;
}

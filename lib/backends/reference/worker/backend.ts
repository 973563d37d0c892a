/**
 * The reference backend with its kernels in a worker thread. Commands are recorded, sent to the worker in batches, and run there in
 * the recorded order. Buffers are in shared memory, so only commands are sent.
 */
import { partOfBytes } from '../../../tensors/bytes.js';
import { DirectMLError } from '../../../values/errors.js';
import type { ResolvedGraph } from '../../../graph/resolved-graph.js';
import type { ResolvedOperator } from '../../../descriptors/resolved.js';
import {
  simulatedLoss,
  type Backend,
  type BackendBuffer,
  type BackendDispatchable,
  type BackendRecording,
  type BackendGraph,
  type BufferRange,
  type CompileFlags,
  type ConstantMemory,
  type DispatchCommand,
  type ReadBytes,
} from '../../backend.js';
import type { DeviceInfo, DeviceLostInfo } from '../../device-info.js';
import type { DeviceMemory } from '../../device-memory.js';
import { BufferBytes } from '../buffer-bytes.js';
import { copyOfBytes } from '../buffer.js';
import { memoryWith, referenceInfo } from '../info.js';
import type { ThreadPoolOptions } from '../thread-pool/thread-pool.js';
import { countMemory } from '../count-memory.js';
import { Channel } from './channel.js';
import { commands } from './protocol.js';
import { Recorder } from './recorder.js';
import { buffersOf, SharedBuffer, sharedBufferOf, wholeOf } from './shared-buffer.js';
import { operatorOf, WorkerRecording, WorkerGraph, WorkerOperator } from './things.js';

/** The engine's own, saved now because a program may replace the global later. */
const { FinalizationRegistry, WeakRef } = globalThis;

/** In bytes. Reads up to this size skip the worker when it has no pending work on the buffer. */
const SMALL_READ = 2 ** 16;

/** In bytes, about what a worker thread needs. */
const THREAD_SIZE = 2 ** 23;

/** Ends the workers of backends that were garbage-collected. */
const forgotten = new FinalizationRegistry((channel: Channel) => channel.terminate());

/**
 * @param path the file that the worker runs
 * @param threadPool options of the threads that help the worker, for tests
 */
export function createWorkerBackend(
  path: string,
  memoryLimit: number | null = null,
  threadPool: Partial<ThreadPoolOptions> = {},
): Backend {
  return new WorkerBackend(path, memoryLimit, threadPool);
}

class WorkerBackend implements Backend {
  readonly info: DeviceInfo;
  readonly sharing = null;
  readonly lost: Promise<DeviceLostInfo>;
  readonly #bufferBytes: BufferBytes;
  readonly #channel: Channel;
  readonly #recorder: Recorder;
  #lose: (info: DeviceLostInfo) => void = () => undefined;

  constructor(path: string, memoryLimit: number | null, threadPool: Partial<ThreadPoolOptions>) {
    this.info = referenceInfo(memoryLimit);
    this.#bufferBytes = new BufferBytes(memoryLimit);
    this.lost = new Promise((resolve) => {
      this.#lose = resolve;
    });
    this.#channel = new Channel(path, threadPool, losing(new WeakRef(this)));
    this.#recorder = new Recorder(this.#channel);
    forgotten.register(this, this.#channel);
    countMemory(this, THREAD_SIZE);
  }

  createBuffer(sizeInBytes: number): BackendBuffer {
    return new SharedBuffer(sizeInBytes, this.#recorder, this.#bufferBytes);
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- an error has to become a rejection
  async compile(
    operator: ResolvedOperator,
    _flags: CompileFlags,
    owned: readonly (BufferRange | null)[],
  ): Promise<BackendDispatchable> {
    const copies = owned.map((range) => (range === null ? null : this.#copyOf(range)));
    const number = this.#recorder.make(commands.operator);
    this.#recorder.addRanges(copies);
    this.#recorder.addValue(operator);
    return new WorkerOperator(this.#recorder, number, buffersOf(copies));
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- an error has to become a rejection
  async compileGraph(graph: ResolvedGraph, _flags: CompileFlags, constants: readonly ConstantMemory[]): Promise<BackendGraph> {
    const isShared = graph.constants.map((constant) => constant.isShared);
    const { ranges, owned, reads } = this.#rangesOf(constants, isShared);
    // Without the data of the constants, which may be objects of this thread.
    const sent = { ...graph, constants: graph.constants.map((constant) => ({ ...constant, data: undefined })) };
    const number = this.#recorder.make(commands.graph);
    this.#recorder.addRanges(ranges);
    this.#recorder.addValue(sent);
    const compiled = new WorkerGraph(this.#recorder, number, owned, isShared);
    compiled.reads = reads;
    return compiled;
  }

  initializeGraph(graph: BackendGraph, constants: readonly ConstantMemory[]): void {
    if (!(graph instanceof WorkerGraph)) throw new TypeError('the graph belongs to another backend');
    const { ranges, owned, reads } = this.#rangesOf(constants, graph.isShared);
    this.#recorder.begin(commands.initialize).add(graph.number);
    this.#recorder.addRanges(ranges);
    graph.replaceBuffers(owned);
    graph.reads = reads;
  }

  dispatch(command: DispatchCommand): void {
    const operator = operatorOf(command.dispatchable);
    this.#recorder.announce(command.inputs);
    this.#recorder.announce(command.outputs);
    this.#recorder.protect(command.outputs);
    this.#recorder.begin(commands.dispatch);
    this.#recorder.addDispatch(operator, command);
  }

  createRecording(dispatched: readonly DispatchCommand[]): BackendRecording {
    return new WorkerRecording(this.#recorder, dispatched);
  }

  startProfile(): null {
    return null;
  }

  copy(from: BufferRange, to: BufferRange): void {
    this.#recorder.announce([from, to]);
    this.#recorder.protect([to]);
    this.#recorder.begin(commands.copy);
    this.#recorder.addRange(from);
    this.#recorder.addRange(to);
  }

  write(buffer: BackendBuffer, offset: number, data: Uint8Array): void {
    const shared = sharedBufferOf(buffer);
    if (this.#recorder.isIdle(shared)) {
      shared.bytes.set(data, offset);
      return;
    }
    const bytes = copyOfBytes(data);
    this.#recorder.protect([wholeOf(shared)]);
    const commandBuffer = this.#recorder.begin(commands.write);
    commandBuffer.add(shared.number);
    commandBuffer.add(offset);
    commandBuffer.addBytes(bytes);
    this.#recorder.use([shared]);
    this.#recorder.hold(bytes.byteLength);
  }

  async read(buffer: BackendBuffer, offset: number, sizeInBytes: number): Promise<ReadBytes> {
    const shared = sharedBufferOf(buffer);
    const range = { buffer, offset, sizeInBytes };
    if (sizeInBytes <= SMALL_READ && this.#recorder.isIdle(shared)) {
      return { then: undefined, bytes: copyOfBytes(bytesOfRange(range)).buffer };
    }
    this.#recorder.announce([range]);
    const request = this.#beginRequest(commands.read);
    this.#recorder.addRange(range);
    const { bytes } = await this.#answerTo(request);
    return { then: undefined, bytes: bytes ?? new ArrayBuffer(0) };
  }

  async readInto(buffer: BackendBuffer, offset: number, target: Uint8Array): Promise<void> {
    const shared = sharedBufferOf(buffer);
    const sizeInBytes = target.byteLength;
    const range = { buffer, offset, sizeInBytes };
    const bytes = bytesOfRange(range);
    if (this.#recorder.isIdle(shared)) {
      target.set(bytes);
      return;
    }
    const request = this.#report(range);
    this.#recorder.addReader(shared);
    try {
      await this.#answerTo(request);
      // A view has no length if its memory was transferred, or shrunk to before its end.
      if (target.byteLength !== sizeInBytes) throw lostTarget();
      target.set(bytes);
    } finally {
      this.#recorder.removeReader(shared);
    }
  }

  memory(): DeviceMemory {
    return memoryWith(this.#bufferBytes.total);
  }

  onBudgetShrink(): void {
    // There is no adapter, and so no budget.
  }

  submit(): void {
    this.#recorder.flush();
  }

  async idle(): Promise<void> {
    if (this.#recorder.isAllRun) return;
    await this.#answerTo(this.#report(null));
  }

  async caughtUp(): Promise<void> {
    if (this.#recorder.isAllRun) return;
    await this.#answerTo(this.#beginRequest(commands.reached));
  }

  simulateLoss(): string {
    this.#channel.lose(simulatedLoss);
    return simulatedLoss;
  }

  dispose(): void {
    forgotten.unregister(this);
    this.#channel.close();
    this.#lose({ reason: 'destroyed', message: 'the device was disposed' });
  }

  /** The worker has ended by itself. */
  lose(message: string): void {
    this.#lose({ reason: 'unknown', message });
  }

  /** Asks the worker to answer when it gets here, and to report whether the range (or, without one, anything) was not computed. */
  #report(range: BufferRange | null): number {
    if (range !== null) this.#recorder.announce([range]);
    const request = this.#beginRequest(commands.report);
    this.#recorder.addRange(range);
    return request;
  }

  /** Begins a command that the worker answers. Returns the number of the request. */
  #beginRequest(command: number): number {
    const request = this.#channel.newRequest();
    this.#recorder.begin(command).add(request);
    return request;
  }

  /** Sends the request with all that was recorded before it. */
  #answerTo(request: number) {
    this.#recorder.flush();
    return this.#channel.answerTo(request);
  }

  /** Records a copy into a new buffer. The memory is allocated here, so that a lack of it fails this call. */
  #copyOf(range: BufferRange): BufferRange {
    const copy = wholeOf(new SharedBuffer(range.sizeInBytes, this.#recorder));
    this.copy(range, copy);
    return copy;
  }

  /** The memory of the constants of a graph, the buffers that it owns, and those that it only reads. */
  #rangesOf(constants: readonly ConstantMemory[], isShared: readonly boolean[]) {
    const isTaken = ({ isOwn }: ConstantMemory, i: number) => isOwn || isShared[i] === true;
    const ranges = constants.map((memory, i) => (isTaken(memory, i) ? memory.range : this.#copyOf(memory.range)));
    this.#recorder.announce(ranges);
    const buffersWhere = (shared: boolean) => buffersOf(ranges.filter((_, i) => isShared[i] === shared));
    return { ranges, owned: buffersWhere(false), reads: buffersWhere(true) };
  }
}

/** Not inside the constructor: the closure would keep the backend alive. */
function losing(backend: WeakRef<WorkerBackend>): (message: string) => void {
  return (message) => backend.deref()?.lose(message);
}

function bytesOfRange({ buffer, offset, sizeInBytes }: BufferRange): Uint8Array {
  return partOfBytes(sharedBufferOf(buffer).bytes, offset, offset + sizeInBytes);
}

function lostTarget(): DirectMLError {
  const message = 'target: its memory was transferred or cut off before the bytes arrived';
  return new DirectMLError('ERR_INVALID_ARGUMENT', message, { field: 'target' });
}

/** The connection to the worker: sends it batches of commands, and settles the promises of its answers. */
import type { Worker } from 'node:worker_threads';
import { DirectMLError } from '../../../values/errors.js';
import { lossText } from '../../backend.js';
import type { ThreadPoolOptions } from '../thread-pool/thread-pool.js';
import { startThread } from '../start-thread.js';
import { counters, protocolVersion, type Answer, type Lack, type Start } from './protocol.js';
import type { CommandBuffer } from './command-buffer.js';

/** The engine's own, saved now because a program may replace the global later. */
const { Int32Array, SharedArrayBuffer } = globalThis;

/** The bytes of a read; null for a report. It inherits no `then`: see `ReadBytes`. */
interface Answered {
  readonly then: undefined;
  readonly bytes: ArrayBuffer | null;
}

/** A promise that waits for the worker's answer. */
interface Request {
  readonly resolve: (answered: Answered) => void;
  readonly reject: (error: DirectMLError) => void;
}

export class Channel {
  readonly counters = new Int32Array(new SharedArrayBuffer(4 * Object.keys(counters).length));
  readonly #path: string;
  readonly #threadPool: Partial<ThreadPoolOptions>;
  readonly #onLost: (message: string) => void;
  readonly #requests = new Map<number, Request>();
  #worker: Worker | null = null;
  #lastRequest = 0;
  #isClosing = false;
  /** Makes the error that says why the worker has ended; null as long as it may run. */
  #ended: (() => DirectMLError) | null = null;

  /** @param onLost is called if the worker ends by itself. It must not keep the device alive, because the worker keeps it. */
  constructor(path: string, threadPool: Partial<ThreadPoolOptions>, onLost: (message: string) => void) {
    this.#path = path;
    this.#threadPool = threadPool;
    this.#onLost = onLost;
  }

  get isOpen(): boolean {
    return this.#ended === null && !this.#isClosing;
  }

  /** Sends what the command buffer has. The first call starts the worker. */
  send(commandBuffer: CommandBuffer): void {
    const { batch, moved } = commandBuffer.take();
    if (this.#ended !== null) return;
    try {
      (this.#worker ?? this.#start()).postMessage(batch, moved);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** A number for a request to record. */
  newRequest(): number {
    return ++this.#lastRequest;
  }

  /**
   * The answer to a request that has been sent. The process lives until it is there. A request is not waited for earlier, because
   * what a program has replaced may throw while it is recorded: then no answer would ever come.
   */
  answerTo(request: number): Promise<Answered> {
    const answer = new Promise<Answered>((resolve, reject) => {
      if (this.#ended === null) this.#requests.set(request, { resolve, reject });
      else reject(this.#ended());
    });
    if (this.#requests.size === 1) this.#worker?.ref();
    return answer;
  }

  /** Ends the worker as soon as no promise waits for it. */
  close(): void {
    this.#isClosing = true;
    if (this.#requests.size === 0) this.terminate();
  }

  /** Ends the worker as if it had ended by itself. */
  lose(message: string, cause?: unknown): void {
    if (this.#ended !== null) return;
    const ended = () => new DirectMLError('ERR_DEVICE_LOST', lossText(message), { cause });
    this.#ended = ended;
    void this.#worker?.terminate();
    for (const { reject } of this.#requests.values()) reject(ended());
    this.#requests.clear();
    this.#onLost(message);
  }

  /** Ends the worker now. */
  terminate(): void {
    this.#ended ??= () => new DirectMLError('ERR_DISPOSED', 'the device is disposed');
    void this.#worker?.terminate();
  }

  #start(): Worker {
    const threadPool = { file: this.#path, ...this.#threadPool };
    const workerData: Start = { role: 'worker', counters: this.counters, version: protocolVersion, threadPool };
    const worker = startThread(this.#path, workerData);
    // First, because a program may have replaced what the rest uses: if that throws, the worker must end.
    this.#worker = worker;
    let failure: unknown = 'it has exited';
    worker.on('message', (answer: Answer) => this.#settle(answer));
    worker.on('messageerror', (error) => {
      failure = error;
      void worker.terminate();
    });
    // The answers of the work before the error come first, until the exit.
    worker.on('error', (error) => (failure = error));
    worker.on('exit', () => this.#fail(failure));
    // Not earlier: adding a handler for messages undoes it.
    if (this.#requests.size === 0) worker.unref();
    return worker;
  }

  #settle({ request, bytes, lack }: Answer): void {
    const waiting = this.#requests.get(request);
    this.#requests.delete(request);
    if (lack === null) waiting?.resolve({ then: undefined, bytes });
    else waiting?.reject(errorOf(lack));
    if (this.#requests.size > 0) return;
    this.#worker?.unref();
    if (this.#isClosing) this.terminate();
  }

  #fail(cause: unknown): void {
    const why = cause instanceof Error ? cause.message : String(cause);
    this.lose(`the worker thread of the reference backend ended: ${why}`, cause);
  }
}

function errorOf({ message, operator }: Lack): DirectMLError {
  return new DirectMLError('ERR_OUT_OF_MEMORY', message, operator === null ? {} : { operator });
}

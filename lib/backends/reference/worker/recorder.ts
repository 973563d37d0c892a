/** Writes commands for the worker, and knows which of them it has run. */
import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers';
import type { BoundRanges, BufferRange } from '../../backend.js';
import type { Channel } from './channel.js';
import { commands, counters } from './protocol.js';
import { HeldMemory } from './held-memory.js';
import { sharedBufferOf, type SharedBuffer } from './shared-buffer.js';
import { CommandBuffer } from './command-buffer.js';

/** The engine's own, saved now because a program may replace the global later. */
const { Atomics, FinalizationRegistry } = globalThis;

/** An operator or graph that a dispatch runs. */
interface Dispatched {
  readonly number: number;
  /** What every dispatch reads besides its bindings. */
  readonly reads: readonly SharedBuffer[];
}

/** In bytes. If more memory is held only for the worker, recording waits. */
const MOST_HELD = 2 ** 27;

/** In milliseconds: how long recording waits at most, and how often it checks. */
const LONGEST_WAIT = 1000;
const LOOK_AGAIN = 5;

export class Recorder {
  readonly #channel: Channel;
  readonly #commandBuffer = new CommandBuffer();
  /** Disposes, in the worker, of what was garbage-collected without `dispose()`. */
  readonly #forgotten = new FinalizationRegistry((number: number) => this.release(number));
  #lastNumber = 0;
  /** How many commands were recorded, and how many the worker had run at the last check. */
  #recorded = 0;
  #run = 0;
  #isScheduled = false;
  /** True while commands are sent: a function that a program has replaced may record others meanwhile, which must come later. */
  #isSending = false;
  readonly #held = new HeldMemory();
  #mostHeld = MOST_HELD;
  /** Reads of shared memory started so far. */
  #takers = 0;
  #taken = 0;

  constructor(channel: Channel) {
    this.#channel = channel;
  }

  /** Begins a command. Its arguments follow at once; command-buffer.ts says what must not be used until the last one. */
  begin(command: number): CommandBuffer {
    if (this.#commandBuffer.isFull) this.flush();
    if (!this.#isScheduled) this.#schedule();
    this.#recorded += 1;
    this.#commandBuffer.add(command);
    return this.#commandBuffer;
  }

  /** Begins a command that makes something. Returns its number. */
  make(command: number): number {
    const number = ++this.#lastNumber;
    this.begin(command).add(number);
    return number;
  }

  /** Disposes, in the worker, of the thing with the number, when `thing` is collected. */
  watch(thing: object, number: number): void {
    this.#forgotten.register(thing, number, thing);
  }

  unwatch(thing: object): void {
    this.#forgotten.unregister(thing);
  }

  release(number: number): void {
    if (this.#channel.isOpen) this.begin(commands.dispose).add(number);
  }

  releaseBuffer(buffer: SharedBuffer): void {
    if (buffer.number === 0) return;
    const isNeeded = !this.isIdle(buffer);
    this.unwatch(buffer);
    this.release(buffer.number);
    if (isNeeded) this.hold(buffer.sizeInBytes);
  }

  /**
   * Announces memory that is free once the current command has run. If there is very much of it, waits for the worker, so that
   * a program that never waits does not use up all memory.
   */
  hold(sizeInBytes: number): void {
    this.#held.add(this.#recorded, sizeInBytes);
    if (this.#held.sizeInBytes <= this.#mostHeld) return;
    this.flush();
    this.#awaitMemory();
    const { sizeInBytes: held } = this.#held;
    // If that did not help, the next wait comes only after the same amount again.
    this.#mostHeld = held <= MOST_HELD / 2 ? MOST_HELD : MOST_HELD + held;
  }

  #awaitMemory(): void {
    const end = performance.now() + LONGEST_WAIT;
    // The worker may be waiting for reads, which this thread has to take.
    while (this.#channel.isOpen && this.#takers === this.#taken && performance.now() < end) {
      this.#held.free(this.#lookUp());
      if (this.#held.sizeInBytes <= MOST_HELD / 2) return;
      Atomics.wait(this.#channel.counters, counters.run, this.#run | 0, LOOK_AGAIN);
    }
  }

  /** Makes the buffers known to the worker. Comes before the command that uses them. */
  announce(ranges: readonly (BufferRange | null)[]): void {
    for (const range of ranges) if (range !== null) this.#announce(sharedBufferOf(range.buffer));
  }

  /** Waits, in the worker, until reads have taken the bytes that the next command overwrites. */
  protect(ranges: readonly (BufferRange | null)[]): void {
    const isRead = ranges.some((range) => range !== null && sharedBufferOf(range.buffer).readers > 0);
    if (isRead) this.begin(commands.wait).add(this.#takers | 0);
  }

  add(number: number): void {
    this.#commandBuffer.add(number);
  }

  addValue(value: unknown): void {
    this.#commandBuffer.addValue(value);
  }

  addRange(range: BufferRange | null): void {
    if (range === null) {
      this.#commandBuffer.add(0);
      return;
    }
    const buffer = sharedBufferOf(range.buffer);
    this.#use(buffer);
    this.#commandBuffer.add(buffer.number);
    this.#commandBuffer.add(range.offset);
    this.#commandBuffer.add(range.sizeInBytes);
  }

  addRanges(ranges: readonly (BufferRange | null)[]): void {
    this.#commandBuffer.add(ranges.length);
    for (let i = 0; i < ranges.length; i++) this.addRange(ranges[i] ?? null);
  }

  addDispatch({ number, reads }: Dispatched, { inputs, outputs }: BoundRanges): void {
    this.#commandBuffer.add(number);
    this.use(reads);
    this.addRanges(inputs);
    this.addRanges(outputs);
  }

  /** Marks buffers as used by the command that was begun. */
  use(buffers: readonly SharedBuffer[]): void {
    for (let i = 0; i < buffers.length; i++) this.#use(buffers[i]);
  }

  /** A read of the buffer will take bytes from shared memory. */
  addReader(buffer: SharedBuffer): void {
    buffer.readers += 1;
    this.#use(buffer);
    this.#takers += 1;
  }

  /** A read of the buffer has taken its bytes, or has failed. The worker may wait for that. */
  removeReader(buffer: SharedBuffer): void {
    buffer.readers -= 1;
    this.#taken += 1;
    Atomics.store(this.#channel.counters, counters.taken, this.#taken | 0);
    Atomics.notify(this.#channel.counters, counters.taken);
  }

  /** True if no command is left that uses the buffer, and if its bytes are those that the commands should have written. */
  isIdle({ number, lastUse, readers }: SharedBuffer): boolean {
    if (number === 0) return true;
    return readers === 0 && (lastUse <= this.#run || lastUse <= this.#lookUp()) && !this.#isLacking;
  }

  /** True if no command is left and all have succeeded. */
  get isAllRun(): boolean {
    return this.#lookUp() === this.#recorded && !this.#isLacking;
  }

  /** To be asked after the commands that have run: then it holds for all of them. */
  get #isLacking(): boolean {
    return Atomics.load(this.#channel.counters, counters.lacking) !== 0;
  }

  flush(): void {
    if (this.#isSending || this.#commandBuffer.isEmpty) return;
    // The shared count wraps around, so it must be looked up before the worker can run 2³¹ more commands.
    this.#lookUp();
    this.#isSending = true;
    try {
      this.#channel.send(this.#commandBuffer);
    } finally {
      this.#isSending = false;
    }
  }

  /** Sends at the end of this turn of the event loop, if there is another one. */
  #schedule(): void {
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.flush();
    }).unref();
  }

  #use(buffer: SharedBuffer | undefined): void {
    if (buffer !== undefined) buffer.lastUse = this.#recorded;
  }

  #lookUp(): number {
    const count = Atomics.load(this.#channel.counters, counters.run);
    this.#run += (count - (this.#run | 0)) | 0;
    return this.#run;
  }

  #announce(buffer: SharedBuffer): void {
    if (buffer.number !== 0) return;
    const memory = buffer.bytes.buffer;
    buffer.number = this.make(commands.buffer);
    this.#commandBuffer.addValue(memory);
    this.watch(buffer, buffer.number);
  }
}

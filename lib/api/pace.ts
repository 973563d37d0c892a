/**
 * Keeps a program that runs one operator after the other, without reading, at the pace of the device. Its promises wait when too
 * much memory or too many steps are in flight. Nothing holds the thread meanwhile.
 */
import type { Backend } from '../backends/backend.js';
import { dueTurn } from './event-loop.js';

/** What was recorded: steps, and the bytes of the buffers that were created for them. */
interface Part {
  readonly steps: number;
  readonly bytes: number;
  /** Resolves when the part has run, or never will. */
  readonly end: Promise<void>;
}

/** A part is submitted as soon as it has so much. */
const PART_BYTES = 2 ** 25;
const PART_STEPS = 256;
/**
 * Promises wait while more is in flight, in at least two parts: the device runs one while the other is recorded. The worker of the
 * reference lets 128 MiB wait before it holds the thread.
 */
const MOST_BYTES = 2 ** 26;
const MOST_STEPS = 1024;

export class Pace {
  readonly #backend: Backend;
  readonly #parts: Part[] = [];
  /** Of all parts. */
  #steps = 0;
  #bytes = 0;
  /** Of the part that is being recorded. */
  #newSteps = 0;
  #newBytes = 0;

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  /** A buffer was created. */
  addBuffer(sizeInBytes: number): void {
    this.#newBytes += sizeInBytes;
  }

  /**
   * A step was recorded. Null if the program may go on; else a promise that resolves when it may, and never rejects.
   */
  addStep(): Promise<void> | null {
    this.#newSteps += 1;
    if (this.#newBytes >= PART_BYTES || this.#newSteps >= PART_STEPS) this.#endPart();
    return this.#isAhead ? this.#catchUp() : dueTurn();
  }

  get #isAhead(): boolean {
    return this.#parts.length >= 2 && (this.#bytes > MOST_BYTES || this.#steps > MOST_STEPS);
  }

  async #catchUp(): Promise<void> {
    while (this.#isAhead) await this.#parts[0]?.end;
    await dueTurn();
  }

  #endPart(): void {
    const part = { steps: this.#newSteps, bytes: this.#newBytes, end: this.#whenRun() };
    this.#newSteps = this.#newBytes = 0;
    this.#steps += part.steps;
    this.#bytes += part.bytes;
    this.#parts.push(part);
    void part.end.then(() => {
      this.#parts.shift();
      this.#steps -= part.steps;
      this.#bytes -= part.bytes;
    });
  }

  async #whenRun(): Promise<void> {
    try {
      await this.#backend.idle();
    } catch {
      // A lost or disposed device runs nothing more, which the next call reports.
    }
  }
}

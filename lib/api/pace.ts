/**
 * Keeps a program that runs one operator after the other, without reading, at the pace of the device: its promises wait while
 * too much is in flight. Nothing holds the thread meanwhile, memory in flight stays small, and a read does not wait for long.
 */
import { performance } from 'node:perf_hooks';
import type { Backend } from '../backends/backend.js';
import { dueTurn, nextTurn } from './event-loop.js';

/** In milliseconds, how long the device should work on a part. Submitting takes a small fraction of it. */
const PART_TIME = 6;
/** A part ends as soon as its steps, or the bytes of the buffers that were created for it, are so many. */
const MOST_STEPS = 256;
const MOST_BYTES = 2 ** 25;
/** How much a new part counts in the average time of a step: the reports of two parts may arrive together. */
const WEIGHT = 0.2;

export class Pace {
  readonly #backend: Backend;
  /** The parts that are in flight, each until it has ended. They need not end in order. */
  readonly #parts = new Set<Promise<void>>();
  /** When the last part ended, or the next one was submitted if that was later. */
  #began = 0;
  /** After so many steps a part ends. */
  #mostSteps = 1;
  /** In milliseconds, the average time that the device takes for a step. Undefined until a part has ended. */
  #stepTime: number | undefined;
  /** If a single step takes long, the device loses little by waiting for the next one. */
  #isSlow = false;
  /** Of the part that is being recorded. */
  #steps = 0;
  #bytes = 0;

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  /** A buffer was created. */
  addBuffer(sizeInBytes: number): void {
    this.#bytes += sizeInBytes;
  }

  /** A step was recorded. Null if the program may go on, else a promise that resolves when it may, and never rejects. */
  addStep(): Promise<void> | null {
    this.#steps += 1;
    if (this.#bytes >= MOST_BYTES || this.#steps >= this.#mostSteps) this.#endPart();
    return this.#isAhead ? this.#catchUp() : dueTurn();
  }

  /** The device runs one part while the next one is recorded. */
  get #isAhead(): boolean {
    return this.#parts.size > (this.#isSlow ? 0 : 1);
  }

  async #catchUp(): Promise<void> {
    while (this.#isAhead) await this.#parts.values().next().value;
    // A report of the device arrives between two timers: only a turn lets them run.
    await nextTurn();
  }

  #endPart(): void {
    const steps = this.#steps;
    this.#steps = this.#bytes = 0;
    if (this.#parts.size === 0) this.#began = performance.now();
    const part = this.#submit(steps).then(() => void this.#parts.delete(part));
    this.#parts.add(part);
  }

  async #submit(steps: number): Promise<void> {
    try {
      await this.#backend.caughtUp();
    } catch {
      // A lost or disposed device runs nothing more, which the next call reports.
    }
    const now = performance.now();
    const time = now - this.#began;
    this.#began = now;
    this.#adapt(steps, time);
  }

  /** Chooses the steps of the next parts by the time that the last ones have taken. */
  #adapt(steps: number, time: number): void {
    const last = time / steps;
    this.#stepTime = this.#stepTime === undefined ? last : this.#stepTime + WEIGHT * (last - this.#stepTime);
    const fitting = Math.floor(PART_TIME / this.#stepTime);
    this.#mostSteps = Math.min(Math.max(fitting, 1), 2 * this.#mostSteps, MOST_STEPS);
    this.#isSlow = steps === 1 && time > 2 * PART_TIME;
  }
}

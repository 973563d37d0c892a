/**
 * Divides a matrix product among the threads of a thread pool, in chunks: each is a range of tiles times one block of columns.
 * Chunks are numbered consecutively over all products, modulo 2³², and are taken in this order. The facts that a thread needs
 * about a product are written before its chunks are published, and stay until all of them are done.
 */
import { BLOCK_COLUMNS, TILE_ROWS } from '../../../compute/multiply-block.js';
import type { Exports } from '../../../compute/simd.js';

/** The facts that a thread needs about a product. Places and sizes in the memory of the matrices are in bytes. */
export interface Work {
  /** The number of the first chunk. */
  readonly firstChunk: number;
  readonly blockCount: number;
  readonly chunksPerBlock: number;
  readonly tiles: number;
  readonly tileCount: number;
  readonly tilesPerChunk: number;
  readonly length: number;
  readonly isInFloat32: boolean;
  readonly panelCount: number;
  /** The last block may have fewer panels. */
  readonly lastPanelCount: number;
  /** The first slot. A slot has the panels of a block, and then its sums. Blocks take turns in the slots. */
  readonly slots: number;
  readonly slotCount: number;
  readonly slotSize: number;
  /** Where the sums begin in a slot. */
  readonly sums: number;
}

/** Slots of a product, at most: while the system interrupts one thread in a chunk, the others go on with later blocks. */
export const MOST_SLOTS = 18;

/** Places in the memory for the numbers below. The fields of the work follow, then how many chunks of each slot are done. */
const places = { published: 0, taken: 1, progress: 2, work: 3, done: 17 } as const;

/** How many times a thread that waits for others wakes up: one sleep of the machine must not count as all its patience. */
const WAKES = 8;

/** In milliseconds: for how long a thread that waits stays awake. */
const AWAKE = 0.05;

/** The chunks, as each thread sees them. */
export class Chunks {
  readonly memory: SharedArrayBuffer;
  readonly #numbers: Int32Array;
  #own = 0;

  constructor(memory = new SharedArrayBuffer((places.done + MOST_SLOTS) * Int32Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.#numbers = new Int32Array(memory);
  }

  /** The number of the next chunk to be published. */
  get next(): number {
    return Atomics.load(this.#numbers, places.published);
  }

  /** How many chunks this thread has computed. */
  get own(): number {
    return this.#own;
  }

  /** Describes the next chunks. All chunks so far are done. */
  begin(work: Work): void {
    this.#numbers.set(numbersOf(work), places.work);
  }

  /** Publishes the chunks of the next block, which is in the slot. */
  publish(slot: number, count: number): void {
    Atomics.store(this.#numbers, places.done + slot, 0);
    Atomics.add(this.#numbers, places.published, count);
    Atomics.notify(this.#numbers, places.published);
  }

  /** How many chunks of the block in the slot are done. */
  done(slot: number): number {
    return Atomics.load(this.#numbers, places.done + slot);
  }

  /** Computes the next chunk that nobody has taken. Returns false if there is none. */
  compute({ multiply }: Exports): boolean {
    const chunk = this.#take();
    if (chunk === null) return false;
    const work = workOf(this.#numbers.subarray(places.work, places.done));
    const { chunksPerBlock, tileCount, tilesPerChunk, length, isInFloat32 } = work;
    const index = (chunk - work.firstChunk) | 0;
    const block = Math.floor(index / chunksPerBlock);
    const first = (index % chunksPerBlock) * tilesPerChunk;
    const tile = TILE_ROWS * (isInFloat32 ? 4 : 8);
    const slot = block % work.slotCount;
    const panels = work.slots + slot * work.slotSize;
    multiply(
      work.tiles + first * tile * length,
      Math.min(tilesPerChunk, tileCount - first),
      panels,
      block === work.blockCount - 1 ? work.lastPanelCount : work.panelCount,
      length,
      panels + work.sums + first * tile * BLOCK_COLUMNS,
      isInFloat32,
    );
    this.#own++;
    Atomics.add(this.#numbers, places.done + slot, 1);
    Atomics.add(this.#numbers, places.progress, 1);
    Atomics.notify(this.#numbers, places.progress);
    return true;
  }

  /** Waits until chunks are published, unless some are already that nobody has taken. */
  awaitNext(): void {
    const taken = Atomics.load(this.#numbers, places.taken);
    if (!happensSoon(() => this.next !== taken)) Atomics.wait(this.#numbers, places.published, taken);
  }

  /** Waits until it is done. Returns false if no thread finishes a chunk for this many milliseconds. */
  awaitDone(isDone: () => boolean, patience: number): boolean {
    for (let wakes = 0; wakes < WAKES;) {
      const progress = Atomics.load(this.#numbers, places.progress);
      if (isDone() || happensSoon(isDone)) return true;
      wakes = Atomics.wait(this.#numbers, places.progress, progress, patience / WAKES) === 'timed-out' ? wakes + 1 : 0;
    }
    return false;
  }

  /** Returns the number of a chunk that is the caller's from now on, or null if there is none. */
  #take(): number | null {
    for (;;) {
      const chunk = Atomics.load(this.#numbers, places.taken);
      if (chunk === this.next) return null;
      if (Atomics.compareExchange(this.#numbers, places.taken, chunk, (chunk + 1) | 0) === chunk) return chunk;
    }
  }
}

/** Polls for a short time, because falling asleep and waking up would take longer. */
function happensSoon(isSo: () => boolean): boolean {
  const end = performance.now() + AWAKE;
  while (!isSo()) if (performance.now() > end) return false;
  return true;
}

function numbersOf(work: Work): number[] {
  const { firstChunk, blockCount, chunksPerBlock, tiles, tileCount, tilesPerChunk, length, isInFloat32 } = work;
  const { panelCount, lastPanelCount, slots, slotCount, slotSize, sums } = work;
  return [
    ...[firstChunk, blockCount, chunksPerBlock, tiles, tileCount, tilesPerChunk, length, Number(isInFloat32)],
    ...[panelCount, lastPanelCount, slots, slotCount, slotSize, sums],
  ];
}

/** In the order of {@link numbersOf}. */
function workOf(numbers: Int32Array): Work {
  const [firstChunk = 0, blockCount = 0, chunksPerBlock = 0, tiles = 0, tileCount = 0, tilesPerChunk = 0, length = 0] = numbers;
  const [isInFloat32 = 0, panelCount = 0, lastPanelCount = 0, slots = 0, slotCount = 0, slotSize = 0, sums = 0] =
    numbers.subarray(7);
  return {
    ...{ firstChunk, blockCount, chunksPerBlock, tiles, tileCount, tilesPerChunk, length, isInFloat32: isInFloat32 !== 0 },
    ...{ panelCount, lastPanelCount, slots, slotCount, slotSize, sums },
  };
}

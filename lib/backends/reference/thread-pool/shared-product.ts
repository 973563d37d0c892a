/**
 * Matrix products by a thread pool. This thread lays out the tiles, and block by block the panels, and copies the sums.
 * Meanwhile the others multiply; this thread helps them when it has to wait. The memory has a block of the right matrix, the
 * tiles, and slots: see matrix-tiles.ts for the layouts.
 */
import { BLOCK_COLUMNS, TILE_ROWS, type LayOutColumns, type Rows, type Target } from '../../../compute/multiply-block.js';
import { instanceOf, type Exports, type SharedSimd } from '../../../compute/simd.js';
import { copySums, layOutTiles, panelColumns, rowsAtATime, rowsFrom, tilesOf } from '../../../compute/tiles.js';
import { MOST_SLOTS, type Chunks, type Work } from './chunks.js';

/** Multiplications of a chunk, about: a tenth of a millisecond. Its tiles stay in a processor's cache. */
const CHUNK = 2 ** 20;

/** One right matrix, and where the product goes. */
interface Product {
  readonly columns: number;
  readonly layOut: LayOutColumns;
  readonly target: Target;
}

export class SharedProducts {
  readonly #simd: Exports;
  readonly #chunks: Chunks;
  readonly #size: number;
  readonly #float64: Float64Array;
  readonly #float32: Float32Array;
  readonly #patience: number;
  #used = 0;

  /** @param patience in milliseconds: for how long to wait for other threads if none of them finishes anything */
  constructor(simd: SharedSimd, chunks: Chunks, patience: number) {
    this.#simd = instanceOf(simd);
    this.#chunks = chunks;
    const { buffer } = simd.memory;
    this.#size = buffer.byteLength;
    this.#float64 = new Float64Array(buffer);
    this.#float32 = new Float32Array(buffer);
    this.#patience = patience;
  }

  /** How much of the memory products have used, in bytes. */
  get used(): number {
    return this.#used;
  }

  /** How many chunks other threads have computed. */
  get helped(): number {
    return this.#chunks.next - this.#chunks.own;
  }

  /**
   * Returns `'too large'` if the memory has no room for the product, and `'stalled'` if another thread does not go on. The memory
   * must not be used any more then: that thread may write to it later.
   */
  multiply(rows: Rows, isInFloat32: boolean, product: Product): 'done' | 'too large' | 'stalled' {
    const most = rowsAtATime(rows, isInFloat32 ? 4 : 8);
    for (let done = 0; done < rows.count; done += most) {
      const some = rowsFrom(rows, done, most);
      const work = this.#workOf(some, product.columns, isInFloat32);
      if (work.slotCount < Math.min(2, work.blockCount)) return 'too large';
      this.#used = Math.max(this.#used, work.slots + work.slotCount * work.slotSize);
      layOutTiles(some, this.#elements(work), work.tiles / this.#elements(work).BYTES_PER_ELEMENT);
      if (!this.#multiplyTiles(work, some, product)) return 'stalled';
    }
    return 'done';
  }

  #workOf({ count, length }: Rows, columns: number, isInFloat32: boolean): Work {
    const bytes = isInFloat32 ? 4 : 8;
    const tileCount = tilesOf(count);
    const blockCount = Math.ceil(columns / BLOCK_COLUMNS);
    const parts = Math.max(1, Math.round((count * length * BLOCK_COLUMNS) / CHUNK));
    const tilesPerChunk = Math.ceil(tileCount / parts);
    const chunksPerBlock = Math.ceil(tileCount / tilesPerChunk);
    const tiles = BLOCK_COLUMNS * length * 8;
    const slots = tiles + tileCount * TILE_ROWS * length * bytes;
    const sums = BLOCK_COLUMNS * length * bytes;
    const slotSize = sums + tileCount * TILE_ROWS * BLOCK_COLUMNS * bytes;
    const panels = (width: number) => Math.ceil(width / panelColumns(isInFloat32));
    return {
      ...{ firstChunk: this.#chunks.next, blockCount, chunksPerBlock },
      ...{ tiles, tileCount, tilesPerChunk, length, isInFloat32, slots, slotSize, sums },
      slotCount: Math.min(blockCount, MOST_SLOTS, Math.floor((this.#size - slots) / slotSize)),
      panelCount: panels(BLOCK_COLUMNS),
      lastPanelCount: panels(columns - (blockCount - 1) * BLOCK_COLUMNS),
    };
  }

  #elements({ isInFloat32 }: Work): Float64Array | Float32Array {
    return isInFloat32 ? this.#float32 : this.#float64;
  }

  #multiplyTiles(work: Work, rows: Rows & { readonly first: number }, product: Product): boolean {
    this.#chunks.begin(work);
    const { blockCount, slotCount } = work;
    for (let block = 0; block < blockCount + slotCount; block++) {
      const before = block - slotCount;
      if (before >= 0 && !this.#finish(work, before, rows, product)) return false;
      if (block < blockCount) this.#layOut(work, block, product);
    }
    return true;
  }

  #layOut(work: Work, block: number, { columns, layOut }: Product): void {
    const { length, blockCount, panelCount, lastPanelCount, slotCount } = work;
    const first = block * BLOCK_COLUMNS;
    const slot = block % slotCount;
    layOut(first, Math.min(BLOCK_COLUMNS, columns - first), this.#float64);
    const pack = work.isInFloat32 ? this.#simd.packFloat32 : this.#simd.packFloat64;
    pack(0, length, block === blockCount - 1 ? lastPanelCount : panelCount, work.slots + slot * work.slotSize);
    this.#chunks.publish(slot, work.chunksPerBlock);
  }

  /** Copies the sums of a block as soon as its chunks are done. Returns false if they are not to be expected any more. */
  #finish(work: Work, block: number, rows: Rows & { readonly first: number }, { columns, target }: Product): boolean {
    const slot = block % work.slotCount;
    const isDone = () => this.#chunks.done(slot) === work.chunksPerBlock;
    while (!isDone() && this.#chunks.compute(this.#simd));
    if (!this.#chunks.awaitDone(isDone, this.#patience)) return false;
    const elements = this.#elements(work);
    const sums = (work.slots + slot * work.slotSize + work.sums) / elements.BYTES_PER_ELEMENT;
    const column = block * BLOCK_COLUMNS;
    const start = target.start + rows.first * target.stride + column;
    copySums(elements, sums, rows.count, Math.min(BLOCK_COLUMNS, columns - column), { ...target, start });
    return true;
  }
}

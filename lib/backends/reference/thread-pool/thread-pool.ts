/**
 * A thread pool: threads that help to compute large matrix products. They start when there is enough to do, and end when there
 * was nothing to do for some seconds. No result depends on them: the caller's thread does everything that they leave undone.
 */
import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import type { MatrixHelpers } from '../../../compute/matrix-tiles.js';
import type { LayOutColumns, Rows, Target } from '../../../compute/multiply-block.js';
import { sharedSimdWith, type SharedSimd } from '../../../compute/simd.js';
import { countMemory } from '../count-memory.js';
import { startThread } from '../start-thread.js';
import { Chunks } from './chunks.js';
import type { MemberStart } from './member.js';
import { SharedProducts } from './shared-product.js';

export interface ThreadPoolOptions {
  /** What the threads run: {@link runMember}. */
  readonly file: string;
  /** Threads of the thread pool, including the caller's. Only tests set this and the following options. */
  readonly threads?: number;
  /** In multiplications: a smaller product is computed by one thread. */
  readonly least?: number;
  /** In multiplications: when products have had this many in total, the threads start. */
  readonly worthwhile?: number;
  /** In milliseconds: how long to wait for threads that make no progress. */
  readonly patience?: number;
  /** In milliseconds: after this time without products, the threads end. */
  readonly idle?: number;
}

/** One thread lays out the matrices for all, and cannot keep more threads busy. */
const MOST_THREADS = 8;

/** In bytes: for tiles, panels and sums. Only what is written to takes memory. */
const MEMORY = 2 ** 25;

/** In bytes. If products have used more, the memory is freed when the threads end. */
const KEPT_MEMORY = 2 ** 23;

/** Terms of a sum. With fewer, copying takes longer than multiplying. */
const FEWEST_TERMS = 16;

const defaults = { least: 2 ** 23, worthwhile: 2 ** 26, patience: 4000, idle: 3000 };

export class ThreadPool implements MatrixHelpers {
  readonly #options: Required<ThreadPoolOptions>;
  readonly #members = new Set<Worker>();
  #products: SharedProducts | null = null;
  #simd: SharedSimd | null = null;
  /** Multiplications since threads were last ended. */
  #multiplications = 0;
  #lastUse = 0;
  #timer: NodeJS.Timeout | null = null;
  /** True if starting threads is useless. */
  #isAlone: boolean;

  constructor(options: ThreadPoolOptions) {
    const threads = Math.min(MOST_THREADS, availableParallelism());
    this.#options = { threads, ...defaults, ...options };
    this.#isAlone = this.#options.threads < 2;
  }

  /** Threads beside this one. */
  get size(): number {
    return this.#members.size;
  }

  /** How many chunks the present threads beside this one have computed. */
  get helped(): number {
    return this.#products?.helped ?? 0;
  }

  multiply(rows: Rows, columns: number, layOut: LayOutColumns, target: Target, isInFloat32: boolean): boolean {
    const multiplications = rows.count * rows.length * columns;
    if (this.#isAlone || multiplications < this.#options.least || rows.length < FEWEST_TERMS) return false;
    this.#multiplications += multiplications;
    if (this.#multiplications < this.#options.worthwhile) return false;
    this.#products ??= this.#start();
    const result = this.#products?.multiply(rows, isInFloat32, { columns, layOut, target });
    this.#lastUse = performance.now();
    if (result === 'stalled') this.#giveUp();
    return result === 'done';
  }

  /** Ends the threads, which have nothing to do. */
  end(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#multiplications = 0;
    if (this.#products === null || this.#products.used > KEPT_MEMORY) this.#simd = null;
    this.#products = null;
    const members = [...this.#members];
    this.#members.clear();
    for (const member of members) void member.terminate();
  }

  #giveUp(): void {
    this.#isAlone = true;
    this.end();
    this.#simd = null;
  }

  /** Returns null if there can be no thread pool. This thread does not wait for the others to begin. */
  #start(): SharedProducts | null {
    try {
      const simd = (this.#simd ??= newSimd());
      // Threads that are still ending must not take the chunks of these.
      const chunks = new Chunks();
      if (simd !== null) this.#startMembers({ role: 'member', simd, chunks: chunks.memory });
      if (simd !== null && this.#members.size > 0) {
        this.#endLater(this.#options.idle);
        return new SharedProducts(simd, chunks, this.#options.patience);
      }
    } catch {
      // There is not enough memory.
    }
    this.#giveUp();
    return null;
  }

  #startMembers(start: MemberStart): void {
    try {
      for (let i = 1; i < this.#options.threads; i++) this.#startMember(start);
    } catch {
      // The threads that did start suffice.
    }
  }

  #startMember(workerData: MemberStart): void {
    const member = startThread(this.#options.file, workerData);
    this.#members.add(member);
    member.on('error', () => {
      // It ends.
    });
    member.on('exit', () => {
      if (this.#members.delete(member) && this.#members.size === 0) this.#giveUp();
    });
    member.unref();
  }

  /** The timer's clock stands still while this thread computes. */
  #endLater(delay: number): void {
    this.#timer = setTimeout(() => {
      const rest = this.#lastUse + this.#options.idle - performance.now();
      if (rest > 0) this.#endLater(rest);
      else this.end();
    }, delay);
    this.#timer.unref();
  }
}

function newSimd(): SharedSimd | null {
  const simd = sharedSimdWith(MEMORY);
  if (simd !== null) countMemory(simd.memory, MEMORY);
  return simd;
}

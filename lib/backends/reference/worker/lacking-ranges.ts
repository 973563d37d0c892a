/** Ranges of buffers that a command could not write for lack of memory. Reading them must fail. */
import type { BackendBuffer, BufferRange } from '../../backend.js';
import { share } from '../buffer.js';
import type { Lack } from './protocol.js';

type Ranges = readonly (BufferRange | null)[];

export class LackingRanges {
  #all: { readonly range: BufferRange; readonly lack: Lack }[] = [];

  get isEmpty(): boolean {
    return this.#all.length === 0;
  }

  add(ranges: Ranges, lack: Lack): void {
    this.write(ranges);
    for (const range of ranges) if (range !== null) this.#all.push({ range, lack });
  }

  /** Why one of the ranges, or a part of it, is lacking; null if none is. */
  find(ranges: Ranges): Lack | null {
    const isIn = (other: BufferRange) => ranges.some((range) => range !== null && share(range, other));
    return this.#all.find(({ range }) => isIn(range))?.lack ?? null;
  }

  /** Something else was written to the ranges. */
  write(ranges: Ranges): void {
    for (const written of ranges) {
      if (written !== null)
        this.#all = this.#all.flatMap(({ range, lack }) => partsOutside(range, written).map((part) => ({ range: part, lack })));
    }
  }

  /** The buffer was disposed of. */
  forget(buffer: BackendBuffer): void {
    this.#all = this.#all.filter(({ range }) => range.buffer !== buffer);
  }
}

/** What is left of a range if the other one is cut out. */
function partsOutside(range: BufferRange, other: BufferRange): readonly BufferRange[] {
  if (!share(range, other)) return [range];
  const { buffer } = range;
  const [end, from, to] = [range.offset + range.sizeInBytes, other.offset, other.offset + other.sizeInBytes];
  return [
    { buffer, offset: range.offset, sizeInBytes: from - range.offset },
    { buffer, offset: to, sizeInBytes: end - to },
  ].filter(({ sizeInBytes }) => sizeInBytes > 0);
}

/** Random programs on a few buffers: writes, dispatches, recordings and reads in any order, with and without waiting. */
import { setImmediate as turn } from 'node:timers/promises';
import type { CompiledOperator, Device, DirectMLBuffer, Recording } from 'node-directml';
import type { Random } from '../../../checks/harness/random.js';

const BUFFERS = 4;
/** In bytes. */
const SIZE = 1024;
const TENSOR = { dataType: 'uint32', sizes: [32] } as const;
const TENSOR_SIZE = 128;

/** Runs `count` random steps. Returns the bytes of all reads, in the order of the calls. */
export async function runSteps(device: Device, random: Random, count: number): Promise<readonly Uint8Array[]> {
  const add = await device.compile({ type: 'elementWiseAdd', aTensor: TENSOR, bTensor: TENSOR });
  const program = new Program(device, random, add);
  for (let i = 0; i < count; i++) {
    program.step();
    if (random.chance(0.05)) await (random.chance(0.5) ? turn() : device.idle());
  }
  return program.finish();
}

class Program {
  readonly #device: Device;
  readonly #random: Random;
  readonly #add: CompiledOperator;
  readonly #buffers: DirectMLBuffer[];
  readonly #reads: Promise<Uint8Array>[] = [];
  #recording: Recording | null = null;

  constructor(device: Device, random: Random, add: CompiledOperator) {
    this.#device = device;
    this.#random = random;
    this.#add = add;
    this.#buffers = Array.from({ length: BUFFERS }, () => this.#newBuffer());
  }

  step(): void {
    const random = this.#random;
    const kind = random.int(0, 9);
    if (kind <= 1) this.#write();
    else if (kind <= 4) this.#dispatch();
    else if (kind === 5) this.#reads.push(this.#read());
    else if (kind <= 7) this.#reads.push(this.#readInto());
    else if (kind === 8) this.#replay();
    else if (random.chance(0.2)) this.#exchange();
  }

  async finish(): Promise<readonly Uint8Array[]> {
    for (const buffer of this.#buffers) this.#reads.push(buffer.read().then((bytes) => new Uint8Array(bytes)));
    const read = await Promise.all(this.#reads);
    this.#recording?.dispose();
    for (const disposable of [this.#add, ...this.#buffers]) disposable.dispose();
    return read;
  }

  #write(): void {
    const length = 4 * this.#random.int(1, 64);
    const bytes = Uint8Array.from({ length }, () => this.#random.int(0, 255));
    this.#pick().write(bytes, 4 * this.#random.int(0, (SIZE - length) / 4));
    // write() has copied the bytes, so this must change nothing.
    bytes.fill(0);
  }

  #dispatch(): void {
    const [a, b] = [this.#range(), this.#range()];
    // The operator sometimes works in place.
    const output = this.#random.chance(0.3) ? a : this.#range();
    const bound = [a, b].every((input) => input === output || !overlaps(input, output));
    if (bound) this.#add.dispatch({ aTensor: a, bTensor: b, outputTensor: output });
  }

  async #read(): Promise<Uint8Array> {
    const offset = this.#random.int(0, SIZE / 2);
    return new Uint8Array(await this.#pick().read(offset, this.#random.int(1, SIZE / 2)));
  }

  async #readInto(): Promise<Uint8Array> {
    const target = new Uint8Array(this.#random.int(1, SIZE / 2));
    return this.#pick().readInto(target, this.#random.int(0, SIZE / 2));
  }

  #replay(): void {
    if (this.#recording === null || this.#random.chance(0.2)) {
      this.#recording?.dispose();
      this.#recording = this.#device.record(() => {
        for (let i = 0; i < 5; i++) this.#dispatch();
      });
    }
    this.#recording.replay();
  }

  /** Replaces a buffer with a new one, and drops the recording, which may use the old one. */
  #exchange(): void {
    this.#recording?.dispose();
    this.#recording = null;
    const index = this.#random.int(0, BUFFERS - 1);
    this.#buffers[index]?.dispose();
    this.#buffers[index] = this.#newBuffer();
  }

  #newBuffer(): DirectMLBuffer {
    return this.#device.createBuffer(SIZE);
  }

  #pick(): DirectMLBuffer {
    return this.#random.pick(this.#buffers);
  }

  #range(): Range {
    return { buffer: this.#pick(), offset: 16 * this.#random.int(0, (SIZE - TENSOR_SIZE) / 16), size: TENSOR_SIZE };
  }
}

interface Range {
  readonly buffer: DirectMLBuffer;
  readonly offset: number;
  readonly size: number;
}

function overlaps(a: Range, b: Range): boolean {
  return a.buffer === b.buffer && a.offset < b.offset + b.size && b.offset < a.offset + a.size;
}

/** Textures of another addon, and what they must contain. */
import type { DirectMLBuffer, DirectMLTexture, PreparedCopy, Recording, Tensor } from 'node-directml';
import { formatNumbers, interop } from '../interop/addon.js';
import {
  bytesOfTexels,
  elementsAfter,
  expectSame,
  texelsAfter,
  texelsOfBytes,
  type Plan,
  type TextureSize,
} from './texture-model.js';
import type { Held, HeldDevice } from './held.js';

export interface HeldTexture extends Held<DirectMLTexture> {
  readonly memory: TextureMemory;
}

/** A tensor or a buffer that only copies with the same plan use. */
interface HeldTarget extends Held<Tensor | DirectMLBuffer> {
  /** What was last written to it, for copies into the texture. */
  elements: Float64Array;
}

export interface HeldCopy extends Held<PreparedCopy> {
  readonly texture: HeldTexture;
  readonly plan: Plan;
  readonly target: HeldTarget;
}

export interface HeldCopies extends Held<Recording> {
  readonly copies: readonly HeldCopy[];
}

/** DXGI_ERROR_DEVICE_REMOVED, …_HUNG and …_RESET. */
const REMOVED = /failed with -200527052[123]$/;

/** Calls the other addon. Returns null if its device is removed. */
export function elsewhere<T>(call: () => T): T | null {
  try {
    return call();
  } catch (error) {
    if (error instanceof Error && REMOVED.test(error.message)) return null;
    throw error;
  }
}

/** A handle of the other addon. Once it is closed, its number may stand for something else. */
export interface OpenHandle {
  readonly value: bigint;
  isOpen: boolean;
}

/** The memory of a texture. Several imports may share it. */
export class TextureMemory {
  readonly owner: HeldDevice;
  readonly size: TextureSize;
  /** True if it was first imported by a handle. */
  readonly isByHandle: boolean;
  /** The other addon's texture. Null once the addon has released it. */
  external: unknown;
  handle: OpenHandle | null = null;
  /** Changes when commands are recorded that use it. */
  uses = 0;
  /** The number of those who use it at an unknown moment. */
  unordered = 0;
  #texels: Float64Array | null = null;

  constructor(owner: HeldDevice, size: TextureSize, isByHandle: boolean) {
    this.owner = owner;
    this.size = size;
    this.isByHandle = isByHandle;
    const { format, width, height } = size;
    const desc = { width, height, format: formatNumbers[format], heapFlags: isByHandle ? 1 : 0 };
    this.external = elsewhere(() => interop.createTexture(owner.device.native, desc));
  }

  /** Null if they are unknown. */
  get texels(): Float64Array | null {
    return this.unordered > 0 ? null : this.#texels;
  }

  set texels(texels: Float64Array | null) {
    this.#texels = texels;
  }

  /** Writes them in the other addon. No recorded command may use the texture. */
  write(texels: Float64Array): void {
    this.#texels = null;
    const bytes = bytesOfTexels(this.size, texels);
    if (elsewhere(() => interop.writeTexture(this.external, bytes)) !== null) this.#texels = texels;
  }

  /** Reads them in the other addon, and compares. No recorded command may use the texture. */
  check(what: string): void {
    const expected = this.texels;
    if (expected === null) return;
    const bytes = elsewhere(() => interop.readTexture(this.external));
    if (bytes !== null) expectSame(what, texelsOfBytes(this.size, bytes), expected);
  }

  /** Runs what uses the texture at an unknown moment. */
  async apart(run: () => Promise<unknown>): Promise<void> {
    this.unordered += 1;
    try {
      await run();
    } finally {
      this.unordered -= 1;
      this.uses += 1;
      this.#texels = null;
    }
  }
}

/** Runs what makes all these copies, in this order. Returns what each must leave in its target; null if that is unknown. */
export function follow(copies: readonly HeldCopy[], run: () => void): readonly (Float64Array | null)[] {
  const contents = copies.map(({ texture: { memory } }) => memory.texels);
  for (const { texture, plan } of copies) {
    texture.memory.uses += 1;
    if (!plan.toTarget) texture.memory.texels = null;
  }
  run();
  copies.forEach(({ texture: { memory } }, i) => (memory.texels = contents[i] ?? null));
  return copies.map(({ texture: { memory }, plan, target }) => {
    const { size, texels } = memory;
    if (plan.toTarget) return texels && elementsAfter(size, plan, texels);
    memory.texels = texelsAfter(size, plan, texels, target.elements);
    return null;
  });
}

/** The result of `device.memory()`. All sizes are in bytes. */

/** A part of an adapter's memory. */
export interface MemorySegment {
  /** The most that this process should use. Windows changes it as other processes need memory. */
  readonly budget: number;
  /** How much this process uses, including other devices and other packages. */
  readonly usage: number;
}

/** Memory that a device keeps for its own use. */
export interface MemoryPool {
  /** Used by work that has not finished, or kept by a recording. */
  readonly inUse: number;
  /** Kept for later work. Memory that is unused for a second is freed, except for a few MiB. */
  readonly idle: number;
}

/** The memory of a device, in bytes. */
export interface DeviceMemory {
  /**
   * The adapter's memory according to DXGI: `local` is fast for the adapter (its own memory, or all of the system's for an
   * integrated adapter); `nonLocal` is system memory that a discrete adapter can also use. Null on the reference backend, and
   * for adapters that DXGI does not list, such as NPUs.
   */
  readonly adapter: { readonly local: MemorySegment; readonly nonLocal: MemorySegment } | null;
  /** The total size of all live buffers, including those of tensors and graph constants. */
  readonly buffers: number;
  /** Memory that DirectML keeps for compiled operators and graphs (persistent resources). */
  readonly persistent: number;
  /**
   * Scratch memory of operators and graphs (temporary resources). All of them share it; it is as large as the largest needs. For
   * a second, also memory of disposed buffers, at most 64 MiB, which new buffers of the same size take.
   */
  readonly temporary: MemoryPool;
  /** Memory for transfers to the device (at most 64 MiB in use) and back. */
  readonly staging: MemoryPool;
  /** Descriptor heaps. */
  readonly descriptors: MemoryPool;
}

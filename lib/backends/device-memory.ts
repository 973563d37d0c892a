/** What `device.memory()` tells. All of it is in bytes. */

/** A part of an adapter's memory. */
export interface MemorySegment {
  /** How much this process should use at most. Windows changes it as other processes need memory. */
  readonly budget: number;
  /** How much this process uses, other devices and other packages included. */
  readonly usage: number;
}

/** Memory that a device keeps for its own use. */
export interface MemoryPool {
  /** Used by work that has not finished, or kept by a recording. */
  readonly inUse: number;
  /** Kept for the next work. What is unused for a second is freed, except for a few MiB. */
  readonly idle: number;
}

/** The memory of a device, in bytes. */
export interface DeviceMemory {
  /**
   * The adapter's memory, as DXGI tells it: `local` is fast for the adapter (its own, or all of the system's for an integrated
   * one), `nonLocal` is the system's memory that a discrete adapter can use too. Null on the reference backend, and for adapters
   * that DXGI does not list, such as NPUs.
   */
  readonly adapter: { readonly local: MemorySegment; readonly nonLocal: MemorySegment } | null;
  /** The sizes of the buffers that are neither disposed nor collected: those of tensors, and those of graph constants too. */
  readonly buffers: number;
  /** What DirectML keeps for compiled operators and graphs (persistent resources). */
  readonly persistent: number;
  /** Scratch memory of operators and graphs (temporary resources): one for all of them, as large as the largest needs. */
  readonly temporary: MemoryPool;
  /** Memory through which data goes to the device (at most 64 MiB in use) and comes back. */
  readonly staging: MemoryPool;
  /** Descriptor heaps. */
  readonly descriptors: MemoryPool;
}

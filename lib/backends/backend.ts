/**
 * The interface between the facade and its two backends: DirectML through the native addon (`directml/`), and pure TypeScript
 * (`reference/`). All arguments have been validated.
 */
import type { DeviceInfo, DeviceLostInfo } from './device-info.js';
import type { DeviceMemory } from './device-memory.js';
import type { TextureFormat } from './texture-formats.js';
import type { ResolvedGraph } from '../graph/resolved-graph.js';
import type { ResolvedOperator } from '../descriptors/resolved.js';

/** Why a device of the reference backend is lost after `simulateLoss`. */
export const simulatedLoss = 'device.simulateLoss was called';

/** What the errors of a lost device say, after the method. `reason` is the message of `lost`. */
export function lossText(reason: string): string {
  return `the device was lost (${reason}); create a new one`;
}

export interface BackendBuffer {
  readonly sizeInBytes: number;
  /** Equal for buffers of the device that are the same memory, such as a buffer and one that was imported from it. */
  readonly memory: unknown;
  /** Where the buffer begins in its memory, in bytes. */
  readonly base: number;
  setLabel(label: string): void;
  dispose(): void;
}

/** The bytes of a buffer from `offset` up to, not including, `offset + sizeInBytes`. */
export interface BufferRange {
  readonly buffer: BackendBuffer;
  readonly offset: number;
  readonly sizeInBytes: number;
}

/** A compiled operator or graph of the backend: whatever `dispatch` can record, as DirectML's IDMLDispatchable. */
export interface BackendDispatchable {
  dispose(): void;
}

/** The memory of a compiled graph besides that of its bindings, in bytes. */
export interface GraphMemory {
  /**
   * Memory for the tensors inside the graph. All operators and graphs of the device share it; it is as large as the largest
   * needs.
   */
  readonly temporary: number;
  /** Memory that DirectML keeps, mostly its copies of constants. */
  readonly persistent: number;
  /** Constants that are bound at every dispatch, because DirectML would store several copies of them. */
  readonly constants: number;
}

/** How many products of a graph multiply by what it dequantizes. Both are 0 on the reference backend. */
export interface DequantizedGemmCounts {
  /** DirectML computes `dequantize` and `gemm` as one operation, and a driver may read the integers as they are. */
  readonly fused: number;
  /** The floats are written first: DirectML does not take the pair as one, or something else reads the floats, too. */
  readonly separate: number;
}

export const noDequantizedGemms: DequantizedGemmCounts = Object.freeze({ fused: 0, separate: 0 });

export interface BackendGraph extends BackendDispatchable {
  readonly memory: GraphMemory;
  /** Absent on the reference backend. */
  readonly dequantizedGemms?: DequantizedGemmCounts;
}

/** The elements of a constant. */
export interface ConstantMemory {
  readonly range: BufferRange;
  /** True if the backend takes the buffer over and disposes of it; false if it belongs to the user. */
  readonly isOwn: boolean;
}

/**
 * The ranges that a dispatch binds. For a graph, they are in the order of its inputs and outputs. For an operator, they are in the
 * order of the descriptor's tensor fields, with array fields flattened; null for a tensor that is absent.
 */
export interface BoundRanges {
  readonly inputs: readonly (BufferRange | null)[];
  readonly outputs: readonly (BufferRange | null)[];
}

export interface DispatchCommand extends BoundRanges {
  readonly dispatchable: BackendDispatchable;
}

/** A 2D texture of other code. */
export interface BackendTexture {
  readonly width: number;
  readonly height: number;
  readonly format: TextureFormat;
  dispose(): void;
}

/** A fence of other code. */
export interface BackendFence {
  completedValue(): bigint;
  /** Undefined if the fence has no handle. */
  sharedHandle(): bigint | undefined;
  dispose(): void;
}

/** A rectangle of a texture, in texels. */
export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A copy between a rectangle of a texture and rows of texels in a buffer. */
export interface TextureCopy {
  readonly texture: BackendTexture;
  readonly rectangle: Rectangle;
  readonly buffer: BackendBuffer;
  /** In bytes, a multiple of 512. */
  readonly offset: number;
  /** A multiple of 256. */
  readonly bytesPerRow: number;
  /** Into the buffer, or into the texture. */
  readonly toBuffer: boolean;
}

/** What a backend shares with other code in the process. */
export interface Sharing {
  /** An external of include/node_directml.h. */
  deviceExternal(): unknown;
  /** An external of include/node_directml.h. */
  bufferExternal(buffer: BackendBuffer): unknown;
  /** Undefined if the buffer has no handle. */
  bufferHandle(buffer: BackendBuffer): bigint | undefined;
  /** The buffer and the fence have handles with this name, or without one if it is ''. */
  createBuffer(sizeInBytes: number, name: string): BackendBuffer;
  createFence(name: string): BackendFence;
  /** `foreign` is an external, a handle as a bigint, or the name of a handle. */
  importBuffer(foreign: unknown, offset: number, sizeInBytes: number | undefined): BackendBuffer;
  importTexture(foreign: unknown): BackendTexture;
  importFence(foreign: unknown): BackendFence;
  /** Records a copy. */
  copyTexture(copy: TextureCopy): void;
  /** Submits. The work after it waits until the fence has reached the value. */
  waitFor(fence: BackendFence, value: bigint): void;
  /** Submits. The fence reaches the value after the work so far. */
  signal(fence: BackendFence, value: bigint): void;
}

/** A command of a recording. */
export type Command = DispatchCommand | TextureCopy;

export function isTextureCopy(command: object): command is TextureCopy {
  return 'texture' in command;
}

/** Commands that can be run again and again. */
export interface BackendRecording {
  replay(): void;
  dispose(): void;
}

/**
 * Bytes that were read. When a promise resolves with an object, the engine looks for its `then`, also on prototypes, where a
 * script could intercept the bytes. So this object has its own `then`.
 */
export interface ReadBytes {
  readonly then: undefined;
  readonly bytes: ArrayBuffer;
}

/** GPU times in milliseconds. */
export interface GpuTimes {
  /** The sum over all submissions, without the gaps between them. */
  readonly total: number;
  /** The dispatches that were measured separately. */
  readonly dispatches: Float64Array;
}

/** Measures the GPU times of everything recorded until `end` is called. */
export interface BackendProfile {
  /** Like {@link Backend.dispatch}, but also measures the dispatch separately. Returns its index in {@link GpuTimes.dispatches}. */
  dispatch(command: DispatchCommand): number;
  /** Submits, and resolves when all of it has run. */
  end(): Promise<GpuTimes>;
}

export interface CompileFlags {
  readonly allowHalfPrecisionComputation: boolean;
  readonly disableMetacommands: boolean;
}

export interface Backend {
  readonly info: DeviceInfo;
  readonly lost: Promise<DeviceLostInfo>;
  createBuffer(sizeInBytes: number): BackendBuffer;
  /**
   * `owned` holds the inputs that the operator takes over (`flags: 'ownedByDml'`), by position as in `dispatch`; null for all
   * other inputs.
   */
  compile(operator: ResolvedOperator, flags: CompileFlags, owned: readonly (BufferRange | null)[]): Promise<BackendDispatchable>;
  /** `constants` has the memory of each constant of the graph. */
  compileGraph(graph: ResolvedGraph, flags: CompileFlags, constants: readonly ConstantMemory[]): Promise<BackendGraph>;
  /** Records that the graph has other constants from now on. */
  initializeGraph(graph: BackendGraph, constants: readonly ConstantMemory[]): void;
  /** Records a dispatch. */
  dispatch(command: DispatchCommand): void;
  /** `reusesLists`: whether to run the same command lists at each replay, instead of recording the dispatches again. */
  createRecording(commands: readonly Command[], reusesLists: boolean): BackendRecording;
  /** Submits, and measures everything recorded from now on. Null if the GPU has no clock. Only one profile runs at a time. */
  startProfile(): BackendProfile | null;
  /** Records a copy between ranges of the same size, of two different buffers. */
  copy(from: BufferRange, to: BufferRange): void;
  /** Copies the bytes before it returns. */
  write(buffer: BackendBuffer, offset: number, data: Uint8Array): void;
  read(buffer: BackendBuffer, offset: number, sizeInBytes: number): Promise<ReadBytes>;
  /** Fills the array. Rejects if its memory was transferred or cut off in the meantime. */
  readInto(buffer: BackendBuffer, offset: number, target: Uint8Array): Promise<void>;
  /** Null if the backend shares nothing with other code. */
  readonly sharing: Sharing | null;
  memory(): DeviceMemory;
  /** Sets the function that is called whenever the budget of the adapter has become smaller. It does not keep the process alive. */
  onBudgetShrink(callback: () => void): void;
  submit(): void;
  /** Submits, and resolves when all recorded work has run. Rejects for a lack of memory that was not reported yet. */
  idle(): Promise<void>;
  /** The same, but leaves it to `idle` and to reads to report a lack of memory. */
  caughtUp(): Promise<void>;
  /**
   * Loses the device as a driver reset would: what waits for it rejects, and `lost` resolves soon; until then the process stays
   * alive. Called once at most. Returns the reason.
   */
  simulateLoss(): string;
  dispose(): void;
}

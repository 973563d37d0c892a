/**
 * The exports of the native addon: the contract between `lib/` and `native/`.
 *
 * `lib/` validates all descriptors, but the addon must not crash on values that it has not validated. Every function here
 * throws (or rejects with) a {@link NativeError} if a value has the wrong JavaScript type, a count does not match, an object
 * belongs to another device or was disposed, or a system call fails.
 */

/** The error of a failed call. `code` is stable. */
export interface NativeError extends Error {
  /**
   * ERR_INVALID_ARGUMENT, ERR_INVALID_DESCRIPTOR, ERR_INVALID_BINDING, ERR_DISPOSED, ERR_WRONG_DEVICE,
   * ERR_DEVICE_LOST, ERR_OUT_OF_MEMORY, ERR_NATIVE_CALL, ERR_NO_ADAPTER, ERR_DIRECTML_NOT_FOUND,
   * ERR_DIRECTML_NOT_A_DLL, ERR_DIRECTML_TOO_OLD, ERR_NOT_SHAREABLE
   */
  code: string;
  /** The path of the wrong field of the descriptor: `inputTensor.sizes`. */
  field?: string;
  /** The system call that failed, such as `IDMLDevice::CreateOperator`. */
  call?: string;
  /** The HRESULT of that call as an unsigned number: 2147942487. */
  hresult?: number;
  /** The name of the HRESULT: `E_INVALIDARG`. */
  hresultName?: string;
  /** The messages of the debug layers, if they are turned on. */
  debugMessages?: string[];
}

export interface NativeAdapter {
  name: string;
  /** The adapter's locally unique identifier, `"<high>-<low>"` in eight hexadecimal digits each. */
  luid: string;
  vendorId: number;
  deviceId: number;
  /** All three memory sizes are in bytes. */
  dedicatedVideoMemory: number;
  dedicatedSystemMemory: number;
  sharedSystemMemory: number;
  isSoftware: boolean;
  /** Highest Direct3D feature level, such as `"12_1"`; null if Direct3D 12 cannot use the adapter. */
  d3d12FeatureLevel: string | null;
}

export interface NativeDeviceOptions {
  /** An adapter's `luid`. The default is the first hardware adapter that works, else the first software adapter. */
  luid?: string;
  /** Without `luid`: the adapters are in Windows' order for little power, instead of for high performance. */
  lowPower?: boolean;
  /** False for a queue without Windows' time limit. Refused for an external queue that has it. */
  gpuTimeout?: boolean;
  /** The most bytes of the device's own memory; beyond it, calls fail with ERR_OUT_OF_MEMORY and the field `memoryLimit`. */
  memoryLimit?: number;
  /** The absolute path of the DirectML.dll to load; no other is tried. */
  directmlPath?: string;
  /** An absolute path: the folder that is searched for DirectML.dll before System32. */
  addonDirectory: string;
  /** Turns on the debug layers of Direct3D 12 and DirectML; fails if they are not installed. */
  debug?: boolean;
  /** An external of include/node_directml.h with an ID3D12Device or an ID3D12CommandQueue of other code, to use instead of new ones. */
  external?: unknown;
}

export interface NativeDeviceInfo {
  adapter: NativeAdapter;
  /** Whether the queue has Windows' time limit. */
  gpuTimeout: boolean;
  directmlPath: string;
  /** File version of that DLL, such as `"1.15.4.0"`. */
  directmlVersion: string;
  /** Highest DirectML feature level as its number: 0x6400 for 6.4. */
  featureLevel: number;
  /** DML_TENSOR_DATA_TYPE values that the device supports. */
  tensorDataTypes: number[];
}

/** A tensor of a native descriptor. Enum values and flags are DirectML's numbers. */
export interface NativeTensorDesc {
  dataType: number;
  flags: number;
  sizes: readonly number[];
  /** In elements; null for a packed tensor. */
  strides: readonly number[] | null;
  totalTensorSizeInBytes: number | bigint;
  guaranteedBaseOffsetAlignment: number;
}

/**
 * An operator descriptor: `type` is the DML_OPERATOR_TYPE value; every other property is a field of the descriptor struct,
 * with its name in camelCase. The value depends on the field's type: tensor → NativeTensorDesc or null; array of tensors →
 * array; UINT, INT, FLOAT, enum → number; BOOL → boolean; DML_SIZE_2D → { width, height }; DML_SCALE_BIAS → { scale, bias }
 * or null; DML_SCALAR_UNION → Uint8Array of 8 bytes; nested operator → descriptor or null; counted array → array of numbers.
 * The count fields are given too, and must equal the length of their arrays.
 */
export interface NativeOperatorDesc {
  type: number;
  [field: string]: unknown;
}

/**
 * A graph: DML_GRAPH_DESC. Edges are rows of numbers, as in DirectML's structs. There are no constant nodes, and
 * FILL_VALUE_SEQUENCE is refused, because both end the process in DirectML.
 */
export interface NativeGraphDesc {
  operators: readonly NativeOperatorDesc[];
  /** For each node, the index of its operator; at most 65,536 nodes. */
  nodes: Uint32Array;
  /** Rows of graph input, node, input of the node. */
  inputEdges: Uint32Array;
  /** Rows of node, output of the node, graph output. Each graph output has at most one. */
  outputEdges: Uint32Array;
  /** Rows of node, output of that node, node, input of that node. */
  intermediateEdges: Uint32Array;
  /** The names of the graph's inputs, for errors; at most 65,536. */
  inputs: readonly string[];
  /** The names of the graph's outputs, for errors; at most 65,536. */
  outputs: readonly string[];
}

/**
 * Bindings: a row of three numbers for each tensor, in the order of the descriptor's fields, with arrays flattened. A row has the
 * number of a buffer, and the offset and the size in bytes; or zeros if nothing is bound. The offset must be a multiple of 16.
 */
export type NativeRanges = Float64Array;

/** A dispatch: the number of an operator or a graph, then the rows of its inputs, then those of its outputs. */
export type NativeDispatch = Float64Array;

export interface NativeBuffer {
  /** At least 1; unique among the buffers of this environment. */
  readonly number: number;
  readonly sizeInBytes: number;
  /** Allocates memory for a disposed buffer, as `createBuffer` does for a new one, which takes longer. */
  renew(): void;
  /** The memory by a number, which is the same for all buffers of the device in it, and where the buffer begins in it, in bytes. */
  memory(): { readonly number: number; readonly offset: number };
  /** The handle by which other code shares the memory, if it has one. It is open until the memory is freed. */
  sharedHandle(): bigint | undefined;
  /** Shown by debuggers and the debug layer. */
  setLabel(label: string): void;
  /** Frees the memory once the work recorded so far no longer needs it. May be called again. */
  dispose(): void;
}

/** An external of include/node_directml.h, an open handle (a bigint), or the name of a handle (a string). */
export type ForeignSource = unknown;

/** A compiled operator or a compiled graph. */
export interface NativeOperator {
  /** At least 1; unique among the operators of this environment. */
  readonly number: number;
  /** Both resource sizes are in bytes. */
  readonly temporaryResourceSize: number;
  readonly persistentResourceSize: number;
  readonly descriptorCount: number;
  dispose(): void;
}

/** A 2D texture of other code. */
export interface NativeTexture {
  /** Both sizes are in texels. */
  readonly width: number;
  readonly height: number;
  /** DXGI_FORMAT: 87 (B8G8R8A8_UNORM), 28 (R8G8B8A8_UNORM), 10 (R16G16B16A16_FLOAT) or 61 (R8_UNORM). */
  readonly format: number;
  dispose(): void;
}

/** A fence that is shared with other code. */
export interface NativeFence {
  /** The value that the fence has now; 2^64 - 1 if its device was removed. */
  completedValue(): bigint;
  /** The handle by which other code shares the fence, if it has one. It is open until the fence is freed. */
  sharedHandle(): bigint | undefined;
  dispose(): void;
}

/** Dispatches and copies of textures that can be executed again and again. It keeps their operators and buffers alive. */
export interface NativeRecording {
  dispose(): void;
}

/** In milliseconds. */
export interface NativeGpuTimes {
  /** The sum over all submissions, without the gaps between them. */
  total: number;
  /** By index, the dispatches that were measured by themselves, as 64-bit floats. */
  dispatches: ArrayBuffer;
}

/** A part of an adapter's memory, in bytes: how much this process may use, and how much it uses. */
export interface NativeMemorySegment {
  budget: number;
  usage: number;
}

/** Memory that the device keeps for its own use, in bytes. */
export interface NativePool {
  /** Used by unfinished work, or kept by a recording. */
  inUse: number;
  /** Kept for later work. Memory that is unused for a second is freed, except for a few MiB. */
  idle: number;
}

/**
 * Bytes that were read. When a promise resolves with an object, the engine looks for its `then`, also on prototypes, where a
 * script could intercept the bytes. So this object has its own `then`.
 */
export interface NativeBytes {
  readonly then: undefined;
  readonly bytes: ArrayBuffer;
}

/** All sizes are in bytes. */
export interface NativeDeviceMemory {
  /** The result of IDXGIAdapter3::QueryVideoMemoryInfo; null if DXGI does not list the adapter. */
  adapter: { local: NativeMemorySegment; nonLocal: NativeMemorySegment } | null;
  /** The sizes of the buffers that are not disposed. */
  buffers: number;
  /** The persistent resources of compiled operators and graphs. */
  persistent: number;
  temporary: NativePool;
  /** Upload and readback memory. The parts of reads share a ring. */
  staging: NativePool;
  descriptors: NativePool;
}

export interface NativeDevice {
  readonly info: NativeDeviceInfo;
  /**
   * Allocates zero-filled default-heap memory that operators can read and write. Finalizers free the memory of collected
   * objects only at the next turn of the event loop, so this call frees it too, from time to time. If memory runs out, it
   * collects garbage and tries once more before it throws ERR_OUT_OF_MEMORY. With the name of a kernel object, which may be empty,
   * other code can share the memory by a handle.
   */
  createBuffer(sizeInBytes: number, sharedName?: string): NativeBuffer;
  /**
   * Creates and compiles an operator off the JavaScript thread, then records its initialization. `executionFlags` are
   * DML_EXECUTION_FLAGS. `initializationInputs` has a row for each input, which binds those with DML_TENSOR_FLAG_OWNED_BY_DML. The
   * initialization reads their contents at the time of the call: if a command overwrites an input before the initialization is
   * recorded, that input is copied first.
   */
  compileOperator(desc: NativeOperatorDesc, executionFlags: number, initializationInputs?: NativeRanges): Promise<NativeOperator>;
  /** Creates and compiles an operator on the calling thread and drops it. The parity tests use it. */
  checkOperator(desc: NativeOperatorDesc, executionFlags: number): void;
  /**
   * Like `compileOperator` for a graph. `initializationInputs` has one row per graph input. A failure of an operator has
   * the field `operators[index]`.
   */
  compileGraph(graph: NativeGraphDesc, executionFlags: number, initializationInputs?: NativeRanges): Promise<NativeOperator>;
  /** Like `checkOperator` for a graph. */
  checkGraph(graph: NativeGraphDesc, executionFlags: number): void;
  /** Records the initialization of a compiled operator or graph again, with other tensors for DirectML to own. */
  initialize(operator: NativeOperator, initializationInputs: NativeRanges): void;
  /**
   * Checks dispatches and copies of textures, and keeps them for `replay`. Executes nothing. `ranges` has the rows of all commands,
   * one after the other. At most 65,536 commands.
   */
  createRecording(commands: readonly (NativeOperator | NativeTexture)[], ranges: NativeRanges): NativeRecording;
  /**
   * Submits the recorded work, and executes the recording's dispatches after it. Records them again only while all of the
   * recording's command lists are being executed; with four of them in flight, waits for one, ten seconds at most. Returns the
   * number of command lists that the recording has.
   */
  replay(recording: NativeRecording): number;
  /**
   * Submits, and measures the GPU time of everything that is recorded from now on, by timestamps. Returns false and measures
   * nothing if the queue has no timestamps. Throws if a profile is running.
   */
  startProfile(): boolean;
  /** Submits, ends the profile, and resolves with the times when all of it has run. Throws if no profile is running. */
  endProfile(): Promise<NativeGpuTimes>;
  /**
   * Copies the bytes before it returns, and records their upload. If 16 MiB of uploads are unfinished, or 64 MiB behind other
   * work, blocks until the GPU has copied a part, for at most 10 ms each; longer only while 512 MiB are unfinished. Throws
   * ERR_OUT_OF_MEMORY if the GPU finishes nothing for ten seconds meanwhile. Then nothing has been written, unless the message
   * says that a part may have been.
   */
  write(buffer: NativeBuffer, offset: number, data: Uint8Array): void;
  /** Records a copy between two different buffers. Offsets and size are in bytes. */
  copy(source: NativeBuffer, sourceOffset: number, target: NativeBuffer, targetOffset: number, sizeInBytes: number): void;
  /**
   * Records a readback, submits, and resolves with the bytes. All of them share at most 16 MiB of staging memory; the GPU's
   * queue, not the JavaScript thread, waits until enough of it is free.
   */
  read(buffer: NativeBuffer, offset: number, sizeInBytes: number): Promise<NativeBytes>;
  /**
   * Like `read`, but fills the array with as many bytes as it has, from 32 MiB of staging memory. They are copied on the JavaScript
   * thread when they arrive. If the array's memory was transferred or cut off by then, the promise rejects with
   * ERR_INVALID_ARGUMENT; a part of the bytes may have been copied.
   */
  readInto(buffer: NativeBuffer, offset: number, target: Uint8Array): Promise<void>;
  /** An external of include/node_directml.h with the Direct3D device, the queue and the DirectML device. */
  external(): unknown;
  /** An external of include/node_directml.h with the memory of a buffer. New memory is filled with zeros first. */
  bufferExternal(buffer: NativeBuffer): unknown;
  /**
   * A buffer in memory of other code. Without a size, it gets all bytes from the offset. The offset is in bytes, a multiple of 16;
   * the size is a multiple of 4. Throws ERR_NOT_SHAREABLE if the memory cannot be used.
   */
  importBuffer(source: ForeignSource, offset: number, sizeInBytes?: number): NativeBuffer;
  /** Throws ERR_NOT_SHAREABLE if the texture cannot be used. */
  importTexture(source: ForeignSource): NativeTexture;
  /** Throws ERR_NOT_SHAREABLE if the fence cannot be used. */
  importFence(source: ForeignSource): NativeFence;
  /** Creates a fence at 0 that other code can share by a handle. Its name may be empty. */
  createFence(sharedName: string): NativeFence;
  /**
   * Records a copy between a rectangle of a texture and rows of texels in a buffer. `ranges` has three rows: buffer, offset and
   * bytes per row; x, y, and 1 into the buffer or 0 into the texture; width, height, and 0. The offset is a multiple of 512, bytes
   * per row of 256.
   */
  copyTexture(texture: NativeTexture, ranges: NativeRanges): void;
  /** Submits. The work after it waits on the GPU until the fence has reached the value, from 1 to 2^64 - 2. */
  waitFor(fence: NativeFence, value: bigint): void;
  /** Submits. The GPU raises the fence to the value after the work so far. The value must be higher than all before. */
  signal(fence: NativeFence, value: bigint): void;
  /** Submits the recorded work to the queue. */
  submit(): void;
  /** Submits, and resolves when the queue has finished all of it. */
  idle(): Promise<void>;
  /** What the device uses now. */
  memory(): NativeDeviceMemory;
  /**
   * Sets the callback that is called whenever Windows has shrunk the adapter's budget for this process. By then the device has
   * freed its unused memory. This object keeps the callback alive.
   */
  onBudgetShrink(callback: () => void): void;
  /**
   * Sets the callback that is called once, with the reason, within a second after the device is removed. This object keeps
   * the callback alive. The process stays alive until it was called if a call of this device has failed for the loss.
   */
  onLost(callback: (reason: NativeError) => void): void;
  /** Limits the adapter's budgets to `bytes`, as Windows does when other processes need memory. For tests. */
  limitBudgetForTesting(bytes: number): void;
  /** Removes the Direct3D device as a driver reset would (ID3D12Device5::RemoveDevice). For tests. */
  removeForTesting(): void;
  /** Releases everything once the submitted work is finished; recorded work is dropped. Later calls throw ERR_DISPOSED. */
  dispose(): void;
}

/** Native objects alive in this environment. */
export interface LiveObjects {
  devices: number;
  buffers: number;
  operators: number;
  recordings: number;
  textures: number;
  fences: number;
  /** The sizes of the buffers. */
  bufferBytes: number;
  /** The persistent resources of compiled operators and graphs, until the work that uses them is finished. */
  persistentBytes: number;
  /**
   * Bytes that devices hold for their own use, pooled or in use: the sum of the three below. Memory unused for a second is
   * freed, except for a few MiB.
   */
  pooledBytes: number;
  /** Upload and readback memory, and that of a profile's timestamps; at most about 600 MiB per device. */
  stagingBytes: number;
  /**
   * Temporary resources of operators: one per device, and replaced smaller ones until their work is finished. Also copies of
   * what an initialization has yet to read, and memory of disposed buffers, at most 64 MiB for each device, for new ones.
   */
  temporaryBytes: number;
  /** Descriptor heaps. */
  descriptorBytes: number;
  /** Staging bytes of unfinished uploads, reads and profiles. The parts of large reads share a ring of staging memory. */
  bytesInFlight: number;
}

/** Creates a device on each adapter off the JavaScript thread, to find out its feature level. */
export function listAdapters(): Promise<NativeAdapter[]>;
export function createDevice(options: NativeDeviceOptions): Promise<NativeDevice>;
/** Records a dispatch on the device that has compiled the operator. */
export function dispatch(command: NativeDispatch): void;
/** Like `dispatch`, and measures the dispatch by itself. Returns its index in the times. Throws if no profile is running. */
export function dispatchProfiled(command: NativeDispatch): number;
export function liveObjects(): LiveObjects;
/** The number of devices, in the whole process, whose environment has ended and whose memory the GPU still uses. */
export function orphanedDevices(): number;
/** The operator table compiled into the addon: struct names, and the fields that the marshaller knows. For tests. */
export function operatorTable(): { type: number; name: string; fields: { name: string; kind: string }[] }[];

/**
 * What the native addon exports: the contract between `lib/` and `native/`.
 *
 * The addon trusts what `lib/` has validated and still never crashes on what it has not: every function here
 * throws (or rejects with) a {@link NativeError} when a value has the wrong JavaScript type, a count does not match,
 * an object belongs to another device or was disposed, or a system call fails.
 */

/** A failed call: `code` is stable, the rest says which call failed and how. */
export interface NativeError extends Error {
  /**
   * ERR_INVALID_ARGUMENT, ERR_INVALID_DESCRIPTOR, ERR_INVALID_BINDING, ERR_DISPOSED, ERR_WRONG_DEVICE,
   * ERR_DEVICE_LOST, ERR_OUT_OF_MEMORY, ERR_NATIVE_CALL, ERR_NO_ADAPTER, ERR_DIRECTML_NOT_FOUND,
   * ERR_DIRECTML_NOT_A_DLL, ERR_DIRECTML_TOO_OLD
   */
  code: string;
  /** The field of the descriptor at fault, as a path: `inputTensor.sizes`. */
  field?: string;
  /** The system call that failed, such as `IDMLDevice::CreateOperator`. */
  call?: string;
  /** Its HRESULT as an unsigned number, and that number's name: 2147942487, `E_INVALIDARG`. */
  hresult?: number;
  hresultName?: string;
  /** What the debug layers had to say, where they are installed. */
  debugMessages?: string[];
}

export interface NativeAdapter {
  name: string;
  /** The adapter's locally unique identifier, `"<high>-<low>"` in eight hexadecimal digits each. */
  luid: string;
  vendorId: number;
  deviceId: number;
  /** In bytes. */
  dedicatedVideoMemory: number;
  dedicatedSystemMemory: number;
  sharedSystemMemory: number;
  isSoftware: boolean;
  /** Highest Direct3D feature level, such as `"12_1"`; null where Direct3D 12 cannot use the adapter. */
  d3d12FeatureLevel: string | null;
}

export interface NativeDeviceOptions {
  /** An adapter's `luid`; the first hardware adapter, else the first software one, when absent. */
  luid?: string;
  /** Load exactly this DirectML.dll, and no other. */
  directmlPath?: string;
  /** Where to look for DirectML.dll before the system's folder. */
  addonDirectory: string;
  /** Turn on the debug layers of Direct3D 12 and DirectML; an error where they are not installed. */
  debug?: boolean;
}

export interface NativeDeviceInfo {
  adapter: NativeAdapter;
  directmlPath: string;
  /** File version of that DLL, `"1.15.4.0"`. */
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
 * An operator descriptor: `type` is the DML_OPERATOR_TYPE value, every other property a field of the descriptor's
 * struct in camelCase. By kind of field: tensor → NativeTensorDesc or null; array of tensors → array;
 * UINT, INT, FLOAT, enum → number; BOOL → boolean; DML_SIZE_2D → { width, height }; DML_SCALE_BIAS →
 * { scale, bias } or null; DML_SCALAR_UNION → Uint8Array of 8 bytes; nested operator → descriptor or null;
 * counted array → array of numbers. Counts are given too and must equal the array's length.
 */
export interface NativeOperatorDesc {
  type: number;
  [field: string]: unknown;
}

/** A range of a buffer, in bytes; `offset` a multiple of 16. */
export interface NativeBinding {
  buffer: NativeBuffer;
  offset: number;
  sizeInBytes: number;
}

export interface NativeBuffer {
  readonly sizeInBytes: number;
  /** Shown by debuggers and the debug layer. */
  setLabel(label: string): void;
  /** Gives the memory back once the work recorded so far no longer needs it. May be called again. */
  dispose(): void;
}

export interface NativeOperator {
  /** In bytes. */
  readonly temporaryResourceSize: number;
  readonly persistentResourceSize: number;
  readonly descriptorCount: number;
  dispose(): void;
}

export interface NativeDevice {
  readonly info: NativeDeviceInfo;
  /**
   * Zero-filled default-heap memory that operators can read and write. What hung on collected objects is freed here
   * too, and not only by finalizers, which wait for the next turn of the event loop; where memory runs out, garbage is
   * collected first.
   */
  createBuffer(sizeInBytes: number): NativeBuffer;
  /**
   * Creates, compiles and (in the command stream) initializes an operator; the first two off the JavaScript thread.
   * `executionFlags` are DML_EXECUTION_FLAGS. `initializationInputs` are bound to the inputs whose tensor has
   * DML_TENSOR_FLAG_OWNED_BY_DML, by input position, null elsewhere.
   */
  compileOperator(
    desc: NativeOperatorDesc,
    executionFlags: number,
    initializationInputs?: readonly (NativeBinding | null)[],
  ): Promise<NativeOperator>;
  /** Only creates and compiles on the calling thread and drops the result: what parity tests ask. */
  checkOperator(desc: NativeOperatorDesc, executionFlags: number): void;
  /** Records a dispatch. Bindings are in the order of the descriptor's fields, arrays flattened, null for none. */
  dispatch(operator: NativeOperator, inputs: readonly (NativeBinding | null)[], outputs: readonly (NativeBinding | null)[]): void;
  /**
   * Copies the bytes now and records their upload. Blocks only while 256 MiB of uploads are unfinished, and throws
   * ERR_OUT_OF_MEMORY when the GPU finishes nothing for ten seconds meanwhile. Nothing has been written then, unless
   * the message says that a part may have been.
   */
  write(buffer: NativeBuffer, offset: number, data: Uint8Array): void;
  /**
   * Records a readback, submits, and resolves when the bytes are there. Reads of any number and size share 32 MiB of
   * staging memory; the queue waits for its turn, not the JavaScript thread.
   */
  read(buffer: NativeBuffer, offset: number, sizeInBytes: number): Promise<ArrayBuffer>;
  /** Hands what was recorded to the queue. */
  submit(): void;
  /** Submits, and resolves when the queue has finished all of it. */
  idle(): Promise<void>;
  /** Called once, with the reason, when the device is removed, within a second. Held by this object. */
  onLost(callback: (reason: NativeError) => void): void;
  /** Removes the Direct3D device, as a driver reset would; for tests (ID3D12Device5::RemoveDevice). */
  removeForTesting(): void;
  /** Finishes what was submitted, then lets go of everything. Later calls throw ERR_DISPOSED. */
  dispose(): void;
}

/** Native objects alive in this environment. */
export interface LiveObjects {
  devices: number;
  buffers: number;
  operators: number;
  /**
   * Bytes that devices hold for their own use, in use or not: the three below together. What has been unused for a
   * second is freed, all but some MiB.
   */
  pooledBytes: number;
  /** Upload and readback memory; a device holds at most some 400 MiB. */
  stagingBytes: number;
  /** What operators compute in: one resource per device, and smaller ones until their work is finished. */
  temporaryBytes: number;
  /** Descriptor heaps. */
  descriptorBytes: number;
  /** Of unfinished uploads and reads. The parts of large reads take turns in a ring of staging memory. */
  bytesInFlight: number;
}

export function listAdapters(): NativeAdapter[];
export function createDevice(options: NativeDeviceOptions): Promise<NativeDevice>;
export function liveObjects(): LiveObjects;
/** Devices of ended environments, in the whole process, that wait for the GPU before they give back their memory. */
export function orphanedDevices(): number;
/** The operator table compiled into the addon: struct names with the fields the marshaller knows, for tests. */
export function operatorTable(): { type: number; name: string; fields: { name: string; kind: string }[] }[];

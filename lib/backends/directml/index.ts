/** The backend that runs on the real DirectML, through the native addon. */
import { dataTypes } from '../../tensors/data-types.js';
import type { NativeDevice, NativeDeviceInfo } from '../../../binding.js';
import type { AdapterInfo, DeviceInfo, DeviceLostInfo, PowerPreference } from '../device-info.js';
import type { DeviceMemory, MemoryPool, MemorySegment } from '../device-memory.js';
import { isFeatureLevel } from '../../descriptors/feature-level.js';
import { enums, type DataType, type FeatureLevel } from '../../tensors/generated/enums.js';
import type { ResolvedOperator } from '../../descriptors/resolved.js';
import type { ResolvedGraph } from '../../graph/resolved-graph.js';
import { simulatedLoss } from '../backend.js';
import type {
  Backend,
  BackendBuffer,
  BackendDispatchable,
  BackendRecording,
  BackendGraph,
  BackendProfile,
  BufferRange,
  Command,
  CompileFlags,
  ConstantMemory,
  DispatchCommand,
  ReadBytes,
  Sharing,
} from '../backend.js';
import { DispatchLog } from '../dispatch-log.js';
import { loadAddon } from './addon.js';
import { encodeFlags, encodeOperator } from './encode.js';
import { DirectMLRecording } from './recording.js';
import { dequantizedGemms, type DequantizedGemms } from './dequantized-gemms.js';
import { copyRange, DirectMLGraph } from './graph.js';
import { lowerGraph, type LoweredGraph } from './lower-graph.js';
import { DirectMLBufferHandle, nativeOf, type SpareBuffers } from './buffer-handle.js';
import { dllAdvice } from './dll-advice.js';
import { attempt, fromNative, fromNativeGraph, summaryOf } from './native-error.js';
import { compiledOf, DirectMLOperator } from './operator.js';
import { dispatchOf, rowsOf } from './ranges.js';
import { retryingOutOfMemory } from './retry-out-of-memory.js';
import { DirectMLSharing } from './sharing.js';

interface DirectMLBackendOptions {
  readonly luid?: string;
  readonly powerPreference?: PowerPreference;
  readonly gpuTimeout?: boolean;
  readonly memoryLimit?: number;
  readonly directmlPath?: string;
  readonly debug?: boolean;
  readonly external?: unknown;
}

/** What the options, and not the addon, say about a device. */
type ChosenInfo = Pick<DeviceInfo, 'powerPreference' | 'memoryLimit'>;

export async function listDirectMLAdapters(addonPath?: string): Promise<AdapterInfo[]> {
  const { binding } = loadAddon(addonPath, 'listAdapters');
  try {
    return await binding.listAdapters();
  } catch (error) {
    throw fromNative(error);
  }
}

export async function createDirectMLBackend(options: DirectMLBackendOptions, addonPath?: string): Promise<Backend> {
  const { binding, directory } = loadAddon(addonPath, 'createDevice');
  try {
    // Without a prototype there are no inherited properties, which the addon reads, too: so a changed Object.prototype cannot name
    // another DLL.
    const own = { __proto__: null, ...options };
    const { powerPreference = 'high-performance', luid, external, memoryLimit = null } = own;
    const native = { ...own, __proto__: null, lowPower: powerPreference === 'low-power', addonDirectory: directory };
    const isNamed = luid !== undefined || external !== undefined;
    return new DirectMLBackend(await binding.createDevice(native), {
      powerPreference: isNamed ? null : powerPreference,
      memoryLimit,
    });
  } catch (error) {
    throw fromNative(error, undefined, (code) => dllAdvice(code, options.directmlPath !== undefined));
  }
}

export class DirectMLBackend implements Backend {
  readonly info: DeviceInfo;
  readonly lost: Promise<DeviceLostInfo>;
  readonly sharing: Sharing;
  readonly #device: NativeDevice;
  readonly #spare: SpareBuffers = [];
  /** The data types that this device does not dequantize and multiply in one operation. */
  readonly #unfused = new Set<DataType>();
  #lose: (info: DeviceLostInfo) => void = () => undefined;

  constructor(device: NativeDevice, chosen: ChosenInfo) {
    this.#device = device;
    this.info = deviceInfo(device.info, chosen);
    this.sharing = new DirectMLSharing(device);
    this.lost = new Promise((resolve) => {
      this.#lose = resolve;
    });
    device.onLost((reason) => this.#lose({ reason: 'unknown', message: reason.message }));
  }

  createBuffer(sizeInBytes: number): BackendBuffer {
    return attempt(() => DirectMLBufferHandle.create(this.#device, sizeInBytes, this.#spare));
  }

  async compile(
    { descriptor }: ResolvedOperator,
    flags: CompileFlags,
    owned: readonly (BufferRange | null)[],
  ): Promise<BackendDispatchable> {
    const desc = encodeOperator(descriptor);
    try {
      const compile = () => this.#device.compileOperator(desc, encodeFlags(flags), rowsOf([{ inputs: owned, outputs: [] }]));
      const native = await (owned.every((range) => range === null) ? retryingOutOfMemory(compile) : compile());
      return new DirectMLOperator(native, descriptor.type);
    } catch (error) {
      throw fromNative(error, descriptor.type);
    }
  }

  compileGraph(graph: ResolvedGraph, flags: CompileFlags, constants: readonly ConstantMemory[]): Promise<BackendGraph> {
    const { all, fusible } = dequantizedGemms(graph);
    const fused = new Map([...fusible].filter(([, dataType]) => !this.#unfused.has(dataType)));
    const most = fused.size === 0 ? null : lowerGraph(graph, new Set([...all].filter((node) => !fused.has(node))));
    return this.#compileLowered([lowerGraph(graph, all), most], flags, constants, summaryOf(graph), { all, fusible: fused });
  }

  async #compileLowered(
    [lowered, most]: readonly [lowered: LoweredGraph, tried: LoweredGraph | null],
    flags: CompileFlags,
    constants: readonly ConstantMemory[],
    summary: string,
    { all, fusible }: DequantizedGemms,
  ): Promise<BackendGraph> {
    try {
      const compiled = await DirectMLGraph.compile(this.#device, lowered, encodeFlags(flags), constants, most);
      if (compiled.attempt === 'refused') for (const dataType of fusible.values()) this.#unfused.add(dataType);
      const fused = compiled.attempt === 'taken' ? fusible.size : 0;
      compiled.dequantizedGemms = Object.freeze({ fused, separate: all.size - fused });
      return compiled;
    } catch (error) {
      throw fromNativeGraph(error, summary, lowered.operatorNames);
    }
  }

  initializeGraph(graph: BackendGraph, constants: readonly ConstantMemory[]): void {
    if (!(graph instanceof DirectMLGraph)) throw new TypeError('the graph belongs to another backend');
    attempt(() => graph.initialize(this.#device, constants));
  }

  dispatch(command: DispatchCommand): void {
    const compiled = compiledOf(command.dispatchable);
    try {
      loadAddon().binding.dispatch(dispatchOf(compiled.native, compiled.bind(command)));
    } catch (error) {
      throw fromNative(error, compiled.type);
    }
  }

  createRecording(commands: readonly Command[], reusesLists: boolean): BackendRecording {
    if (!reusesLists) return new DispatchLog(this, commands);
    const recording = attempt(() => new DirectMLRecording(this.#device, commands));
    return { replay: () => attempt(() => recording.replay()), dispose: () => attempt(() => recording.dispose()) };
  }

  startProfile(): BackendProfile | null {
    return attempt(() => this.#device.startProfile()) ? profileOf(this.#device) : null;
  }

  copy(from: BufferRange, to: BufferRange): void {
    attempt(() => copyRange(this.#device, from, to));
  }

  write(buffer: BackendBuffer, offset: number, data: Uint8Array): void {
    attempt(() => this.#device.write(nativeOf(buffer), offset, data));
  }

  async read(buffer: BackendBuffer, offset: number, sizeInBytes: number): Promise<ReadBytes> {
    try {
      return await this.#device.read(nativeOf(buffer), offset, sizeInBytes);
    } catch (error) {
      throw fromNative(error);
    }
  }

  async readInto(buffer: BackendBuffer, offset: number, target: Uint8Array): Promise<void> {
    try {
      await this.#device.readInto(nativeOf(buffer), offset, target);
    } catch (error) {
      throw fromNative(error);
    }
  }

  memory(): DeviceMemory {
    const { adapter, buffers, persistent, temporary, staging, descriptors } = attempt(() => this.#device.memory());
    return Object.freeze({
      adapter: adapter === null ? null : Object.freeze({ local: segment(adapter.local), nonLocal: segment(adapter.nonLocal) }),
      buffers,
      persistent,
      temporary: pool(temporary),
      staging: pool(staging),
      descriptors: pool(descriptors),
    });
  }

  onBudgetShrink(callback: () => void): void {
    attempt(() => this.#device.onBudgetShrink(callback));
  }

  submit(): void {
    attempt(() => this.#device.submit());
  }

  async idle(): Promise<void> {
    try {
      await this.#device.idle();
    } catch (error) {
      throw fromNative(error);
    }
  }

  caughtUp(): Promise<void> {
    return this.idle();
  }

  simulateLoss(): string {
    this.removeForTesting();
    try {
      // The addon notices a loss at the next call, and keeps the process alive until it has told it.
      this.#device.submit();
    } catch (error) {
      if (error instanceof Error) return error.message;
    }
    return simulatedLoss;
  }

  /** Loses the device, which nobody notices at first. For tests. */
  removeForTesting(): void {
    attempt(() => this.#device.removeForTesting());
  }

  dispose(): void {
    attempt(() => this.#device.dispose());
    this.#lose({ reason: 'destroyed', message: 'the device was disposed' });
  }

  /** Makes the adapter's budget at most so many bytes, as Windows does when other processes need memory. For tests. */
  limitBudgetForTesting(bytes: number): void {
    attempt(() => this.#device.limitBudgetForTesting(bytes));
  }
}

/** The profile that runs on the device. */
function profileOf(device: NativeDevice): BackendProfile {
  return {
    dispatch(command) {
      const compiled = compiledOf(command.dispatchable);
      return attempt(
        () => loadAddon().binding.dispatchProfiled(dispatchOf(compiled.native, compiled.bind(command))),
        compiled.type,
      );
    },
    async end() {
      try {
        const { total, dispatches } = await device.endProfile();
        return { total, dispatches: new Float64Array(dispatches) };
      } catch (error) {
        throw fromNative(error);
      }
    },
  };
}

function deviceInfo(native: NativeDeviceInfo, { powerPreference, memoryLimit }: ChosenInfo): DeviceInfo {
  return Object.freeze({
    backend: 'directml' as const,
    adapter: Object.freeze({ ...native.adapter }),
    powerPreference,
    gpuTimeout: native.gpuTimeout,
    memoryLimit,
    directmlPath: native.directmlPath,
    directmlVersion: native.directmlVersion,
    featureLevel: levelOf(native.featureLevel),
    tensorDataTypes: Object.freeze(native.tensorDataTypes.flatMap(dataTypeOf)),
  });
}

function segment({ budget, usage }: MemorySegment): MemorySegment {
  return Object.freeze({ budget, usage });
}

function pool({ inUse, idle }: MemoryPool): MemoryPool {
  return Object.freeze({ inUse, idle });
}

/** The highest feature level that this package knows and the device supports. */
function levelOf(number: number): FeatureLevel {
  const known = Object.entries(enums.FeatureLevel.values).filter(([, value]) => value <= number);
  const highest = known.sort(([, a], [, b]) => b - a)[0]?.[0];
  return isFeatureLevel(highest) ? highest : '1.0';
}

function dataTypeOf(number: number): DataType[] {
  return dataTypes.filter((dataType) => enums.DataType.values[dataType] === number);
}

/** The objects of a round: devices with their buffers, tensors, operators and graphs, live or gone. */
import {
  createDevice,
  type CompiledGraph,
  type CompiledOperator,
  type Device,
  type DirectMLBuffer,
  type DirectMLFence,
  type Recording,
  type Graph,
  type OperatorDescriptor,
  type Tensor,
  type Value,
} from 'node-directml';
import type { InferenceSession } from 'node-directml/onnxruntime';
import type { MLContext } from 'node-directml/webnn';
import type { Model } from '../networks/model-writer.js';
import { interop } from '../interop/addon.js';
import { DirectMLBackend } from '#lib/backends/directml/index.js';
import { backendOf } from '#lib/api/device-internals.js';
import type { Random } from '../harness/random.js';
import type { Held, HeldDevice } from './held.js';
import type { HeldCopies, HeldCopy, HeldTexture, OpenHandle } from './texture-memory.js';

export interface HeldOperator extends Held<CompiledOperator> {
  readonly descriptor: OperatorDescriptor;
}

/** A graph that is being built. */
export interface HeldGraph extends Held<Graph> {
  /** Inputs, constants, results, and views of them. */
  readonly values: Value[];
  /** Outputs of nodes. */
  readonly results: Value[];
  /** The names of inputs and constants. */
  readonly names: Set<string>;
  /** The names of inputs and constants that are regions of interest; their data has no byte above 1. */
  readonly regions: Set<string>;
  /** True if a right call may fail: a node does not run everywhere, or the graph may have an input that nothing uses. */
  isUncertain: boolean;
}

export interface HeldCompiledGraph extends Held<CompiledGraph> {
  readonly regions: ReadonlySet<string>;
  /** The sizes of the constants in bytes, by name. */
  readonly constants: ReadonlyMap<string, number>;
}

interface HeldRecording extends Held<Recording> {
  /** The objects that the recording needs, except for buffers that nothing else disposes of. */
  readonly needs: readonly Held<object>[];
}

/** What a session runs: models that differ in sizes only. */
export type ModelKind = (first: number, second: number) => Model;

export interface HeldSession {
  readonly value: InferenceSession;
  readonly kind: ModelKind;
  /** Says where it computes. */
  readonly place: string;
  /** True if its device or its context is gone or ends; false for a session that opened its own. */
  readonly hasLostDevice: () => boolean;
  isGone: boolean;
}

interface HeldFence extends Held<DirectMLFence> {
  /** False if it is imported. Only the device that created a fence signals it, so that its value never falls. */
  readonly isOwn: boolean;
}

export const CANARY_BYTES = 4096;
/** The maximum number of objects of each kind. A random older one makes room, and is disposed of or forgotten. */
const MOST = 24;
const MOST_DEVICES = 6;
const MOST_TARGETS = 4;
const MOST_HANDLES = 32;
const MOST_OPEN_HANDLES = 8;

export class World {
  readonly devices: HeldDevice[] = [];
  readonly buffers: Held<DirectMLBuffer>[] = [];
  readonly tensors: Held<Tensor>[] = [];
  readonly operators: HeldOperator[] = [];
  readonly graphs: HeldGraph[] = [];
  readonly compiledGraphs: HeldCompiledGraph[] = [];
  readonly recordings: HeldRecording[] = [];
  readonly contexts: Held<MLContext>[] = [];
  readonly sessions: HeldSession[] = [];
  /** The buffers that have handles; they are among `buffers`, too. */
  readonly shared: Held<DirectMLBuffer>[] = [];
  readonly fences: HeldFence[] = [];
  readonly textures: HeldTexture[] = [];
  readonly copies: HeldCopy[] = [];
  /** Recordings of copies of textures. They are not among `recordings`. */
  readonly copyRecordings: HeldCopies[] = [];
  /** The handles that the other addon has open. */
  readonly openHandles: OpenHandle[] = [];
  /** The last handles of shared objects. Some of them are closed. */
  readonly handles: bigint[] = [];
  /** The value that a fence was last raised to; higher than all before. */
  lastSignal = 0n;
  /** The targets of the last reads into memory of the script. */
  readonly targets: ArrayBufferView[] = [];
  /** True after the calls of the round. */
  isEnding = false;
  /** The number of live worker threads. */
  workers = 0;
  /** The number of DirectML devices that were opened. */
  opened = 0;

  async open(backend: HeldDevice['backend']): Promise<void> {
    this.add(await createDevice({ backend }), backend);
    if (backend === 'directml') this.opened += 1;
  }

  add(device: Device, backend: HeldDevice['backend']): void {
    const held: HeldDevice = { backend, device, canary: canaryOf(device), isEnding: false, isGone: false, hasEnded: false };
    void device.lost.then(() => {
      held.isGone = true;
      held.hasEnded = true;
    });
    this.devices.push(held);
    if (this.devices.length > MOST_DEVICES) {
      const oldest = this.devices.find(({ isGone }) => isGone) ?? held;
      endDevice(oldest);
      this.devices.splice(this.devices.indexOf(oldest), 1);
    }
  }

  live(backend?: HeldDevice['backend']): HeldDevice[] {
    return this.devices.filter((held) => !held.isGone && (backend === undefined || held.backend === backend));
  }

  /** The lists of objects that scripts dispose of. */
  disposable(): readonly (readonly Held<object>[])[] {
    const { buffers, tensors, operators, graphs, compiledGraphs, recordings, fences, textures, copies, copyRecordings } = this;
    return [buffers, tensors, operators, graphs, compiledGraphs, recordings, fences, textures, copies, copyRecordings];
  }

  /** Adds an object. In a full list, it replaces another, which is disposed of or left to garbage collection. */
  keep<T extends Held<object>>(random: Random, list: T[], held: T): void {
    list.push(held);
    if (list.length <= MOST) return;
    const [old] = list.splice(random.int(0, list.length - 2), 1);
    if (old !== undefined && random.chance(0.5)) end(old);
  }

  /** Remembers where a read writes to, for scripts that take that memory away. */
  aim(target: ArrayBufferView): void {
    if (this.targets.push(target) > MOST_TARGETS) this.targets.shift();
  }

  /** Releases all sessions, because onnxruntime keeps them. Those that are still being created must be released as well. */
  async releaseSessions(): Promise<void> {
    this.isEnding = true;
    for (const held of this.sessions.splice(0)) {
      // Results that are still on the device may be read until then.
      held.isGone = true;
      await held.value.release();
    }
    for (const held of this.contexts.splice(0)) {
      held.isGone = true;
      held.value.destroy();
    }
  }

  /** Remembers a handle, for imports after its end. */
  remember(handle: bigint): void {
    if (this.handles.push(handle) > MOST_HANDLES) this.handles.shift();
  }

  /** Keeps a handle of the other addon open for a while. */
  keepOpen(value: bigint): OpenHandle {
    this.remember(value);
    const handle = { value, isOpen: true };
    this.openHandles.push(handle);
    if (this.openHandles.length > MOST_OPEN_HANDLES) this.closeHandle();
    return handle;
  }

  /** Closes a handle of the other addon, by default the oldest one. */
  closeHandle(handle = this.openHandles[0]): void {
    if (handle?.isOpen !== true) return;
    handle.isOpen = false;
    this.openHandles.splice(this.openHandles.indexOf(handle), 1);
    interop.closeHandle(handle.value);
  }

  /** Disposes of all devices; with `forgets`, leaves them to garbage collection. */
  close(forgets: boolean): void {
    if (!forgets) for (const held of this.devices) endDevice(held);
    while (this.openHandles.length > 0) this.closeHandle();
    interop.closeQueues();
    const { devices, buffers, tensors, operators, graphs, compiledGraphs, recordings, shared, fences, targets } = this;
    const { textures, copies, copyRecordings } = this;
    for (const list of [devices, buffers, tensors, operators, graphs, compiledGraphs, recordings, shared, fences, targets])
      list.length = 0;
    for (const list of [textures, copies, copyRecordings]) list.length = 0;
  }
}

export function isLive(held: Held<unknown>): boolean {
  return !held.isGone && !held.owner.isGone;
}

/** Disposes of the object; a graph that is being built has nothing to dispose of. */
export function end(held: Held<object>): void {
  held.isGone = true;
  if ('dispose' in held.value && typeof held.value.dispose === 'function') held.value.dispose();
}

export function endDevice(held: HeldDevice): void {
  held.isGone = true;
  held.hasEnded = true;
  held.device.dispose();
}

/** Removes the device, like a driver reset. */
export function removeDevice(held: HeldDevice): void {
  const backend = backendOf(held.device);
  if (!(backend instanceof DirectMLBackend) || held.isGone) return;
  held.isGone = true;
  backend.simulateLoss();
}

/** Actions that a script may take while its arguments are read. */
export function disasters(random: Random, world: World): readonly (() => unknown)[] {
  const list = random.pick(world.disposable());
  const one = list.length === 0 ? null : random.pick(list);
  const device = world.devices.length === 0 || random.chance(0.9) ? null : random.pick(world.devices);
  return [() => one && end(one), () => device && endDevice(device), () => device?.device.submit()];
}

function canaryOf(device: Device): DirectMLBuffer | null {
  try {
    const buffer = device.createBuffer(CANARY_BYTES);
    buffer.write(Uint16Array.from({ length: CANARY_BYTES / 2 }, (_, i) => i));
    return buffer;
  } catch {
    // The device was removed right after it was created.
    return null;
  }
}

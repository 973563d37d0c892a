/** The addon in addon/, which shares GPU memory with node-directml as another package would. */
import Module from 'node:module';
import { join } from 'node:path';
import type { Device, TextureFormat } from 'node-directml';
import { loadAddon } from '#lib/backends/directml/addon.js';

/** What a texture is created with: numbers of Direct3D. */
interface TextureDesc {
  readonly width: number;
  readonly height: number;
  /** DXGI_FORMAT. */
  readonly format?: number;
  readonly dimension?: 1 | 2 | 3;
  readonly slices?: number;
  readonly mips?: number;
  readonly samples?: number;
  /** D3D12_RESOURCE_FLAGS. */
  readonly flags?: number;
  /** D3D12_HEAP_FLAGS: 1 for a texture that can have a handle. */
  readonly heapFlags?: number;
}

interface BufferDesc {
  readonly size: number;
  /** D3D12_HEAP_TYPE: 1 default, 2 upload, 3 readback. */
  readonly heap?: number;
  /** 1 for D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS. */
  readonly unordered?: 0 | 1;
  /** D3D12_HEAP_FLAGS: 1 for a buffer that can have a handle. */
  readonly heapFlags?: number;
}

/** Its own work has run when a function returns. `owner` is `device.native`, or the result of `createDevice`. */
export interface Interop {
  createDevice(): unknown;
  /** Windows has one device for each adapter. */
  isSameDevice(a: unknown, b: unknown): boolean;
  /** `type` is a D3D12_COMMAND_LIST_TYPE: 0 direct, 2 compute, 3 copy. */
  createQueue(owner: unknown, type: number): unknown;
  createTexture(owner: unknown, desc: TextureDesc): unknown;
  /** The texels of all rows, without gaps. */
  writeTexture(texture: unknown, texels: Uint8Array): void;
  readTexture(texture: unknown): Uint8Array;
  createBuffer(owner: unknown, desc: BufferDesc): unknown;
  writeBuffer(buffer: unknown, offset: number, bytes: Uint8Array): void;
  readBuffer(buffer: unknown, offset: number, sizeInBytes: number): Uint8Array;
  createFence(owner: unknown): unknown;
  fenceValue(fence: unknown): bigint;
  signalFence(fence: unknown, value: bigint): void;
  /** Releases its queues and their devices, which it otherwise keeps until its thread ends. */
  closeQueues(): void;
  malformed(kind: 'untagged' | 'tag' | 'version' | 'size' | 'null'): unknown;
  /** A new handle of a texture, a buffer or a fence, which was created to be shared. It may have a name. */
  createHandle(object: unknown, name?: string): bigint;
  duplicateHandle(handle: bigint): bigint;
  /** True if both handles are open, and of one object. */
  isSameObject(a: bigint, b: bigint): boolean;
  closeHandle(handle: bigint): void;
  /** A handle of an event, which may have a name. */
  createEvent(name?: string): bigint;
  openFile(path: string): bigint;
  malformedBuffer(buffer: unknown, offset: bigint, sizeInBytes: bigint): unknown;
}

const path = join(loadAddon().directory, 'interop.node');
export const interop = Module.createRequire(path)(path) as Interop;

/** By format, its DXGI_FORMAT. */
export const formatNumbers: Readonly<Record<TextureFormat, number>> = {
  bgra8unorm: 87,
  rgba8unorm: 28,
  rgba16float: 10,
  r8unorm: 61,
};

/** A texture of the addon, and its import. */
export function makeTexture(device: Device, format: TextureFormat, width: number, height: number, texels?: Uint8Array) {
  const external = interop.createTexture(device.native, { width, height, format: formatNumbers[format] });
  if (texels !== undefined) interop.writeTexture(external, texels);
  return { external, texture: device.importTexture({ external, label: format }) };
}

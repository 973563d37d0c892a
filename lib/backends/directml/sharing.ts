/** Sharing of the addon. */
import type { NativeBuffer, NativeDevice, NativeFence, NativeTexture } from '../../../binding.js';
import type { BackendBuffer, BackendFence, BackendTexture, Sharing, TextureCopy } from '../backend.js';
import type { TextureFormat } from '../texture-formats.js';
import { DirectMLBufferHandle, handleOf, nativeOf } from './buffer-handle.js';
import { attempt } from './native-error.js';
import { COLUMNS, writeCopy, TEXTURE_COPY_ROWS } from './ranges.js';

/** By DXGI_FORMAT. */
const formats: Readonly<Record<number, TextureFormat>> = {
  10: 'rgba16float',
  28: 'rgba8unorm',
  61: 'r8unorm',
  87: 'bgra8unorm',
};

/** The rows of the copy that is being recorded. */
const rows = new Float64Array(COLUMNS * TEXTURE_COPY_ROWS);

class DirectMLTextureHandle implements BackendTexture {
  readonly native: NativeTexture;
  readonly width: number;
  readonly height: number;
  readonly format: TextureFormat;

  constructor(native: NativeTexture) {
    const format = formats[native.format];
    if (format === undefined) throw new TypeError('the addon checks the format');
    this.native = native;
    this.width = native.width;
    this.height = native.height;
    this.format = format;
  }

  dispose(): void {
    attempt(() => this.native.dispose());
  }
}

class DirectMLFenceHandle implements BackendFence {
  readonly native: NativeFence;

  constructor(native: NativeFence) {
    this.native = native;
  }

  completedValue(): bigint {
    return attempt(() => this.native.completedValue());
  }

  sharedHandle(): bigint | undefined {
    return attempt(() => this.native.sharedHandle());
  }

  dispose(): void {
    attempt(() => this.native.dispose());
  }
}

export class DirectMLSharing implements Sharing {
  readonly #device: NativeDevice;

  constructor(device: NativeDevice) {
    this.#device = device;
  }

  deviceExternal(): unknown {
    return attempt(() => this.#device.external());
  }

  bufferExternal(buffer: BackendBuffer): unknown {
    return attempt(() => {
      const handle = handleOf(buffer);
      handle.share();
      return this.#device.bufferExternal(handle.native);
    });
  }

  bufferHandle(buffer: BackendBuffer): bigint | undefined {
    return attempt(() => nativeOf(buffer).sharedHandle());
  }

  createBuffer(sizeInBytes: number, name: string): BackendBuffer {
    return attempt(() => sharedHandle(this.#device.createBuffer(sizeInBytes, name)), 'createBuffer');
  }

  createFence(name: string): BackendFence {
    return new DirectMLFenceHandle(attempt(() => this.#device.createFence(name), 'createFence'));
  }

  importBuffer(foreign: unknown, offset: number, sizeInBytes: number | undefined): BackendBuffer {
    return attempt(() => sharedHandle(this.#device.importBuffer(foreign, offset, sizeInBytes)), 'importBuffer');
  }

  importTexture(foreign: unknown): BackendTexture {
    return new DirectMLTextureHandle(attempt(() => this.#device.importTexture(foreign), 'importTexture'));
  }

  importFence(foreign: unknown): BackendFence {
    return new DirectMLFenceHandle(attempt(() => this.#device.importFence(foreign), 'importFence'));
  }

  copyTexture(copy: TextureCopy): void {
    writeCopy(rows, 0, copy);
    attempt(() => this.#device.copyTexture(nativeTexture(copy.texture), rows));
  }

  waitFor(fence: BackendFence, value: bigint): void {
    attempt(() => this.#device.waitFor(nativeFence(fence), value), 'waitFor');
  }

  signal(fence: BackendFence, value: bigint): void {
    attempt(() => this.#device.signal(nativeFence(fence), value), 'signal');
  }
}

function sharedHandle(native: NativeBuffer): DirectMLBufferHandle {
  const handle = new DirectMLBufferHandle(native);
  handle.share();
  return handle;
}

/** The addon's object of a texture of this backend. */
export function nativeTexture(texture: BackendTexture): NativeTexture {
  if (!(texture instanceof DirectMLTextureHandle)) throw new TypeError('the texture belongs to another backend');
  return texture.native;
}

function nativeFence(fence: BackendFence): NativeFence {
  if (!(fence instanceof DirectMLFenceHandle)) throw new TypeError('the fence belongs to another backend');
  return fence.native;
}

/** What a backend shares with other code in the process: textures, buffers and fences. */
import type { BackendBuffer } from './backend.js';

/** By WebGPU's name, the channels of a texel in the order of memory, and the data type of each. */
export const textureFormats = {
  bgra8unorm: { channels: 'bgra', dataType: 'uint8', bytesPerTexel: 4 },
  rgba8unorm: { channels: 'rgba', dataType: 'uint8', bytesPerTexel: 4 },
  rgba16float: { channels: 'rgba', dataType: 'float16', bytesPerTexel: 8 },
  r8unorm: { channels: 'r', dataType: 'uint8', bytesPerTexel: 1 },
} as const;

/** The format of a texture, by WebGPU's name. */
export type TextureFormat = keyof typeof textureFormats;

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

export interface Sharing {
  /** An external of include/node_directml.h. */
  deviceExternal(): unknown;
  /** An external of include/node_directml.h. */
  bufferExternal(buffer: BackendBuffer): unknown;
  importBuffer(external: unknown, offset: number, sizeInBytes: number | undefined): BackendBuffer;
  importTexture(external: unknown): BackendTexture;
  importFence(external: unknown): BackendFence;
  /** Records a copy. */
  copyTexture(copy: TextureCopy): void;
  /** Submits. The work after it waits until the fence has reached the value. */
  waitFor(fence: BackendFence, value: bigint): void;
  /** Submits. The fence reaches the value after the work so far. */
  signal(fence: BackendFence, value: bigint): void;
}

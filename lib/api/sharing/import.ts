/** Imports memory and fences of other code, and orders the work of both. */
import { byteCount } from '../../validation/arguments.js';
import type { DeviceContext } from '../device-context.js';
import { DirectMLBuffer } from '../memory/buffer.js';
import { addToScope } from '../scope.js';
import { DirectMLFence, fenceOf, fenceValue, type FenceSource } from './fence.js';
import { readImport, sharingOf } from './sharing-of.js';
import { DirectMLTexture, type TextureSource } from './texture.js';

/** What {@link Device.importBuffer} imports. */
export interface ForeignBufferSource {
  /**
   * An external with an ID3D12Resource, made by node_directml_wrap_com_object of include/node_directml.h; or `buffer.native`. The
   * buffer has D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS, and is in a default heap.
   */
  readonly external: unknown;
  /** The first byte, a multiple of 16. Default: 0. */
  readonly offset?: number | undefined;
  /** A multiple of 4. Default: all bytes from `offset` on. */
  readonly sizeInBytes?: number | undefined;
  /** Name of the buffer in error messages. Default: `''`. */
  readonly label?: string | undefined;
}

export function importBuffer(context: DeviceContext, source: ForeignBufferSource): DirectMLBuffer {
  const method = 'importBuffer';
  context.check(method);
  const sharing = sharingOf(context, method);
  const { external, label, rest } = readImport(method, source, ['offset', 'sizeInBytes']);
  const offset = byteCount(method, 'source.offset', rest.get('offset') ?? 0);
  const size = rest.get('sizeInBytes');
  const sizeInBytes = size === undefined ? undefined : byteCount(method, 'source.sizeInBytes', size, 1);
  const native = sharing.importBuffer(external, offset, sizeInBytes);
  const buffer = new DirectMLBuffer(context, native.sizeInBytes, label, 'buffer', native);
  addToScope(context, buffer);
  return buffer;
}

export function importTexture(context: DeviceContext, source: TextureSource): DirectMLTexture {
  const method = 'importTexture';
  context.check(method);
  const sharing = sharingOf(context, method);
  const { external, label } = readImport(method, source, []);
  const texture = new DirectMLTexture(context, sharing.importTexture(external), label);
  addToScope(context, texture);
  return texture;
}

export function importFence(context: DeviceContext, source: FenceSource): DirectMLFence {
  const method = 'importFence';
  context.check(method);
  const sharing = sharingOf(context, method);
  const { external, label } = readImport(method, source, []);
  const fence = new DirectMLFence(context, sharing.importFence(external), label);
  addToScope(context, fence);
  return fence;
}

/** Waits for the fence, or signals it. */
export function onFence(context: DeviceContext, method: 'waitFor' | 'signal', fence: unknown, value: unknown): void {
  context.check(method);
  const native = fenceOf(context, method, fence);
  const checked = fenceValue(method, value);
  context.refuseWhileRecording(`device.${method}`);
  sharingOf(context, method)[method](native, checked);
}

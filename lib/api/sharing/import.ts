/** Imports memory and fences of other code, creates those that other code can import, and orders the work of both. */
import { argumentError, byteCount, labelOption, readArguments, readOptions } from '../../values/arguments.js';
import type { DeviceContext } from '../device-context.js';
import { DirectMLBuffer } from '../memory/buffer.js';
import { addToScope } from '../scope.js';
import { DirectMLFence, fenceOf, fenceValue, type FenceOptions } from './fence.js';
import { handleName, type SharedSource } from './handles.js';
import { readImport, sharingOf } from './sharing-of.js';
import { DirectMLTexture } from './texture.js';

/** Options of {@link Device.importBuffer}. `external` may also be the `native` of a buffer. */
export interface ForeignBufferSource extends SharedSource {
  /** The first byte, a multiple of 16. Default: 0. */
  readonly offset?: number | undefined;
  /** A multiple of 4. Default: all bytes from `offset` on. */
  readonly sizeInBytes?: number | undefined;
}

export function importBuffer(context: DeviceContext, source: ForeignBufferSource): DirectMLBuffer {
  const method = 'importBuffer';
  context.check(method);
  const sharing = sharingOf(context, method);
  const { foreign, label, rest } = readImport(method, source, ['offset', 'sizeInBytes']);
  const offset = byteCount(method, 'source.offset', rest.get('offset') ?? 0);
  const size = rest.get('sizeInBytes');
  const sizeInBytes = size === undefined ? undefined : byteCount(method, 'source.sizeInBytes', size, 1);
  const native = sharing.importBuffer(foreign, offset, sizeInBytes);
  const buffer = new DirectMLBuffer(context, native.sizeInBytes, label, 'buffer', native);
  addToScope(context, buffer);
  return buffer;
}

/** A buffer with a handle; `shared` is the option of {@link Device.createBuffer}, and not false. */
export function createSharedBuffer(context: DeviceContext, sizeInBytes: number, label: string, shared: unknown): DirectMLBuffer {
  const method = 'createBuffer';
  const name = shared === true ? '' : nameOption(method, shared);
  const native = sharingOf(context, method).createBuffer(sizeInBytes, name);
  context.pace.addBuffer(sizeInBytes);
  return new DirectMLBuffer(context, sizeInBytes, label, 'buffer', native);
}

function nameOption(method: string, shared: unknown): string {
  if (typeof shared !== 'object' || shared === null) {
    throw argumentError(method, 'options.shared', 'true, false, or an object with a name', shared);
  }
  const read = readArguments(method, 'options.shared', shared, ['name']);
  return handleName(method, 'options.shared.name', read.get('name'));
}

export function importTexture(context: DeviceContext, source: SharedSource): DirectMLTexture {
  const method = 'importTexture';
  context.check(method);
  const sharing = sharingOf(context, method);
  const { foreign, label } = readImport(method, source, []);
  const texture = new DirectMLTexture(context, sharing.importTexture(foreign), label);
  addToScope(context, texture);
  return texture;
}

export function importFence(context: DeviceContext, source: SharedSource): DirectMLFence {
  const method = 'importFence';
  context.check(method);
  const sharing = sharingOf(context, method);
  const { foreign, label } = readImport(method, source, []);
  const fence = new DirectMLFence(context, sharing.importFence(foreign), label);
  addToScope(context, fence);
  return fence;
}

export function createFence(context: DeviceContext, options: FenceOptions | undefined): DirectMLFence {
  const method = 'createFence';
  context.check(method);
  const read = readOptions(method, options, ['name', 'label']);
  const name = read.has('name') ? handleName(method, 'options.name', read.get('name')) : '';
  const label = labelOption(method, read.get('label'));
  const fence = new DirectMLFence(context, sharingOf(context, method).createFence(name), label);
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

/** Reads the arguments that functions for files share. */
import { waitOf, type Wait, type WaitOptions } from '../api/abortable.js';
import { contextOf } from '../api/device.js';
import type { DeviceContext } from '../api/device-context.js';
import { Tensor } from '../api/memory/tensor.js';
import { argumentError, requireFunction } from '../values/arguments.js';
import { guard } from '../values/input.js';

/** How far a function for files is, in bytes of the files. */
export interface FileProgress {
  /** The bytes of tensors that are loaded or saved. */
  readonly loaded: number;
  /** The bytes of all tensors that the function loads or saves. */
  readonly total: number;
}

/** Options of the functions for files. If `signal` is aborted, no tensor is loaded, or no file is written. */
export interface FileOptions extends WaitOptions {
  /** Called after each part, about 4 MiB, or less for a small tensor. */
  readonly onProgress?: ((progress: FileProgress) => void) | undefined;
}

/** The options of {@link FileOptions}. */
export interface Watch {
  readonly wait: Wait | null;
  /** A function to call after each part with its size, for the size of all, both in bytes. */
  readonly progressOf: (total: number) => (sizeInBytes: number) => void;
}

/** The names of the options of {@link FileOptions}. */
export const watchNames = ['onProgress', 'signal'] as const;

/** @param consequence What becomes of the work if the signal is aborted, for the message. */
export function readWatch(
  method: string,
  options: Pick<ReadonlyMap<(typeof watchNames)[number], unknown>, 'get'>,
  consequence: string,
): Watch {
  const wait = waitOf(method, options.get('signal'), consequence);
  const given = options.get('onProgress');
  if (given === undefined) return { wait, progressOf: () => () => undefined };
  requireFunction(method, 'options.onProgress', given);
  const progressOf = (total: number) => {
    let loaded = 0;
    return (sizeInBytes: number) => {
      loaded += sizeInBytes;
      if (typeof given === 'function') Reflect.apply(given, undefined, [{ loaded, total }]);
    };
  };
  return { wait, progressOf };
}

/** @throws {DirectMLError} ERR_INVALID_ARGUMENT, ERR_NOT_RECORDABLE, ERR_DISPOSED, ERR_DEVICE_LOST. */
export function contextFor(method: string, device: unknown): DeviceContext {
  const context = contextOf(device);
  if (context === undefined) throw argumentError(method, 'device', 'a device', device);
  context.check(method);
  context.refuseWhileRecording(method);
  return context;
}

/** Checks a tensor to save. */
export function readTensor(method: string, name: string, value: unknown): Tensor {
  if (!Tensor.is(value)) throw argumentError(method, name, 'a tensor', value);
  value.buffer.check(method);
  value.buffer.refuseWhileRecording(method);
  return value;
}

export function readPath(method: string, name: string, value: unknown): string {
  if (typeof value !== 'string' || value === '') throw argumentError(method, name, 'a path', value);
  return value;
}

/** The strings of an array. */
export function readTexts(method: string, name: string, value: unknown, expected: string): readonly string[] {
  const read = () => (Array.isArray(value) ? Array.from<unknown>(value) : null);
  const texts = guard('ERR_INVALID_ARGUMENT', { operator: method, field: name }, read);
  if (texts === null) throw argumentError(method, name, expected, value);
  return texts.map((text, i) => {
    if (typeof text !== 'string') throw argumentError(method, `${name}[${i}]`, 'a string', text);
    return text;
  });
}

/** Reads the arguments that functions for files share. */
import { contextOf } from '../api/device.js';
import type { DeviceContext } from '../api/device-context.js';
import { Tensor } from '../api/memory/tensor.js';
import { argumentError } from '../validation/arguments.js';
import { guard } from '../validation/input.js';

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

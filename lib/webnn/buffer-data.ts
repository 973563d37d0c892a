/** Bytes given by programs, and buffers to fill for them. */
import { copyOfBytes } from '../tensors/bytes.js';
import { arraysOf } from '../tensors/data-types.js';
import { typedArrayName } from '../values/typed-array-name.js';
import type { AllowSharedBufferSource } from './idl/conversions.js';
import { byteLength, type OperandDescriptor } from './ml-operand.js';

/** The engine's own, saved now because a program may replace the global later. */
const { Uint8Array } = globalThis;

/** A view of the bytes; empty if the buffer is detached. */
export function viewOf(source: AllowSharedBufferSource): Uint8Array {
  try {
    if (!ArrayBuffer.isView(source)) return new Uint8Array(source);
    return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  } catch {
    return new Uint8Array(0);
  }
}

export function copyOf(source: AllowSharedBufferSource): ArrayBufferLike {
  return copyOfBytes(viewOf(source)).buffer;
}

/** What is wrong with the length of a buffer for this operand; undefined if nothing is. */
export function lengthProblem(
  source: AllowSharedBufferSource,
  descriptor: OperandDescriptor,
  mayBeLonger = false,
): string | undefined {
  const expected = byteLength(descriptor);
  const given = viewOf(source).byteLength;
  return given === expected || (mayBeLonger && given > expected) ? undefined : `has ${given} bytes, not ${expected}`;
}

/** What is wrong with the type of a view for this operand; undefined if nothing is. */
export function viewProblem(source: AllowSharedBufferSource, descriptor: OperandDescriptor): string | undefined {
  const name = typedArrayName(source);
  const names = ['Uint8Array', ...arraysOf(descriptor.dataType)];
  if (!ArrayBuffer.isView(source) || (name !== undefined && names.includes(name))) return undefined;
  return `has the type ${name ?? 'DataView'}, not ${names.join(' or ')}`;
}

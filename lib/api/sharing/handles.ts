/** Handles by which Windows shares memory and fences between processes, and the names of handles. */
import { types } from 'node:util';
import { typedArrayName } from '../../values/typed-array-name.js';
import { describe, DirectMLError, fieldError } from '../../values/errors.js';
import { argumentError } from '../../values/arguments.js';
import { bytesOf } from '../memory/buffer-source.js';

/** Names what is imported. Give exactly one of `external`, `handle` and `name`. */
export interface SharedSource {
  /** An external of another native addon in the process: see include/node_directml.h. */
  readonly external?: unknown;
  /**
   * A handle that is open in this process: a bigint, or its 8 bytes, little-endian, as in Electron's `ntHandle`. It stays yours:
   * nothing here closes it, and you may close it after the import.
   */
  readonly handle?: bigint | Uint8Array | undefined;
  /** The name of a handle that a process of this Windows session has open, such as `'Local\\frames'`. */
  readonly name?: string | undefined;
  /** Name of the imported object in error messages. Default: `''`. */
  readonly label?: string | undefined;
}

/** 2^64 - 1 is INVALID_HANDLE_VALUE. */
const maxHandle = 2n ** 64n - 2n;
/** MAX_PATH, the maximum length of the name of a kernel object. */
const maxNameLength = 260;

/** Checks the properties of a {@link SharedSource}. Returns the one that it has, as the addon takes it. */
export function foreignIn(method: string, valueOf: (name: 'external' | 'handle' | 'name') => unknown): unknown {
  const given = (['external', 'handle', 'name'] as const).filter((name) => valueOf(name) !== undefined);
  const [only] = given;
  if (only === undefined || given.length > 1) {
    const what = only === undefined ? 'none of them' : given.join(' and ');
    throw fieldError('ERR_INVALID_ARGUMENT', { operator: method, field: 'source' }, 'one of external, handle and name', what);
  }
  const value = valueOf(only);
  if (only === 'handle') return handleIn(method, value);
  if (only === 'name') return handleName(method, 'source.name', value);
  requireExternal(method, 'source.external', value);
  return value;
}

/** @throws {DirectMLError} ERR_INVALID_ARGUMENT. */
export function requireExternal(method: string, field: string, value: unknown): void {
  if (types.isExternal(value)) return;
  const why = 'include/node_directml.h makes externals';
  throw argumentError(method, field, 'an external of a native addon', value, 'ERR_INVALID_ARGUMENT', why);
}

/** Checks the name of a handle. */
export function handleName(method: string, field: string, value: unknown): string {
  if (typeof value === 'string' && value.length > 0 && value.length <= maxNameLength && !value.includes('\0')) return value;
  throw argumentError(method, field, `a string of 1 to ${maxNameLength} characters without NUL`, value);
}

/** The handle of an object of ours. */
export function ownHandle(method: string, handle: bigint | undefined, advice: string): bigint {
  if (handle !== undefined) return handle;
  throw new DirectMLError('ERR_NOT_SHAREABLE', `${method}: there is no handle; ${advice}`, { operator: method });
}

function handleIn(method: string, value: unknown): bigint {
  if (typeof value === 'bigint') return openHandle(method, value, describe(value));
  if (typedArrayName(value) !== 'Uint8Array') throw wrongHandle(method, describe(value));
  const bytes = bytesOf({ operator: method, field: 'source.handle' }, value, 'a Uint8Array');
  if (bytes.byteLength !== 8) throw wrongHandle(method, `${bytes.byteLength} bytes`);
  const handle = new DataView(bytes.buffer, bytes.byteOffset, 8).getBigUint64(0, true);
  return openHandle(method, handle, `the bytes of ${handle}n`);
}

function openHandle(method: string, handle: bigint, given: string): bigint {
  if (handle > 0n && handle <= maxHandle) return handle;
  throw wrongHandle(method, given);
}

function wrongHandle(method: string, given: string): DirectMLError {
  const expected = 'a bigint from 1n to 2n ** 64n - 2n, or a Uint8Array with its 8 bytes';
  return fieldError('ERR_INVALID_ARGUMENT', { operator: method, field: 'source.handle' }, expected, given);
}

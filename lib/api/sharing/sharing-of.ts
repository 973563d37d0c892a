/** What devices share with other code. */
import { types } from 'node:util';
import type { Sharing } from '../../backends/backend.js';
import { DirectMLError } from '../../errors.js';
import { argumentError, labelOption, readArguments, argumentObject } from '../../validation/arguments.js';
import type { DeviceContext } from '../device-context.js';

/** @throws {DirectMLError} ERR_NOT_SHAREABLE on the reference backend. */
export function sharingOf(context: DeviceContext, method: string): Sharing {
  const { sharing } = context.backend;
  if (sharing !== null) return sharing;
  const why = `${method}: the reference backend has no GPU memory to share; create the device with backend: 'directml' on Windows`;
  throw new DirectMLError('ERR_NOT_SHAREABLE', why, { operator: method });
}

/** Reads the argument of an import, with these other options. */
export function readImport<Name extends string>(
  method: string,
  source: unknown,
  names: readonly Name[],
): { readonly external: unknown; readonly label: string; readonly rest: ReadonlyMap<Name | 'external' | 'label', unknown> } {
  const rest = readArguments(method, 'source', argumentObject(method, 'source', source), [
    'external',
    'label',
    ...names,
  ] as const);
  const external = rest.get('external');
  requireExternal(method, 'source.external', external);
  return { external, label: labelOption(method, rest.get('label')), rest };
}

/** @throws {DirectMLError} ERR_INVALID_ARGUMENT. */
export function requireExternal(method: string, name: string, value: unknown): void {
  if (types.isExternal(value)) return;
  const why = 'include/node_directml.h makes externals';
  throw argumentError(method, name, 'an external of a native addon', value, 'ERR_INVALID_ARGUMENT', why);
}

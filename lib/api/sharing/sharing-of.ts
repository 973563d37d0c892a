/** What devices share with other code. */
import type { Sharing } from '../../backends/backend.js';
import { DirectMLError } from '../../values/errors.js';
import { labelOption, readArguments, argumentObject } from '../../values/arguments.js';
import type { DeviceContext } from '../device-context.js';
import { foreignIn, type SharedSource } from './handles.js';

/** @throws {DirectMLError} ERR_NOT_SHAREABLE on the reference backend. */
export function sharingOf(context: DeviceContext, method: string): Sharing {
  const { sharing } = context.backend;
  if (sharing !== null) return sharing;
  const why = `${method}: the reference backend has no GPU memory to share; create the device with backend: 'directml' on Windows`;
  throw new DirectMLError('ERR_NOT_SHAREABLE', why, { operator: method });
}

/** Reads the argument of an import, with these other options. `foreign` is what the addon imports. */
export function readImport<Name extends string>(
  method: string,
  source: unknown,
  names: readonly Name[],
): { readonly foreign: unknown; readonly label: string; readonly rest: ReadonlyMap<keyof SharedSource | Name, unknown> } {
  const known = ['external', 'handle', 'name', 'label', ...names] as const;
  const rest = readArguments(method, 'source', argumentObject(method, 'source', source), known);
  return { foreign: foreignIn(method, (name) => rest.get(name)), label: labelOption(method, rest.get('label')), rest };
}

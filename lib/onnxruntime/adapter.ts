/** Finds the adapter that the option of a session means. */
import { listAdapters, type DeviceOptions } from '../api/create-device.js';
import { oneOf } from '../values/errors.js';
import { didYouMean } from '../values/near-names.js';
import { argumentError } from '../values/arguments.js';
import type { OwnOptions } from './options.js';

/**
 * The option for createDevice, which checks it: a string that is the same for each way to name an adapter.
 *
 * @throws {DirectMLError} (as a rejection) ERR_NO_ADAPTER for an unknown index or name; the errors of listAdapters.
 */
export async function adapterOf(given: OwnOptions['adapter']): Promise<DeviceOptions['adapter']> {
  if (given instanceof Object && typeof given.luid === 'string') return adapterOf(given.luid);
  if (typeof given === 'string' && /^[0-9a-f]{8}-[0-9a-f]{8}$/i.test(given)) return given.toLowerCase();
  if (typeof given !== 'string' && typeof given !== 'number') return given;
  const all = await listAdapters();
  const found = typeof given === 'number' ? all[given] : all.find(({ name }) => name === given);
  if (found !== undefined) return found.luid;
  const names = all.map(({ name }) => name);
  const expected = `an index or a luid of listAdapters(), or ${oneOf(names)}`;
  throw argumentError('InferenceSession.create', 'options.adapter', expected, given, 'ERR_NO_ADAPTER', didYouMean(given, names));
}

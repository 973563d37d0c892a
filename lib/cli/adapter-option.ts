/** The option `--adapter`. */
import { listAdapters } from '../index.js';
import { UsageError } from './command.js';

/** Returns the LUID for a LUID, or for a number in the list of `node-directml adapters`, counted from 1. */
export async function adapterNamed(text: string | undefined): Promise<string | undefined> {
  if (text === undefined || !/^\d{1,4}$/.test(text)) return text;
  const adapter = (await listAdapters())[Number(text) - 1];
  if (adapter === undefined) throw new UsageError(`there is no adapter ${text}: node-directml adapters lists them`);
  return adapter.luid;
}

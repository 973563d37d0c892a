/** The option `--backend`. */
import { UsageError } from './command.js';

export type Backend = 'directml' | 'reference';

export function backendNamed(text: string | undefined): Backend | undefined {
  if (text === undefined || text === 'directml' || text === 'reference') return text;
  throw new UsageError(`--backend is directml or reference, not '${text}'`);
}

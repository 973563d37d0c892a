/**
 * Loads the kernels only when a device computes on this thread, because loading takes tens of milliseconds. load.mts does the
 * same for dist/module, where bundlers need an import.
 */
import type { Backend } from '../backend.js';

export function createReferenceBackend(): Backend {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- `import()` needs flags within Jest
  const reference = require('./index.js') as typeof import('./index.js');
  return reference.createReferenceBackend();
}

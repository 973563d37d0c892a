/**
 * Loads the kernels when a device computes on this thread, which takes tens of milliseconds that other programs need not spend.
 * load.mts has the same for dist/module, where bundlers need an import.
 */
import type { Backend } from '../backend.js';

export function createReferenceBackend(): Backend {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- `import()` needs flags within Jest
  const reference = require('./index.js') as typeof import('./index.js');
  return reference.createReferenceBackend();
}

/**
 * Loads what a device of the reference backend needs when it is opened: the kernels only if it computes on this thread, because
 * loading them takes tens of milliseconds. load.mts does the same for dist/module, where bundlers need an import.
 */
/* eslint-disable @typescript-eslint/no-require-imports -- `import()` needs flags within Jest */

export const loadKernels = () => require('./index.js') as typeof import('./index.js');

export const loadWorkerBackend = () => require('./worker/backend.js') as typeof import('./worker/backend.js');

/** Like load.ts, for dist/module, which is bundled: all is part of the bundle. */
import * as kernels from './index.js';
import * as worker from './worker/backend.js';

export const loadKernels = () => kernels;

export const loadWorkerBackend = () => worker;

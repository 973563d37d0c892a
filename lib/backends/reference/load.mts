/** Like load.ts, for dist/module, which is bundled: the kernels are part of the bundle. */
export { createReferenceBackend } from './index.js';

/** Like load-reference.ts, for dist/module, which is bundled: the kernels are part of the bundle. */
export { createReferenceBackend } from './reference/index.js';

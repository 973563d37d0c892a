/** Makes devices whose worker has a thread pool even on a machine with one processor. */
import { createWorkerBackend } from '#lib/backends/reference/worker/backend.js';
import { needWorker } from '#lib/backends/reference/worker/locate.js';
import { DeviceContext } from '#lib/api/device-context.js';
import { Device } from '#lib/api/device.js';

/** Three threads compute every product, however small: the worker and two helpers. */
export const helpAlways = { threads: 3, least: 1, worthwhile: 1 };

/** @returns {import('node-directml').Device} */
export function threadPoolDevice(
  /** @type {Partial<import('#lib/backends/reference/thread-pool/thread-pool.js').ThreadPoolOptions>} */ options = helpAlways,
) {
  const backend = createWorkerBackend(needWorker(), null, options);
  // The package's declaration of Device hides the parameter of the constructor.
  return Reflect.construct(Device, [new DeviceContext(backend, backend.info.featureLevel)]);
}

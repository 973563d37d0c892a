/** Devices whose worker has a thread pool also on a machine with one processor. */
import { createWorkerBackend } from '#lib/backends/reference/worker/backend.js';
import { needWorker } from '#lib/backends/reference/worker/locate.js';
import { DeviceContext } from '#lib/api/device-context.js';
import { Device } from '#lib/api/device.js';

/** Two threads help with every product, even if it is small. */
export const helpAlways = { threads: 3, least: 1, worthwhile: 1 };

/** @returns {import('node-directml').Device} */
export function threadPoolDevice(
  /** @type {Partial<import('#lib/backends/reference/thread-pool/thread-pool.js').ThreadPoolOptions>} */ options = helpAlways,
) {
  const backend = createWorkerBackend(needWorker(), options);
  // Its declaration hides the parameter.
  return Reflect.construct(Device, [new DeviceContext(backend, backend.info.featureLevel)]);
}

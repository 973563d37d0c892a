/** Gives tests the backend of a device. Not part of the public API. */
import type { Backend } from '../backends/backend.js';

const backends = new WeakMap<object, Backend>();

export function rememberBackend(device: object, backend: Backend): void {
  backends.set(device, backend);
}

export function backendOf(device: object): Backend {
  const backend = backends.get(device);
  if (backend === undefined) throw new TypeError('not a device');
  return backend;
}

/** Removes a device, like a driver reset that nobody has noticed yet. After `device.simulateLoss`, all calls fail at once. */
import type { Device } from 'node-directml';
import { DirectMLBackend } from '#lib/backends/directml/index.js';
import { backendOf } from '#lib/api/device-internals.js';

export function removeDevice(device: Device): void {
  const backend = backendOf(device);
  if (!(backend instanceof DirectMLBackend)) throw new TypeError('only a DirectML device can be removed');
  backend.removeForTesting();
}

// @ts-check
// Holds a device back while the JavaScript thread is measured: its work in software would take processors from the thread.
import { createDevice } from 'node-directml';

/** The device does nothing between `hold` and `open`. The gate needs another device, which is disposed of with it. */
export async function gateOf(/** @type {import('node-directml').Device} */ device) {
  const other = await createDevice({ backend: 'directml' });
  const fence = other.createFence();
  const imported = device.importFence({ handle: fence.exportHandle() });
  let value = 0n;
  return {
    hold: () => device.waitFor(imported, ++value),
    open: () => other.signal(fence, value),
    dispose: () => other.dispose(),
  };
}

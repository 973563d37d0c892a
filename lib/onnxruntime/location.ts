/** Where sessions compute. Sessions with the same options share a device, so that tensors on it can go between them. */
import { createDevice } from '../api/create-device.js';
import { contextOf, Device } from '../api/device.js';
import { DirectMLError } from '../values/errors.js';
import { argumentError } from '../values/arguments.js';
import type { MLContext } from '../webnn/index.js';
import { contextType } from '../webnn/interface-types.js';
import { adapterOf } from './adapter.js';
import type { Settings } from './options.js';

export interface Location {
  readonly device: Device;
  /** True for a device of the program. */
  readonly isGiven: boolean;
  /** To be called once, when the session needs the location no more. */
  readonly leave: () => void;
}

/** A device that this module opened. */
interface Shared {
  readonly opened: Promise<Device>;
  users: number;
}

/** By the options for a new one. */
const all = new Map<string, Shared>();

/**
 * Finds or opens the location. Null for onnxruntime-web.
 *
 * @throws {DirectMLError} (as a rejection) the errors of createDevice.
 */
export async function enter({ context, device, noAdapter, ...options }: Settings): Promise<Location | null> {
  const given = context === undefined ? device : deviceOf(context);
  if (given !== undefined) {
    if (given instanceof Device) return { device: given, isGiven: true, leave: () => undefined };
    throw argumentError('InferenceSession.create', 'options.device', 'a device', given);
  }
  const backend = options.backend ?? (process.platform === 'win32' ? 'directml' : (noAdapter ?? 'reference'));
  if (backend === 'wasm') return null;
  const { powerPreference, gpuTimeout, memoryLimit } = options;
  const wishes = { powerPreference, gpuTimeout, memoryLimit };
  try {
    return await share({ backend, ...wishes, adapter: await adapterOf(options.adapter) });
  } catch (error) {
    const isMissing = error instanceof DirectMLError && error.code === 'ERR_NO_ADAPTER';
    if (!isMissing || noAdapter === undefined) throw error;
    return noAdapter === 'wasm' ? null : share({ backend: 'reference', ...wishes });
  }
}

async function share(options: Parameters<typeof createDevice>[0]): Promise<Location> {
  const key = JSON.stringify(options);
  const shared = all.get(key) ?? { opened: createDevice(options), users: 0 };
  all.set(key, shared);
  shared.users++;
  const leave = () => {
    if (--shared.users > 0) return;
    forget(key, shared);
    void shared.opened.then((device) => device.dispose()).catch(() => undefined);
  };
  try {
    const device = await shared.opened;
    void device.lost.then(() => forget(key, shared));
    return { device, isGiven: false, leave };
  } catch (error) {
    leave();
    throw error;
  }
}

/** The next session opens another device. */
function forget(key: string, shared: Shared): void {
  if (all.get(key) === shared) all.delete(key);
}

function deviceOf(context: MLContext): Device {
  const found = contextType.implementationOf(context);
  if (found !== undefined) return found.device;
  throw argumentError('InferenceSession.create', 'options.context', 'an MLContext of this package', context);
}

/** The code that tells how the device ended; undefined if it has not. */
export function endOf({ device }: Location): 'ERR_DISPOSED' | 'ERR_DEVICE_LOST' | undefined {
  const state = contextOf(device)?.state;
  return state === 'lost' ? 'ERR_DEVICE_LOST' : state === 'disposed' ? 'ERR_DISPOSED' : undefined;
}

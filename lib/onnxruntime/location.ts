/** Where sessions compute. Sessions with the same options share a context, so that tensors on the device can go between them. */
import { createDevice } from '../api/create-device.js';
import { Device } from '../api/device.js';
import { DirectMLError } from '../errors.js';
import { argumentError } from '../validation/arguments.js';
import { ml, type MLContext } from '../webnn/index.js';
import { contextType } from '../webnn/interface-types.js';
import type { Context } from '../webnn/ml-context.js';
import { adapterOf } from './adapter.js';
import { guardOf, type Guard } from './guard.js';
import type { Settings } from './options.js';

export interface Location {
  readonly object: MLContext;
  readonly context: Context;
  /** Has the context for onnxruntime-web. */
  readonly guard: Guard;
  /** To be called once, when the session needs the location no more. */
  readonly leave: () => void;
}

/** A context that this module created. */
interface Shared {
  readonly opened: Promise<Omit<Location, 'leave'>>;
  readonly isLost: () => boolean;
  readonly close: () => void;
  users: number;
}

/** By the device of the program, or by the options for a new one. */
const all = new Map<Device | string, Shared>();

/**
 * Finds or opens the location. Null for onnxruntime's own wasm.
 *
 * @throws {DirectMLError} (as a rejection) the errors of createDevice.
 */
export async function enter({ context, device, noAdapter, ...options }: Settings): Promise<Location | null> {
  if (context !== undefined) return { ...located(context), leave: () => undefined };
  if (device !== undefined) {
    if (device instanceof Device) return share(device, () => device);
    throw argumentError('InferenceSession.create', 'options.device', 'a device', device);
  }
  const backend = options.backend ?? (process.platform === 'win32' ? 'directml' : (noAdapter ?? 'reference'));
  if (backend === 'wasm') return null;
  try {
    const adapter = await adapterOf(options.adapter);
    return await share(JSON.stringify({ backend, adapter }), () => createDevice({ backend, adapter }));
  } catch (error) {
    const isMissing = error instanceof DirectMLError && error.code === 'ERR_NO_ADAPTER';
    if (!isMissing || noAdapter === undefined) throw error;
    return noAdapter === 'wasm'
      ? null
      : share(JSON.stringify({ backend: 'reference' }), () => createDevice({ backend: 'reference' }));
  }
}

async function share(key: Device | string, open: () => Promise<Device> | Device): Promise<Location> {
  const known = all.get(key);
  const shared = known === undefined || known.isLost() ? newShared(key, open) : known;
  all.set(key, shared);
  shared.users++;
  const leave = () => {
    if (--shared.users > 0) return;
    if (all.get(key) === shared) all.delete(key);
    shared.close();
  };
  try {
    return { ...(await shared.opened), leave };
  } catch (error) {
    leave();
    throw error;
  }
}

function newShared(key: Device | string, open: () => Promise<Device> | Device): Shared {
  let location: Omit<Location, 'leave'> | undefined;
  let device: Device | undefined;
  const openContext = async () => {
    device = await open();
    location = located(await ml.createContext(device));
    return location;
  };
  const close = () => {
    location?.object.destroy();
    if (device !== key) device?.dispose();
  };
  return { opened: openContext(), isLost: () => location?.context.isLost ?? false, close, users: 0 };
}

function located(object: MLContext): Omit<Location, 'leave'> {
  const context = contextType.implementationOf(object);
  if (context === undefined) {
    throw argumentError('InferenceSession.create', 'options.context', 'an MLContext of this package', object);
  }
  return { object, context, guard: guardOf(context, object) };
}

/** The code that tells how the context ended; undefined if it has not. */
export function endOf({ device, isLost }: Context): 'ERR_DISPOSED' | 'ERR_DEVICE_LOST' | undefined {
  try {
    device.memory();
  } catch (error) {
    const code = error instanceof DirectMLError ? error.code : undefined;
    if (code === 'ERR_DISPOSED' || code === 'ERR_DEVICE_LOST') return code;
  }
  return isLost ? 'ERR_DISPOSED' : undefined;
}

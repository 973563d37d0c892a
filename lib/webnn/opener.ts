/** ML: opens contexts. */
import { createDevice, listAdapters, type DeviceOptions } from '../api/create-device.js';
import { Device } from '../api/device.js';
import type { AdapterInfo } from '../backends/device-info.js';
import { Context } from './ml-context.js';
import { domError } from './dom-errors.js';
import { neededFeatureLevel } from './limits.js';
import { reaches } from '../descriptors/feature-level.js';
import type { MLContextOptions } from './generated/arguments.js';

export class Opener {
  readonly #options: DeviceOptions;

  /** `options` are those of the devices that are opened. */
  constructor(options: DeviceOptions = {}) {
    this.#options = options;
  }

  async createContext(options: MLContextOptions | Device): Promise<Context> {
    if (options instanceof Device) return new Context(withFeatures(options), true, false);
    const device = await this.#open(options);
    try {
      return new Context(withFeatures(device), options.accelerated, true);
    } catch (error) {
      device.dispose();
      throw error;
    }
  }

  async #open(wishes: MLContextOptions): Promise<Device> {
    const { backend, adapter } = this.#options;
    try {
      const chosen = adapter === undefined && backend !== 'reference' ? adapterFor(wishes, await listAdapters()) : undefined;
      return await createDevice(chosen === undefined ? this.#options : { ...this.#options, adapter: chosen });
    } catch (error) {
      throw domError(error, 'NotSupportedError');
    }
  }
}

/** The adapter that the options of createContext ask for; undefined for the one that createDevice prefers. */
export function adapterFor(options: MLContextOptions, all: readonly AdapterInfo[]): AdapterInfo | undefined {
  const { accelerated, deviceType, powerPreference } = options;
  const adapters = all.filter(({ d3d12FeatureLevel }) => d3d12FeatureLevel !== null);
  if (!accelerated || deviceType === 'cpu') return adapters.find(({ isSoftware }) => isSoftware);
  // The fastest come first.
  return powerPreference === 'low-power' ? adapters.findLast(({ isSoftware }) => !isSoftware) : undefined;
}

/** @throws {DOMException} NotSupportedError for a device that lacks operators. */
function withFeatures(device: Device): Device {
  if (reaches(device.featureLevel, neededFeatureLevel)) return device;
  const message = `WebNN needs a device of feature level ${neededFeatureLevel}, and this one has ${device.featureLevel}.`;
  throw new DOMException(message, 'NotSupportedError');
}

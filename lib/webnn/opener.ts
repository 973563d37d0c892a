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
    const { powerPreference: preference, ...rest } = this.#options;
    const { backend, adapter, external } = rest;
    try {
      const isFree = adapter === undefined && external === undefined && backend !== 'reference';
      const software = isFree && isOnCpu(wishes) ? softwareIn(await listAdapters()) : undefined;
      if (software !== undefined) return await createDevice({ ...rest, adapter: software });
      const powerPreference = wishes.powerPreference === 'default' ? preference : wishes.powerPreference;
      const isChosen = isFree && powerPreference !== preference;
      return await createDevice(isChosen ? { ...rest, powerPreference } : this.#options);
    } catch (error) {
      throw domError(error, 'NotSupportedError');
    }
  }
}

/** True if the options of createContext ask for the processor. */
export function isOnCpu({ accelerated, deviceType }: MLContextOptions): boolean {
  return !accelerated || deviceType === 'cpu';
}

/** The adapter that computes on the processor. */
export function softwareIn(adapters: readonly AdapterInfo[]): AdapterInfo | undefined {
  return adapters.find(({ isSoftware, d3d12FeatureLevel }) => isSoftware && d3d12FeatureLevel !== null);
}

/** @throws {DOMException} NotSupportedError for a device that lacks operators. */
function withFeatures(device: Device): Device {
  if (reaches(device.featureLevel, neededFeatureLevel)) return device;
  const message = `WebNN needs a device of feature level ${neededFeatureLevel}, and this one has ${device.featureLevel}.`;
  throw new DOMException(message, 'NotSupportedError');
}

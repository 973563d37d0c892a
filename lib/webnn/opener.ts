/** ML: opens contexts. */
import { createDevice, type DeviceOptions } from '../api/create-device.js';
import { Device } from '../api/device.js';
import { Context } from './context.js';
import { domError } from './dom-errors.js';
import { neededFeatureLevel } from './limits.js';
import { reaches } from '../schema/feature-level.js';
import type { MLContextOptions } from './generated/conversions.js';

export class Opener {
  readonly #options: DeviceOptions;

  /** `options` are those of the devices that are opened. */
  constructor(options: DeviceOptions = {}) {
    this.#options = options;
  }

  async createContext(options: MLContextOptions | Device): Promise<Context> {
    if (options instanceof Device) return new Context(withFeatures(options), true, false);
    const device = await this.#open();
    try {
      return new Context(withFeatures(device), options.accelerated, true);
    } catch (error) {
      device.dispose();
      throw error;
    }
  }

  async #open(): Promise<Device> {
    try {
      return await createDevice(this.#options);
    } catch (error) {
      throw domError(error, 'NotSupportedError');
    }
  }
}

/** @throws {DOMException} NotSupportedError for a device that lacks operators. */
function withFeatures(device: Device): Device {
  if (reaches(device.featureLevel, neededFeatureLevel)) return device;
  const message = `WebNN needs a device of feature level ${neededFeatureLevel}, and this one has ${device.featureLevel}.`;
  throw new DOMException(message, 'NotSupportedError');
}

/** ML: opens contexts. */
import { createDevice, type DeviceOptions } from '../api/create-device.js';
import { Device } from '../api/device.js';
import { Context } from './context.js';
import { domError } from './dom-errors.js';
import type { MLContextOptions } from './generated/conversions.js';

export class Opener {
  readonly #options: DeviceOptions;

  /** `options` are those of the devices that are opened. */
  constructor(options: DeviceOptions = {}) {
    this.#options = options;
  }

  async createContext(options: MLContextOptions | Device): Promise<Context> {
    if (options instanceof Device) return new Context(options, true, false);
    try {
      return new Context(await createDevice(this.#options), options.accelerated, true);
    } catch (error) {
      throw domError(error, 'NotSupportedError');
    }
  }
}

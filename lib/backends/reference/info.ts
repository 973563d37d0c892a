/** What a device of the reference backend says about itself. */
import { dataTypes } from '../../tensors/data-types.js';
import type { DeviceInfo } from '../device-info.js';
import type { DeviceMemory } from '../device-memory.js';

export function referenceInfo(memoryLimit: number | null): DeviceInfo {
  return Object.freeze({
    backend: 'reference' as const,
    adapter: null,
    powerPreference: null,
    gpuTimeout: false,
    memoryLimit,
    directmlPath: null,
    directmlVersion: null,
    featureLevel: '6.4' as const,
    tensorDataTypes: dataTypes,
  });
}

/** The memory of a device whose buffers have so many bytes. */
export function memoryWith(buffers: number): DeviceMemory {
  const none = Object.freeze({ inUse: 0, idle: 0 });
  return Object.freeze({ adapter: null, buffers, persistent: 0, temporary: none, staging: none, descriptors: none });
}

/** Opens a device, and computes on it. */
import { createDevice, DirectMLError, type DeviceOptions } from '../../index.js';
import { compute, fusesWeights, type Computed } from './workloads.js';

export interface ErrorFacts {
  readonly code: string;
  readonly message: string;
  readonly hresultName?: string | undefined;
}

export type TrialResult =
  | {
      readonly featureLevel: string;
      readonly directmlPath: string | null;
      readonly directmlVersion: string | null;
      readonly computed: readonly Computed[];
      /** Whether a graph multiplies by 4-bit weights without writing floats; null if the device has no 4-bit tensors. */
      readonly fusesWeights: boolean | null;
    }
  | { readonly error: ErrorFacts };

export async function tryDevice(options: DeviceOptions): Promise<TrialResult> {
  try {
    const device = await createDevice(options);
    try {
      const { featureLevel, directmlPath, directmlVersion } = device.info;
      const fuses = await fusesWeights(device);
      return { featureLevel, directmlPath, directmlVersion, computed: await compute(device), fusesWeights: fuses };
    } finally {
      device.dispose();
    }
  } catch (error) {
    return { error: errorFacts(error) };
  }
}

export function errorFacts(error: unknown): ErrorFacts {
  if (error instanceof DirectMLError) return { code: error.code, message: error.message, hresultName: error.hresultName };
  return { code: 'unknown', message: error instanceof Error ? error.message : String(error) };
}

/** Descriptions of an adapter, of a device, and of why a device was lost. */
import type { DataType, FeatureLevel } from '../tensors/generated/enums.js';

/** A graphics or compute adapter, as DXGI or DXCore lists it. */
export interface AdapterInfo {
  readonly name: string;
  /** Locally unique identifier, `"<high>-<low>"`; stable until the next restart of Windows. */
  readonly luid: string;
  readonly vendorId: number;
  readonly deviceId: number;
  /** In bytes. */
  readonly dedicatedVideoMemory: number;
  /** In bytes. */
  readonly dedicatedSystemMemory: number;
  /** In bytes. */
  readonly sharedSystemMemory: number;
  readonly isSoftware: boolean;
  /** Highest Direct3D feature level, such as `"12_1"`; null if Direct3D 12 cannot use the adapter. */
  readonly d3d12FeatureLevel: string | null;
}

/** Windows' orders of adapters. */
export const powerPreferences = ['high-performance', 'low-power'] as const;
export type PowerPreference = (typeof powerPreferences)[number];

export interface DeviceInfo {
  readonly backend: 'directml' | 'reference';
  /** Null on the reference backend. */
  readonly adapter: AdapterInfo | null;
  /** By which of Windows' orders the adapter was chosen; null if an option named it, and on the reference backend. */
  readonly powerPreference: PowerPreference | null;
  /**
   * Whether Windows resets the GPU if one piece of its work takes longer than about two seconds. False on the reference backend,
   * which has no GPU.
   */
  readonly gpuTimeout: boolean;
  /** The option `memoryLimit` in bytes; null without a limit. */
  readonly memoryLimit: number | null;
  readonly directmlPath: string | null;
  readonly directmlVersion: string | null;
  /** The highest feature level that the device supports; you can open it with a lower one. */
  readonly featureLevel: FeatureLevel;
  readonly tensorDataTypes: readonly DataType[];
}

/** Why a device can no longer be used. */
export interface DeviceLostInfo {
  /**
   * `'destroyed'` after `dispose()` or garbage collection, else `'unknown'` (a driver reset, an unplugged adapter, a crash
   * of the driver).
   */
  readonly reason: 'destroyed' | 'unknown';
  readonly message: string;
}

/** What the tool holds until it is disposed of. */
import type { Device, DirectMLBuffer } from 'node-directml';

export interface HeldDevice {
  readonly backend: 'directml' | 'reference';
  readonly device: Device;
  /** A buffer with the numbers from 0 on. It is never bound, so its contents must not change. */
  readonly canary: DirectMLBuffer | null;
  /** True from the call of its disposal on. A call that is made before its end may still be refused. */
  isEnding: boolean;
  isGone: boolean;
  /** True when the device has said that it is gone. After a loss, calls that do not reach Direct3D succeed until then. */
  hasEnded: boolean;
}

export interface Held<T> {
  readonly value: T;
  readonly owner: HeldDevice;
  isGone: boolean;
}

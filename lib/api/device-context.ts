/** The state that a device shares with its buffers, tensors and operators: the backend, and whether it is still usable. */
import { lossText, type Backend } from '../backends/backend.js';
import type { DeviceLostInfo } from '../backends/device-info.js';
import { DirectMLError } from '../values/errors.js';
import type { FeatureLevel } from '../tensors/generated/enums.js';
import type { Dispatch } from './operators/dispatch.js';
import { Pace } from './pace.js';
import { Ending } from './until-end.js';
import type { Profiling } from './recording/profiling.js';
import type { RecordedWork } from './recording/recorded-work.js';

/** The engine's own, saved now because a program may replace the global later. */
const { WeakRef } = globalThis;

/** By promise, the function that resolves it. A weak map, because a strong reference would keep the device alive. */
const resolvers = new WeakMap<Promise<DeviceLostInfo>, (info: DeviceLostInfo) => void>();
/** Resolves `lost` of a garbage-collected device if the program still holds that promise. */
const collectedDevices = new FinalizationRegistry((lost: WeakRef<Promise<DeviceLostInfo>>) => {
  const promise = lost.deref();
  if (promise === undefined) return;
  resolvers.get(promise)?.({ reason: 'destroyed', message: 'the device was garbage-collected' });
});

export class DeviceContext {
  readonly backend: Backend;
  readonly featureLevel: FeatureLevel;
  readonly lost: Promise<DeviceLostInfo>;
  readonly pace: Pace;
  /**
   * Counts disposals of buffers, textures and work, and changed constants of graphs. A recording checks everything again only if
   * it grew.
   */
  changes = 0;
  /** Collects the dispatches of `device.record`; null outside of it. */
  recording: RecordedWork | null = null;
  /** The profile that `device.profile` is measuring; null outside of it. */
  profiling: Profiling | null = null;
  /** True from the call of `device.profile` until it is settled. */
  isProfiling = false;
  /** The end of the device, when it is disposed of or lost. */
  readonly ending = new Ending();
  #isDisposed = false;
  #lostInfo: DeviceLostInfo | undefined;
  #isLossSimulated = false;

  constructor(backend: Backend, featureLevel: FeatureLevel) {
    this.backend = backend;
    this.featureLevel = featureLevel;
    this.pace = new Pace(backend);
    let lose: (info: DeviceLostInfo) => void = () => undefined;
    this.lost = new Promise((resolve) => {
      lose = resolve;
    });
    resolvers.set(this.lost, lose);
    collectedDevices.register(this, new WeakRef(this.lost));
    void backend.lost.then(({ reason, message }) => {
      this.#lostInfo = Object.freeze({ reason, message });
      lose(this.#lostInfo);
      this.ending.end();
    });
  }

  get isDisposed(): boolean {
    return this.#isDisposed;
  }

  /** The word for objects of the device that can no longer be used; `''` if they can. */
  get state(): '' | 'disposed' | 'lost' {
    if (this.#isDisposed) return 'disposed';
    return this.#lostInfo === undefined ? '' : 'lost';
  }

  /** True if `check` does not throw. A dispatch tests this first, to avoid building the text that `check` needs. */
  get isUsable(): boolean {
    return !this.#isDisposed && this.#lostInfo === undefined;
  }

  /** @throws {DirectMLError} ERR_DISPOSED or ERR_DEVICE_LOST if the device can no longer be used. */
  check(method: string): void {
    if (this.#isDisposed) throw new DirectMLError('ERR_DISPOSED', `${method}: the device is disposed`);
    if (this.#lostInfo !== undefined) throw lostError(method, this.#lostInfo.message);
  }

  /** The error of a method that waited: that of a loss has the words of `check`. Other values are returned unchanged. */
  explain(method: string, error: unknown): unknown {
    if (!(error instanceof DirectMLError) || error.code !== 'ERR_DEVICE_LOST') return error;
    // The message of the addon's error is the reason of `lost`, which may not have resolved yet.
    const { message } = this.#lostInfo ?? (error.cause instanceof Error ? error.cause : error);
    return lostError(method, message, error);
  }

  /** @throws {DirectMLError} ERR_DEVICE_LOST for work that the device had done, but not reported, before `simulateLoss`. */
  checkReport(method: string): void {
    if (this.#isLossSimulated && this.#lostInfo !== undefined) throw lostError(method, this.#lostInfo.message);
  }

  /** Loses the device. Calls are refused from now on, on each backend. `lost` resolves when the backend reports the loss. */
  simulateLoss(): void {
    this.check('simulateLoss');
    const message = this.backend.simulateLoss();
    this.#isLossSimulated = true;
    this.#lostInfo ??= { reason: 'unknown', message };
  }

  /** Records a dispatch whose bindings are checked. */
  dispatch(dispatch: Dispatch): void {
    (this.profiling ?? this.backend).dispatch(dispatch);
  }

  /** @throws {DirectMLError} ERR_NOT_RECORDABLE within `device.record`, which then fails too, even if the error is caught. */
  refuseWhileRecording(method: string): void {
    if (this.recording !== null) throw this.recording.refuse(method);
  }

  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.backend.dispose();
    this.ending.end();
  }
}

/** The details, such as an HRESULT, are those of `error`. */
function lostError(method: string, reason: string, error?: DirectMLError): DirectMLError {
  const details = error === undefined ? {} : { ...Object.fromEntries(Object.entries(error)), cause: error.cause };
  return new DirectMLError('ERR_DEVICE_LOST', `${method}: ${lossText(reason)}`, details);
}

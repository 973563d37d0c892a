/** The measurements of `device.profile`. */
import {
  isTextureCopy,
  type Backend,
  type BackendProfile,
  type BackendRecording,
  type GpuTimes,
} from '../../backends/backend.js';
import type { OperatorType } from '../../descriptors/generated/descriptors.js';
import type { Subject } from '../operators/binding-plan.js';
import type { Dispatch } from '../operators/dispatch.js';
import type { RecordedWork } from './recorded-work.js';

/** The times that {@link Device.profile} measures. */
export interface Profile {
  /**
   * How long the GPU worked, in milliseconds: the sum over all submissions, with their dispatches, writes and reads, without the
   * gaps between them. Null on the reference backend, and on a GPU without timestamps.
   */
  readonly gpuMs: number | null;
  /** The time from the call of the function until all of its work had run, in milliseconds. */
  readonly wallMs: number;
  /** The number of dispatches, including those of replayed recordings. */
  readonly dispatchCount: number;
}

/** A dispatch in a {@link DispatchProfile}. */
export interface ProfiledDispatch {
  /** The type of the operator, such as `'gemm'`; `'graph'` for a graph. */
  readonly operator: OperatorType | 'graph';
  /** The label of the compiled operator or graph; `''` if it has none, and for {@link Device.run}. */
  readonly label: string;
  /** How long the GPU worked on it, in milliseconds; null where {@link Profile.gpuMs} is null. */
  readonly gpuMs: number | null;
}

/** The times that {@link Device.profile} measures with `perDispatch: true`. */
export interface DispatchProfile extends Profile {
  /** The dispatches, in the order in which they were recorded. */
  readonly dispatches: readonly ProfiledDispatch[];
}

/** A running profile. */
export class Profiling {
  readonly #backend: Backend;
  /** Null if there is no clock of a GPU. */
  readonly #clock: BackendProfile | null;
  /** Null unless each dispatch is measured. `position` is its place in the times, null without a clock. */
  readonly #dispatches: { readonly plan: Subject; readonly position: number | null }[] | null;
  readonly #began = performance.now();
  #count = 0;

  constructor(backend: Backend, perDispatch: boolean) {
    this.#backend = backend;
    this.#dispatches = perDispatch ? [] : null;
    this.#clock = backend.startProfile();
  }

  /** Records a dispatch. */
  dispatch(dispatch: Dispatch): void {
    const { plan } = dispatch;
    if (this.#dispatches === null || this.#clock === null) {
      this.#backend.dispatch(dispatch);
      this.#dispatches?.push({ plan, position: null });
    } else {
      this.#dispatches.push({ plan, position: this.#clock.dispatch(dispatch) });
    }
    this.#count += 1;
  }

  /** Runs a recording. Its command lists have no timestamps between dispatches, so to measure each, they are recorded again. */
  replay({ commands, dispatches }: RecordedWork, recording: BackendRecording): void {
    if (this.#dispatches === null) {
      recording.replay();
      this.#count += dispatches.length;
      return;
    }
    for (const command of commands) {
      if (isTextureCopy(command)) this.#backend.sharing?.copyTexture(command);
      else this.dispatch(command);
    }
  }

  /** Submits, and resolves when all work has run. */
  async end(): Promise<Profile | DispatchProfile> {
    const times = await this.#gpuTimes();
    const wallMs = performance.now() - this.#began;
    const profile = { gpuMs: times?.total ?? null, wallMs, dispatchCount: this.#count };
    if (this.#dispatches === null) return Object.freeze(profile);
    const dispatches = this.#dispatches.map(({ plan: { type, label }, position }) => {
      const gpuMs = position === null ? null : (times?.dispatches[position] ?? null);
      return Object.freeze({ operator: type, label, gpuMs });
    });
    return Object.freeze({ ...profile, dispatches: Object.freeze(dispatches) });
  }

  /** Stops measuring, because the work has failed. */
  abandon(): void {
    this.#gpuTimes().catch(() => {
      // The device may be lost or disposed of. The error of the work is more informative.
    });
  }

  async #gpuTimes(): Promise<GpuTimes | null> {
    if (this.#clock !== null) return this.#clock.end();
    await this.#backend.idle();
    return null;
  }
}

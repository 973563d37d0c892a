/** Recordings: dispatches that are recorded once and replayed. */
import { types } from 'node:util';
import type { BackendRecording } from '../../backends/backend.js';
import { DirectMLError, named } from '../../values/errors.js';
import { nameKind } from '../../values/given.js';
import { printAsText, titled, withState } from '../../values/printed.js';
import { markUncloneable } from '../../values/uncloneable.js';
import { argumentError, labelOption, readOptions, requireFunction } from '../../values/arguments.js';
import { fromCallerNow, fromProgram } from '../call-site.js';
import type { DeviceContext } from '../device-context.js';
import { makeConstant } from '../make-constant.js';
import { addToScope } from '../scope.js';
import { collectIn, RecordedWork } from './recorded-work.js';

/** Options of {@link Device.record}. */
export interface RecordOptions {
  /**
   * Whether each replay runs the command lists of the replays before. `false` records the dispatches anew each time, for
   * drivers that get it wrong. Default: true.
   */
  readonly reuseCommandLists?: boolean | undefined;
  /** Name of the recording in error messages. Default: `''`. */
  readonly label?: string | undefined;
}

/**
 * Dispatches that were recorded once, by {@link Device.record}, and run at each {@link replay} as they were recorded. A replay
 * costs the JavaScript thread almost nothing, however many dispatches it has.
 */
export class Recording implements Disposable {
  /** The number of dispatches that each replay runs. */
  readonly dispatchCount: number;
  /** Name of the recording in error messages; `''` if it has none. */
  readonly label: string;
  readonly #context: DeviceContext;
  readonly #recorded: RecordedWork;
  readonly #recording: BackendRecording;
  #isDisposed = false;

  static {
    const is = (value: object) => #recorded in value;
    nameKind('a recording', 'recordings', is);
    printAsText(this.prototype, is);
  }

  /** @internal */
  constructor(context: DeviceContext, recorded: RecordedWork, recording: BackendRecording, label: string) {
    this.dispatchCount = recorded.dispatches.length;
    this.label = label;
    this.#context = context;
    this.#recorded = recorded;
    this.#recording = recording;
    makeConstant(this, 'dispatchCount', 'label');
    markUncloneable(this);
  }

  /**
   * Submits the device's commands so far, and then the recording's dispatches. They read the tensors as these are at that time.
   * With four replays of a recording in flight, this waits for one of them, ten seconds at most. The reference backend with
   * `thread: 'caller'` computes before this returns.
   *
   * @throws {DirectMLError} ERR_DISPOSED if the recording, one of its operators, graphs, tensors or buffers, or the device is
   * disposed; ERR_DEVICE_LOST; ERR_NOT_RECORDABLE within {@link Device.record}; ERR_OUT_OF_MEMORY.
   */
  replay(): void {
    fromCallerNow(() => {
      const method = 'recording.replay';
      if (this.#isDisposed) {
        throw new DirectMLError('ERR_DISPOSED', `${method}: ${named('recording', this.label)} is disposed`);
      }
      this.#context.check(method);
      this.#context.refuseWhileRecording(method);
      this.#recorded.check(method, this.#context.changes);
      const { profiling } = this.#context;
      if (profiling === null) this.#recording.replay();
      else profiling.replay(this.#recorded, this.#recording);
    });
  }

  /** Releases the recording as soon as the device has run its replays. May be called again. */
  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    if (!this.#context.isDisposed) this.#recording.dispose();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  /** A line with the label and the number of dispatches. `console.log` shows it too. */
  toString(): string {
    const state = this.#isDisposed ? 'disposed' : this.#context.state;
    const dispatches = `${this.dispatchCount} dispatch${this.dispatchCount === 1 ? '' : 'es'}`;
    return withState(`${titled('Recording', this.label)} of ${dispatches}`, state);
  }
}

export function record(context: DeviceContext, work: () => void, options: RecordOptions | undefined): Recording {
  const method = 'record';
  requireFunction(method, 'work', work);
  const { reuses, label } = readRecordOptions(method, options);
  context.refuseWhileRecording('device.record');
  const recorded = new RecordedWork();
  context.recording = recorded;
  // An async function is one that returns nothing, too, as far as types tell.
  const call: () => unknown = work;
  let result: unknown;
  try {
    result = collectIn(recorded, call);
  } catch (error) {
    throw fromProgram(error);
  } finally {
    context.recording = null;
  }
  const isAsync = types.isPromise(result);
  // The error below is about it already.
  if (isAsync) void settled(result);
  recorded.finish();
  if (isAsync) {
    throw argumentError(method, 'work', 'a function that is not async: nothing after an await would be recorded', work);
  }
  context.check(method);
  recorded.check(method, context.changes);
  const recording = new Recording(context, recorded, context.backend.createRecording(recorded.commands, reuses), label);
  addToScope(context, recording, recording, recorded.parts);
  return recording;
}

async function settled(promise: unknown): Promise<void> {
  try {
    await promise;
  } catch {
    // An unhandled rejection would end the process.
  }
}

function readRecordOptions(method: string, options: RecordOptions | undefined): { reuses: boolean; label: string } {
  const read = readOptions(method, options, ['reuseCommandLists', 'label']);
  const reuses = read.get('reuseCommandLists') ?? true;
  if (typeof reuses !== 'boolean') throw argumentError(method, 'options.reuseCommandLists', 'true or false', reuses);
  return { reuses, label: labelOption(method, read.get('label')) };
}

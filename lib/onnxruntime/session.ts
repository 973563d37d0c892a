/** A session: a model on a device, or in onnxruntime-web, and the calls of the program. */
import type { InferenceSession } from 'onnxruntime-common';
import { fromCaller } from '../api/call-site.js';
import { outsideScopes } from '../api/scope.js';
import { DirectMLError } from '../values/errors.js';
import type { ParsedModel } from '../onnx/load-onnx.js';
import type { OnnxValue } from '../onnx/types.js';
import { DeviceEngine } from './device-engine.js';
import type { Engine } from './engine.js';
import { checkDevice, isTensorType } from './given-tensor.js';
import { endOf, enter, type Location } from './location.js';
import type { Settings } from './options.js';
import type { Placement } from './placement.js';
import { RequestReader, type Request } from './request.js';
import { deliver } from './results.js';
import { WasmEngine } from './wasm-engine.js';

const method = 'InferenceSession.create';

export class Session implements InferenceSession {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  readonly inputMetadata: readonly InferenceSession.ValueMetadata[];
  readonly outputMetadata: readonly InferenceSession.ValueMetadata[];
  readonly #model: ParsedModel;
  readonly #settings: Settings;
  #location: Location | null;
  #engine: Engine;
  readonly #reader: RequestReader;
  /** The number of runs that have not ended, and what is called when there are none. */
  #runs = 0;
  #whenIdle: (() => void) | null = null;
  /** While another engine takes the place of one that cannot go on. */
  #replacing: Promise<Engine> | null = null;
  #hasWarned = false;
  #isReleased = false;
  #released: Promise<void> | undefined;

  private constructor(model: ParsedModel, settings: Settings, location: Location | null, engine: Engine) {
    this.#model = model;
    this.#settings = settings;
    this.#location = location;
    this.#engine = engine;
    this.#reader = new RequestReader(engine);
    this.inputNames = engine.inputs.map(({ name }) => name);
    this.outputNames = engine.outputs.map(({ name }) => name);
    this.inputMetadata = engine.inputs.map(metadataOf);
    this.outputMetadata = engine.outputs.map(metadataOf);
  }

  /** Creates the session with the graphs whose sizes are known. */
  static open(model: ParsedModel, settings: Settings): Promise<Session> {
    return outsideScopes(async () => {
      const location = await enter(settings);
      let session: Session | undefined;
      try {
        session = new Session(model, settings, location, await openEngine(model, settings, location));
        session.#reportFallback();
        return session;
      } catch (cause) {
        const error = explained(method, location, cause);
        if (session === undefined) location?.leave();
        else await session.release();
        throw error;
      }
    });
  }

  /** Where the nodes run, with the sizes of the last graphs that were made or run. Null before the first graph. */
  get placement(): Placement | null {
    return this.#engine.placement;
  }

  /**
   * Computes the outputs. The first run with new sizes of inputs makes graphs for them.
   *
   * Inputs are copied at the call: what happens to their arrays afterwards has no effect.
   *
   * @throws {DirectMLError} (as a rejection) ERR_MISSING_BINDING, ERR_UNKNOWN_BINDING, ERR_INVALID_ARGUMENT, ERR_DATA_TYPE,
   * ERR_DIMENSION_COUNT, ERR_SIZES, ERR_WRONG_DEVICE, ERR_CPU_FALLBACK; ERR_INVALID_FILE for a node that is wrong or not supported,
   * which the error names; ERR_OUT_OF_MEMORY, ERR_DISPOSED after `release`, for a tensor that was disposed of and after the end of
   * its device, ERR_DEVICE_LOST.
   */
  run(feeds: InferenceSession.FeedsType, options?: InferenceSession.RunOptions): Promise<InferenceSession.ReturnType>;
  run(
    feeds: InferenceSession.FeedsType,
    fetches: InferenceSession.FetchesType,
    options?: InferenceSession.RunOptions,
  ): Promise<InferenceSession.ReturnType>;
  run(feeds: InferenceSession.FeedsType, ...rest: readonly unknown[]): Promise<InferenceSession.ReturnType> {
    return fromCaller(() => outsideScopes(() => this.#run(feeds, rest)));
  }

  /** Frees the graphs and weights after the runs that have been called. Later runs fail. */
  async release(): Promise<void> {
    this.#isReleased = true;
    this.#released ??= this.#end();
    return this.#released;
  }

  startProfiling(): void {
    // onnxruntime-web's does nothing either.
  }

  endProfiling(): void {
    // `device.profile` measures dispatches.
  }

  async #run(feeds: unknown, rest: readonly unknown[]): Promise<InferenceSession.ReturnType> {
    if (this.#isReleased) throw new DirectMLError('ERR_DISPOSED', 'session.run: the session was released.');
    const request = this.#reader.read(feeds, rest);
    this.#runs += 1;
    try {
      const engine = await this.#usable();
      try {
        return await this.#runOn(engine, request);
      } catch (cause) {
        return await this.#runOn(await this.#onWasm(engine, cause), request);
      }
    } catch (cause) {
      throw explained('session.run', this.#location, cause);
    } finally {
      this.#runs -= 1;
      if (this.#runs === 0) this.#whenIdle?.();
    }
  }

  async #runOn(engine: Engine, request: Request): Promise<InferenceSession.ReturnType> {
    // While it waited, a tensor may have been disposed of, or another engine have come.
    for (const given of request.feeds.values()) checkDevice(given, engine.context);
    for (const fetch of request.fetches.values()) if (fetch !== null) checkDevice(fetch.given, engine.context);
    const outputs = await engine.run(request);
    this.#reportFallback();
    return deliver(request, outputs);
  }

  /** The engine; after the loss of a device that is not the program's, one on another device. */
  #usable(): Engine | Promise<Engine> {
    const location = this.#location;
    if (location === null || location.isGiven || endOf(location) === undefined) return this.#replacing ?? this.#engine;
    return this.#replaceBy(async () => {
      const fresh = await enter(this.#settings);
      location.leave();
      this.#location = fresh;
      return openEngine(this.#model, this.#settings, fresh);
    });
  }

  /** With the option `fallback: 'wasm'`, an engine for what the device cannot run. @throws the error of the device otherwise. */
  async #onWasm(engine: Engine, cause: unknown): Promise<Engine> {
    if (!isRefused(this.#settings, cause) || engine instanceof WasmEngine) throw cause;
    return this.#replaceBy(() => openWasm(this.#model, this.#settings, cause));
  }

  async #replaceBy(open: () => Promise<Engine>): Promise<Engine> {
    const before = this.#engine;
    this.#replacing ??= open().finally(() => (this.#replacing = null));
    const engine = await this.#replacing;
    this.#engine = engine;
    if (before !== engine) await before.dispose();
    return engine;
  }

  /** @throws {DirectMLError} ERR_CPU_FALLBACK with the option `fallback: 'error'`. */
  #reportFallback(): void {
    const { fallback } = this.#settings;
    // onnxruntime-web was asked for, or has warned.
    const cpu = this.placement?.backend === 'wasm' ? [] : (this.placement?.cpu ?? []);
    if (cpu.length === 0) return;
    const shown = cpu.slice(0, 8).map(({ name, opType }) => (name === '' ? opType : `${opType} '${name}'`));
    const count = cpu.length === 1 ? 'a node' : `${cpu.length} nodes`;
    const text = `JavaScript computes ${count} of the model: ${shown.join(', ')}${cpu.length > 8 ? ', ...' : ''}`;
    if (fallback === 'error') throw new DirectMLError('ERR_CPU_FALLBACK', `InferenceSession: ${text}`);
    if (fallback === 'allow' || this.#hasWarned) return;
    this.#hasWarned = true;
    process.emitWarning(`${text}. See session.placement.`, { code: 'ERR_CPU_FALLBACK' });
  }

  async #end(): Promise<void> {
    if (this.#runs > 0) await new Promise<void>((resolve) => (this.#whenIdle = resolve));
    await this.#engine.dispose();
    this.#location?.leave();
  }
}

async function openEngine(model: ParsedModel, settings: Settings, location: Location | null): Promise<Engine> {
  if (location === null) return WasmEngine.open(method, model, settings, "the option is 'wasm'");
  try {
    return await DeviceEngine.open(method, location.device, model, settings);
  } catch (cause) {
    if (!isRefused(settings, cause)) throw cause;
    return openWasm(model, settings, cause);
  }
}

/** With a warning. If onnxruntime-web fails too, the error is that of the device. */
async function openWasm(model: ParsedModel, settings: Settings, cause: DirectMLError): Promise<Engine> {
  const engine = await WasmEngine.open(method, model, settings, cause.message).catch(() => {
    throw cause;
  });
  process.emitWarning(`onnxruntime-web computes the whole model on the CPU: ${cause.message}`, { code: 'ERR_CPU_FALLBACK' });
  return engine;
}

/** True if onnxruntime-web may compute what the device cannot. */
function isRefused({ fallback }: Settings, error: unknown): error is DirectMLError {
  return fallback === 'wasm' && error instanceof DirectMLError && error.code === 'ERR_INVALID_FILE';
}

/** An error that says so if the device is gone. */
function explained(operator: string, location: Location | null, cause: unknown): unknown {
  const ended = location === null ? undefined : endOf(location);
  if (ended === undefined || (cause instanceof DirectMLError && cause.code === ended)) return cause;
  const why = cause instanceof Error ? `: ${cause.message}` : '';
  const what = ended === 'ERR_DEVICE_LOST' ? 'was lost' : 'was disposed of';
  return new DirectMLError(ended, `${operator}: the device ${what}${why}`, { operator, cause });
}

/** As onnxruntime-node: a dynamic dimension without a name is -1, and the shape is empty if the model has none. */
function metadataOf({ name, type, dims = [] }: OnnxValue): InferenceSession.ValueMetadata {
  if (!isTensorType(type)) return { name, isTensor: false };
  return { name, isTensor: true, type, shape: dims.map((dim) => dim ?? -1) };
}

/** A session: a session of onnxruntime-web for each set of input sizes, since WebNN's graphs have fixed sizes. */
import type { InferenceSession } from 'onnxruntime-web/webgpu';
import { DirectMLError } from '../errors.js';
import type { Context } from '../webnn/ml-context.js';
import type { Ports } from '../webnn/ml-graph.js';
import { enter, type Location } from './location.js';
import { metadataOf } from './metadata.js';
import { dimensionsOf, type Model } from './model.js';
import type { Settings } from './options.js';
import { onCpu, type Placement } from './placement.js';
import { createSession, inTurn } from './runtime.js';

/** What onnxruntime-web needs beside the model's bytes. */
export type ExternalData = NonNullable<InferenceSession.SessionOptions['externalData']>;

type Dimensions = Readonly<Record<string, number>>;

export class Session implements InferenceSession {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  readonly inputMetadata: readonly InferenceSession.ValueMetadata[];
  readonly outputMetadata: readonly InferenceSession.ValueMetadata[];
  readonly #model: Model;
  readonly #externalData: ExternalData;
  readonly #settings: Settings;
  #location: Location | null;
  /** By the sizes of the dynamic dimensions; the most recently used one is the last. */
  readonly #graphs = new Map<string, InferenceSession>();
  #placement: Placement | null = null;
  #hasWarned = false;
  #isReleased = false;
  #released: Promise<void> | undefined;

  private constructor(model: Model, externalData: ExternalData, settings: Settings, location: Location | null) {
    this.#model = model;
    this.#externalData = externalData;
    this.#settings = settings;
    this.#location = location;
    this.inputNames = model.inputs.map(({ name }) => name);
    this.outputNames = model.outputs.map(({ name }) => name);
    this.inputMetadata = model.inputs.map(metadataOf);
    this.outputMetadata = model.outputs.map(metadataOf);
  }

  /** Creates the session with the graphs whose sizes are known. */
  static async open(model: Model, externalData: ExternalData, settings: Settings): Promise<Session> {
    const session = new Session(model, externalData, settings, await enter(settings));
    try {
      for (const dimensions of session.#knownSizes()) await inTurn(() => session.#graphFor(dimensions));
      return session;
    } catch (error) {
      const explained = session.#explained('InferenceSession.create', error);
      await session.release();
      throw explained;
    }
  }

  /** Where the model runs, with the sizes for which the last graph was made. Null before the first graph. */
  get placement(): Placement | null {
    return this.#placement;
  }

  /**
   * Computes the outputs. The first run with new sizes of inputs makes a graph for them.
   *
   * @throws {DirectMLError} (as a rejection) ERR_MISSING_BINDING, ERR_DIMENSION_COUNT, ERR_SIZES, ERR_CPU_FALLBACK, ERR_DISPOSED
   * after `release` and after the end of its device or context, ERR_DEVICE_LOST; and errors of onnxruntime.
   */
  run(feeds: InferenceSession.FeedsType, options?: InferenceSession.RunOptions): Promise<InferenceSession.ReturnType>;
  run(
    feeds: InferenceSession.FeedsType,
    fetches: InferenceSession.FetchesType,
    options?: InferenceSession.RunOptions,
  ): Promise<InferenceSession.ReturnType>;
  async run(feeds: InferenceSession.FeedsType, ...rest: readonly unknown[]): Promise<InferenceSession.ReturnType> {
    if (this.#isReleased) throw new DirectMLError('ERR_DISPOSED', 'session.run: the session was released.');
    const dimensions = dimensionsOf(this.#model, feeds);
    return inTurn(async () => {
      try {
        const graph = await this.#graphFor(dimensions);
        // onnxruntime checks the other arguments.
        return await graph.run(feeds, ...(rest as [InferenceSession.FetchesType, InferenceSession.RunOptions?]));
      } catch (error) {
        throw this.#explained('session.run', error);
      }
    });
  }

  /** Frees the graphs after the runs that have been called. Later runs fail. */
  async release(): Promise<void> {
    this.#isReleased = true;
    this.#released ??= inTurn(() => this.#releaseAll()).finally(() => this.#location?.leave());
    return this.#released;
  }

  startProfiling(): void {
    // onnxruntime-web's does nothing either.
  }

  endProfiling(): void {
    // `device.profile` measures dispatches.
  }

  #knownSizes(): readonly Dimensions[] {
    const { sizes, rest } = this.#settings;
    const fixed = rest.freeDimensionOverrides ?? {};
    const names = this.#model.inputs.flatMap(({ dims = [] }) => dims.filter((dim) => typeof dim === 'string'));
    const all = [{}, ...sizes].map((given) => new Map(Object.entries({ ...fixed, ...given })));
    return all.filter((given) => names.every((name) => given.has(name))).map((given) => Object.fromEntries(pick(given, names)));
  }

  /** To be called in turn. */
  async #graphFor(dimensions: Dimensions): Promise<InferenceSession> {
    await this.#replaceLost();
    const key = JSON.stringify(Object.entries(dimensions));
    const graph = this.#graphs.get(key) ?? (await this.#newGraph(dimensions));
    this.#graphs.delete(key);
    this.#graphs.set(key, graph);
    return graph;
  }

  async #newGraph(dimensions: Dimensions): Promise<InferenceSession> {
    while (this.#graphs.size >= this.#settings.maxGraphs) {
      const [[key, oldest] = []] = this.#graphs;
      if (key === undefined) break;
      this.#graphs.delete(key);
      await oldest?.release();
    }
    const graphs: Ports[] = [];
    let operators = 0;
    const context = this.#location?.context;
    if (context !== undefined) {
      context.onBuilt = (ports, count) => {
        graphs.push(ports);
        operators += count;
      };
    }
    let made: InferenceSession;
    try {
      made = await createSession(this.#model.bytes, this.#optionsFor(dimensions));
    } finally {
      if (context !== undefined) context.onBuilt = undefined;
    }
    const info = context?.device.info;
    const backend = info?.backend ?? 'wasm';
    const cpu = onCpu(this.#model, { backend, graphs, sizes: dimensions });
    this.#placement = { backend, adapter: info?.adapter?.name ?? null, graphs: graphs.length, operators, cpu };
    if (cpu.length > 0 && context !== undefined) await this.#reportFallback(this.#placement, made);
    return made;
  }

  /** @throws {DirectMLError} ERR_CPU_FALLBACK with the option `fallback: 'error'`. */
  async #reportFallback({ cpu }: Placement, made: InferenceSession): Promise<void> {
    const { fallback } = this.#settings;
    const shown = cpu.slice(0, 8).map(({ name, opType }) => (name === '' ? opType : `${opType} '${name}'`));
    const count = cpu.length === 1 ? 'a node' : `${cpu.length} nodes`;
    const text = `onnxruntime computes ${count} of the model on the CPU: ${shown.join(', ')}${cpu.length > 8 ? ', ...' : ''}`;
    if (fallback === 'error') {
      await made.release();
      throw new DirectMLError('ERR_CPU_FALLBACK', `InferenceSession: ${text}`);
    }
    if (fallback === 'allow' || this.#hasWarned) return;
    this.#hasWarned = true;
    process.emitWarning(`${text}. See session.placement.`, { code: 'ERR_CPU_FALLBACK' });
  }

  #optionsFor(dimensions: Dimensions): InferenceSession.SessionOptions {
    const { rest } = this.#settings;
    const context = this.#location?.object;
    return {
      logSeverityLevel: 3,
      ...rest,
      // onnxruntime-web writes its own entries into them.
      extra: structuredClone(rest.extra ?? {}),
      ...(this.#externalData.length === 0 ? {} : { externalData: this.#externalData }),
      freeDimensionOverrides: { ...rest.freeDimensionOverrides, ...dimensions },
      executionProviders: context === undefined ? ['wasm'] : [{ name: 'webnn', deviceType: 'gpu', context }],
    };
  }

  /** After the loss of a device that is not the program's, opens another one. */
  async #replaceLost(): Promise<void> {
    const { context, device } = this.#settings;
    if (this.#location?.context.isLost !== true || context !== undefined || device !== undefined) return;
    await this.#releaseAll();
    const fresh = await enter(this.#settings);
    this.#location.leave();
    this.#location = fresh;
  }

  /** An error with a code in the place of onnxruntime's, if the device or the context is gone. */
  #explained(method: string, cause: unknown): unknown {
    const ended = this.#location === null ? undefined : endOf(this.#location.context);
    if (ended === undefined || cause instanceof DirectMLError) return cause;
    const why = cause instanceof Error ? `: ${cause.message}` : '';
    const what = ended === 'ERR_DEVICE_LOST' ? 'was lost' : 'or context was disposed of';
    return new DirectMLError(ended, `${method}: the device ${what}${why}`, { operator: method, cause });
  }

  async #releaseAll(): Promise<void> {
    const graphs = [...this.#graphs.values()];
    this.#graphs.clear();
    for (const graph of graphs) await graph.release();
  }
}

/** The code that tells how the context ended; undefined if it has not. */
function endOf({ device, isLost }: Context): 'ERR_DISPOSED' | 'ERR_DEVICE_LOST' | undefined {
  try {
    device.memory();
  } catch (error) {
    const code = error instanceof DirectMLError ? error.code : undefined;
    if (code === 'ERR_DISPOSED' || code === 'ERR_DEVICE_LOST') return code;
  }
  return isLost ? 'ERR_DISPOSED' : undefined;
}

function pick(sizes: ReadonlyMap<string, number>, names: readonly string[]): Map<string, number> {
  return new Map(names.map((name) => [name, sizes.get(name) ?? 0]));
}

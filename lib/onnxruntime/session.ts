/** A session: a session of onnxruntime-web for each set of input sizes, since WebNN's graphs have fixed sizes. */
import type { InferenceSession } from 'onnxruntime-web/webgpu';
import { DirectMLError } from '../errors.js';
import { makeGraph, releaseGraph, type Dimensions, type ExternalData, type Graph } from './graph.js';
import { guarded } from './guard.js';
import { endOf, enter, type Location } from './location.js';
import { metadataOf } from './metadata.js';
import { readModel, type Model } from './model.js';
import type { Settings } from './options.js';
import type { Placement } from './placement.js';
import { readRequest, type Request } from './request.js';
import { runRequest } from './results.js';
import { inTurn } from './runtime.js';

/** The values of the inputs that choose parts of the model, by name. */
type Choices = ReadonlyMap<string, bigint>;

export class Session implements InferenceSession {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  readonly inputMetadata: readonly InferenceSession.ValueMetadata[];
  readonly outputMetadata: readonly InferenceSession.ValueMetadata[];
  readonly #model: Model;
  readonly #externalData: ExternalData;
  readonly #settings: Settings;
  #location: Location | null;
  /** By sizes, and by values that choose parts of the model. The most recently used one is the last. */
  readonly #graphs = new Map<string, Graph>();
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
      for (const dimensions of session.#knownSizes()) await inTurn(() => session.#graphFor(dimensions, new Map()));
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
   * Inputs are copied at the call: what happens to their arrays afterwards has no effect.
   *
   * @throws {DirectMLError} (as a rejection) ERR_MISSING_BINDING, ERR_UNKNOWN_BINDING, ERR_INVALID_ARGUMENT, ERR_DATA_TYPE,
   * ERR_DIMENSION_COUNT, ERR_SIZES, ERR_WRONG_DEVICE, ERR_CPU_FALLBACK, ERR_DISPOSED after `release`, for a tensor that was
   * disposed of and after the end of its device or context, ERR_DEVICE_LOST; and errors of onnxruntime.
   */
  run(feeds: InferenceSession.FeedsType, options?: InferenceSession.RunOptions): Promise<InferenceSession.ReturnType>;
  run(
    feeds: InferenceSession.FeedsType,
    fetches: InferenceSession.FetchesType,
    options?: InferenceSession.RunOptions,
  ): Promise<InferenceSession.ReturnType>;
  async run(feeds: InferenceSession.FeedsType, ...rest: readonly unknown[]): Promise<InferenceSession.ReturnType> {
    if (this.#isReleased) throw new DirectMLError('ERR_DISPOSED', 'session.run: the session was released.');
    const request = readRequest(this.#model, this.#location?.context ?? null, feeds, rest);
    // onnxruntime's wasm takes any sizes.
    const dimensions = this.#location === null ? {} : request.dimensions;
    return inTurn(async () => {
      try {
        const graph = await this.#graphFor(dimensions, await this.#choicesIn(request));
        const context = graph.placement.backend === 'wasm' ? null : (this.#location?.context ?? null);
        try {
          return await guarded(this.#location?.guard, () => runRequest(graph.session, request, graph.inputs, context));
        } catch (error) {
          await this.#drop(graph);
          throw error;
        }
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
    if (this.#location === null) return [{}];
    if (this.#model.branches !== null) return [];
    const fixed = rest.freeDimensionOverrides ?? {};
    const names = this.#model.inputs.flatMap(({ dims = [] }) => dims.filter((dim) => typeof dim === 'string'));
    const all = [{}, ...sizes].map((given) => new Map(Object.entries({ ...fixed, ...given })));
    return all.filter((given) => names.every((name) => given.has(name))).map((given) => Object.fromEntries(pick(given, names)));
  }

  /** To be called in turn. */
  async #graphFor(dimensions: Dimensions, choices: Choices): Promise<Graph> {
    await this.#replaceLost();
    const key = JSON.stringify([...Object.entries(dimensions), ...Array.from(choices, ([name, value]) => [name, String(value)])]);
    const graph = this.#graphs.get(key) ?? (await this.#newGraph(dimensions, choices));
    this.#graphs.delete(key);
    this.#graphs.set(key, graph);
    return graph;
  }

  async #newGraph(dimensions: Dimensions, choices: Choices): Promise<Graph> {
    while (this.#graphs.size >= this.#settings.maxGraphs) {
      const [[key, oldest] = []] = this.#graphs;
      if (key === undefined || oldest === undefined) break;
      this.#graphs.delete(key);
      await releaseGraph(oldest);
    }
    // onnxruntime's wasm has branches.
    const branches = this.#location === null ? null : this.#model.branches;
    const model = branches === null ? this.#model : readModel(branches.choose(choices), 'model');
    const source = { model, externalData: this.#externalData, settings: this.#settings, dimensions };
    const graph = await makeGraph(source, this.#location);
    this.#placement = graph.placement;
    if (graph.placement.cpu.length > 0 && this.#location !== null) await this.#reportFallback(graph);
    return graph;
  }

  /** Reads the inputs that choose parts of the model. */
  async #choicesIn({ feeds }: Request): Promise<Choices> {
    const choices = new Map<string, bigint>();
    for (const name of this.#model.branches?.inputs ?? []) {
      const feed = feeds.get(name);
      const data = (await feed?.given.onDevice?.tensor.read()) ?? feed?.tensor.data;
      choices.set(name, BigInt(data?.[0] ?? 0));
    }
    return choices;
  }

  /** @throws {DirectMLError} ERR_CPU_FALLBACK with the option `fallback: 'error'`. */
  async #reportFallback(graph: Graph): Promise<void> {
    const { backend, cpu } = graph.placement;
    const { fallback } = this.#settings;
    const shown = cpu.slice(0, 8).map(({ name, opType }) => (name === '' ? opType : `${opType} '${name}'`));
    const count = cpu.length === 1 ? 'a node' : `${cpu.length} nodes`;
    const text =
      backend === 'wasm'
        ? `onnxruntime computes the whole model on the CPU: ${cpu[0]?.why ?? ''}`
        : `onnxruntime computes ${count} of the model on the CPU: ${shown.join(', ')}${cpu.length > 8 ? ', ...' : ''}`;
    if (fallback === 'error') {
      await releaseGraph(graph);
      throw new DirectMLError('ERR_CPU_FALLBACK', `InferenceSession: ${text}`);
    }
    if (fallback === 'allow' || this.#hasWarned) return;
    this.#hasWarned = true;
    process.emitWarning(`${text}. See session.placement.`, { code: 'ERR_CPU_FALLBACK' });
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

  /** Releases a graph after a failed run, because onnxruntime may keep inputs of that run, and things that are no tensors. */
  async #drop(dropped: Graph): Promise<void> {
    for (const [key, graph] of this.#graphs) if (graph === dropped) this.#graphs.delete(key);
    await releaseGraph(dropped);
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
    for (const graph of graphs) await releaseGraph(graph);
  }
}

function pick(sizes: ReadonlyMap<string, number>, names: readonly string[]): Map<string, number> {
  return new Map(names.map((name) => [name, sizes.get(name) ?? 0]));
}
